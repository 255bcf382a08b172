#include "icount/kernels/occupancy.h"

#include <algorithm>

namespace icount {
namespace {

struct Processor {
  std::string_view arch;
  int64_t warps, blocks, shared_kib;
  int64_t shared_unit;
  int64_t reserved;  ///< shared bytes that the runtime takes of each block
};

constexpr Processor kProcessors[] = {{"sm_75", 32, 16, 64, 256, 0},      {"sm_80", 64, 32, 164, 128, 1024},
                                     {"sm_86", 48, 16, 100, 128, 1024},  {"sm_87", 48, 16, 164, 128, 1024},
                                     {"sm_89", 48, 24, 100, 128, 1024},  {"sm_90", 64, 32, 228, 128, 1024},
                                     {"sm_100", 64, 32, 228, 128, 1024}, {"sm_120", 48, 24, 100, 128, 1024}};

int64_t round_up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

std::optional<Occupancy> occupancy_of(std::string_view arch, int64_t registers, int64_t shared_bytes) {
  if (arch.ends_with('a') || arch.ends_with('f')) arch.remove_suffix(1);
  const auto found = std::find_if(std::begin(kProcessors), std::end(kProcessors),
                                  [&](const Processor& one) { return one.arch == arch; });
  if (found == std::end(kProcessors)) return std::nullopt;
  constexpr int64_t kParts = 4, kRegistersOfPart = 16384, kRegisterUnit = 256, kThreadsOfWarp = 32;
  Occupancy result{found->warps, found->warps, found->blocks, found->blocks};
  if (registers > 0)
    result.warps_by_registers =
        std::min(found->warps, kRegistersOfPart / round_up(registers * kThreadsOfWarp, kRegisterUnit) * kParts);
  const int64_t of_block = round_up(shared_bytes + found->reserved, found->shared_unit);
  if (of_block > 0) result.blocks_by_shared = std::min(found->blocks, found->shared_kib * 1024 / of_block);
  return result;
}

}  // namespace icount
