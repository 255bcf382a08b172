#include "icount/gate/gate_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "icount/gate/accepted_comparison.h"
#include "icount/gate/base_comparison.h"
#include "icount/gate/compared_conditions.h"
#include "icount/gate/growth_comparison.h"
#include "icount/gate/judged_values.h"
#include "icount/suite/suite_record.h"

namespace icount {
namespace {

using State = GateBenchmark::State;

class Comparer {
 public:
  Comparer(const GateSides& sides, const LimitSet& limits)
      : sides_(sides), limits_(limits), base_(results_by_key(sides.base)), expected_(lines_by_key(sides.expected)) {}

  Comparison compare() {
    Comparison comparison{.base_name = sides_.expected ? sides_.expected_name : sides_.base_name,
                          .head_name = sides_.head_name,
                          .accepted = newly_accepted(sides_),
                          .partial = bool(sides_.selected)};
    std::set<std::string> seen;
    for (const Result& result : sides_.head->results) {
      const std::string key = result_key(result);
      seen.insert(key);
      // What this machine can't run and nobody ever counted (a Python without torch) is not missing, and a test needs
      // no accepted value until somebody accepts it.
      const bool is_known = base_.contains(key) || expected_.contains(key);
      if (result.is_left_out() && !is_known) continue;
      if (is_test_in(*sides_.head, result) && sides_.expected && !expected_.contains(key)) {
        ++comparison.unaccepted_tests;
        continue;
      }
      comparison.benchmarks.push_back(compare_result(result));
    }
    add_vanished(seen, comparison);
    for (const GateBenchmark& benchmark : comparison.benchmarks)
      for (const std::string& note : benchmark.notes)
        if (std::find(comparison.notes.begin(), comparison.notes.end(), note) == comparison.notes.end())
          comparison.notes.push_back(note);
    comparison.growths = make_gate_growths(sides_, comparison);
    comparison.kernels = sides_.kernels;
    return comparison;
  }

 private:
  GateBenchmark compare_result(const Result& head) {
    GateBenchmark benchmark{.key = result_key(head),
                            .main_event = head.event,
                            .number_per_run = head.number_per_run,
                            .unix_time = parse_record(head.extra).unix_time,
                            .is_test = is_test(head)};
    if (!head.ok()) {
      benchmark.state = head.status == "dead"         ? State::kDead
                        : head.status == "skipped"    ? State::kNotAlike
                        : head.status == kNotGateable ? State::kNotGateable
                                                      : State::kFailed;
      benchmark.reason = fmt::format("{}: {}", head.status, head.error);
      return benchmark;
    }
    const auto found = base_.find(benchmark.key);
    const Result* base = found == base_.end() ? nullptr : found->second;
    if (sides_.history) {
      const auto runs = sides_.history->find(benchmark.key);
      benchmark.history = runs == sides_.history->end() ? std::vector<int64_t>() : runs->second;
    }
    const auto lines = expected_.find(benchmark.key);
    std::optional<Comparability> alike;
    if (base) alike = comparable_to_base(sides_, head, *base);
    if (!sides_.expected)
      judge_by_base(sides_, limits_, head, base, alike ? &*alike : nullptr, benchmark);
    else if (lines != expected_.end())
      judge_by_accepted(sides_, limits_, lines->second, head, base, alike ? &*alike : nullptr, benchmark);
    else
      set_state(benchmark, State::kNew,
                fmt::format("no accepted value in {}; `icount accept` adds it", sides_.expected_name));
    if (alike) {
      add_differences(*alike, benchmark.notes);
      add_neighbours(*alike, benchmark);
    }
    if (benchmark.state == State::kCompared) add_wall_time(sides_, limits_, head, base, benchmark);
    return benchmark;
  }

  bool is_missing(const std::string& key, const std::set<std::string>& seen) const {
    return !seen.contains(key) && (!sides_.selected || sides_.selected(key));
  }

  void add_vanished(const std::set<std::string>& seen, Comparison& comparison) const {
    std::map<std::string, std::string> gone;
    for (const auto& [key, lines] : expected_)
      if (is_missing(key, seen))
        gone[key] =
            fmt::format("{} has a value for it, but it was not measured; `icount accept --drop-missing` removes it",
                        sides_.expected_name);
    if (!sides_.expected)
      for (const auto& [key, result] : base_)
        if (is_missing(key, seen)) gone[key] = fmt::format("{} has it, but it was not measured", sides_.base_name);
    for (auto& [key, reason] : gone)
      comparison.benchmarks.push_back({.key = key, .state = State::kVanished, .reason = std::move(reason)});
  }

  const GateSides& sides_;
  const LimitSet& limits_;
  std::map<std::string, const Result*> base_;
  std::map<std::string, AcceptedLines> expected_;
};

}  // namespace

Comparison make_comparison(const GateSides& sides, const LimitSet& limits) { return Comparer(sides, limits).compare(); }

}  // namespace icount
