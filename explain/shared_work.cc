#include "icount/explain/shared_work.h"

#include <cmath>

namespace icount {
namespace {

constexpr size_t kFewest = 3;
// So much of the term is gone where all calls count at the average.
constexpr long double kOnlyShared = 0.8L;
// Terms are as large as each other to this part.
constexpr long double kRounding = 1e-9L;

bool only_shares(const Decomposition& figures, const Term& term) {
  if (term.kind != TermKind::kOwnCost || !figures.other_calls[term.index].are_told) return false;
  const long double on_average = figures.common_calls[term.index] *
                                 (figures.sides[1].own_cost[term.index] - figures.sides[0].own_cost[term.index]);
  return std::abs(on_average) <= (1 - kOnlyShared) * std::abs(term.value);
}

}  // namespace

std::optional<HeadedSum> find_shared_work(const OpenedFlow& flow, const std::vector<bool>& taken) {
  const std::vector<Term>& terms = flow.figures.terms;
  HeadedSum sum;
  long double most = 0;
  for (uint32_t i = 0; i < terms.size(); ++i) {
    if (taken[i] || !only_shares(flow.figures, terms[i])) continue;
    sum.terms.push_back(i);
    if (std::abs(terms[i].value) <= most * (1 + kRounding)) continue;
    most = std::abs(terms[i].value);
    sum.node = terms[i].index;
  }
  if (sum.terms.size() < kFewest) return std::nullopt;
  return sum;
}

fact::SharedWork shared_work_facts(const SentenceSource& source, const HeadedSum& sum) {
  long double value = 0;
  for (const uint32_t term : sum.terms) value += source.figures.terms[term].value;
  return {sum.terms.size(), value >= 0, source.names[sum.node]};
}

}  // namespace icount
