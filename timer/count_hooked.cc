#include "icount/timer/count_hooked.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"

namespace icount {
namespace {

using Labels = std::vector<std::vector<std::string>>;

/// How a framework of this kind is asked, and what its cases are called.
struct HookedBinary {
  std::vector<std::string> arguments;
  std::string plan;
  /// Of the cases that began, by the file that the binary wrote; a label that it does not know stays empty.
  std::function<Labels(std::string_view out)> read_labels;
  std::string remedy;      ///< where no hook fires
  bool is_chosen = false;  ///< it has the cases that were asked for and no others
};

/// BenchOptions::filter, a regular expression searched in names.
class LabelFilter {
 public:
  explicit LabelFilter(const std::string& pattern) : is_set_(!pattern.empty()) {
    try {
      expression_ = std::regex(pattern, std::regex::extended);
    } catch (const std::regex_error&) {
      throw Error(ErrorKind::kUsage, fmt::format("--filter {}: not a regular expression", pattern));
    }
  }
  bool matches(const std::string& label) const { return !is_set_ || std::regex_search(label, expression_); }

 private:
  bool is_set_;
  std::regex expression_;
};

std::string joined(const std::vector<std::string>& label) { return fmt::format("{}", fmt::join(label, " / ")); }

/// Equal labels are told apart.
Labels numbered(Labels labels) {
  std::map<std::vector<std::string>, int> seen;
  for (std::vector<std::string>& label : labels)
    if (const int number = ++seen[label]; number > 1) label.back() += fmt::format(" #{}", number);
  return labels;
}

[[noreturn]] void fail_no_match(const BenchSession& session) {
  throw Error(ErrorKind::kUsage,
              fmt::format("no case of {} matches --filter {}", session.command_text(), session.options().filter));
}

class HookedCounting {
 public:
  HookedCounting(BenchSession& session, const HookedBinary& binary) : session_(session), binary_(binary) {}

  /// The binary runs with each of its cases once.
  Labels list() {
    measure_together(0, "list 1\n");
    repeats_.clear();
    return numbered(labels_);
  }

  void count(BenchCount& count) {
    choose_cases();
    for (int repeat = 0; repeat < session_.options().repeats; ++repeat) {
      if (session_.options().isolate)
        measure_apart();
      else
        measure_together(repeat, "");
    }
    make_results(count);
  }

 private:
  /// Names are known when the cases have begun: with a choice the binary runs once for them.
  void choose_cases() {
    const BenchOptions& options = session_.options();
    if (binary_.is_chosen || (options.filter.empty() && options.only.empty())) return;
    const LabelFilter filter(options.filter);
    const Labels labels = list();
    chosen_.emplace();
    for (size_t i = 0; i < labels.size(); ++i)
      if (filter.matches(joined(labels[i])) && session_.is_wanted(labels[i])) chosen_->insert(i);
    if (chosen_->empty()) fail_no_match(session_);
    constexpr size_t kMostInPlan = 4096;  // of the hooks; beyond it all cases are measured
    if (chosen_->size() <= kMostInPlan)
      for (const size_t i : *chosen_) choice_ += fmt::format("choose {}\n", i);
  }

  bool is_chosen(size_t i) const { return !chosen_ || chosen_->contains(i); }

  /// Runs the binary; false when a case ended it. What began is in labels_ and repeats_.
  bool measure(const std::string& plan, size_t repeat, size_t& began) {
    const ScratchDir folder("icount-bench");
    const BenchRun run = session_.run(binary_.arguments, binary_.plan + choice_ + plan, folder.path());
    began = run.cases.size();
    check_hooks(run);
    is_together_ |= run.is_together;
    Labels labels = binary_.read_labels(load_text(folder.path() / kBenchOutFile));
    labels.resize(run.cases.size());
    for (size_t i = 0; i < run.cases.size(); ++i) {
      if (labels[i].empty())
        labels[i] = {run.cases[i].name.empty() ? fmt::format("case {}", i + 1) : run.cases[i].name};
      if (labels_.size() <= i) labels_.push_back(labels[i]);
      if (repeats_.size() <= i) repeats_.emplace_back();
      if (repeats_[i].size() <= repeat) repeats_[i].resize(repeat + 1);
      session_.take_regions(folder.path(), run.cases[i], repeats_[i][repeat]);
      session_.take_failure(run, run.cases[i], repeats_[i][repeat]);
    }
    const MeasuredCase& last = repeats_[began - 1][repeat];
    const bool came_to_its_end = run.outcome.end == ProcessOutcome::End::kExited &&
                                 (run.outcome.exit_code == 0 || last.many || last.status != "done");
    if (came_to_its_end && run.outcome.exit_code != 0) ending_ = describe_end(run.outcome);
    if (came_to_its_end) return true;
    const auto [status, error] = BenchSession::describe_failure(run, session_.options());
    repeats_[began - 1][repeat].fail(status, error);
    return false;
  }

  void measure_together(int repeat, const std::string& plan) {
    std::string skipped;
    size_t began = 0;
    for (size_t from = 0;
         !measure(fmt::format("from {}\n{}{}", from, plan, skipped), static_cast<size_t>(repeat), began);
         from = began) {
      if (began <= from) break;  // it ends before it comes to the next case
      skipped += fmt::format("skip {}\n", began - 1);
    }
  }

  void measure_apart() {
    const size_t repeat = repeats_.empty() ? 0 : repeats_[0].size();
    size_t count = chosen_ ? *chosen_->rbegin() + 1 : 1;
    for (size_t i = 0; i < count; ++i) {
      if (!is_chosen(i)) continue;
      size_t began = 0;
      measure(fmt::format("only {}\n", i), repeat, began);
      if (!chosen_) count = std::max(count, began);
    }
  }

  void check_hooks(const BenchRun& run) const {
    if (!run.cases.empty()) return;
    if (!run.outcome.ok()) {
      const auto lines = split_lines(trim(run.outcome.errors));
      throw Error(ErrorKind::kTool,
                  fmt::format("cannot count {}: it ended before its first case: {}{}", session_.command_text(),
                              BenchSession::describe_failure(run, session_.options()).second,
                              lines.empty() ? "" : ": " + escape_for_terminal(lines.back())));
    }
    throw Error(ErrorKind::kCannotJudge,
                fmt::format("cannot count {}: no hook of {} fired; {}", session_.command_text(),
                            to_text(session_.framework()), binary_.remedy));
  }

  void make_results(BenchCount& count) {
    Labels labels = numbered(labels_);
    for (size_t i = 0; i < labels.size(); ++i) {
      if (!is_chosen(i)) continue;
      Result result = session_.make_result(labels[i].back(), std::move(repeats_[i]), Json::object());
      result.label = std::move(labels[i]);
      count.results.push_back(std::move(result));
    }
    if (!ending_.empty()) count.notes.push_back(fmt::format("the binary ended with {}", ending_));
    if (is_together_) count.notes.emplace_back(kBenchTogether);
  }

  BenchSession& session_;
  const HookedBinary& binary_;
  Labels labels_;  // in order, equal ones not yet told apart
  std::vector<std::vector<MeasuredCase>> repeats_;
  std::optional<std::set<size_t>> chosen_;  // where not all cases were asked for
  std::string choice_;                      // the same for the hooks
  std::string ending_;
  bool is_together_ = false;
};

/// The value of the attribute name="..." behind `at`, with XML's escapes undone.
std::string name_attribute(std::string_view xml, size_t at) {
  constexpr std::string_view kName = " name=\"";
  const size_t end = xml.find('>', at);
  const size_t begin = xml.find(kName, at);
  if (begin == std::string_view::npos || begin > end) return {};
  std::string_view text = xml.substr(begin + kName.size());
  text = text.substr(0, text.find('"'));
  static constexpr std::pair<std::string_view, char> kEscapes[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}};
  std::string plain;
  while (!text.empty()) {
    const auto* escape = std::find_if(std::begin(kEscapes), std::end(kEscapes),
                                      [&](const auto& one) { return text.starts_with(one.first); });
    plain += escape == std::end(kEscapes) ? text[0] : escape->second;
    text.remove_prefix(escape == std::end(kEscapes) ? 1 : escape->first.size());
  }
  return plain;
}

}  // namespace

std::vector<std::vector<std::string>> parse_catch_names(std::string_view xml) {
  Labels labels;
  std::string test;
  for (size_t at = xml.find('<'); at != std::string_view::npos; at = xml.find('<', at + 1)) {
    if (xml.substr(at).starts_with("<TestCase ")) test = name_attribute(xml, at);
    if (!xml.substr(at).starts_with("<BenchmarkResults ")) continue;
    labels.emplace_back();
    if (!test.empty()) labels.back().push_back(test);
    labels.back().push_back(name_attribute(xml, at));
  }
  return labels;
}

bool matches_pattern(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern[0] == '*')
    return matches_pattern(pattern.substr(1), name) || (!name.empty() && matches_pattern(pattern, name.substr(1)));
  return !name.empty() && (pattern[0] == '?' || pattern[0] == name[0]) &&
         matches_pattern(pattern.substr(1), name.substr(1));
}

namespace {

HookedBinary catch2_binary() {
  return {.arguments = {"-r", "xml", "-o", kBenchOutPath, "--benchmark-samples", "1", "--benchmark-resamples", "1",
                        "--benchmark-no-analysis", "--benchmark-warmup-time", "0"},
          .plan = {},
          .read_labels = parse_catch_names,
          .remedy =
              "does it run a benchmark? Tests with the tag [!benchmark] are hidden: count them with -- "
              "'[!benchmark]'"};
}

HookedBinary nanobench_binary() {
  return {.arguments = {},
          .plan = {},
          .read_labels = [](std::string_view) { return Labels(); },
          .remedy =
              "put #define ANKERL_NANOBENCH_IMPLEMENT into a source file of its own, so that its functions are not "
              "inlined into the benchmarks"};
}

/// Address by the name that people write.
std::map<std::string, uint64_t> find_functions(const BenchSession& session, const ElfSymbols& symbols) {
  std::map<std::string, uint64_t> found;
  for (const ElfSymbol& symbol : symbols.symbols) {
    if (!symbol.is_function || !symbol.is_defined) continue;
    std::string name = demangle(symbol.name);
    // Functions with parameters cannot be called; a C function's symbol does not say whether it has some.
    if (symbol.name.starts_with("_Z")) {
      if (!name.ends_with("()")) continue;
      name.resize(name.size() - 2);
    }
    if (matches_pattern(session.options().functions, name)) found.emplace(name, symbol.address);
  }
  if (found.empty())
    throw Error(ErrorKind::kUsage, fmt::format("no function without parameters in {} matches --case {}",
                                               session.command_text(), session.options().functions));
  const LabelFilter filter(session.options().filter);
  std::erase_if(found, [&](const auto& one) { return !filter.matches(one.first) || !session.is_wanted({one.first}); });
  if (found.empty()) fail_no_match(session);
  return found;
}

}  // namespace

void count_catch2(BenchSession& session, BenchCount& count) {
  const HookedBinary binary = catch2_binary();
  HookedCounting(session, binary).count(count);
}

std::vector<std::vector<std::string>> list_catch2(BenchSession& session) {
  const HookedBinary binary = catch2_binary();
  return HookedCounting(session, binary).list();
}

void count_nanobench(BenchSession& session, BenchCount& count) {
  const HookedBinary binary = nanobench_binary();
  HookedCounting(session, binary).count(count);
}

std::vector<std::vector<std::string>> list_nanobench(BenchSession& session) {
  const HookedBinary binary = nanobench_binary();
  return HookedCounting(session, binary).list();
}

void count_functions(BenchSession& session, const ElfSymbols& symbols, BenchCount& count) {
  HookedBinary binary;
  Labels labels;
  for (const auto& [name, address] : find_functions(session, symbols)) {
    binary.plan += fmt::format("function {}\n", address);
    labels.push_back({name});
  }
  binary.read_labels = [&](std::string_view) { return labels; };
  binary.remedy = "is it a program with a main function?";
  binary.is_chosen = true;
  HookedCounting(session, binary).count(count);
}

std::vector<std::vector<std::string>> list_functions(BenchSession& session, const ElfSymbols& symbols) {
  Labels labels;
  for (const auto& [name, address] : find_functions(session, symbols)) labels.push_back({name});
  return labels;
}

}  // namespace icount
