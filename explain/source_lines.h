// Where in the source the self cost of a folded function lies: per file, and per line when the profile has lines. What
// tells that code of one function is now inside another (explain/inlining.h).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "icount/explain/folded_graph.h"

namespace icount {

/// First and last line of a function in its own file; {0, 0} when unknown.
struct LineSpan {
  uint64_t first = 0;
  uint64_t last = 0;
};

/// By folded function.
std::vector<LineSpan> line_spans(const FoldedGraph& side);

struct LineCost {
  std::string_view file;
  uint64_t line = 0;
  int64_t cost = 0;
};

/// An index over the rows and lines of one side. The folded graph must outlive it.
class SourceLines {
 public:
  explicit SourceLines(const FoldedGraph& side);

  bool has_lines() const { return !folded_->graph->lines.empty(); }
  LineSpan span(uint32_t function) const { return spans_[function]; }
  /// Self cost of `function` under files of this file name (paths may differ).
  int64_t cost_in_file(uint32_t function, std::string_view file_name) const;
  /// Self cost of `function` line by line, files by name (paths may differ), sorted; lines that are not known left out.
  std::vector<LineCost> lines_of(uint32_t function) const;

 private:
  const FoldedGraph* folded_;
  std::vector<LineSpan> spans_;
  std::vector<uint32_t> row_starts_, rows_;    // rows of each folded function
  std::vector<uint32_t> line_starts_, lines_;  // line rows of each folded function
};

}  // namespace icount
