// Whether two flows run the same code, and where blocks begin that both have. Instructions are compared by address
// relative to the entry; used by explain/opened_function.
#pragma once

#include <cstdint>
#include <vector>

#include "icount/shapes/code_flow.h"

namespace icount {

/// The instruction at an address; nullptr where the flow has none there.
const Instruction* find_instruction(const CodeFlow& flow, uint64_t address);

/// Instructions lie at the same places, and neither falls through, begins inside an instruction, jumps or returns
/// otherwise than the other.
bool is_same_code(const CodeFlow& a, const CodeFlow& b);

/// Where blocks begin on either side; a block is run by a side as a whole or not at all.
std::vector<uint64_t> common_starts(const CodeFlow& a, const CodeFlow& b);

}  // namespace icount
