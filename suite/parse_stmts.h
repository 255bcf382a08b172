// Side-by-side text: one table that holds Python and C++ lines next to each other, so that statements meant to be equal
// are read as equal. The two columns are what GroupedVariants and GroupedStmts take.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// The columns of a side-by-side text; each keeps one line per row of the table.
struct SideBySide {
  std::string python;  ///< lines keep their trailing blanks (40 columns)
  std::string cpp;
};

/// What is wrong with one row; `row` counts from 0 in the text as given, before any dedent.
struct RowProblem {
  int row = 0;
  std::string text;
};

/// Splits
///     Python                                   | C++
///     ---------------------------------------- | ----------------------------------------
///     x += 1                                   | x += 1;
/// The left column has exactly 40 characters (code points), then " |", then nothing or a blank and the C++ text.
/// Everything wrong goes to `problems`, a row each.
SideBySide parse_stmts(std::string_view text, std::vector<RowProblem>& problems);

/// The same; Error{kMalformed} with all problems ("row 5: ...").
SideBySide parse_stmts(std::string_view text);

}  // namespace icount
