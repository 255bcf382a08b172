#include "icount/explain/match.h"

#include <numeric>
#include <utility>
#include <vector>

#include "icount/base/hash.h"
#include "icount/explain/match_evidence.h"
#include "icount/explain/match_nameless.h"
#include "icount/explain/match_names.h"
#include "icount/explain/match_places.h"
#include "icount/explain/pairing.h"

namespace icount {
namespace {

/// A number that tells the two sides apart by content, so that the steps can always run in the same direction: whatever
/// they prefer among equals, swapping base and head then swaps every pair and nothing else. All that a step looks at is
/// part of it; the order of functions and edges is not.
uint64_t content_key(const FoldedGraph& graph) {
  std::vector<uint64_t> functions;
  for (const FoldedFunction& function : graph.functions)
    functions.push_back(mix_keys(mix_keys(hash64(function.name), hash64(function.object)),
                                 mix_keys(hash64(function.file), static_cast<uint64_t>(function.self))));
  uint64_t key = std::accumulate(functions.begin(), functions.end(), static_cast<uint64_t>(graph.total));
  for (const FoldedEdge& edge : graph.edges)
    key += mix_keys(mix_keys(functions[edge.caller], functions[edge.callee]),
                    mix_keys(static_cast<uint64_t>(edge.calls), static_cast<uint64_t>(edge.inclusive)));
  for (const LineRow& row : graph.graph->lines) key += mix_keys(functions[graph.folded_of[row.function]], row.line);
  return key;
}

std::vector<FunctionMatch> all_matches(Pairing pairing) {
  std::vector<FunctionMatch> matches = std::move(pairing.pairs);
  for (uint32_t f : pairing.open(0)) matches.push_back({f, kNoFunction, MatchedBy::kNothing, {}});
  for (uint32_t f : pairing.open(1)) matches.push_back({kNoFunction, f, MatchedBy::kNothing, {}});
  return matches;
}

}  // namespace

std::vector<FunctionMatch> match_functions(const FoldedGraph& base, const FoldedGraph& head, bool raw_names) {
  const bool turned = content_key(base) > content_key(head);
  Pairing pairing(turned ? head : base, turned ? base : head);
  if (raw_names) {
    match_by_raw_name(pairing);
  } else {
    match_by_name(pairing);
    match_by_dispatch(pairing);
    match_by_place(pairing);
    match_by_evidence(pairing);
    if (match_nameless(pairing)) match_by_evidence(pairing);
  }
  std::vector<FunctionMatch> matches = all_matches(std::move(pairing));
  if (turned)
    for (FunctionMatch& match : matches) std::swap(match.base, match.head);
  return matches;
}

}  // namespace icount
