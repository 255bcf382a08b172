#include "support/graph_builder.h"

namespace icount {

FunctionIndex GraphBuilder::index_of(std::string_view name) {
  for (FunctionIndex f = 0; f < graph_.functions.size(); ++f)
    if (graph_.name(f) == name && graph_.file(f) == file_ && graph_.object(f) == object_) return f;
  for (FunctionIndex f = 0; f < graph_.functions.size(); ++f)
    if (graph_.name(f) == name) return f;
  return add(name);
}

FunctionIndex GraphBuilder::add(std::string_view name) {
  graph_.functions.push_back(
      {graph_.strings.intern(name), graph_.strings.intern(file_), graph_.strings.intern(object_)});
  graph_.self.push_back(0);
  return static_cast<FunctionIndex>(graph_.functions.size() - 1);
}

GraphBuilder& GraphBuilder::define(std::string_view name, int64_t self) {
  add(name);
  return function(name, self);
}

size_t GraphBuilder::row_of(FunctionIndex function, StringId file) {
  for (size_t row = 0; row < graph_.rows.size(); ++row)
    if (graph_.rows[row].function == function && graph_.rows[row].file == file) return row;
  graph_.rows.push_back({function, file});
  graph_.row_self.push_back(0);
  return graph_.rows.size() - 1;
}

GraphBuilder& GraphBuilder::function(std::string_view name, int64_t self) {
  const FunctionIndex f = index_of(name);
  return row(name, graph_.strings.view(graph_.functions[f].file), self);
}

GraphBuilder& GraphBuilder::row(std::string_view name, std::string_view file, int64_t self) {
  const FunctionIndex f = index_of(name);
  graph_.self[f] += self;
  graph_.row_self[row_of(f, graph_.strings.intern(file))] += self;
  graph_.totals[0] += self;
  return *this;
}

GraphBuilder& GraphBuilder::line(std::string_view name, std::string_view file, uint64_t line, int64_t self) {
  row(name, file, self);
  graph_.lines.push_back({index_of(name), graph_.strings.intern(file), line});
  graph_.line_self.push_back(self);
  return *this;
}

GraphBuilder& GraphBuilder::calls(std::string_view caller, std::string_view callee, int64_t calls, int64_t inclusive) {
  const FunctionIndex from = index_of(caller), to = index_of(callee);
  for (size_t e = 0; e < graph_.edges.size(); ++e) {
    if (graph_.edges[e].caller != from || graph_.edges[e].callee != to) continue;
    graph_.edges[e].calls += calls;
    graph_.inclusive[e] += inclusive;
    return *this;
  }
  graph_.edges.push_back({from, to, calls});
  graph_.inclusive.push_back(inclusive);
  return *this;
}

GraphBuilder& GraphBuilder::in(std::string_view file, std::string_view object) {
  file_ = file;
  object_ = object;
  return *this;
}

GraphBuilder& GraphBuilder::untrusted(std::string reason) {
  graph_.call_counts = {false, std::move(reason)};
  return *this;
}

CostGraph GraphBuilder::graph() const {
  check_cost_graph(graph_);
  return graph_;
}

}  // namespace icount
