#include "icount/callgraph/linkage_jumps.h"

#include "icount/base/checked.h"
#include "icount/callgraph/symbol_name.h"

namespace icount {
namespace {

constexpr int64_t kMostPerJump = 4;  // endbr64, bnd, jmp, and a push where symbols are bound lazily
constexpr std::string_view kNoObject = "???";

/// What is known of one candidate.
struct Traffic {
  int64_t in = 0, out = 0;
  int callees = 0;
  FunctionIndex callee = kNoJump;
};

}  // namespace

std::vector<FunctionIndex> find_linkage_jumps(const CostGraph& graph, size_t event) {
  const size_t functions = graph.functions.size();
  std::vector<FunctionIndex> jumps(functions, kNoJump);
  std::vector<bool> may_jump(functions);
  bool any = false;
  for (FunctionIndex f = 0; f < functions; ++f) {
    may_jump[f] = graph.object(f) == kNoObject && is_address_name(graph.name(f));
    any = any || may_jump[f];
  }
  if (!any) return jumps;
  std::vector<Traffic> traffic(functions);
  for (const Edge& edge : graph.edges) {
    traffic[edge.callee].in = saturating_add(traffic[edge.callee].in, edge.calls);
    Traffic& from = traffic[edge.caller];
    from.out = saturating_add(from.out, edge.calls);
    ++from.callees;
    from.callee = edge.callee;
  }
  for (FunctionIndex f = 0; f < functions; ++f) {
    const Traffic& own = traffic[f];
    const bool passes_on = own.callees == 1 && own.in == own.out && own.in > 0 && !may_jump[own.callee];
    if (may_jump[f] && passes_on && graph.self_of(f, event) / own.in <= kMostPerJump) jumps[f] = own.callee;
  }
  return jumps;
}

}  // namespace icount
