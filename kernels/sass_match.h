// Whether two functions have the same machine code: equal after renaming registers, predicates and labels by one
// bijection for the whole function, and places in constant memory by what lies there. This is a proof, so it errs on
// the side of "differs":
//
// * an instruction keeps its opcode with every modifier, its immediate values, its address offsets, the sign of its
//   predicate;
// * registers are renamed one to one in both directions; the stack pointer (R1), RZ and PT are themselves; where an
//   instruction takes neighbouring registers (64 bits, 128 bits) these go along; a function with an instruction whose
//   registers are not known here (tensor, texture), and one that calls a function elsewhere, keeps all its registers;
// * a parameter keeps its place among the parameters, which have equal sizes on both sides; another constant is the
// same
//   where it is the same variable, or has the same content;
// * the bits behind the text are compared, too: beside the scheduling bits they differ only where a register's number,
//   a label or a constant's place stands.
//
// The scheduling bits (stall cycles, yield, barriers between instructions, register reuse) are told apart: code that
// differs in them alone has the same instructions, and not the same timing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "icount/kernels/cubin.h"
#include "icount/kernels/sass.h"

namespace icount {

enum class SassRelation {
  kSame,         ///< instruction by instruction
  kMoved,        ///< the same blocks in another order
  kRescheduled,  ///< the same but for scheduling bits
  kDiffers
};

struct SassMatch {
  SassRelation relation = SassRelation::kDiffers;
  bool renamed = false;             ///< a register, a predicate or a constant's place is another one
  int64_t rescheduled = 0;          ///< instructions with other scheduling bits
  std::string reason;               ///< the first thing that differs: "LDG.E has other operands..."
  size_t base_at = 0, head_at = 0;  ///< the instructions where that is
  std::vector<std::pair<std::string, std::string>> callees;  ///< functions that have to be the same as well
  bool calls_by_address = false;                             ///< which functions are called is not in the code
};

/// One side of a pair.
struct SassSide {
  const Cubin* cubin = nullptr;
  const KernelCode* kernel = nullptr;
  const SassCode* code = nullptr;
};

SassMatch match_sass(const SassSide& base, const SassSide& head);

}  // namespace icount
