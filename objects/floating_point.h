// Floating point that Valgrind computes otherwise than the processor does, by the bytes of instructions (x86-64): the
// x87's 80 bits, of which it has 64, and tiny numbers that are to be zero, which it keeps. A program that sees the
// difference takes another way, and its count is of that way.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

enum class FloatUse {
  kPlain,    ///< nothing of the kind
  kX87,      ///< computes, compares or loads an 80-bit number
  kControl,  ///< loads MXCSR, the control register of SSE
};

/// What the instruction at the begin of `bytes` does.
FloatUse float_use_of(std::string_view bytes);

/// Whether an instruction ("orl $0x8040, -4(%rsp)") has a constant with a bit that makes tiny numbers zero (MXCSR's FTZ
/// and DAZ), as one that is to be loaded or added there.
bool sets_flush_bit(std::string_view instruction);

/// Functions whose executed instructions did it, by name.
struct FloatingPoint {
  std::set<std::string> extended, flushing;
};

/// One note for each kind; none for none.
std::vector<std::string> floating_point_notes(const FloatingPoint& found);

}  // namespace icount
