#include "icount/explain/pairing.h"

#include <utility>

#include "icount/callgraph/symbol_name.h"

namespace icount {

Pairing::Pairing(const FoldedGraph& base, const FoldedGraph& head)
    : sides{&base, &head},
      objects(base, head),
      partner{std::vector(base.functions.size(), kNoFunction), std::vector(head.functions.size(), kNoFunction)} {
  for (size_t side = 0; side < 2; ++side)
    for (const FoldedFunction& function : sides[side]->functions)
      unnamed[side].push_back(is_address_name(function.name));
}

std::vector<uint32_t> Pairing::open(size_t side) const {
  std::vector<uint32_t> found;
  for (uint32_t f = 0; f < partner[side].size(); ++f)
    if (is_open(side, f)) found.push_back(f);
  return found;
}

void Pairing::add(uint32_t base, uint32_t head, MatchedBy by, std::string evidence) {
  partner[0][base] = head;
  partner[1][head] = base;
  pairs.push_back({base, head, by, std::move(evidence)});
}

}  // namespace icount
