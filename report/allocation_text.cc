#include "icount/report/allocation_text.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <string_view>

#include "icount/base/text.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/match/node_names.h"
#include "icount/report/quantity_text.h"

namespace icount {
namespace {

std::string caller_text(const CallerAllocations& caller) {
  const auto [base, head] = caller.allocations;
  const std::string name = icount::quoted(caller.name);
  if (base == 0) return fmt::format("{} now allocates {}", name, times(with_thousands(head)));
  if (head == 0) return fmt::format("{} no longer allocates (was {})", name, times(with_thousands(base)));
  return fmt::format("{} allocates {}, was {}", name, times(with_thousands(head)), with_thousands(base));
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
  const int64_t all = std::abs(now.allocations - before.allocations);
  size_t named = 0;
  for (const CallerAllocations& caller : change.callers) {
    if (named == most || is_address_name(caller.name)) break;
    if (10 * std::abs(caller.allocations[1] - caller.allocations[0]) < all) break;  // less than a tenth of it
    text += "; " + caller_text(caller);
    ++named;
  }
  return text;
}

}  // namespace icount
