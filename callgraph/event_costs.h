// Rows of costs as cost graphs and call stacks keep them: row-major, one number per event and entry. What folds graphs
// and stacks adds such rows up. Read callgraph/cost_graph.h first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace icount {

/// Adds row `at` of `from` to row `entry` of `table`, which grows as needed; both have `events` numbers a row.
/// Error{kMalformed} on overflow.
void add_costs(std::vector<int64_t>& table, size_t entry, const std::vector<int64_t>& from, size_t at, size_t events);

/// The same for sums over calls, which count nested calls again and again: they saturate.
void add_costs_saturating(std::vector<int64_t>& table, size_t entry, const std::vector<int64_t>& from, size_t at,
                          size_t events);

}  // namespace icount
