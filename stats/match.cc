#include "stats/match.h"

#include <unordered_map>

#include "stats/match_names.h"

namespace icount {
namespace {

void match_equal_names(const FoldedGraph& base, const FoldedGraph& head, Pairing& pairing) {
  std::unordered_multimap<std::string_view, uint32_t> in_head;
  for (uint32_t f = static_cast<uint32_t>(head.functions.size()); f-- > 0;)
    if (pairing.of_head[f] == kNoFunction) in_head.emplace(head.functions[f].name, f);
  for (uint32_t f = 0; f < base.functions.size(); ++f) {
    if (pairing.of_base[f] != kNoFunction) continue;
    const auto [begin, end] = in_head.equal_range(base.functions[f].name);
    for (auto at = begin; at != end; ++at) {
      const FoldedFunction &a = base.functions[f], &b = head.functions[at->second];
      if (a.file != b.file || a.object != b.object) continue;
      pairing.add(f, at->second, MatchedBy::kName);
      in_head.erase(at);
      break;
    }
  }
}

}  // namespace

std::vector<FunctionMatch> match_functions(const FoldedGraph& base, const FoldedGraph& head, bool raw_names) {
  Pairing pairing(base, head);
  if (!raw_names) match_by_name(base, head, pairing);
  match_equal_names(base, head, pairing);
  std::vector<FunctionMatch> matches = std::move(pairing.pairs);
  for (uint32_t f = 0; f < base.functions.size(); ++f)
    if (pairing.of_base[f] == kNoFunction) matches.push_back({f, kNoFunction, MatchedBy::kNothing, {}});
  for (uint32_t f = 0; f < head.functions.size(); ++f)
    if (pairing.of_head[f] == kNoFunction) matches.push_back({kNoFunction, f, MatchedBy::kNothing, {}});
  return matches;
}

}  // namespace icount
