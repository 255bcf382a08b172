// What one function executed, instruction by instruction, with the edges between neighbours: the pieces of a function
// (recursion levels, clones, .cold parts) added up, what Callgrind's files leave out filled in. Made from
// callgraph/function_code.h; shapes/function_shape.h makes blocks and loops of it.
//
// What is in the file, and what it is taken as:
// * one address in several superblocks: one instruction, whose executions are added up;
// * recursion levels, contexts and clones of a function: one function;
// * `jcnd=taken/executed`: `taken`, as executions are the address's Ir;
// * steps through a linkage table, charged to the call's address: no executions, those are what flows in;
// * a repeated instruction (`rep movs`) that jumps to itself: one execution, whose cost stays;
// * one `jump=` for each target of a switch: a jump each;
// * a call at a jump (tail call): a call that leaves the function;
// * a call of the function itself, behind which nothing is executed: a jump to its first instruction;
// * `f` calls `f.cold` or `f.part.0`: a jump inside `f`;
// * executions that nothing leads to: arrivals (an exception, longjmp, a signal, a frame active at a dump);
// * jumps that exceed the executions of their address: the function stays closed.
//
// No disassembler is needed: what is left over at one address falls through to what the next one lacks,
//     fall(a, b) = min(executions(a) - jumps out of a, executions(b) - jumps into b - calls entering b).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "icount/callgraph/function_code.h"

namespace icount {

struct Instruction {
  uint64_t address = 0;
  uint32_t file = 0;     ///< index into ProfileCode::files
  uint32_t inlined = 0;  ///< as CodeRow::inlined
  uint64_t line = 0;     ///< 0: unknown
  int64_t executions = 0;
  int64_t self = 0;      ///< of the event that is looked at
  int64_t entered = 0;   ///< by calls, and by jumps from other functions
  int64_t arrived = 0;   ///< from nowhere: an exception, longjmp, a signal, a part that began here
  int64_t left = 0;      ///< by return or jump to another function, an exception, a part that ended here
  int64_t falls = 0;     ///< on to the next instruction of the list
  bool returns = false;  ///< it leaves by neither a jump nor a call, each time: nothing can fall through it
};

/// Jumps followed inside the function, by index of the instructions.
struct FlowJump {
  uint32_t from = 0, to = 0;
  int64_t followed = 0;
};

struct FlowCall {
  uint32_t from = 0;
  uint32_t callee = 0;  ///< by the caller's numbering of functions
  int64_t calls = 0;
};

/// Instructions are sorted by address; jumps by (from, to), calls by (from, callee), each once.
struct CodeFlow {
  std::vector<Instruction> instructions;
  std::vector<FlowJump> jumps;
  std::vector<FlowCall> calls;
  int64_t entries = 0;   ///< calls of the function
  int64_t arrivals = 0;  ///< sum of Instruction::arrived
  std::string closed;    ///< why the function can't be opened; then the rest is empty
};

/// The longest instruction of x86, in bytes: neighbours further apart are none.
inline constexpr uint64_t kLongestInstruction = 15;

/// The pieces of one function as one. `number_of` gives the number of a function, the same for all pieces of one;
/// `self` is that of these pieces. `is_call(caller, callee)`: whether a call from one piece to another begins an
/// invocation (recursion) or goes on in this one (`f` -> `f.cold`). `event` is a column of `events`. `shift` is
/// subtracted from every address.
CodeFlow make_code_flow(std::span<const FunctionCode* const> pieces, size_t events, size_t event, uint32_t self,
                        const std::function<uint32_t(FunctionIndex)>& number_of,
                        const std::function<bool(FunctionIndex, FunctionIndex)>& is_call, uint64_t shift = 0);

}  // namespace icount
