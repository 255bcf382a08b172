#include "icount/callgraph/system_calls.h"

#include <algorithm>
#include <map>

#include "icount/base/checked.h"
#include "icount/callgraph/name_parts.h"

namespace icount {

std::string system_call_name(std::string_view function) {
  std::string_view name = canonical_name(function);
  name = name.substr(0, name.find('@'));  // "clock_nanosleep@@GLIBC_2.17"
  const auto drop_prefix = [&](std::string_view prefix) {
    if (name.size() > prefix.size() && name.starts_with(prefix)) name.remove_prefix(prefix.size());
  };
  drop_prefix("__GI_");
  const bool is_internal = name.starts_with("__");
  if (is_internal) drop_prefix("__");
  if (is_internal) drop_prefix("libc_");
  constexpr std::string_view kNoCancel = "_nocancel";
  if (name.size() > kNoCancel.size() && name.ends_with(kNoCancel)) name.remove_suffix(kNoCancel.size());
  return std::string(name);
}

std::vector<SystemCall> system_calls(const CostGraph& graph) {
  const auto count = graph.event_index(kSystemCallCount), time = graph.event_index(kSystemCallTime);
  if (!count) return {};
  std::map<std::string, SystemCall> by_name;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) {
    if (graph.self_of(f, *count) == 0) continue;
    SystemCall& call = by_name[system_call_name(graph.name(f))];
    call.calls = saturating_add(call.calls, graph.self_of(f, *count));
    if (time) call.milliseconds = saturating_add(call.milliseconds, graph.self_of(f, *time));
  }
  std::vector<SystemCall> calls;
  for (auto& [name, call] : by_name) {
    call.name = name;
    calls.push_back(std::move(call));
  }
  std::stable_sort(calls.begin(), calls.end(),
                   [](const SystemCall& a, const SystemCall& b) { return a.calls > b.calls; });
  return calls;
}

std::optional<int64_t> calls_of_kind(const CostGraph& graph, std::string_view event) {
  if (!event.starts_with(kCallsOf) || !graph.event_index(kSystemCallCount)) return std::nullopt;
  const std::vector<SystemCall> calls = system_calls(graph);
  const auto at = std::find_if(calls.begin(), calls.end(),
                               [&](const SystemCall& call) { return call.name == event.substr(kCallsOf.size()); });
  return at == calls.end() ? 0 : at->calls;
}

}  // namespace icount
