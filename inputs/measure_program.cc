#include "icount/inputs/measure_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/text.h"
#include "icount/harness/build_cache.h"
#include "icount/inputs/process_results.h"
#include "icount/timer/count_program.h"

namespace icount {
namespace {

ProgramCountOptions make_options(const MeasureProgramOptions& options, CommandContext& context) {
  ProgramCountOptions count;
  count.pins = options.pins;
  count.environment = context.environment;
  count.time_limit = Seconds(options.time_limit_s);
  count.inherit_output = false;
  count.cancelled = context.cancelled;
  count.stacks = options.stacks;
  count.follow_children = options.children != Children::kNone;
  count.per_thread = options.per_thread;
  count.within = options.within;
  count.only_marked = options.only_marked;
  count.input_file = options.input_file;
  count.keep_lines = true;  // a later diff proves inlining moves by lines
  if (options.reuse) count.cache_dir = default_cache_dir(context.environment);
  return count;
}

/// What the program printed, said when the beginning of much output is gone.
void pass_output(const ProcessOutcome& outcome, CommandContext& context) {
  if (outcome.output_cut)
    context.warn(fmt::format("the program printed more than {} bytes on a stream; the last ones follow",
                             with_thousands(static_cast<int64_t>(ProcessSpec{}.max_output_bytes))));
  context.err << outcome.output << outcome.errors;
}

void add_count(Result& result, const ProgramCount& counted) {
  result.event = counted.graph.events.front();
  result.counts.push_back(counted.graph.totals.front());
  if (counted.outcome.ok()) return;
  result.status = counted.outcome.end == ProcessOutcome::End::kExited     ? "exited"
                  : counted.outcome.end == ProcessOutcome::End::kTimedOut ? "timed-out"
                                                                          : "crashed";
  result.error = describe_end(counted.outcome);
}

}  // namespace

std::vector<Result> measure_program(const MeasureProgramOptions& options, CommandContext& context) {
  Result result;
  result.task.program = options.argv;
  result.task.language = "program";
  std::vector<ProgramCount> counted;
  for (int repeat = 0; repeat < options.repeats && result.ok(); ++repeat) {
    counted.push_back(count_program(options.argv, make_options(options, context)));
    pass_output(counted.back().outcome, context);
    add_count(result, counted.back());
  }
  const int64_t median = *median_count(result);
  const size_t chosen =
      static_cast<size_t>(std::find(result.counts.begin(), result.counts.end(), median) - result.counts.begin());
  result.fingerprint = counted[chosen].fingerprint;
  result.notes = counted[chosen].notes;
  if (options.children != Children::kNone) add_processes(result, counted, chosen);
  std::vector<Result> regions = region_results(result, counted, chosen);
  result.graph = std::make_shared<const CostGraph>(std::move(counted[chosen].graph));
  if (counted[chosen].stacks) result.stacks = std::make_shared<const CallStacks>(std::move(*counted[chosen].stacks));
  if (!regions.empty()) return regions;
  if (options.children == Children::kSplit && !result.processes.empty()) return split_processes(result);
  return {std::move(result)};
}

}  // namespace icount
