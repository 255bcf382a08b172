#include "icount/stacks/fold_contexts.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "icount/base/checked.h"
#include "icount/callgraph/event_costs.h"
#include "icount/callgraph/name_parts.h"
#include "icount/stacks/first_seen.h"

namespace icount {
namespace {

class ContextFolder {
 public:
  explicit ContextFolder(const CostGraph& contexts) : from_(contexts), events_(contexts.event_count()) {}

  CostGraph fold() {
    graph_.events = from_.events;
    graph_.totals = from_.totals;
    graph_.parts = from_.parts;
    graph_.call_counts = from_.call_counts;
    fold_functions();
    fold_rows();
    fold_lines();
    fold_edges();
    return std::move(graph_);
  }

 private:
  StringId text(StringId id) { return graph_.strings.intern(from_.strings.view(id)); }

  void fold_functions() {
    FirstSeen functions;
    folded_.resize(from_.functions.size());
    for (FunctionIndex f = 0; f < from_.functions.size(); ++f) {
      const Function& function = from_.functions[f];
      const Function to = {graph_.strings.intern(split_contexts(from_.name(f)).function), text(function.file),
                           text(function.object)};
      folded_[f] = functions.number_of(to.name, to.file, to.object);
      if (folded_[f] == graph_.functions.size()) graph_.functions.push_back(to);
      add_costs(graph_.self, folded_[f], from_.self, f, events_);
    }
  }

  void fold_rows() {
    FirstSeen rows;
    for (size_t r = 0; r < from_.rows.size(); ++r) {
      const Row to = {folded_[from_.rows[r].function], text(from_.rows[r].file)};
      const uint32_t row = rows.number_of(to.function, to.file, 0);
      if (row == graph_.rows.size()) graph_.rows.push_back(to);
      add_costs(graph_.row_self, row, from_.row_self, r, events_);
    }
  }

  void fold_lines() {
    FirstSeen files, lines;
    for (size_t l = 0; l < from_.lines.size(); ++l) {
      const LineRow& line = from_.lines[l];
      const LineRow to = {folded_[line.function], text(line.file), line.line};
      const uint32_t file = files.number_of(to.function, to.file, 0);
      const uint32_t row = lines.number_of(file, static_cast<uint32_t>(to.line), static_cast<uint32_t>(to.line >> 32));
      if (row == graph_.lines.size()) graph_.lines.push_back(to);
      add_costs(graph_.line_self, row, from_.line_self, l, events_);
    }
  }

  void fold_edges() {
    FirstSeen edges;
    for (size_t e = 0; e < from_.edges.size(); ++e) {
      const Edge to = {folded_[from_.edges[e].caller], folded_[from_.edges[e].callee], 0};
      const uint32_t edge = edges.number_of(to.caller, to.callee, 0);
      if (edge == graph_.edges.size()) graph_.edges.push_back(to);
      graph_.edges[edge].calls = saturating_add(graph_.edges[edge].calls, from_.edges[e].calls);
      add_costs_saturating(graph_.inclusive, edge, from_.inclusive, e, events_);
    }
  }

  const CostGraph& from_;
  size_t events_;
  CostGraph graph_;
  std::vector<FunctionIndex> folded_;  ///< function of from_ -> of graph_
};

}  // namespace

CostGraph fold_contexts(const CostGraph& contexts) { return ContextFolder(contexts).fold(); }

}  // namespace icount
