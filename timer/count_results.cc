#include "icount/timer/count_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "icount/base/text.h"
#include "icount/callgraph/cost_graph.h"

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

std::string command_of(const CountedProcess& process) {
  return process.argv.empty() ? std::string("?") : std::filesystem::path(process.argv[0]).filename().string();
}

ResultProcess describe(const CountedProcess& process, int64_t order) {
  ResultProcess described;
  described.command = command_of(process);
  described.argv = process.argv;
  described.order = order;
  described.status = process.status;
  return described;
}

/// Count of the k-th process of each command; what has no graph is left out.
std::map<std::pair<std::string, int>, int64_t> counts_of(const ProgramCount& repeat) {
  std::map<std::string, int> seen;
  std::map<std::pair<std::string, int>, int64_t> counts;
  for (const CountedProcess& process : repeat.processes) {
    const int number = ++seen[command_of(process)];
    if (!process.graph.events.empty()) counts[{command_of(process), number}] = process.graph.totals.front();
  }
  return counts;
}

const CountedRegion* find_region(const ProgramCount& repeat, const std::string& name) {
  const auto found = std::find_if(repeat.regions.regions.begin(), repeat.regions.regions.end(),
                                  [&](const CountedRegion& region) { return region.name == name; });
  return found == repeat.regions.regions.end() ? nullptr : &*found;
}

/// Fills result.processes where the program consisted of several; graphs are those of repeat `chosen`, whose graphs are
/// taken. Processes of the repeats are matched by command and order; a note says when the repeats had different ones.
void add_processes(Result& result, std::vector<ProgramCount>& repeats, size_t chosen) {
  if (repeats[chosen].processes.size() < 2) return;
  std::vector<std::map<std::pair<std::string, int>, int64_t>> counts;
  for (const ProgramCount& repeat : repeats) counts.push_back(counts_of(repeat));
  std::map<std::string, int> seen;
  bool differ = false;
  for (CountedProcess& process : repeats[chosen].processes) {
    ResultProcess described = describe(process, static_cast<int64_t>(result.processes.size()));
    const std::pair<std::string, int> key{described.command, ++seen[described.command]};
    if (counts[chosen].contains(key))
      for (const auto& of_repeat : counts) {
        const auto found = of_repeat.find(key);
        differ |= found == of_repeat.end();
        described.counts.push_back(found == of_repeat.end() ? 0 : found->second);
      }
    if (!process.graph.events.empty()) described.graph = std::make_shared<const CostGraph>(std::move(process.graph));
    result.processes.push_back(std::move(described));
  }
  for (const ProgramCount& repeat : repeats) differ |= repeat.processes.size() != result.processes.size();
  if (differ)
    result.notes.push_back(
        "the repeats did not start the same processes; those of the repeat with the median are shown");
}

/// One result per region that the program named, in the order of the names, with the circumstances of `whole`; none
/// when it named none. A note of the first says what ran outside of them.
std::vector<Result> region_results(const Result& whole, std::vector<ProgramCount>& repeats, size_t chosen) {
  std::vector<Result> results;
  for (CountedRegion& region : repeats[chosen].regions.regions) {
    Result result;
    result.label = {region.name};
    result.task = whole.task;
    result.status = whole.status;
    result.error = whole.error;
    result.event = whole.event;
    result.fingerprint = whole.fingerprint;
    for (const ProgramCount& repeat : repeats)
      if (const CountedRegion* same = &repeat == &repeats[chosen] ? &region : find_region(repeat, region.name))
        result.counts.push_back(same->graph.totals.front());
    result.entries = region.entries;
    result.graph = std::make_shared<const CostGraph>(std::move(region.graph));
    results.push_back(std::move(result));
  }
  if (results.empty()) return results;
  const int64_t outside = repeats[chosen].graph.totals.front() - repeats[chosen].regions.inside;
  results[0].notes = whole.notes;
  for (const std::string& note : repeats[chosen].regions.notes) results[0].notes.push_back(note);
  results[0].notes.push_back(
      fmt::format("outside of the regions that it names the program runs {} instructions", with_thousands(outside)));
  return results;
}

/// What was measured, for the record.
ResultTask make_task(const TimerArgs& args) {
  ResultTask task;
  task.stmt = args.stmt;
  task.setup = args.setup;
  task.global_setup = args.global_setup;
  task.language = to_text(args.language);
  task.backward = args.backward;
  task.module_path = args.module_path;
  task.num_threads = args.num_threads;
  return task;
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

std::vector<Result> split_processes(const Result& result) {
  const std::vector<std::string> keys = process_keys(result);
  std::vector<Result> results;
  for (size_t i = 0; i < keys.size(); ++i) {
    const ResultProcess& process = result.processes[i];
    Result part;
    part.label = {result_label(result), i == 0 ? "itself" : keys[i]};
    part.task = result.task;
    part.event = result.event;
    part.fingerprint = result.fingerprint;
    part.counts = process.counts;
    part.graph = process.graph;
    if (i == 0) {
      part.status = result.status;
      part.error = result.error;
      part.notes = result.notes;
    } else if (process.counts.empty()) {
      part.status = "skipped";
      part.error = "not counted: " + process.status;
    } else if (process.status != "done") {
      part.notes.push_back(process.status);
    }
    results.push_back(std::move(part));
  }
  return results;
}

Result make_result(const TimerArgs& args, CollectResult collected) {
  Result result;
  result.label = args.label;
  result.task = make_task(args);
  result.status = to_text(collected.status);
  result.error = std::move(collected.error);
  result.details = std::move(collected.details);
  result.notes = std::move(collected.notes);
  result.event = std::move(collected.event);
  result.number_per_run = std::max<int64_t>(1, collected.number_per_run);
  result.counts = std::move(collected.counts);
  if (collected.slope) {
    result.slope = collected.slope->per_run;
    result.fixed = collected.slope->fixed;
  }
  result.fingerprint = std::move(collected.fingerprint);
  if (!collected.graph.functions.empty()) result.graph = std::make_shared<const CostGraph>(std::move(collected.graph));
  if (collected.python_calls)
    result.python_calls = std::make_shared<const CostGraph>(std::move(*collected.python_calls));
  if (collected.stacks) result.stacks = std::make_shared<const CallStacks>(std::move(*collected.stacks));
  add_figures(result);
  return result;
}

Result make_failed_result(const TimerArgs& args, std::string_view status, std::string_view error) {
  Result result;
  result.label = args.label;
  result.task = make_task(args);
  result.status = status;
  result.error = error;
  return result;
}

std::vector<TopFunction> top_functions(const CostGraph& graph, size_t limit) {
  constexpr size_t kEvent = 0;
  InclusiveCosts inclusive = make_inclusive_costs(graph);
  std::vector<TopFunction> all;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) {
    all.push_back({std::string(graph.name(f)), graph.self_of(f, kEvent), inclusive.of(f, kEvent)});
  }
  auto costlier = [](const TopFunction& a, const TopFunction& b) {
    if (a.self != b.self) return a.self > b.self;
    if (a.name != b.name) return a.name < b.name;
    return a.inclusive > b.inclusive;
  };
  std::sort(all.begin(), all.end(), costlier);
  all.resize(std::min(all.size(), limit));
  return all;
}

}  // namespace icount
