#include "icount/explain/source_lines.h"

#include <algorithm>
#include <tuple>

#include "icount/base/checked.h"
#include "icount/callgraph/name_parts.h"

namespace icount {
namespace {

/// Entries grouped by folded function: those of f are order[starts[f]] to order[starts[f + 1]].
template <typename Entry>
void group_by_function(const FoldedGraph& folded, const std::vector<Entry>& entries, std::vector<uint32_t>& starts,
                       std::vector<uint32_t>& order) {
  starts.assign(folded.functions.size() + 1, 0);
  for (const Entry& entry : entries) ++starts[folded.folded_of[entry.function] + 1];
  for (size_t f = 0; f + 1 < starts.size(); ++f) starts[f + 1] += starts[f];
  order.resize(entries.size());
  std::vector<uint32_t> next(starts.begin(), starts.end() - 1);
  for (uint32_t i = 0; i < entries.size(); ++i) order[next[folded.folded_of[entries[i].function]]++] = i;
}

}  // namespace

std::vector<LineSpan> line_spans(const FoldedGraph& side) {
  const CostGraph& graph = *side.graph;
  std::vector<LineSpan> spans(side.functions.size());
  for (const LineRow& row : graph.lines) {
    if (row.line == 0 || row.file != graph.functions[row.function].file) continue;
    LineSpan& span = spans[side.folded_of[row.function]];
    span.first = span.first == 0 ? row.line : std::min(span.first, row.line);
    span.last = std::max(span.last, row.line);
  }
  return spans;
}

SourceLines::SourceLines(const FoldedGraph& side) : folded_(&side), spans_(line_spans(side)) {
  group_by_function(side, side.graph->rows, row_starts_, rows_);
  group_by_function(side, side.graph->lines, line_starts_, lines_);
}

int64_t SourceLines::cost_in_file(uint32_t function, std::string_view file_name) const {
  const CostGraph& graph = *folded_->graph;
  int64_t cost = 0;
  for (uint32_t i = row_starts_[function]; i < row_starts_[function + 1]; ++i)
    if (base_of_path(graph.strings.view(graph.rows[rows_[i]].file)) == file_name)
      cost = saturating_add(cost, graph.row_self[rows_[i] * graph.event_count() + folded_->event]);
  return cost;
}

std::vector<LineCost> SourceLines::lines_of(uint32_t function) const {
  const CostGraph& graph = *folded_->graph;
  std::vector<LineCost> lines;
  for (uint32_t i = line_starts_[function]; i < line_starts_[function + 1]; ++i) {
    const LineRow& row = graph.lines[lines_[i]];
    if (row.line == 0) continue;
    lines.push_back({base_of_path(graph.strings.view(row.file)), row.line,
                     graph.line_self[lines_[i] * graph.event_count() + folded_->event]});
  }
  std::sort(lines.begin(), lines.end(),
            [](const LineCost& a, const LineCost& b) { return std::tie(a.file, a.line) < std::tie(b.file, b.line); });
  size_t kept = 0;
  for (const LineCost& line : lines) {
    if (kept > 0 && lines[kept - 1].file == line.file && lines[kept - 1].line == line.line) {
      lines[kept - 1].cost = saturating_add(lines[kept - 1].cost, line.cost);
    } else {
      lines[kept++] = line;
    }
  }
  lines.resize(kept);
  return lines;
}

}  // namespace icount
