#include "icount/callgraph/linkage_jumps.h"

#include <algorithm>
#include <map>
#include <utility>

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

std::vector<SharedEnd> find_shared_ends(const CostGraph& graph, size_t event) {
  constexpr int64_t kHundredth = 100;  // of a cost: calls from outside the profile are not recorded
  const size_t functions = graph.functions.size();
  std::vector<SharedEnd> ends;
  std::vector<int64_t> inclusive(functions, 0);
  std::vector<bool> is_called(functions, false), calls(functions, false);
  for (uint32_t e = 0; e < graph.edges.size(); ++e) {
    const Edge& edge = graph.edges[e];
    inclusive[edge.callee] = saturating_add(inclusive[edge.callee], graph.inclusive_of(e, event));
    is_called[edge.callee] = calls[edge.caller] = true;
  }
  std::map<std::pair<StringId, StringId>, std::vector<SharedEnd>> leaves;  // by object and file, without their end
  for (FunctionIndex f = 0; f < functions; ++f)
    if (const int64_t self = graph.self_of(f, event); is_called[f] && !calls[f] && inclusive[f] > self)
      leaves[{graph.functions[f].object, graph.functions[f].file}].push_back({.of = f, .cost = inclusive[f] - self});
  for (FunctionIndex f = 0; f < functions && !leaves.empty(); ++f) {
    const int64_t self = graph.self_of(f, event);
    if (is_called[f] || calls[f] || self <= 0 || graph.object(f) == kNoObject) continue;
    const auto beside = leaves.find({graph.functions[f].object, graph.functions[f].file});
    if (beside == leaves.end()) continue;
    const auto fits = [&](int64_t cost) { return cost <= self && self - cost <= self / kHundredth; };
    std::vector<SharedEnd> fitting;
    int64_t all = 0;
    for (const SharedEnd& leaf : beside->second) {
      if (fits(leaf.cost)) fitting.push_back(leaf);
      all = saturating_add(all, leaf.cost);
    }
    if (fitting.empty() && fits(all))
      fitting = beside->second;
    else if (fitting.size() > 1)
      fitting.clear();  // which of them is not known
    std::stable_sort(fitting.begin(), fitting.end(),
                     [](const SharedEnd& a, const SharedEnd& b) { return a.cost > b.cost; });
    for (const SharedEnd& one : fitting) ends.push_back({f, one.of, one.cost});
  }
  return ends;
}

}  // namespace icount
