// Variant blocks: many small, related benchmarks in one text, a line each, Python and C++ paired by position. Comment
// lines "# @NAME" (Python) and "// @NAME" (C++) name the lines below them; @SETUP and @GLOBAL_SETUP hold set-up code.
#pragma once

#include <string>
#include <vector>

#include "icount/suite/definitions.h"

namespace icount {

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
