#include "icount/report/allocation_text.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "icount/base/text.h"
#include "icount/explain/node_names.h"
#include "icount/report/quantity_text.h"

namespace icount {
namespace {

std::string rate_text(const AllocatingCaller& caller) {
  if (caller.entries == 0) return with_thousands(caller.allocations);
  const double rate = static_cast<double>(caller.allocations) / static_cast<double>(caller.entries);
  return rate == std::floor(rate) ? with_thousands(static_cast<int64_t>(rate)) : fmt::format("{:.3g}", rate);
}

std::string caller_text(const CallerAllocations& caller) {
  const auto& [base, head] = caller.sides;
  const std::string name = icount::quoted(caller.name);
  const bool by_call = base.entries > 0 && head.entries > 0;
  const std::string per_call = head.entries > 0 ? " per call" : "";
  if (base.allocations == 0) return fmt::format("{} now allocates {}{}", name, times(rate_text(head)), per_call);
  if (head.allocations == 0) return fmt::format("{} no longer allocates", name);
  const bool is_rare = base.allocations < base.entries || head.allocations < head.entries;
  if (by_call && is_rare)
    return fmt::format("{} allocates {}, was {} ({} calls, was {})", name, times(with_thousands(head.allocations)),
                       with_thousands(base.allocations), with_thousands(head.entries), with_thousands(base.entries));
  const std::string before = rate_text(base), now = rate_text(head);
  if (by_call && before == now)
    return fmt::format("{} is called {} times, was {}, and allocates {} per call", name, with_thousands(head.entries),
                       with_thousands(base.entries), times(now));
  return fmt::format("{} allocates {}{}, was {}", name, times(now), per_call, before);
}

std::string total_text(int64_t total, int64_t runs) {
  if (runs <= 1) return with_thousands(total);
  const double each = static_cast<double>(total) / static_cast<double>(runs);
  return each == std::floor(each) ? with_thousands(static_cast<int64_t>(each)) : fmt::format("{:.4g}", each);
}

std::string change_text(std::string_view what, int64_t base, int64_t head, int64_t runs) {
  return fmt::format("{} {} -> {}{}", what, total_text(base, runs), total_text(head, runs), runs > 1 ? " per run" : "");
}

}  // namespace

std::string allocation_change_text(const AllocationChange& change, int64_t runs, size_t most) {
  const auto& [before, now] = change.totals;
  std::string text = change_text(kAllocations, before.allocations, now.allocations, runs);
  if (now.allocations - before.allocations != now.frees - before.frees)
    text += before.frees == now.frees ? std::string(", frees unchanged")
                                      : ", " + change_text(kFrees, before.frees, now.frees, runs);
  for (size_t i = 0; i < change.callers.size() && i < most; ++i)
    text += (i == 0 ? ": " : "; ") + caller_text(change.callers[i]);
  if (change.callers.size() > most) text += fmt::format("; and {} more", change.callers.size() - most);
  return text;
}

}  // namespace icount
