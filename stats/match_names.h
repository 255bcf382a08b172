// Pairs of functions that have the same name on both sides: the first and silent step of stats/match.h.
#pragma once

#include "stats/match.h"

namespace icount {

/// What is known so far: partner of each function of each side, or kNoFunction.
struct Pairing {
  std::vector<uint32_t> of_base, of_head;
  std::vector<FunctionMatch> pairs;

  Pairing(const FoldedGraph& base, const FoldedGraph& head)
      : of_base(base.functions.size(), kNoFunction), of_head(head.functions.size(), kNoFunction) {}
  void add(uint32_t base, uint32_t head, MatchedBy by, std::string evidence = {});
};

/// Same name, file name and object; then same name and object; then the same name anywhere. The program itself is one
/// object whatever it is called. Several functions of one name (statics) pair by path, then in their order.
/// Functions without names (0x addresses) are left to stats/match_places.h unless both sides agree on all of them.
void match_by_name(const FoldedGraph& base, const FoldedGraph& head, Pairing& pairing);

}  // namespace icount
