#include "icount/explain/code_pieces.h"

#include <vector>

#include "icount/callgraph/name_parts.h"

namespace icount {

CodeFlow flow_of_function(const FoldedGraph& side, const ProfileCode& code, uint32_t function, uint64_t shift) {
  const CostGraph& graph = *side.graph;
  if (code.events != graph.event_count()) return {.closed = "its costs are of other events"};
  const std::string_view object = side.functions[function].object;
  std::vector<const FunctionCode*> pieces;
  for (const FunctionCode& piece : code.functions)
    if (side.folded_of[piece.function] == function && graph.object(piece.function) == object) pieces.push_back(&piece);
  const auto number_of = [&](FunctionIndex f) {
    const uint32_t folded = side.folded_of[f];
    return folded == function && graph.object(f) != object ? kNoFunction : folded;
  };
  const auto is_call = [&](FunctionIndex caller, FunctionIndex callee) {
    return begins_invocation(name_parts(graph.name(caller)).tags, name_parts(graph.name(callee)).tags);
  };
  return make_code_flow(pieces, graph.event_count(), side.event, function, number_of, is_call, shift);
}

}  // namespace icount
