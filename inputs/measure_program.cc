#include "icount/inputs/measure_program.h"

#include <fmt/format.h>

#include "icount/base/text.h"
#include "icount/harness/build_cache.h"
#include "icount/timer/count_program.h"
#include "icount/timer/process_results.h"
#include "icount/timer/program_memory.h"
#include "icount/timer/program_results.h"

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
  count.callgrind_options = options.callgrind_options;
  count.working_dir = options.working_dir;
  count.keep_insides = options.jumps;
  count.code = options.code;
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

}  // namespace

std::vector<Result> measure_program(const MeasureProgramOptions& options, CommandContext& context) {
  std::vector<ProgramCount> counted;
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    counted.push_back(count_program(options.argv, make_options(options, context)));
    pass_output(counted.back().outcome, context);
    if (!ended_with(counted.back().outcome, options.expected_end)) break;
  }
  std::optional<ProgramMemory> memory;
  if (options.memory && ended_with(counted.back().outcome, options.expected_end))
    memory = measure_memory(options.argv, make_options(options, context), counted.back(), options.expected_end);
  ProgramResults results =
      make_program_results(options.argv, std::move(counted), options.children != Children::kNone, options.expected_end);
  if (memory) {
    Result& measured = results.regions.empty() ? results.whole : results.regions[0];
    if (!memory->use)
      measured.notes.push_back(memory->unknown);
    else if (results.regions.empty())
      add_memory_figures(*memory->use, measured);
    else
      measured.notes.push_back(fmt::format("the whole program allocates {} bytes, at most {} at a time",
                                           with_thousands(memory->use->bytes),
                                           with_thousands(memory->use->peak_bytes)));
    if (results.whole.processes.size() > 1)
      measured.notes.push_back("--memory measures the heap of the first process only");
  }
  for (Result& region : results.regions)
    region.label.insert(region.label.begin(), options.label.begin(), options.label.end());
  results.whole.label = options.label;
  if (!results.regions.empty()) return std::move(results.regions);
  if (options.children == Children::kSplit && !results.whole.processes.empty()) return split_processes(results.whole);
  return {std::move(results.whole)};
}

}  // namespace icount
