// Compare as PyTorch prints it, byte for byte, ANSI codes included (CompareMode::kCompatible); in kMended
// the same table, but nothing that PyTorch would lose is lost, and notes below the table say what was
// done.
#pragma once

#include <span>
#include <string>

#include "icount/report/compare_columns.h"
#include "icount/stats/compare.h"

namespace icount {

/// One table, with the unit's line and a line break at its end; `extras` stand to the right of the times.
std::string render_compare_table(const CompareTable& table, const CompareOptions& options,
                                 std::span<const ExtraColumn> extras = {});

/// All tables with a blank line between them; empty when there is no result.
std::string render_compare(const Compare& compare);

}  // namespace icount
