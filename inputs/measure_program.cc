#include "icount/inputs/measure_program.h"

#include <algorithm>

#include "icount/harness/build_cache.h"
#include "icount/timer/count_program.h"

namespace icount {
namespace {

ProgramCountOptions make_options(const MeasureProgramOptions& options, CommandContext& context) {
  ProgramCountOptions count;
  count.pins = options.pins;
  count.environment = context.environment;
  count.time_limit = Seconds(options.time_limit_s);
  count.inherit_output = false;
  count.keep_profile = options.keep_profile;
  count.cancelled = context.cancelled;
  count.stacks = options.stacks;
  count.keep_lines = true;  // a later diff proves inlining moves by lines
  if (options.reuse) count.cache_dir = default_cache_dir(context.environment);
  return count;
}

void add_count(Result& result, ProgramCount counted) {
  result.event = counted.graph.events.front();
  result.counts.push_back(counted.graph.totals.front());
  if (counted.outcome.ok()) return;
  result.status = counted.outcome.end == ProcessOutcome::End::kExited     ? "exited"
                  : counted.outcome.end == ProcessOutcome::End::kTimedOut ? "timed-out"
                                                                          : "crashed";
  result.error = describe_end(counted.outcome);
}

}  // namespace

Result measure_program(const MeasureProgramOptions& options, CommandContext& context) {
  Result result;
  result.task.program = options.argv;
  result.task.language = "program";
  std::vector<ProgramCount> counted;
  for (int repeat = 0; repeat < options.repeats && result.ok(); ++repeat) {
    counted.push_back(count_program(options.argv, make_options(options, context)));
    context.err << counted.back().outcome.output << counted.back().outcome.errors;
    add_count(result, counted.back());
  }
  const int64_t median = *median_count(result);
  const size_t chosen =
      static_cast<size_t>(std::find(result.counts.begin(), result.counts.end(), median) - result.counts.begin());
  result.fingerprint = counted[chosen].fingerprint;
  result.notes = counted[chosen].notes;
  result.graph = std::make_shared<const CostGraph>(std::move(counted[chosen].graph));
  if (counted[chosen].stacks) result.stacks = std::make_shared<const CallStacks>(std::move(*counted[chosen].stacks));
  return result;
}

}  // namespace icount
