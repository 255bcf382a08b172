// How many warps a multiprocessor can hold at once, by what a kernel takes of it: registers, shared memory.
// Theoretical, for the limits alone say nothing of speed.
//
// Source: NVIDIA's CUDA C++ Programming Guide, "Compute Capabilities" (technical specifications per compute
// capability), and the formula of its occupancy calculator: registers are allotted to a warp in units of 256, to each
// of the four parts of a multiprocessor apart; shared memory is allotted to a block in units of 128 bytes (256 before
// sm_80).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace icount {

struct Occupancy {
  int64_t most_warps = 0;          ///< of a multiprocessor
  int64_t warps_by_registers = 0;  ///< at most most_warps
  int64_t most_blocks = 0;
  int64_t blocks_by_shared = 0;  ///< at most most_blocks

  auto operator<=>(const Occupancy&) const = default;
};

/// nullopt for an architecture that the table does not have.
std::optional<Occupancy> occupancy_of(std::string_view arch, int64_t registers, int64_t shared_bytes);

}  // namespace icount
