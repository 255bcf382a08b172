// Events that are computed from others by a formula: KCachegrind's, as one table. A model of what a processor does, not
// a measurement; whoever shows such a figure says so. Read cost_graph.h first.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "icount/callgraph/cost_graph.h"

namespace icount {

struct EventTerm {
  int64_t weight = 1;
  std::string_view event;
};

struct DerivedEvent {
  std::string_view name;
  std::span<const EventTerm> terms;
  std::string_view meaning;
  std::string_view source;  ///< where the weights come from
};

/// "L1m", "LLm", "Bm", "estimated".
std::span<const DerivedEvent> derived_events();

/// nullptr for another name.
const DerivedEvent* find_derived_event(std::string_view name);

/// "Ir + 10 I1mr + ...".
std::string formula_text(const DerivedEvent& event);

/// Of a whole graph; nullopt where it lacks an event of the formula.
std::optional<int64_t> derived_total(const DerivedEvent& event, const CostGraph& graph);

/// The events that Callgrind has to measure for `event`, a plain or a derived one: "cache", "branch", "syscalls" of
/// --events and --syscalls.
struct NeededEvents {
  bool cache = false, branch = false, syscalls = false;
};
NeededEvents needed_events(std::string_view event);

}  // namespace icount
