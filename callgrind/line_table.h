// Which entry of a part's source lines is (function, file, line)? Profiles name a function's costs all at once, so
// while a function is open for the first time its lines are those since it was opened: they are found in a small table,
// which stays in the first cache. Only functions that are opened again need theirs in the large one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "icount/callgrind/index_table.h"
#include "icount/callgrind/profile.h"

namespace icount {

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

}  // namespace icount
