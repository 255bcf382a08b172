// Small cost graphs for tests, written down by name: GraphBuilder().function("lex", 20).calls("main", "lex",
// 20).graph().
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "icount/callgraph/cost_graph.h"

namespace icount {

/// One event ("Ir" unless told otherwise). Functions come into being when they are first named, with cost 0.
class GraphBuilder {
 public:
  explicit GraphBuilder(std::string event = "Ir") {
    graph_.events = {std::move(event)};
    graph_.totals = {0};
  }

  /// A new function in the file and object set last by in(), also when another one has its name. Later uses of the name
  /// mean the one of the current file, else the first.
  GraphBuilder& define(std::string_view name, int64_t self);
  /// Adds self cost.
  GraphBuilder& function(std::string_view name, int64_t self);
  /// Self cost of `name` on a line of `file`: a row, a line row and a part of its self cost.
  GraphBuilder& line(std::string_view name, std::string_view file, uint64_t line, int64_t self);
  /// Self cost of `name` under another file, where lines are not known.
  GraphBuilder& row(std::string_view name, std::string_view file, int64_t self);
  GraphBuilder& calls(std::string_view caller, std::string_view callee, int64_t calls, int64_t inclusive = 0);
  /// File and object of the functions named from here on for the first time.
  GraphBuilder& in(std::string_view file, std::string_view object = "prog");
  GraphBuilder& untrusted(std::string reason);

  CostGraph graph() const;

 private:
  FunctionIndex add(std::string_view name);
  FunctionIndex index_of(std::string_view name);
  size_t row_of(FunctionIndex function, StringId file);

  CostGraph graph_;
  std::string file_ = "main.cc", object_ = "prog";
};

// A cost graph small enough to check by hand: main calls lex twice, lex calls hash 600 times and itself once.

/// Events Ir and Dr; totals 1,000 and 100. hash has a row under a header of its own.
inline CostGraph small_graph() {
  CostGraph graph;
  graph.events = {"Ir", "Dr"};
  const auto s = [&](std::string_view text) { return graph.strings.intern(text); };
  const StringId object = s("/bin/lexer"), file = s("lexer.cc"), header = s("hash.h");
  graph.functions = {{s("main"), file, object}, {s("lex(char const*)"), file, object}, {s("hash"), file, object}};
  graph.self = {100, 10, 300, 30, 600, 60};
  graph.edges = {{0, 1, 2}, {1, 2, 600}, {1, 1, 1}};
  graph.inclusive = {900, 90, 600, 60, 450, 45};
  graph.rows = {{0, file}, {1, file}, {2, file}, {2, header}};
  graph.row_self = {100, 10, 300, 30, 200, 20, 400, 40};
  graph.totals = {1000, 100};
  return graph;
}

}  // namespace icount
