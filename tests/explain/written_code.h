// Opened functions for tests, written down line by line: which loops they have, what each line costs, what it calls.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "icount/explain/inside/opened_function.h"

namespace icount {

/// One block of one instruction, on a line of ProfileCode::files[file].
struct WrittenLine {
  uint64_t line = 0;
  int64_t self = 0;
  uint32_t loop = kNoLoop;  ///< the innermost
  std::vector<uint32_t> callees = {};
  uint32_t file = 0, inlined = 0;
};

struct WrittenLoop {
  int64_t entries = 1, iterations = 1;
  uint32_t parent = kNoLoop;
  int depth = 1;
  bool knot = false;
};

/// One side. Files are a.c and b.h, of the folder `src`, and a header of the standard library.
struct WrittenSide {
  std::vector<WrittenLine> lines;
  std::vector<WrittenLoop> loops = {};
  int64_t calls = 1;
};

/// Regions are still to be found (match_loops).
class WrittenFunction {
 public:
  WrittenFunction(const WrittenSide& base, const WrittenSide& head) : code_{make_code(), make_code()} {
    opened.shapes = {shape_of(base), shape_of(head)};
    opened.code = {&code_[0], &code_[1]};
    opened.file = "src/a.c";
  }
  WrittenFunction(const WrittenFunction&) = delete;

  /// Callees that both sides know by the same number.
  static CalleeNodes callees() {
    const std::vector<uint32_t> numbers = {0, 1, 2, 3, 4, 5};
    return {numbers, numbers};
  }

  OpenedFunction opened;
  CalleeNodes of_callee = callees();

 private:
  static ProfileCode make_code() {
    ProfileCode code;
    code.files = {"src/a.c", "src/b.h", "/usr/include/c++/12/bits/stl_tree.h"};
    code.inlined = {{"alpha", 1, 3, 20, 0},
                    {"beta", 1, 7, 30, 1},
                    {"omega", 1, 9, 40, 0},
                    {"std::find", 2, 5, 33, 1},
                    {"std::step", 2, 6, 8, 4}};
    return code;
  }

  static FunctionShape shape_of(const WrittenSide& side) {
    FunctionShape shape;
    shape.flow.entries = side.calls;
    for (const WrittenLoop& loop : side.loops) {
      ShapeLoop& made = shape.loops.emplace_back();
      made.parent = loop.parent;
      made.depth = loop.depth;
      made.knot = loop.knot;
      made.entries = loop.entries;
      made.iterations = made.heads = loop.iterations;
    }
    for (const WrittenLine& line : side.lines) {
      const auto number = static_cast<uint32_t>(shape.blocks.size());
      Instruction one;
      one.address = 0x1000 + 4 * uint64_t{number};
      one.file = line.file;
      one.inlined = line.inlined;
      one.line = line.line;
      one.executions = one.self = line.self;
      shape.flow.instructions.push_back(one);
      for (const uint32_t callee : line.callees) shape.flow.calls.push_back({number, callee, 1});
      shape.blocks.push_back({number, number + 1, one.address, line.self, line.self, 0, 0, line.loop});
      for (uint32_t at = line.loop; at != kNoLoop; at = shape.loops[at].parent) {
        if (shape.loops[at].blocks.empty()) shape.loops[at].header = number;
        shape.loops[at].blocks.push_back(number);
      }
    }
    return shape;
  }

  std::array<ProfileCode, 2> code_;
};

}  // namespace icount
