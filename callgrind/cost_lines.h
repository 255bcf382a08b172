// Cost lines: positions (absolute, relative, hex or "same") and one number per event. Nine of ten bytes of a profile
// are here, so plain lines have a loop of their own and everything odd goes through read_exact_line.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "icount/callgrind/parse_report.h"
#include "icount/callgrind/profile.h"
#include "icount/callgrind/scanner.h"

namespace icount {

// The most common cost line of all: one that says the same as a line before it behind its first position. "+4 0 17"
// behind "+3 0 17" is the next instruction of a basic block, executed as often. Six of seven lines of a profile with
// addresses are such, and they are recognised by one comparison instead of being read. Where the next line begins does
// then not depend on what this one's bytes are, so that the processor reads several at once. Whatever this does not
// know is left to scanner.h.

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

/// Cost lines in a row that have one source line.
struct LineSum {
  uint64_t line = 0;
  int64_t cost = 0;
  int64_t lines = 0;
};

class CostLines {
 public:
  explicit CostLines(const ParseReport& report) : report_(report) {}

  /// Takes kinds and events from the part; the base starts at 0. `negative_costs`: dialects that measure differences.
  void start_part(const ProfilePart& part, bool negative_costs);

  /// One line, exactly: fills positions() and costs(), leaves the base alone, returns the next line.
  const char* read_line(const char* p, const char* end);
  const Positions& positions() const { return positions_; }
  /// One number per event; what exceeds int64 is held at its end and overflowing_event() says so.
  std::span<const int64_t> costs() const { return costs_; }
  /// First event of the last line whose number exceeds int64; costs().size() when there is none.
  size_t overflowing_event() const { return overflowing_event_; }

  /// Like read_line where nobody asks for positions(), which stay undefined.
  const char* read_costs_only(const char* p, const char* end);

  /// Up to three positions relative to the base, as behind "calls=N" and "jump=N"; what follows is left alone.
  /// Targets before 0 are an error if `exact`, else any number will do (pprof counts them from another base).
  const char* read_target(const char* p, Positions& target, bool exact) const;
  /// The same for "0x401136 12 ", "+23 0 " and the like, and the line's end behind it; returns the next line, or
  /// nullptr for anything else.
  const char* read_plain_target(const char* p, const char* end, Positions& target) const;
  /// read_target for who does not need it.
  const char* skip_target(const char* p, const char* end, bool exact) const;

  /// Like read_line for a line without costs that says "where the last one was": "* 0" and "* *"; nullptr for others.
  const char* read_same_place(const char* p, const char* end);

  /// Adds plain self cost lines to `sums` and moves the base, as far as they go; returns the first line that is not
  /// plain (or not a cost line, or whose sum would overflow). `lines` grows by their number.
  const char* add_plain_lines(const char* p, const char* end, int64_t* sums, int64_t& lines);

  /// The same for lines that have one source line, as long as `so_far` and their costs fit into int64; for parts with
  /// one event, never negative, and source lines, elsewhere it reads none.
  const char* add_lines_of_one(const char* p, const char* end, int64_t so_far, LineSum& sum);

  void move_base() { base_ = positions_; }
  const Positions& base() const { return base_; }
  void set_base(const Positions& base) { base_ = base; }

  /// The kinds of a position by name; 0 where the part lacks them.
  uint64_t address(const Positions& p) const { return address_at_ < 0 ? 0 : p[static_cast<size_t>(address_at_)]; }
  uint64_t block(const Positions& p) const { return block_at_ < 0 ? 0 : p[static_cast<size_t>(block_at_)]; }
  uint64_t line(const Positions& p) const { return line_at_ < 0 ? 0 : p[static_cast<size_t>(line_at_)]; }

 private:
  template <size_t kKinds, bool kOneEvent>
  const char* add_lines(const char* p, const char* end, int64_t* sums, int64_t& lines);
  template <size_t kKinds>
  const char* add_equal_lines(const char* p, const char* end, int64_t most, LineSum& sum);
  const char* add_further_events(const char* p, int64_t* sums);
  const char* read_plain(const char* p, PlainLine& line) const;
  void set_costs(uint64_t first);
  const char* read_exact_line(const char* p);
  const char* read_position(const char* p, size_t kind, uint64_t& position, bool exact) const;
  int64_t read_cost(const char*& p, size_t event);
  std::string_view kind_name(size_t kind) const;

  const ParseReport& report_;
  size_t kinds_ = 1;
  int address_at_ = -1, block_at_ = -1, line_at_ = 0;
  bool negative_costs_ = false;
  Positions base_{}, positions_{};
  std::vector<int64_t> costs_;
  size_t overflowing_event_ = 0;
  LineTail tail_;  // of the last plain line
};

}  // namespace icount
