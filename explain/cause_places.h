// Where in the source a cause lies: the line on which its function begins, and the few lines that carry a change of
// self cost where there are such. Used by explain/cause_list.cc; lines per function are explain/source_lines.h.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/explain/joined_graph.h"
#include "icount/explain/source_lines.h"

namespace icount {

/// A file as the profile has it; line 0 where no line is known.
struct SourcePlace {
  std::string_view file;
  uint64_t line = 0;
};

/// The lines that carry nearly all of a change of self cost, the largest first.
struct ChangedLines {
  std::string_view file;
  std::vector<uint64_t> lines;  ///< one to three, of the head, or of the base where they are gone
  double part = 0;              ///< of the function's change, about 1; above it where other lines take some back
};

/// Reads the lines of both sides once, when first asked. The joined graph must outlive it.
class CausePlaces {
 public:
  explicit CausePlaces(const JoinedGraph& joined) : joined_(joined) {}

  /// The first line of a function in its own file, in the head where it is there.
  SourcePlace of_function(uint32_t function);

  /// `scale`: by side, what a line's cost is multiplied with before sides are compared (one over the calls, or 1 where
  /// the function's cost is taken in total). Nothing where lines are not known or the change is spread over many.
  std::optional<ChangedLines> changed_lines(uint32_t function, std::array<long double, 2> scale);

 private:
  const SourceLines& lines(size_t side);

  const JoinedGraph& joined_;
  std::vector<SourceLines> sources_;
};

}  // namespace icount
