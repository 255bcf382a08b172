// The tables of a profile as sorted text, one row per line: how tests compare what two readers, two files or a golden
// say about functions, rows, edges, lines and jumps (tests/testdata/callgrind/README.md has the columns).
#pragma once

#include <string>

#include "icount/callgrind/profile.h"

namespace icount {

std::string functions_table(const CostGraph& graph);  ///< those with self cost lines
std::string rows_table(const CostGraph& graph);
std::string edges_table(const CostGraph& graph);
std::string lines_table(const CostGraph& graph);
/// Positions of a part that was read with keep_positions, added up.
std::string positions_table(const Profile& profile, const ProfilePart& part);
/// Jumps of a part that was read with keep_jumps, added up.
std::string jumps_table(const Profile& profile, const ProfilePart& part);

size_t count_lines(const std::string& table);

/// Asserts everything that must hold of any profile: check_cost_graph, sums of the parts, entering edges of every
/// component that is entered (`exceptions` of them may differ).
void expect_invariants(const CostGraph& graph, size_t exceptions = 0);

}  // namespace icount
