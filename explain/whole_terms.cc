#include "icount/explain/whole_terms.h"

#include <algorithm>
#include <limits>

#include "icount/explain/rounding.h"

namespace icount {
namespace {

constexpr uint32_t kNoMember = std::numeric_limits<uint32_t>::max();

struct Piece {
  uint32_t term = 0, member = 0;
};

}  // namespace

bool is_of_cluster(const OpenedFlow& flow, const Term& term) {
  return term.kind == TermKind::kOwnCost && flow.condensed.members[term.index].size() > 1;
}

WholeTerms make_whole_terms(const JoinedGraph& joined, const OpenedFlow& flow, int64_t delta) {
  std::vector<Piece> pieces;
  std::vector<long double> values;
  for (uint32_t i = 0; i < flow.figures.terms.size(); ++i) {
    const Term& term = flow.figures.terms[i];
    if (!is_of_cluster(flow, term)) {
      pieces.push_back({i, kNoMember});
      values.push_back(term.value);
      continue;
    }
    const auto shares = member_terms(joined.flow, flow, term);
    for (size_t m = 0; m < shares.size(); ++m) {
      pieces.push_back({i, flow.condensed.members[term.index][m]});
      values.push_back(shares[m]);
    }
  }
  const RoundedTerms rounded = round_to_total(values, delta, by_magnitude(values));
  WholeTerms result;
  result.rest = rounded.rest;
  result.whole.assign(flow.figures.terms.size(), 0);
  for (size_t i = 0; i < pieces.size(); ++i) {
    result.whole[pieces[i].term] += rounded.whole[i];
    if (pieces[i].member != kNoMember && rounded.whole[i] != 0)
      result.inside[pieces[i].term].emplace_back(pieces[i].member, rounded.whole[i]);
  }
  return result;
}

}  // namespace icount
