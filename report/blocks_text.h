// The inside of one function: its blocks and loops, with what they executed. `icount show --blocks`, as text and as
// JSON. Made from shapes/function_shape.h.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "icount/base/json.h"
#include "icount/report/text_style.h"
#include "icount/shapes/function_shape.h"

namespace icount {

struct ShownShape {
  std::string name, file, object;  ///< of the function
  std::string event;
  int64_t self = 0;  ///< of the function, whether its shape is known or not
  FunctionShape shape;
  std::vector<std::string> files;  ///< ProfileCode::files
};

/// Loops, then blocks by address, both with executions and self cost; the blocks' self costs add up to the function's.
void render_blocks_text(std::ostream& out, const ShownShape& shown, bool raw, const TextStyle& style);

/// schema icount-blocks (docs/json.md).
Json blocks_to_json(const ShownShape& shown);

}  // namespace icount
