#include "icount/explain/shared_inlining.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>

#include "icount/base/checked.h"
#include "icount/explain/term_facts.h"

namespace icount {
namespace {

constexpr size_t kFewestCallers = 2;
// A caller with this part of the sum is told by itself.
constexpr double kNearlyAll = 0.9;
// Callers named in the sentence.
constexpr size_t kNamed = 2;

const FlowEdge& lost_edge(const SentenceSource& source, const ToldMove& told) {
  return source.condensed.graph.edges[told.move->lost_edges.front()];
}

bool are_one_cause(const std::vector<ToldMove>& moves) {
  double sum = 0, largest = 0;
  for (const ToldMove& told : moves) {
    sum += static_cast<double>(told.delta());
    largest = std::max(largest, std::abs(static_cast<double>(told.delta())));
  }
  return moves.size() >= kFewestCallers && largest < kNearlyAll * std::abs(sum);
}

fact::SharedInlining facts_of(const SentenceSource& source, const std::vector<ToldMove>& moves) {
  std::vector<ToldMove> most_first = moves;
  std::stable_sort(most_first.begin(), most_first.end(),
                   [](const ToldMove& a, const ToldMove& b) { return std::abs(a.delta()) > std::abs(b.delta()); });
  const uint32_t callee = lost_edge(source, moves.front()).callee;
  fact::SharedInlining facts{.callee = source.names[callee],
                             .callee_again = source.names_again[callee],
                             .more_callers = moves.size() - kNamed,
                             .into_callers = moves.front().move->into_caller};
  for (size_t i = 0; i < kNamed; ++i) facts.callers.push_back(source.names[most_first[i].move->caller]);
  for (const ToldMove& told : moves) {
    facts.own += told.own;
    facts.calls += told.calls;
    const FlowEdge& edge = lost_edge(source, told);
    facts.count += std::abs(edge.calls[1] - edge.calls[0]);
  }
  return facts;
}

GroupedCause joined_cause(TermCauses& single, const std::vector<ToldMove>& moves) {
  const SentenceSource& source = single.source();
  const uint32_t callee = lost_edge(source, moves.front()).callee;
  GroupedCause joined;
  joined.cause.kind = CauseKind::kSum;
  joined.cause.function = node_label(source, callee);
  joined.cause.facts = facts_of(source, moves);
  single.set_place(joined.cause, callee);
  joined.objects = single.objects_of(callee);
  return joined;
}

}  // namespace

void join_shared_inlining(TermCauses& single, const std::vector<ToldMove>& moves, std::vector<GroupedCause>& causes) {
  std::map<std::pair<uint32_t, bool>, std::vector<ToldMove>> by_callee;
  for (const ToldMove& told : moves)
    if (told.move->lost_edges.size() == 1)
      by_callee[{lost_edge(single.source(), told).callee, told.move->into_caller}].push_back(told);
  for (const auto& [key, group] : by_callee) {
    if (!are_one_cause(group)) continue;
    const auto is_member = [&group = group](const GroupedCause& grouped) {
      return std::any_of(group.begin(), group.end(),
                         [&](const ToldMove& told) { return told.move->caller == grouped.inlined_into; });
    };
    GroupedCause joined = joined_cause(single, group);
    for (const GroupedCause& grouped : causes) {
      if (!is_member(grouped)) continue;
      joined.cause.delta = saturating_add(joined.cause.delta, grouped.cause.delta);
      joined.cause.inside.push_back(grouped.cause);
      joined.within.insert(joined.within.end(), grouped.within.begin(), grouped.within.end());
    }
    sort_causes(joined.cause.inside);
    std::erase_if(causes, is_member);
    causes.push_back(std::move(joined));
  }
}

}  // namespace icount
