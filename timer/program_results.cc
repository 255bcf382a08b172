#include "icount/timer/program_results.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/stats/result_figures.h"
#include "icount/timer/process_results.h"

namespace icount {
namespace {

void add_count(Result& result, const ProgramCount& counted, int exit_code) {
  result.event = counted.graph.events.front();
  result.counts.push_back(counted.graph.totals.front());
  if (ended_with(counted.outcome, exit_code)) return;
  result.status = counted.outcome.end == ProcessOutcome::End::kExited     ? "exited"
                  : counted.outcome.end == ProcessOutcome::End::kTimedOut ? "timed-out"
                                                                          : "crashed";
  result.error = describe_end(counted.outcome);
  if (exit_code > exit_code_of_signal(0))
    result.error +=
        fmt::format(" instead of exit status {} ({})", exit_code, signal_name(exit_code - exit_code_of_signal(0)));
  else if (exit_code != 0)
    result.error += fmt::format(" instead of exit status {}", exit_code);
}

}  // namespace

int exit_code_of_signal(int signal) { return 128 + signal; }

bool ended_with(const ProcessOutcome& outcome, int exit_code) {
  if (outcome.end == ProcessOutcome::End::kSignalled) return exit_code_of_signal(outcome.signal) == exit_code;
  return outcome.end == ProcessOutcome::End::kExited && outcome.exit_code == exit_code;
}

ProgramResults make_program_results(const std::vector<std::string>& argv, std::vector<ProgramCount> counted,
                                    bool with_processes, int exit_code) {
  ProgramResults results;
  Result& whole = results.whole;
  whole.task.program = argv;
  whole.task.language = "program";
  for (const ProgramCount& repeat : counted) add_count(whole, repeat, exit_code);
  const int64_t median = *median_count(whole);
  const auto chosen =
      static_cast<size_t>(std::find(whole.counts.begin(), whole.counts.end(), median) - whole.counts.begin());
  whole.fingerprint = counted[chosen].fingerprint;
  whole.notes = counted[chosen].notes;
  if (with_processes) add_processes(whole, counted, chosen);
  results.regions = region_results(whole, counted, chosen);
  whole.graph = std::make_shared<const CostGraph>(std::move(counted[chosen].graph));
  if (counted[chosen].stacks) whole.stacks = std::make_shared<const CallStacks>(std::move(*counted[chosen].stacks));
  add_figures(whole);
  for (Result& region : results.regions) add_figures(region);
  return results;
}

}  // namespace icount
