// The control-flow graph of one function from counts alone: blocks, edges with exact counts, loops. No disassembler:
// what was not executed is not there. Made from shapes/code_flow.h; told by `icount show --blocks` and by explain/.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/shapes/code_flow.h"

namespace icount {

inline constexpr uint32_t kNoLoop = ~uint32_t{0};

struct ShapeEdge {
  uint32_t from = 0, to = 0;  ///< blocks
  int64_t times = 0;
};

/// Instructions [first, end) of the flow, one after the other. Where two flows share their starts a side may have none.
struct ShapeBlock {
  uint32_t first = 0, end = 0;
  uint64_t address = 0;  ///< where it starts
  int64_t executions = 0;
  int64_t self = 0;
  int64_t entered = 0;  ///< from outside the function, and from nowhere
  int64_t left = 0;
  uint32_t loop = kNoLoop;  ///< the innermost
};

struct ShapeLoop {
  uint32_t header = 0;           ///< the block that most entries come through
  std::vector<uint32_t> blocks;  ///< ascending, nested loops' included
  uint32_t parent = kNoLoop;
  int depth = 1;             ///< 1 for an outermost loop
  bool irreducible = false;  ///< it has a second entry; still one loop, whose entries are all edges into it
  bool knot = false;         ///< three entries or more, none with 90 % of them: an interpreter's dispatch
  int64_t entries = 0;
  int64_t heads = 0;       ///< executions of the header
  int64_t back = 0;        ///< edges from inside to the header
  int64_t head_exits = 0;  ///< passes that leave from the header: tests that ended the loop, no iterations
  int64_t iterations = 0;  ///< heads - head_exits; of a knot, executions of its blocks with three successors or more
};

struct FunctionShape {
  CodeFlow flow;
  std::vector<ShapeBlock> blocks;  ///< by address
  std::vector<ShapeEdge> edges;    ///< by (from, to), each once
  std::vector<ShapeLoop> loops;    ///< an outer loop before those inside it
  std::string closed;              ///< why the function can't be opened; then all lists are empty

  bool is_inside(uint32_t block, uint32_t loop) const;
  /// The calls that a block's instructions make.
  std::span<const FlowCall> calls_of(const ShapeBlock& block) const;
};

/// Where blocks begin.
std::vector<uint64_t> block_starts(const CodeFlow& flow);

/// With blocks that begin at `starts` (ascending; those of block_starts among them) and no loops yet.
FunctionShape make_blocks(CodeFlow flow, std::span<const uint64_t> starts);

/// Natural loops, outermost first, by what both shapes together have as edges; both have equal starts, and get equal
/// loops. Give the same shape twice for one alone. Closed when loops nest too deep to be searched.
void find_loops(FunctionShape& one, FunctionShape& other);

/// Blocks and loops of one function.
FunctionShape make_shape(CodeFlow flow);

// Where in the source a loop is: the lines where control is decided and of its calls. All lines of its instructions are
// too wide, for compilers move code into loops and out of them.

/// Lines 0 where none is known; `address` is the header's.
struct LoopPlace {
  std::string file;  ///< without folders
  uint64_t first_line = 0, last_line = 0;
  uint64_t address = 0;

  /// "deflate.c:1374-1418", "deflate.c:1374"; "0x1398" where no line is known.
  std::string text() const;
};

/// The instructions behind which control goes back to a loop's header or leaves the loop: those of its `for` or
/// `while`, whatever was inlined into its body. All of the loop's own where no edge is known.
std::vector<uint32_t> control_of_loop(const FunctionShape& shape, uint32_t loop);

/// The innermost inlined function, 1 + index into ProfileCode::inlined, that nearly all of a loop's control is in; 0:
/// the function itself, or not known.
uint32_t inlined_around(const FunctionShape& shape, uint32_t loop, const ProfileCode& code);

/// Whether the loop is what a stub puts around a statement: its control is a stub's. The compiler may move other code
/// of the stub into loops of the statement.
bool is_controlled_by_stub(const FunctionShape& shape, uint32_t loop, const ProfileCode& code);

/// Where an instruction stands as somebody sees it who reads `frame` (1 + index into ProfileCode::inlined; 0: the
/// function itself): at the call of what was inlined there, if it is code of that. Line 0 where that is not known; its
/// file is not known then either.
struct SeenLine {
  std::string_view file;  ///< without folders
  uint64_t line = 0;
};
SeenLine line_seen_from(uint32_t frame, const Instruction& one, const ProfileCode& code, std::string_view own_file);

/// Lines as they are seen from the function that the loop is written in. `own_file` is that of the shape's function.
/// `counts`, if given, says which instructions count at all.
LoopPlace loop_place(const FunctionShape& shape, uint32_t loop, const ProfileCode& code, std::string_view own_file,
                     const std::function<bool(const Instruction&)>& counts = {});

}  // namespace icount
