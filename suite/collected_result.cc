#include "icount/suite/collected_result.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "icount/callgraph/cost_graph.h"

namespace icount {

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
