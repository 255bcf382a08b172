#include "icount/verdict/gate_limit.h"

#include <re2/re2.h>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/callgraph/derived_events.h"

namespace icount {
namespace {

/// One part of "1%+100"; false when it is none or there was one of its kind before.
bool add_part(Allowance& allowance, std::string_view part) {
  part = trim(part);
  if (part.ends_with('%')) {
    if (allowance.percent) return false;
    allowance.percent = parse_decimal(trim(part.substr(0, part.size() - 1)));
    return allowance.percent.has_value();
  }
  std::string digits(part);
  std::erase(digits, ',');
  if (allowance.absolute) return false;
  allowance.absolute = parse_int64(digits);
  return allowance.absolute.has_value();
}

bool exceeds_percent(const Decimal& percent, int64_t base, __int128 growth) {
  return base <= 0 ? growth > 0 : percent.is_less_than_ratio(100 * growth, base);
}

using Pattern = std::unique_ptr<RE2>;

Pattern compile(const std::string& pattern, std::string_view what, const GateLimit& limit, std::string& problems) {
  if (pattern.empty()) return nullptr;
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingLatin1);  // names are bytes; not every one is UTF-8
  options.set_log_errors(false);
  auto compiled = std::make_unique<RE2>(pattern, options);
  if (!compiled->ok())
    problems += limit.place + ": '" + std::string(what) + "' is not a regular expression: " + pattern + ": " +
                compiled->error() + "\n";
  return compiled;
}

/// Whether `key` is at or below the label: followed by nothing, a further part or the number of threads.
bool in_section(std::string_view section, std::string_view key) {
  if (section.empty()) return true;
  if (!key.starts_with(section)) return false;
  const std::string_view rest = key.substr(section.size());
  return rest.empty() || rest.starts_with(" / ") || rest.starts_with(" [");
}

void check_sense(const GateLimit& limit, std::string& problems) {
  const auto problem = [&](std::string_view text) { problems += limit.place + ": " + std::string(text) + "\n"; };
  if (!limit.change.given() && !limit.creep.given())
    problem(
        "the limit allows nothing and forbids nothing: give it 'percent', 'absolute', 'creep_percent' or "
        "'creep_absolute'");
  for (const Allowance* allowance : {&limit.change, &limit.creep}) {
    if (allowance->percent && allowance->absolute && allowance->percent->is_negative() != (*allowance->absolute < 0))
      problem("the limit of " + to_text(*allowance) +
              " allows growth with one part and requires an improvement with the other; give both the same sign");
  }
  if (limit.event == kWallTime && limit.creep.given()) problem("creep of wall time can't be limited, only of counts");
  if (limit.event == kWallTime && !limit.function.empty())
    problem("wall time is not known by function, only counts are");
  if (limit.inclusive && limit.function.empty()) problem("'inclusive' belongs to a limit on functions");
  if (limit.creep_runs && !limit.creep.given()) problem("'creep_runs' belongs to 'creep_percent' or 'creep_absolute'");
}

}  // namespace

bool Allowance::demands_improvement() const {
  return (percent && percent->is_negative()) || (absolute && *absolute < 0);
}

std::string to_text(const Allowance& allowance) {
  if (allowance.unlimited) return "none";
  std::string text;
  if (allowance.percent) text = to_text(*allowance.percent) + " %";
  if (allowance.percent && allowance.absolute) text += " and ";
  if (allowance.absolute) text += with_thousands(*allowance.absolute);
  return text;
}

std::optional<Allowance> parse_allowance(std::string_view text) {
  Allowance allowance;
  if (trim(text) == "none") {
    allowance.unlimited = true;
    return allowance;
  }
  // "+" between the parts, not the sign in front of one.
  const size_t plus = text.find('+', 1);
  if (!add_part(allowance, text.substr(0, plus))) return std::nullopt;
  if (plus != std::string_view::npos && !add_part(allowance, text.substr(plus + 1))) return std::nullopt;
  return allowance;
}

Allowance parse_fail_limit(std::string_view text) {
  const auto allowance = parse_allowance(text);
  if (allowance && !allowance->unlimited && !(allowance->percent && allowance->absolute) &&
      !allowance->demands_improvement())
    return *allowance;
  throw Error(ErrorKind::kUsage, "--fail-over " + std::string(text) + ": not a limit like 0.5% or 10000");
}

bool exceeds(const Allowance& allowance, int64_t base, int64_t head) {
  if (allowance.unlimited || !allowance.given()) return false;
  const __int128 growth = static_cast<__int128>(head) - base;
  if (allowance.percent && !exceeds_percent(*allowance.percent, base, growth)) return false;
  return !allowance.absolute || growth > *allowance.absolute;
}

std::string_view to_text(LimitSource source) {
  switch (source) {
    case LimitSource::kDefault:
      return "default";
    case LimitSource::kSuiteFile:
      return "suite file";
    case LimitSource::kCommandLine:
      return "command line";
  }
  return {};
}

std::vector<GateLimit> default_limits() {
  GateLimit limit;
  limit.change.percent = Decimal(1);
  limit.place = "default";
  return {limit};
}

std::string to_text(const Measure& measure) {
  if (measure.event == kWallTime) return "wall time";
  if (measure.function.empty()) return measure.event + (find_derived_event(measure.event) ? " (model)" : "");
  return measure.event + " of `" + measure.function + "`" + (measure.inclusive ? " with what it calls" : "");
}

struct LimitSet::Compiled {
  std::vector<GateLimit> limits;
  std::vector<Pattern> benchmarks, functions;  ///< parallel to limits

  bool applies(size_t i, std::string_view key, const Measure& measure, std::string_view main_event) const {
    const GateLimit& limit = limits[i];
    if ((limit.event.empty() ? main_event : std::string_view(limit.event)) != measure.event) return false;
    if (limit.function.empty() != measure.function.empty() || limit.inclusive != measure.inclusive) return false;
    return matches(i, key) && (!functions[i] || RE2::PartialMatch(measure.function, *functions[i]));
  }
  bool matches(size_t i, std::string_view key) const {
    return in_section(limits[i].section, key) &&
           (!benchmarks[i] || RE2::PartialMatch(re2::StringPiece(key.data(), key.size()), *benchmarks[i]));
  }
  const GateLimit* strongest(std::string_view key, const Measure& measure, std::string_view main_event,
                             Allowance GateLimit::*kind) const {
    const GateLimit* best = nullptr;
    for (size_t i = 0; i < limits.size(); ++i) {
      if (!(limits[i].*kind).given() || (best && limits[i].source < best->source)) continue;
      if (applies(i, key, measure, main_event)) best = &limits[i];
    }
    return best;
  }
  size_t index_of(const GateLimit& limit) const {
    const auto index = static_cast<size_t>(&limit - limits.data());
    ICOUNT_CHECK(index < limits.size(), "a limit of another set");
    return index;
  }
};

LimitSet::LimitSet(std::vector<GateLimit> limits) : compiled_(std::make_unique<Compiled>()) {
  compiled_->limits = std::move(limits);
  std::string problems;
  for (const GateLimit& limit : compiled_->limits) {
    check_sense(limit, problems);
    compiled_->benchmarks.push_back(compile(limit.benchmark, "benchmark", limit, problems));
    compiled_->functions.push_back(compile(limit.function, "function", limit, problems));
  }
  if (!problems.empty()) throw Error(ErrorKind::kUsage, std::string(trim(problems)));
}

LimitSet::~LimitSet() = default;
LimitSet::LimitSet(LimitSet&&) noexcept = default;

const std::vector<GateLimit>& LimitSet::limits() const { return compiled_->limits; }

const GateLimit* LimitSet::change_limit(std::string_view key, const Measure& measure,
                                        std::string_view main_event) const {
  return compiled_->strongest(key, measure, main_event, &GateLimit::change);
}

const GateLimit* LimitSet::creep_limit(std::string_view key, const Measure& measure,
                                       std::string_view main_event) const {
  return compiled_->strongest(key, measure, main_event, &GateLimit::creep);
}

std::vector<const GateLimit*> LimitSet::beyond_totals(std::string_view key) const {
  std::vector<const GateLimit*> found;
  for (size_t i = 0; i < compiled_->limits.size(); ++i) {
    const GateLimit& limit = compiled_->limits[i];
    if ((!limit.event.empty() || !limit.function.empty()) && compiled_->matches(i, key)) found.push_back(&limit);
  }
  return found;
}

bool LimitSet::matches_benchmark(const GateLimit& limit, std::string_view key) const {
  return compiled_->matches(compiled_->index_of(limit), key);
}

bool LimitSet::matches_function(const GateLimit& limit, std::string_view function) const {
  const Pattern& pattern = compiled_->functions[compiled_->index_of(limit)];
  return pattern && RE2::PartialMatch(re2::StringPiece(function.data(), function.size()), *pattern);
}

}  // namespace icount
