#include "icount/timer/count_hooked.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/timer/case_memory.h"

namespace icount {
namespace {

/// "bodies / ten", which a filter is searched in.
std::string joined_label(const std::vector<std::string>& label) { return fmt::format("{}", fmt::join(label, " / ")); }

// Runs a binary that runs all its cases by itself until each of them is measured: again behind a case that ends it, and
// once before for names where not all were asked for.

/// Error{kUsage}: --filter matches no case.
[[noreturn]] void fail_no_match(const BenchSession& session);

/// Equal labels are told apart.
BenchLabels numbered(BenchLabels labels) {
  std::map<std::vector<std::string>, int> seen;
  for (std::vector<std::string>& label : labels)
    if (const int number = ++seen[label]; number > 1) label.back() += fmt::format(" #{}", number);
  return labels;
}

std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

class HookedCounting {
 public:
  HookedCounting(BenchSession& session, HookedBinary binary) : session_(session), binary_(std::move(binary)) {}

  /// The binary runs with each of its cases once.
  BenchLabels list() {
    measure_together(0, "list 1\n");
    repeats_.clear();
    return numbered(labels_);
  }

  void count(BenchCount& count) {
    choose_cases();
    if (chosen_ && chosen_->empty()) return;
    for (int repeat = 0; repeat < session_.options().repeats; ++repeat) {
      if (session_.options().isolate)
        measure_apart();
      else
        measure_together(repeat, "");
    }
    make_results(count);
    if (session_.options().memory) measure_memory(count);
  }

 private:
  /// Names are known when the cases have begun: with a choice the binary runs once for them.
  void choose_cases() {
    const BenchOptions& options = session_.options();
    if (binary_.is_chosen || (options.filter.empty() && options.only.empty() && options.left_out.empty())) return;
    const LabelFilter filter(options.filter);
    const BenchLabels labels = list();
    chosen_.emplace();
    for (size_t i = 0; i < labels.size(); ++i)
      if (const std::string name = joined_label(labels[i]);
          filter.matches(name) && session_.is_wanted(labels[i]) && !options.left_out.contains(name))
        chosen_->insert(i);
    if (chosen_->empty() && options.left_out.empty()) fail_no_match(session_);
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
    BenchLabels labels = binary_.read_labels(load_text(folder.path() / kBenchOutFile));
    labels.resize(run.cases.size());
    for (size_t i = 0; i < run.cases.size(); ++i) {
      if (labels[i].empty())
        labels[i] = {run.cases[i].name.empty() ? fmt::format("case {}", i + 1) : run.cases[i].name};
      if (labels_.size() <= i) labels_.push_back(labels[i]);
      if (repeats_.size() <= i) repeats_.emplace_back();
      if (repeats_[i].size() <= repeat) repeats_[i].resize(repeat + 1);
      session_.take_regions(folder.path(), run.cases[i], repeats_[i][repeat]);
      session_.take_failure(run, run.cases[i], repeats_[i][repeat]);
      if (!run.cases[i].skipped.empty()) repeats_[i][repeat].fail("skipped", on_one_line(run.cases[i].skipped));
      if (!run.cases[i].error.empty()) repeats_[i][repeat].fail("failed", on_one_line(run.cases[i].error));
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

  /// The cases that were counted, once more; a run that ends early is followed by one that goes on behind that case.
  void measure_memory(BenchCount& count) {
    std::vector<Result*> results(labels_.size());
    std::string plan;
    size_t next = 0;
    for (size_t i = 0; i < labels_.size(); ++i) {
      if (!is_chosen(i)) continue;
      Result& result = count.results[next++];
      if (result.counts.empty()) {
        plan += fmt::format("skip {}\n", i);
        continue;
      }
      results[i] = &result;
      plan += memory_plan(i, result);
    }
    for (size_t from = 0; from < results.size();) {
      const ScratchDir folder("icount-bench");
      const BenchRun run = session_.run_memory(
          binary_.arguments, fmt::format("{}{}from {}\n{}", binary_.plan, choice_, from, plan), folder.path());
      const size_t began = std::min(run.cases.size(), results.size());
      for (size_t i = from; i < began; ++i)
        if (results[i]) take_memory(folder.path(), run, run.cases[i], *results[i]);
      if (began <= from) break;  // what is left has no memory, and says so below
      from = began;
    }
    for (Result* const result : results)
      if (result) note_missing_memory(*result);
  }

  void check_hooks(const BenchRun& run) const {
    if (!run.cases.empty()) return;
    if (!run.outcome.ok()) session_.fail_before_cases(run);
    throw Error(ErrorKind::kCannotJudge,
                fmt::format("cannot count {}: no hook of {} fired; {}", session_.command_text(),
                            to_text(session_.framework()), binary_.remedy));
  }

  void make_results(BenchCount& count) {
    BenchLabels labels = numbered(labels_);
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
  HookedBinary binary_;
  BenchLabels labels_;  // in order, equal ones not yet told apart
  std::vector<std::vector<MeasuredCase>> repeats_;
  std::optional<std::set<size_t>> chosen_;  // where not all cases were asked for
  std::string choice_;                      // the same for the hooks
  std::string ending_;
  bool is_together_ = false;
};

void fail_no_match(const BenchSession& session) {
  throw Error(ErrorKind::kUsage,
              fmt::format("no case of {} matches --filter {}", session.command_text(), session.options().filter));
}

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

BenchLabels parse_catch_names(std::string_view xml) {
  BenchLabels labels;
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

BenchLabels parse_doctest_names(std::string_view xml) {
  BenchLabels labels;
  std::string suite;
  for (size_t at = xml.find('<'); at != std::string_view::npos; at = xml.find('<', at + 1)) {
    const std::string_view rest = xml.substr(at);
    if (rest.starts_with("<TestSuite")) suite = name_attribute(xml, at);
    if (!rest.starts_with("<TestCase ")) continue;
    labels.emplace_back();
    if (!suite.empty()) labels.back().push_back(suite);
    labels.back().push_back(name_attribute(xml, at));
  }
  return labels;
}

HookedBinary hooked_binary(BenchFramework framework) {
  HookedBinary binary;
  binary.read_labels = [](std::string_view) { return BenchLabels(); };
  switch (framework) {
    case BenchFramework::kCatch2:
      binary.arguments = {"-r",
                          "xml",
                          "-o",
                          kBenchOutPath,
                          "--benchmark-samples",
                          "1",
                          "--benchmark-resamples",
                          "1",
                          "--benchmark-no-analysis",
                          "--benchmark-warmup-time",
                          "0"};
      binary.read_labels = parse_catch_names;
      binary.remedy =
          "does it run a benchmark? Tests with the tag [!benchmark] are hidden: count them with -- '[!benchmark]'";
      break;
    case BenchFramework::kNanobench:
      binary.remedy =
          "put #define ANKERL_NANOBENCH_IMPLEMENT into a source file of its own, so that its functions are not inlined "
          "into the benchmarks";
      break;
    case BenchFramework::kDoctest:
      binary.arguments = {"--dt-reporters=xml", std::string("--dt-out=") + kBenchOutPath};
      binary.read_labels = parse_doctest_names;
      [[fallthrough]];
    case BenchFramework::kGoogleTest:
    case BenchFramework::kCatch2Tests:
      binary.plan = "tests 1\nonce 1\n";
      binary.remedy = "does it run a test? Link it without -s, strip and -flto";
      break;
    case BenchFramework::kGoogleBenchmark:
    case BenchFramework::kFunctions:
      ICOUNT_CHECK(false, "these are counted otherwise");
  }
  return binary;
}

LabelFilter::LabelFilter(const std::string& pattern) : is_set_(!pattern.empty()) {
  try {
    expression_ = std::regex(pattern, std::regex::extended);
  } catch (const std::regex_error&) {
    throw Error(ErrorKind::kUsage, fmt::format("--filter {}: not a regular expression", pattern));
  }
}

bool matches_pattern(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern[0] == '*')
    return matches_pattern(pattern.substr(1), name) || (!name.empty() && matches_pattern(pattern, name.substr(1)));
  return !name.empty() && (pattern[0] == '?' || pattern[0] == name[0]) &&
         matches_pattern(pattern.substr(1), name.substr(1));
}

namespace {

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

void count_hooked(BenchSession& session, BenchCount& count) {
  HookedCounting(session, hooked_binary(session.framework())).count(count);
}

BenchLabels list_hooked(BenchSession& session) {
  return HookedCounting(session, hooked_binary(session.framework())).list();
}

void count_functions(BenchSession& session, const ElfSymbols& symbols, BenchCount& count) {
  HookedBinary binary;
  BenchLabels labels;
  for (const auto& [name, address] : find_functions(session, symbols)) {
    binary.plan += fmt::format("function {}\n", address);
    labels.push_back({name});
  }
  binary.read_labels = [&](std::string_view) { return labels; };
  binary.remedy = "is it a program with a main function?";
  binary.is_chosen = true;
  HookedCounting(session, std::move(binary)).count(count);
}

BenchLabels list_functions(BenchSession& session, const ElfSymbols& symbols) {
  BenchLabels labels;
  for (const auto& [name, address] : find_functions(session, symbols)) labels.push_back({name});
  return labels;
}

}  // namespace icount
