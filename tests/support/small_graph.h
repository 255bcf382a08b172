// A cost graph small enough to check by hand: main calls lex twice, lex calls hash 600 times and itself once.
#pragma once

#include "icount/callgraph/cost_graph.h"

namespace icount {

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
