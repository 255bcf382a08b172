// Adds up one part while it is read: rows by (function, file), edges by (caller, callee), lines by (function, file,
// line). Functions are those of the whole profile. The parser fills it; the ProfilePart inside is the result.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "icount/callgrind/profile.h"

namespace icount {

// A hash index over entries that live elsewhere in a vector: which entry has this key? Small (8 bytes a slot), since
// fresh pages are what a short run pays for most; emptied in time that its own filling has paid for.

/// Mixes up to 128 bits of key into a hash.
inline uint64_t mix_key(uint64_t a, uint64_t b = 0) {
  const __uint128_t product = static_cast<__uint128_t>(a ^ 0x9e3779b97f4a7c15ULL) * (b ^ 0xd6e8feb86659fd93ULL);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

class IndexTable {
 public:
  /// The index for which `equal(index)` holds among those with this hash; otherwise stores `next` and returns it.
  /// `next` is below 2^32 - 1.
  template <typename Equal>
  uint32_t find_or_insert(uint64_t hash, uint32_t next, Equal equal) {
    if (used_ * 4 >= slots_.size() * 3) grow();
    const auto tag = static_cast<uint32_t>(hash >> 32);
    const size_t mask = slots_.size() - 1;
    for (size_t at = tag & mask;; at = (at + 1) & mask) {
      Slot& slot = slots_[at];
      if (slot.index == kFree) {
        slot = {tag, next};
        ++used_;
        return next;
      }
      if (slot.tag == tag && equal(slot.index)) return slot.index;
    }
  }

  /// Empties the table and keeps room for as many entries as it held: a hundred thousand small parts behind a large one
  /// do not pay for the large one each time.
  void clear() {
    slots_.assign(std::bit_ceil(used_ + used_ / 2 + kFewest), Slot());
    used_ = 0;
  }

 private:
  static constexpr uint32_t kFree = ~uint32_t{0};
  static constexpr size_t kFewest = 16;
  struct Slot {
    uint32_t tag = 0;
    uint32_t index = kFree;
  };

  void grow() {
    std::vector<Slot> old(slots_.empty() ? kFewest : slots_.size() * 2);
    old.swap(slots_);
    const size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.index == kFree) continue;
      size_t at = slot.tag & mask;
      while (slots_[at].index != kFree) at = (at + 1) & mask;
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;
  size_t used_ = 0;
};

// Which entry of a part's source lines is (function, file, line)? Profiles name a function's costs all at once, so
// while a function is open for the first time its lines are those since it was opened: they are found in a small table,
// which stays in the first cache. Only functions that are opened again need theirs in the large one.

class LineTable {
 public:
  /// The index of `line` in `lines`; lines.size() when it is new, and then it is to be added there at once.
  uint32_t find_or_insert(const LineRow& line, const std::vector<LineRow>& lines) {
    if (line.function != function_) open(line.function, lines);
    const auto next = static_cast<uint32_t>(lines.size());
    if (!first_time_) return find_anywhere(line, next, lines);
    if (used_ * 2 >= slots_.size()) grow(lines);
    const size_t mask = slots_.size() - 1;
    for (size_t at = place_of(line) & mask;; at = (at + 1) & mask) {
      Slot& slot = slots_[at];
      if (slot.opening != opening_) {
        slot = {opening_, next};
        ++used_;
        return next;
      }
      if (lines[slot.index].line == line.line && lines[slot.index].file == line.file) return slot.index;
    }
  }

  /// For the next part.
  void clear() {
    all_.clear();
    function_ = kNone;
    ++part_;
  }

 private:
  static constexpr FunctionIndex kNone = ~FunctionIndex{0};
  /// An entry of this opening of a function; of an earlier one: free.
  struct Slot {
    uint32_t opening = 0;
    uint32_t index = 0;
  };
  /// The lines that a function got while it was open for the first time: they lie in a row.
  struct Lines {
    uint32_t part = 0;  // in which part; another one's number: none so far
    uint32_t begin = 0, end = 0;
    bool indexed = false;
  };

  static size_t place_of(const LineRow& line) {
    return static_cast<size_t>(line.line + line.file * uint64_t{0x9e3779b1});
  }
  uint32_t find_anywhere(const LineRow& line, uint32_t next, const std::vector<LineRow>& lines);
  void open(FunctionIndex function, const std::vector<LineRow>& lines);
  void grow(const std::vector<LineRow>& lines);

  std::vector<Slot> slots_ = std::vector<Slot>(256);
  uint32_t opening_ = 0;
  size_t used_ = 0;
  IndexTable all_;
  std::vector<Lines> functions_;
  FunctionIndex function_ = kNone;  // the one that is open
  bool first_time_ = false;         // it had no lines before
  uint32_t part_ = 1;
};

class PartTables {
 public:
  /// `input_bytes`: size of the text to come (0: unknown), from which room for the first part is guessed.
  explicit PartTables(Profile& profile, size_t input_bytes = 0);

  /// The part being filled.
  ProfilePart& part() { return part_; }
  const ProfilePart& part() const { return part_; }
  /// Gives the finished part away and starts an empty one.
  ProfilePart take_part();

  /// Names are nearly unique, so the last function of this name is nearly always the one.
  FunctionIndex find_function(const Function& function) {
    if (function.name < last_of_name_.size()) [[likely]] {
      const LastOfName& last = last_of_name_[function.name];
      if (last.file == function.file && last.object == function.object) [[likely]]
        return last.index;
    }
    return find_other_function(function);
  }

  /// Where the costs of (function, file) are added up; valid until the next call of any add_ or find_ function.
  int64_t* find_row_costs(FunctionIndex function, StringId file) {
    if (last_row_ >= part_.rows.size() || part_.rows[last_row_].function != function ||
        part_.rows[last_row_].file != file)
      open_row(function, file);
    return part_.row_self.data() + last_row_ * part_.events.size();
  }

  /// Adds to (caller, callee); saturating, since nested calls count again and again.
  void add_call(FunctionIndex caller, FunctionIndex callee, int64_t calls, std::span<const int64_t> costs);

  /// Adds what another part says in terms of this one: `functions` and `strings` give the index here for each of there.
  /// False, and no cost added, when a self cost would leave int64.
  bool add_rows_and_edges(const ProfilePart& other, std::span<const FunctionIndex> functions,
                          std::span<const StringId> strings);

  /// Adds to (function, file, line). False when a sum leaves int64.
  bool add_line(const LineRow& line, std::span<const int64_t> costs);

 private:
  /// The edges that a caller got while it was open for the first time: they lie in a row.
  struct CallerEdges {
    uint32_t part = 0;  // in which part; another one's number: none so far
    uint32_t begin = 0, end = 0;
    bool indexed = false;
  };
  static constexpr FunctionIndex kNoCaller = ~FunctionIndex{0};
  // The last function of a name and the last edge to a callee, with what they are recognised by: a look at the entries
  // themselves would be one more line of memory that is seldom in a cache, the larger part of what a call took.
  struct LastOfName {
    FunctionIndex index = 0;
    StringId file = ~StringId{0}, object = ~StringId{0};  // no function's
  };
  struct LastEdge {
    FunctionIndex caller = kNoCaller;
    uint32_t index = 0;
  };
  FunctionIndex find_other_function(const Function& function);
  void open_row(FunctionIndex function, StringId file);
  void open_caller(FunctionIndex caller);
  bool are_different(std::span<const FunctionIndex> functions) const;
  bool is_new_caller(FunctionIndex caller) const;
  void append_edges(FunctionIndex caller, std::span<const Edge> edges, std::span<const FunctionIndex> functions,
                    std::span<const int64_t> costs);

  Profile& profile_;
  ProfilePart part_;
  IndexTable functions_, rows_, edges_;
  LineTable lines_;
  std::vector<LastOfName> last_of_name_;  // the function found last for each name
  std::vector<LastEdge> last_edge_to_;    // the edge found last for each callee
  uint32_t last_row_ = 0, last_line_ = 0;
  std::vector<CallerEdges> callers_;
  FunctionIndex caller_ = kNoCaller;  // the one that is open
  bool first_time_ = false;           // it had no edges before
  uint32_t part_number_ = 1;
};

}  // namespace icount
