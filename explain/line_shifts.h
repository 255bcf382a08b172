// Where the source lines of one side lie on the other: code moves down when lines are written above it. Read off the
// functions that both sides have. Used for matching (explain/likeness.h) and for inlining (explain/inlining_trace.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>

#include "icount/explain/source_lines.h"

namespace icount {

/// Files go by their names; the views must outlive this. Side 0 is base, 1 is head.
class LineShifts {
 public:
  /// Takes note of one function of both sides. One that was edited, or is under two file names, says nothing.
  void add(std::string_view base_file, LineSpan base, std::string_view head_file, LineSpan head);

  /// How far a line of side `from` lies below its place on the other side: as the nearest function above it, or where
  /// there is none, the one below.
  int64_t of(std::string_view file, uint64_t line, size_t from) const;

  /// The same by the first or last line nearest to it of a function that was edited or not: the lines of a macro lie
  /// where functions that it makes end, whatever else was inlined into them. Weaker than of().
  int64_t near(std::string_view file, uint64_t line, size_t from) const;

  enum class Place {
    kSame,      ///< moved as the known function above it, or as the one below
    kPossible,  ///< between these, but for a few lines edited in its head
    kAnother,   ///< other lines than those that the function can have moved to
  };
  /// Where a function that begins on line `head` of the head lies, for one that begins on line `base` of the base.
  Place compare(std::string_view file, uint64_t base, uint64_t head) const;

 private:
  using ByLine = std::map<uint64_t, int64_t>;

  std::array<std::map<std::string_view, ByLine>, 2> shifts_, ends_;  ///< ends_: of edited functions, too
};

}  // namespace icount
