#include "icount/explain/replaced_calls.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "icount/callgraph/symbol_name.h"

namespace icount {
namespace {

// Where one of both is less than this part of the other, the other says it.
constexpr long double kBothMatter = 0.25L;

// A rewritten function is called so often at least, makes a call that came or went so many times at most for each of
// them, and has so many of those on each side: one in place of several is a cause of its own.
constexpr long double kFewestCalls = 10, kMostPerCall = 4;
constexpr size_t kFewestChanged = 2;

/// What came and went in one function.
struct Rewriting {
  std::vector<uint32_t> terms;
  std::array<long double, 2> values{};  ///< of base's calls and of head's, without signs
  std::array<size_t, 2> callees{};

  bool is_one() const {
    const auto [less, more] = std::minmax(values[0], values[1]);
    return std::min(callees[0], callees[1]) >= kFewestChanged && less >= kBothMatter * more;
  }
};

/// Calls that one side alone makes, a whole number of times for each call of the caller; the side.
std::optional<size_t> made_each_time_by(const OpenedFlow& flow, const FlowEdge& edge) {
  const std::optional<size_t> side = only_side(edge);
  if (edge.caller == edge.callee || !side) return std::nullopt;
  const long double callers = flow.figures.sides[*side].calls[edge.caller];
  const long double per_call = static_cast<long double>(edge.calls[*side]) / callers;
  if (callers < kFewestCalls || per_call > kMostPerCall || per_call != std::floor(per_call)) return std::nullopt;
  return side;
}

bool is_named(const JoinedGraph& joined, const OpenedFlow& flow, uint32_t node) {
  return !is_address_name(joined.functions[flow.condensed.members[node].front()].name);
}

/// The two that are one another's: the only ones, or the only ones of their name, where an overload or a template of a
/// function takes the place of another one. By term; nothing where that is not known.
std::optional<std::array<uint32_t, 2>> counterparts(const JoinedGraph& joined, const OpenedFlow& flow,
                                                    const std::array<std::vector<uint32_t>, 2>& terms) {
  if (terms[0].empty() || terms[1].empty()) return std::nullopt;
  if (terms[0].size() == 1 && terms[1].size() == 1) return std::array{terms[0].front(), terms[1].front()};
  std::map<std::string, std::array<std::vector<uint32_t>, 2>> by_name;
  for (size_t side = 0; side < 2; ++side)
    for (const uint32_t term : terms[side]) {
      const uint32_t callee = flow.condensed.graph.edges[flow.figures.terms[term].index].callee;
      by_name[plain_name(joined.functions[flow.condensed.members[callee].front()].name)][side].push_back(term);
    }
  std::optional<std::array<uint32_t, 2>> found;
  for (const auto& [name, of_name] : by_name) {
    if (of_name[0].empty() || of_name[1].empty()) continue;
    if (found || of_name[0].size() > 1 || of_name[1].size() > 1) return std::nullopt;
    found = {of_name[0].front(), of_name[1].front()};
  }
  return found;
}

}  // namespace

std::vector<ReplacedCalls> find_replaced_calls(const JoinedGraph& joined, const OpenedFlow& flow,
                                               const std::vector<bool>& taken) {
  const FlowGraph& graph = flow.condensed.graph;
  using OneSided = std::array<std::vector<uint32_t>, 2>;       // terms, by the side that has the calls
  std::map<std::pair<uint32_t, int64_t>, OneSided> by_caller;  // and by the number of calls
  for (uint32_t i = 0; i < flow.figures.terms.size(); ++i) {
    const Term& term = flow.figures.terms[i];
    if (term.kind != TermKind::kCalls) continue;
    const FlowEdge& edge = graph.edges[term.index];
    const std::optional<size_t> side = only_side(edge);
    if (edge.caller == edge.callee || !side || !is_named(joined, flow, edge.callee)) continue;
    by_caller[{edge.caller, edge.calls[*side]}][*side].push_back(i);
  }
  std::vector<ReplacedCalls> found;
  for (const auto& [key, terms] : by_caller) {
    const auto pair = counterparts(joined, flow, terms);
    if (!pair) continue;
    const auto [lost, gained] = *pair;
    if (taken[lost] || taken[gained]) continue;
    const long double before = std::abs(flow.figures.terms[lost].value),
                      after = std::abs(flow.figures.terms[gained].value);
    if (std::min(before, after) < kBothMatter * std::max(before, after)) continue;
    found.push_back({{flow.figures.terms[lost].index, flow.figures.terms[gained].index}, {lost, gained}});
  }
  return found;
}

std::vector<HeadedSum> find_rewritten_functions(const OpenedFlow& flow, const std::vector<bool>& taken) {
  const auto& terms = flow.figures.terms;
  std::map<uint32_t, Rewriting> by_function;
  for (uint32_t i = 0; i < terms.size(); ++i) {
    if (taken[i] || terms[i].kind != TermKind::kCalls) continue;
    const FlowEdge& edge = flow.condensed.graph.edges[terms[i].index];
    const auto side = made_each_time_by(flow, edge);
    if (!side) continue;
    Rewriting& rewriting = by_function[edge.caller];
    rewriting.terms.push_back(i);
    rewriting.values[*side] += std::abs(terms[i].value);
    ++rewriting.callees[*side];
  }
  for (uint32_t i = 0; i < terms.size(); ++i)
    if (const auto found = by_function.find(terms[i].index);
        !taken[i] && terms[i].kind == TermKind::kOwnCost && found != by_function.end())
      found->second.terms.push_back(i);
  std::vector<HeadedSum> found;
  for (auto& [node, rewriting] : by_function)
    if (rewriting.is_one()) found.push_back({node, std::move(rewriting.terms)});
  return found;
}

}  // namespace icount
