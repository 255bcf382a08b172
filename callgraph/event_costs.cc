#include "icount/callgraph/event_costs.h"

#include "icount/base/checked.h"

namespace icount {
namespace {

void make_room(std::vector<int64_t>& table, size_t entry, size_t events) {
  if (table.size() < (entry + 1) * events) table.resize((entry + 1) * events, 0);
}

}  // namespace

void add_costs(std::vector<int64_t>& table, size_t entry, const std::vector<int64_t>& from, size_t at, size_t events) {
  make_room(table, entry, events);
  for (size_t e = 0; e < events; ++e)
    table[entry * events + e] = checked_add(table[entry * events + e], from[at * events + e], "cost of a function");
}

void add_costs_saturating(std::vector<int64_t>& table, size_t entry, const std::vector<int64_t>& from, size_t at,
                          size_t events) {
  make_room(table, entry, events);
  for (size_t e = 0; e < events; ++e)
    table[entry * events + e] = saturating_add(table[entry * events + e], from[at * events + e]);
}

}  // namespace icount
