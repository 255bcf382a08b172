// Adds up one part while it is read: rows by (function, file), edges by (caller, callee), lines by (function, file,
// line). Functions are those of the whole profile. The parser fills it; the ProfilePart inside is the result.
#pragma once

#include <cstdint>
#include <span>

#include "icount/callgrind/index_table.h"
#include "icount/callgrind/line_table.h"
#include "icount/callgrind/profile.h"

namespace icount {

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
