#include "icount/store/expected_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/hash.h"
#include "icount/base/text.h"
#include "icount/base/text_encodings.h"
#include "icount/stats/flag_paths.h"

namespace icount {
namespace {

constexpr std::string_view kFirstLine = "icount accepted values, version ";
constexpr std::string_view kExplanation =
    "# Written by `icount accept`, read by `icount gate`. One line per benchmark, fields between tabs: name, what is "
    "counted,\n"
    "# accepted value, value when it was last accepted on purpose, runs in the region, conditions, why.\n";
constexpr std::string_view kExplanationOfTwo =
    "# accepted value~what its repeats differed by, value when it was last accepted on purpose, runs in the region, "
    "conditions, why.\n";
constexpr std::string_view kExplanationOfThree =
    "# accepted value (* after what a further run costs, times the runs)~what its repeats differed by, value when it "
    "was\n"
    "# last accepted on purpose, runs in the region, conditions, why.\n";
constexpr std::string_view kExplanationOfGrowth =
    "# !growth: benchmarks at several sizes, what is counted, the power by which each function grows.\n";
constexpr char kMarginalMark = '*';
constexpr std::string_view kConditions = "!conditions";
constexpr std::string_view kBuild = "!build";
constexpr std::string_view kGrowth = "!growth";
constexpr size_t kFields = 7;
constexpr double kMostPower = 1000;
constexpr std::string_view kBetweenParts = " / ";  // of a benchmark's key

/// What begins something else than a benchmark's line: comments, conditions, git's conflict markers.
constexpr std::string_view kFirstCharacters = "#! <>=|";

/// Reversible; what would end a field or a line, or mean something at its beginning, becomes \xNN, and so does what is
/// in `also`.
std::string escape(std::string_view text, std::string_view also = {}) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool at_end =
        (i == 0 && kFirstCharacters.find(text[i]) != std::string_view::npos) || (i + 1 == text.size() && byte == ' ');
    if (byte < 0x20 || byte == 0x7f || byte == '\\' || at_end || also.find(text[i]) != std::string_view::npos)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += text[i];
  }
  return out;
}

class Reader {
 public:
  Reader(std::string_view text, std::string_view name) : lines_(split_lines(text)), name_(name) {}

  ExpectedFile read() {
    read_version();
    for (line_ = 1; line_ < lines_.size(); ++line_) read_line(lines_[line_]);
    for (const auto& [key, value] : file_.values)
      if (!file_.conditions.contains(value.conditions))
        throw Error(ErrorKind::kMalformed,
                    fmt::format("{}: '{}' was counted under the conditions {}, which the file does not list", name_,
                                key.first, value.conditions));
    return std::move(file_);
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    throw Error(ErrorKind::kMalformed, fmt::format("{}:{}: {}", name_, line_ + 1, what));
  }

  void read_version() {
    if (lines_.empty() || !lines_[0].starts_with(kFirstLine))
      fail("not a file of accepted values; `icount accept` writes one");
    const auto version = parse_int64(trim(lines_[0].substr(kFirstLine.size())));
    if (!version || *version < 1) fail("the version is not a number");
    if (*version > kExpectedFormatVersion)
      fail(fmt::format("version {} is newer than this icount, which reads version {}; use a newer icount", *version,
                       kExpectedFormatVersion));
  }

  void read_line(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (trim(line).empty() || line.starts_with('#')) return;
    for (const std::string_view mark : {"<<<<<<<", "=======", ">>>>>>>", "|||||||"})
      if (line.starts_with(mark))
        fail("unresolved merge conflict; keep one of the lines, or accept the value again with `icount accept`");
    const auto fields = split(line, '\t');
    if (fields[0] == kConditions) return read_facts(fields, FactClass::kRefuse);
    if (fields[0] == kBuild) return read_facts(fields, FactClass::kNameOnly);
    if (fields[0] == kGrowth) return read_growth(fields);
    if (fields.size() != kFields) fail(fmt::format("{} tab-separated fields, expected {}", fields.size(), kFields));
    ExpectedKey key{unescape(fields[0]), read_measure(fields[1])};
    const size_t tilde = std::min(fields[2].find('~'), fields[2].size());
    std::string_view accepted = fields[2].substr(0, tilde);
    const bool marginal = accepted.ends_with(kMarginalMark);
    if (marginal) accepted.remove_suffix(1);
    ExpectedValue value{read_count(accepted, "accepted value"), read_count(fields[3], "reference value"),
                        read_count(fields[4], "number of runs"), std::string(fields[5]), unescape(fields[6])};
    if (tilde < fields[2].size()) value.spread = read_count(fields[2].substr(tilde + 1), "spread");
    value.marginal = marginal;
    if (value.number_per_run < 1) fail("the number of runs must be 1 or more");
    if (const auto [there, fresh] = file_.values.emplace(key, value); !fresh)
      fail(fmt::format("a second line for '{}', {} (a merge that kept both sides?); keep one of them", key.first,
                       to_text(key.second)));
  }

  /// !conditions TAB name TAB fact=value TAB fact=value ..., and !build in the same form.
  void read_facts(const std::vector<std::string_view>& fields, FactClass fact_class) {
    if (fields.size() < 2) fail(fmt::format("{} without a name", fields[0].substr(1)));
    Fingerprint& facts = file_.conditions[std::string(fields[1])];
    for (size_t i = 2; i < fields.size(); ++i) {
      const size_t equals = fields[i].find('=');
      if (equals == std::string_view::npos) fail(fmt::format("'{}' is not NAME=VALUE", fields[i]));
      facts.set(unescape(fields[i].substr(0, equals)), unescape(fields[i].substr(equals + 1)), fact_class);
    }
  }

  /// !growth TAB key TAB event TAB power function TAB power function ...
  void read_growth(const std::vector<std::string_view>& fields) {
    if (fields.size() < 3) fail("a growth without a name and an event");
    const auto [at, fresh] = file_.growths.try_emplace(unescape(fields[1]));
    if (!fresh)
      fail(fmt::format("a second growth of '{}' (a merge that kept both sides?); keep one of them", at->first));
    at->second.event = unescape(fields[2]);
    for (size_t i = 3; i < fields.size(); ++i) {
      const size_t blank = std::min(fields[i].find(' '), fields[i].size());
      double power = 0;
      const auto [end, error] = std::from_chars(fields[i].data(), fields[i].data() + blank, power);
      if (error != std::errc() || end != fields[i].data() + blank || blank == fields[i].size() ||
          !(power >= 0 && power <= kMostPower))
        fail(fmt::format("'{}' is not POWER FUNCTION", fields[i]));
      at->second.powers[unescape(fields[i].substr(blank + 1))] = std::round(power * 10) / 10;
    }
  }

  Measure read_measure(std::string_view field) const {
    const size_t at = field.find('@');
    if (at == std::string_view::npos) return {unescape(field), {}, false};
    std::string_view event = field.substr(0, at);
    const bool inclusive = event.ends_with('+');
    if (inclusive) event.remove_suffix(1);
    return {unescape(event), unescape(field.substr(at + 1)), inclusive};
  }

  int64_t read_count(std::string_view field, std::string_view what) const {
    const auto count = parse_int64(field);
    if (!count || *count < 0) fail(fmt::format("the {} is '{}', which is not a count", what, field));
    return *count;
  }

  std::string unescape(std::string_view field) const {
    std::string out;
    for (size_t i = 0; i < field.size(); ++i) {
      if (field[i] != '\\') {
        out += field[i];
        continue;
      }
      const int high = i + 3 < field.size() && field[i + 1] == 'x' ? hex_value(field[i + 2]) : -1;
      const int low = high >= 0 ? hex_value(field[i + 3]) : -1;
      if (low < 0) fail(fmt::format("a backslash that begins no \\xNN in '{}'", field));
      out += static_cast<char>(high * 16 + low);
      i += 3;
    }
    return out;
  }

  std::vector<std::string_view> lines_;
  std::string name_;
  size_t line_ = 0;
  ExpectedFile file_;
};

std::string measure_field(const Measure& measure) {
  if (measure.function.empty()) return escape(measure.event, "@+");
  return escape(measure.event, "@+") + (measure.inclusive ? "+@" : "@") + escape(measure.function);
}

std::string facts_line(std::string_view mark, const std::string& name, const Fingerprint& facts, FactClass fact_class) {
  std::string line = std::string(mark) + "\t" + name;
  for (const Fact& fact : facts.facts)
    if (fact.fact_class == fact_class) line += "\t" + escape(fact.name, "=") + "=" + escape(fact.value);
  return line + "\n";
}

bool has_build(const Fingerprint& facts) {
  return std::any_of(facts.facts.begin(), facts.facts.end(),
                     [](const Fact& fact) { return fact.fact_class == FactClass::kNameOnly; });
}

/// One line, or two with what is known of the build.
std::string conditions_lines(const std::string& name, const Fingerprint& facts) {
  std::string lines = facts_line(kConditions, name, facts, FactClass::kRefuse);
  if (has_build(facts)) lines += facts_line(kBuild, name, facts, FactClass::kNameOnly);
  return lines;
}

/// The oldest version that holds all of `file` but its growths.
int needed_version(const ExpectedFile& file) {
  const auto is_marginal = [](const auto& entry) { return entry.second.marginal; };
  if (std::any_of(file.values.begin(), file.values.end(), is_marginal)) return 3;
  const bool two = std::any_of(file.values.begin(), file.values.end(), [&](const auto& entry) {
    const auto facts = file.conditions.find(entry.second.conditions);
    return entry.second.spread > 0 || (facts != file.conditions.end() && has_build(facts->second));
  });
  return two ? 2 : 1;
}

}  // namespace

Fingerprint accepted_facts(const Fingerprint& fingerprint) {
  const auto by_name = [](const Fact& a, const Fact& b) { return a.name < b.name; };
  Fingerprint accepted;
  for (const Fact& fact : fingerprint.facts)
    if (fact.fact_class == FactClass::kRefuse) accepted.facts.push_back(fact);
  std::sort(accepted.facts.begin(), accepted.facts.end(), by_name);
  Fingerprint build = build_facts(fingerprint);
  std::erase_if(build.facts, [](const Fact& fact) { return fact.fact_class == FactClass::kRefuse; });
  if (const std::string* unit = fingerprint.find(kUnitFact)) build.set(kUnitFact, *unit, FactClass::kNameOnly);
  std::sort(build.facts.begin(), build.facts.end(), by_name);
  accepted.facts.insert(accepted.facts.end(), build.facts.begin(), build.facts.end());
  return accepted;
}

std::string conditions_name(const Fingerprint& accepted) {
  return content_hash(conditions_lines("", accepted)).substr(0, 8);
}

std::string expected_file_text(const ExpectedFile& file) {
  std::set<std::string> used;
  std::string growths;
  for (const auto& [key, growth] : file.growths) {
    const std::string of_sizes = key + std::string(kBetweenParts);
    const auto first = file.values.lower_bound({of_sizes, {}});
    if (first == file.values.end() || !first->first.first.starts_with(of_sizes)) continue;
    growths += fmt::format("\n{}\t{}\t{}", kGrowth, escape(key), escape(growth.event));
    for (const auto& [function, power] : growth.powers) growths += fmt::format("\t{:.1f} {}", power, escape(function));
    growths += "\n";
  }
  for (const auto& [key, value] : file.values) used.insert(value.conditions);
  const int version = growths.empty() ? needed_version(file) : 4;
  const size_t third_line = kExplanation.rfind("# ");
  const std::string_view third[] = {kExplanation.substr(third_line), kExplanationOfTwo, kExplanationOfThree,
                                    kExplanationOfThree};
  std::string text =
      fmt::format("{}{}\n{}{}", kFirstLine, version, kExplanation.substr(0, third_line), third[version - 1]);
  if (!growths.empty()) text += kExplanationOfGrowth;
  for (const auto& [name, facts] : file.conditions)
    if (used.contains(name)) text += "\n" + conditions_lines(name, facts);
  text += growths;
  // The blank line is what git needs between two changed lines to merge them by itself.
  for (const auto& [key, value] : file.values)
    text +=
        fmt::format("\n{}\t{}\t{}{}{}\t{}\t{}\t{}\t{}\n", escape(key.first), measure_field(key.second), value.accepted,
                    value.marginal ? "*" : "", value.spread > 0 ? fmt::format("~{}", value.spread) : "",
                    value.reference, value.number_per_run, value.conditions, escape(value.why));
  return text;
}

ExpectedFile parse_expected_file(std::string_view text, std::string_view name) { return Reader(text, name).read(); }

ExpectedFile load_expected_file(const std::filesystem::path& path) {
  return parse_expected_file(load_text(path), path.string());
}

void save_expected_file(const std::filesystem::path& path, const ExpectedFile& file) {
  save_file(path, expected_file_text(file));
}

}  // namespace icount
