// Texts that hold many statements: side by side, Python and C++ in two columns, so that statements meant to be equal
// are read as equal; and variant blocks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "icount/suite/definitions.h"

namespace icount {

/// The columns of a side-by-side text, as GroupedVariants and GroupedStmts take them; each keeps one line per row of
/// the table.
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

// Variant blocks: many small, related benchmarks in one text, a line each, Python and C++ paired by position. Comment
// lines "# @NAME" (Python) and "// @NAME" (C++) name the lines below them; @SETUP and @GLOBAL_SETUP hold set-up code.

/// One benchmark of a block, and the key that the block's own labels give it.
struct Variant {
  Label key;  ///< [NAME], [NAME, "Case:  0"]; lines above the first name have no NAME part
  GroupedStmts stmts;
};

/// The benchmarks of `blocks`: names in the order of the Python block, then those that only the C++ block has. Under a
/// name the n-th Python line and the n-th C++ line are one benchmark; comment lines and blank lines keep their position
/// and pairs without any code are dropped. When more than one remains each gets the part "Case: " and its number,
/// aligned to two columns. What is wrong is added to `problems`.
std::vector<Variant> parse_variants(const GroupedVariants& blocks, std::vector<std::string>& problems);

}  // namespace icount
