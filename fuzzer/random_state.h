// Random numbers as numpy's legacy RandomState draws them, bit for bit: the compatible mode of the fuzzer stands on
// this. The corrected mode uses the same mappings over another source of words.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <span>
#include <variant>
#include <vector>

namespace icount {

// Where random 32-bit words come from: one long stream per seed (MT19937, what numpy's RandomState reads), or a stream
// per (seed, index) that needs nothing before it (Philox).

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

/// A stream of draws. Copies continue independently from the same place.
class RandomState {
 public:
  /// numpy.random.RandomState(seed). Error{kUsage} unless 0 <= seed < 2^32.
  static RandomState numpy(int64_t seed);
  /// The stream of one index: the same whatever was drawn for other indices.
  static RandomState indexed(uint64_t seed, uint64_t index) { return RandomState(Philox(seed, index)); }

  uint32_t word();
  /// Two words, the first is the high half.
  uint64_t word64();

  /// 53 random bits in [0, 1), from two words.
  double random_sample();
  /// low + (high - low) * random_sample().
  double uniform(double low, double high) { return low + (high - low) * random_sample(); }
  /// An integer in [low, last], both ends included (numpy's randint takes last + 1, which 64 bits may not
  /// hold): no word when they are equal, else masked rejection over words, or over pairs of words when last -
  /// low >= 2^32.
  int64_t integer(int64_t low, int64_t last);
  /// The position of the first cumulative probability above one random_sample(); `cumulative` ends in 1.
  size_t choice(std::span<const double> cumulative);
  /// A shuffle of 0..size-1.
  std::vector<int64_t> permutation(int64_t size);
  /// Gaussian by the polar method; the second value of each pair is kept for the next call.
  double normal(double mean, double deviation);

 private:
  explicit RandomState(const WordEngine& engine) : engine_(engine) {}
  /// Masked rejection in [0, last].
  uint64_t bounded(uint64_t last);

  WordEngine engine_;
  bool has_gaussian_ = false;
  double gaussian_ = 0;
};

/// Running sums divided by the last one, as numpy's choice(p=...) makes them.
std::vector<double> cumulative_probabilities(std::span<const double> probabilities);

}  // namespace icount
