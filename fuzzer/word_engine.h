// Where random 32-bit words come from: one long stream per seed (MT19937, what numpy's RandomState reads), or
// a stream per (seed, index) that needs nothing before it (Philox). fuzzer/random_state.h turns words into
// numbers.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <variant>

namespace icount {

/// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011). Key: the seed's low
/// and high word. Counter: block number (low, high), stream index (low, high). Streams of different indices
/// never share a block.
class Philox {
 public:
  Philox(uint64_t seed, uint64_t index) : key_{low(seed), high(seed)}, index_(index) {}
  uint32_t operator()();

  /// The bare block function, for known-answer tests.
  static std::array<uint32_t, 4> block(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

 private:
  static uint32_t low(uint64_t value) { return static_cast<uint32_t>(value); }
  static uint32_t high(uint64_t value) { return static_cast<uint32_t>(value >> 32); }

  std::array<uint32_t, 2> key_;
  uint64_t index_;
  uint64_t block_number_ = 0;
  std::array<uint32_t, 4> words_{};
  int used_ = 4;
};

/// One of the two. std::mt19937(seed) has numpy's scalar seeding.
using WordEngine = std::variant<std::mt19937, Philox>;

}  // namespace icount
