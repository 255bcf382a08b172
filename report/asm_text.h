// Views into one function. Its instructions with what each was executed: `icount show --asm`, as text and as JSON. The
// values come from inputs/load_asm.h.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "icount/base/json.h"
#include "icount/report/text_style.h"
#include "icount/shapes/function_shape.h"

namespace icount {

struct ShownInstruction {
  uint64_t address = 0;  ///< in the object file
  std::string text;
  int64_t executions = 0, self = 0;
  std::string file;     ///< without folders; empty: unknown
  uint64_t line = 0;    ///< 0: unknown
  std::string inlined;  ///< the innermost inlined function that it belongs to; empty: none
};

struct ShownAssembly {
  std::string name, file, object;  ///< of the function
  std::string event;
  int64_t self = 0;
  std::vector<ShownInstruction> instructions;  ///< by address; those between executed ones have no executions
  std::string closed;                          ///< why there are none
};

/// Self costs of the instructions add up to the function's.
void render_asm_text(std::ostream& out, const ShownAssembly& shown, bool raw, const TextStyle& style);

/// schema icount-asm (docs/json.md).
Json asm_to_json(const ShownAssembly& shown);

/// The inside of one function: its blocks and loops, with what they executed. `icount show --blocks`, as text and as
/// JSON. Made from shapes/function_shape.h.
struct ShownShape {
  std::string name, file, object;  ///< of the function
  std::string event;
  int64_t self = 0;  ///< of the function, whether its shape is known or not
  FunctionShape shape;
  std::vector<LoopPlace> loops;    ///< of the shape's loops
  std::vector<std::string> files;  ///< ProfileCode::files
};

/// Loops, then blocks by address, both with executions and self cost; the blocks' self costs add up to the function's.
void render_blocks_text(std::ostream& out, const ShownShape& shown, bool raw, const TextStyle& style);

/// schema icount-blocks (docs/json.md).
Json blocks_to_json(const ShownShape& shown);

}  // namespace icount
