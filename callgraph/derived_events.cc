#include "icount/callgraph/derived_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "icount/base/checked.h"
#include "icount/callgraph/system_calls.h"

namespace icount {
namespace {

constexpr std::string_view kKcachegrind = "KCachegrind's cycle estimation (CEst)";
constexpr std::string_view kSum = "a plain sum";

constexpr EventTerm kL1m[] = {{1, "I1mr"}, {1, "D1mr"}, {1, "D1mw"}};
constexpr EventTerm kLLm[] = {{1, "ILmr"}, {1, "DLmr"}, {1, "DLmw"}};
constexpr EventTerm kBm[] = {{1, "Bcm"}, {1, "Bim"}};
// Ir + 10 L1m + 100 LLm + 10 Bm
constexpr EventTerm kEstimated[] = {{1, "Ir"},     {10, "I1mr"},  {10, "D1mr"}, {10, "D1mw"}, {100, "ILmr"},
                                    {100, "DLmr"}, {100, "DLmw"}, {10, "Bcm"},  {10, "Bim"}};

constexpr auto kDerived = std::to_array<DerivedEvent>({
    {"L1m", kL1m, "misses of the first-level caches", kSum},
    {"LLm", kLLm, "misses of the last-level cache", kSum},
    {"Bm", kBm, "mispredicted branches", kSum},
    {"estimated", kEstimated, "cycles, estimated as Ir + 10 L1m + 100 LLm + 10 Bm", kKcachegrind},
});

constexpr std::array<std::string_view, 8> kCacheEvents = {"Dr", "Dw", "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw"};
constexpr std::array<std::string_view, 4> kBranchEvents = {"Bc", "Bcm", "Bi", "Bim"};
constexpr std::array<std::string_view, 3> kSystemEvents = {"sysCount", "sysTime", "sysCpuTime"};

bool is_one_of(std::string_view event, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), event) != names.end();
}

}  // namespace

std::span<const DerivedEvent> derived_events() { return kDerived; }

const DerivedEvent* find_derived_event(std::string_view name) {
  for (const DerivedEvent& event : kDerived)
    if (event.name == name) return &event;
  return nullptr;
}

std::string formula_text(const DerivedEvent& event) {
  std::string text;
  for (const EventTerm& term : event.terms) {
    if (!text.empty()) text += " + ";
    if (term.weight != 1) text += fmt::format("{} ", term.weight);
    text += term.event;
  }
  return text;
}

std::optional<int64_t> derived_total(const DerivedEvent& event, const CostGraph& graph) {
  int64_t total = 0;
  for (const EventTerm& term : event.terms) {
    const auto column = graph.event_index(term.event);
    if (!column) return std::nullopt;
    total = checked_add(total, checked_mul(term.weight, graph.totals[*column], "a derived event"), "a derived event");
  }
  return total;
}

NeededEvents needed_events(std::string_view event) {
  NeededEvents needed;
  const auto add = [&](std::string_view name) {
    needed.cache |= is_one_of(name, kCacheEvents);
    needed.branch |= is_one_of(name, kBranchEvents);
    needed.syscalls |= is_one_of(name, kSystemEvents);
  };
  add(event.starts_with(kCallsOf) ? kSystemCallCount : event);
  if (const DerivedEvent* derived = find_derived_event(event))
    for (const EventTerm& term : derived->terms) add(term.event);
  return needed;
}

}  // namespace icount
