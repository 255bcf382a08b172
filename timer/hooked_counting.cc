#include "icount/timer/hooked_counting.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/timer/case_memory.h"
#include "icount/timer/label_filter.h"

namespace icount {
namespace {

/// Equal labels are told apart.
BenchLabels numbered(BenchLabels labels) {
  std::map<std::vector<std::string>, int> seen;
  for (std::vector<std::string>& label : labels)
    if (const int number = ++seen[label]; number > 1) label.back() += fmt::format(" #{}", number);
  return labels;
}

class HookedCounting {
 public:
  HookedCounting(BenchSession& session, const HookedBinary& binary) : session_(session), binary_(binary) {}

  /// The binary runs with each of its cases once.
  BenchLabels list() {
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
    if (session_.options().memory) measure_memory(count);
  }

 private:
  /// Names are known when the cases have begun: with a choice the binary runs once for them.
  void choose_cases() {
    const BenchOptions& options = session_.options();
    if (binary_.is_chosen || (options.filter.empty() && options.only.empty())) return;
    const LabelFilter filter(options.filter);
    const BenchLabels labels = list();
    chosen_.emplace();
    for (size_t i = 0; i < labels.size(); ++i)
      if (filter.matches(joined_label(labels[i])) && session_.is_wanted(labels[i])) chosen_->insert(i);
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
  const HookedBinary& binary_;
  BenchLabels labels_;  // in order, equal ones not yet told apart
  std::vector<std::vector<MeasuredCase>> repeats_;
  std::optional<std::set<size_t>> chosen_;  // where not all cases were asked for
  std::string choice_;                      // the same for the hooks
  std::string ending_;
  bool is_together_ = false;
};

}  // namespace

void count_hooked(BenchSession& session, const HookedBinary& binary, BenchCount& count) {
  HookedCounting(session, binary).count(count);
}

BenchLabels list_hooked(BenchSession& session, const HookedBinary& binary) {
  return HookedCounting(session, binary).list();
}

void fail_no_match(const BenchSession& session) {
  throw Error(ErrorKind::kUsage,
              fmt::format("no case of {} matches --filter {}", session.command_text(), session.options().filter));
}

}  // namespace icount
