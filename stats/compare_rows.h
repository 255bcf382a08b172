// Which result of a comparison goes to which row and cell, and what happens when two want the same one. Part of making
// a CompareTable (stats/compare.h, which see first).
#pragma once

#include <string>

#include "icount/stats/compare.h"

namespace icount {

/// The column that a result belongs to: its description.
std::string column_key(const Measurement& m);

/// Makes table.rows of table.results; table.columns must be there. In kMended results that collide get rows of their
/// own and a note.
void fill_compare_rows(CompareTable& table, CompareMode mode);

}  // namespace icount
