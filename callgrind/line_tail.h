// The most common cost line of all: one that says the same as a line before it behind its first position. "+4 0 17"
// behind "+3 0 17" is the next instruction of a basic block, executed as often. Six of seven lines of a profile with
// addresses are such, and they are recognised by one comparison instead of being read. Where the next line begins does
// then not depend on what this one's bytes are, so that the processor reads several at once. Used by cost_sums.cc;
// whatever this does not know is left to plain_line.h.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "icount/callgrind/plain_line.h"

namespace icount {

/// What stands behind the first position of a line with two positions and one cost, to its end: " 0 17\n", " * 17\n".
class LineTail {
 public:
  /// Lines in a row that have this tail and one-digit steps: how far they reach, how many they are, what the steps sum
  /// to.
  struct Repeats {
    const char* next;
    int64_t lines = 0;
    uint64_t steps = 0;
  };

  /// Remembers the tail of a plain line, which goes from `tail` to `next`, if it is short and its second position means
  /// the same in any line. Looks at kMostBytes bytes.
  void remember(const char* tail, const char* next, uint64_t cost) {
    const auto length = static_cast<size_t>(next - tail);
    if (length > kMostBytes || tail[2] != ' ') return;
    const char* const used = kUsedBytes.data() + kMostBytes - length;
    used_ = {load_eight(used), load_eight(used + kHalf)};
    bytes_ = {load_eight(tail), load_eight(tail + kHalf)};
    length_ = length;
    second_ = tail[1];
    cost_ = cost;
  }

  /// The lines from p on, `most` of them at most; none before remember(), or closer than kReach to `end`.
  Repeats find_repeats(const char* p, const char* end, int64_t most) const {
    Repeats found{p};
    if (length_ == 0) return found;
    for (; found.lines < most && end - found.next >= kReach; ++found.lines) {
      const uint16_t step = one_digit_step(found.next);
      if (step >= 10 || !is_at(found.next + kStepBytes)) break;
      found.steps += step;
      found.next += kStepBytes + length_;
    }
    return found;
  }

  /// The second position of a line with this tail.
  uint64_t second(uint64_t base) const { return second_ == '*' ? base : static_cast<uint64_t>(second_ - '0'); }
  uint64_t cost() const { return cost_; }

 private:
  static constexpr size_t kHalf = sizeof(uint64_t), kMostBytes = 2 * kHalf, kStepBytes = 2;
  /// From kMostBytes - n on: n bytes of ones and zeros behind them.
  static constexpr std::array<char, 2 * kMostBytes> kUsedBytes = [] {
    std::array<char, 2 * kMostBytes> bytes{};
    for (size_t i = 0; i < kMostBytes; ++i) bytes[i] = static_cast<char>(0xFF);
    return bytes;
  }();
  using Bytes = std::array<uint64_t, 2>;

  /// 7 for "+7"; ten or more for anything else.
  static uint16_t one_digit_step(const char* p) {
    if constexpr (std::endian::native != std::endian::little)
      return *p == '+' ? static_cast<unsigned char>(p[1] - '0') : uint16_t{10};
    uint16_t bytes;
    std::memcpy(&bytes, p, sizeof bytes);
    return std::rotr(static_cast<uint16_t>(bytes - ('+' | '0' << 8)), 8);  // another sign is a high byte that is not 0
  }
  bool is_at(const char* p) const {
    return (((load_eight(p) ^ bytes_[0]) & used_[0]) | ((load_eight(p + kHalf) ^ bytes_[1]) & used_[1])) == 0;
  }

  Bytes bytes_{};
  Bytes used_{};
  size_t length_ = 0;  // nothing was remembered
  char second_ = '*';
  uint64_t cost_ = 0;
};

}  // namespace icount
