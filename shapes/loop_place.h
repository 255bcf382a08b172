// Where in the source a loop is: the lines where control is decided and of its calls. All lines of its instructions are
// too wide, for compilers move code into loops and out of them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/shapes/function_shape.h"

namespace icount {

/// Lines 0 where none is known; `address` is the header's.
struct LoopPlace {
  std::string file;  ///< without folders
  uint64_t first_line = 0, last_line = 0;
  uint64_t address = 0;

  /// "deflate.c:1374-1418", "deflate.c:1374"; "0x1398" where no line is known.
  std::string text() const;
};

/// `files` are ProfileCode::files, `own_file` is the function's: its lines are preferred to inlined ones. `counts`, if
/// given, says which lines count at all (file without folders).
LoopPlace loop_place(const FunctionShape& shape, uint32_t loop, const std::vector<std::string>& files,
                     std::string_view own_file,
                     const std::function<bool(std::string_view file, uint64_t line)>& counts = {});

}  // namespace icount
