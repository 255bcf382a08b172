// Cost lines: positions (absolute, relative, hex or "same") and one number per event. Nine of ten bytes of a profile
// are here, so plain lines have a loop of their own and everything odd goes through read_exact_line.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "icount/callgrind/line_tail.h"
#include "icount/callgrind/parse_report.h"
#include "icount/callgrind/plain_line.h"
#include "icount/callgrind/profile.h"

namespace icount {

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
