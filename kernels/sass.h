// Machine code as instructions: the text that nvdisasm makes of it beside the bits that it is. kernels/cubin.h says
// where the code lies.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/harness/environment.h"
#include "icount/kernels/cubin.h"

namespace icount {

struct SassInstruction {
  std::string predicate;  ///< "@!P0"; empty: always
  std::string opcode;     ///< "LDG.E.64"
  std::string operands;   ///< "R2,desc[UR4][R2.64]"
  uint64_t low = 0, high = 0;

  /// "@!P0 LDG.E.64 R2, desc[UR4][R2.64]"
  std::string text() const;
};

using SassCode = std::vector<SassInstruction>;

/// Programs of the CUDA Toolkit, by name ("nvdisasm").
/// $ICOUNT_CUDA_TOOLS, PATH, $CUDA_HOME/bin, /usr/local/cuda/bin, and the nvidia packages of an active Python; empty
/// when there is none.
std::filesystem::path find_cuda_tool(std::string_view program, const Environment& environment);

/// The path. Error{kTool} that says what it is needed for and how to get it.
std::filesystem::path need_cuda_tool(std::string_view program, std::string_view purpose,
                                     const Environment& environment);

/// What `nvdisasm -c` prints, by function, with labels as the places that they are. (Its -json crashes on some
/// relocatable code, and earlier versions have none.) Error{kMalformed} where the instructions are not as many as the
/// bytes.
std::map<std::string, SassCode> parse_nvdisasm(std::string_view text, const Cubin& cubin);

/// The code of these functions of a cubin. Error{kTool} when nvdisasm is missing or fails.
std::map<std::string, SassCode> run_nvdisasm(const Cubin& cubin, std::span<const KernelCode* const> functions,
                                             const Environment& environment, const std::function<bool()>& cancelled);

// What an instruction does, by its opcode.

enum class SassClass { kGlobal, kShared, kLocal, kConstant, kFloat, kTensor, kInteger, kConversion, kControl, kOther };

std::string_view to_text(SassClass kind);
SassClass class_of(const SassInstruction& instruction);

/// Instructions without those behind the end: a jump to itself, and nothing but NOP.
size_t length_without_padding(const SassCode& code);
/// The same from the bytes alone.
size_t length_without_padding(const KernelCode& kernel);

/// A jump inside the function, at most one a instruction.
struct SassFlow {
  enum class Kind {
    kNone,     ///< goes on
    kEnd,      ///< never goes on
    kJump,     ///< always goes to the target
    kBranch,   ///< goes to the target or on
    kLabel,    ///< goes on; the target is a place where threads meet, or a function's first instruction
    kUnknown,  ///< to a place that a register says
  };
  Kind kind = Kind::kNone;
  uint64_t target = 0;  ///< a byte of the code
};

SassFlow flow_of(const SassInstruction& instruction);

/// A loop: the instructions from the target of a jump back to the jump.
struct SassLoop {
  size_t first = 0, last = 0;  ///< instructions
  int depth = 1;
  SourceLine place;  ///< of the jump back; line 0: not known
};

/// Outer loops before those inside them. Jumps back to one place are one loop.
std::vector<SassLoop> find_sass_loops(const Cubin& cubin, const KernelCode& kernel, const SassCode& code);

}  // namespace icount
