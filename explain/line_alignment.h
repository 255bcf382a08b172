// Which line of base is which of head, inside one function whose code differs: lines keep their order, and lines that
// cost alike and call alike belong together. Used by explain/loop_matching.h.
#pragma once

#include <map>

#include "icount/explain/opened_function.h"

namespace icount {

/// Lines of `from`'s side -> lines of the other, file by file (by name, without folders). `callees` as in
/// open_function.
std::map<LineKey, LineKey> align_lines(const OpenedFunction& opened, size_t from, const CalleeNodes& callees);

}  // namespace icount
