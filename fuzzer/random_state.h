// Random numbers as numpy's legacy RandomState draws them, bit for bit: the compatible mode of the fuzzer
// stands on this. The corrected mode uses the same mappings over another source of words
// (fuzzer/word_engine.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "icount/fuzzer/word_engine.h"

namespace icount {

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
