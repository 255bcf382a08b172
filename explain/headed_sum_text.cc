#include "icount/explain/headed_sum_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "icount/base/checked.h"
#include "icount/base/counted.h"
#include "icount/base/text.h"
#include "icount/explain/edge_text.h"
#include "icount/explain/quantity_text.h"

namespace icount {
namespace {

constexpr int64_t kFar = 10;  // times as often

std::string replaced_callee_text(const SentenceSource& source, const HeadedSum& sum) {
  const FlowEdge* most = nullptr;
  int64_t calls = 0;
  for (const uint32_t i : sum.terms) {
    const FlowEdge& edge = source.condensed.graph.edges[source.figures.terms[i].index];
    if (edge.callee != sum.node) continue;
    calls = saturating_add(calls, edge.calls[1]);
    if (most == nullptr || edge.calls[1] > most->calls[1]) most = &edge;
  }
  return fmt::format("{} takes the place of {} in {} functions ({}), most often in {}", source.names[sum.node],
                     source.names[sum.instead_of], sum.terms.size() / 2, counted(calls, "call"),
                     source.names[most->caller]);
}

/// "calls itself more often" or, where one side does not, "now calls itself".
std::string_view recursion_change(const SentenceSource& source, const HeadedSum& sum) {
  for (const FlowEdge& edge : source.condensed.graph.edges_of(sum.node)) {
    if (edge.callee != sum.node) continue;
    if (edge.calls[0] == 0) return "now calls itself";
    if (edge.calls[1] == 0) return "no longer calls itself";
    break;
  }
  const auto& [base, head] = source.figures.sides;
  return head.calls[sum.node] > base.calls[sum.node] ? "calls itself more often" : "calls itself less often";
}

}  // namespace

std::string longer_work_text(const SentenceSource& source, const HeadedSum& sum) {
  const auto worth = [&](size_t side) { return source.figures.sides[side].worth[sum.node]; };
  const long double factor = worth(1) / worth(0);
  return fmt::format("{} does {} times the work: it and all below it cost {} in proportion", source.names[sum.node],
                     quantities(factor, factor).first, factor > 1 ? "more" : "less");
}

std::string shared_callee_text(const SentenceSource& source, const HeadedSum& sum) {
  const auto edge_of = [&](uint32_t i) -> const FlowEdge& {
    return source.condensed.graph.edges[source.figures.terms[i].index];
  };
  if (sum.instead_of != SentenceSource::kNoNode) return replaced_callee_text(source, sum);
  const bool gained = edge_of(sum.terms.front()).calls[0] < edge_of(sum.terms.front()).calls[1];
  int64_t calls = 0, others = 0;
  const FlowEdge* most = &edge_of(sum.terms.front());
  for (const uint32_t i : sum.terms) {
    const FlowEdge& edge = edge_of(i);
    calls = saturating_add(calls, edge.calls[gained ? 1 : 0]);
    others = saturating_add(others, edge.calls[gained ? 0 : 1]);
    if (edge.calls[gained ? 1 : 0] > most->calls[gained ? 1 : 0]) most = &edge;
  }
  if (others > 0)
    return fmt::format("{} is called {}{} often by {} functions ({} instead of {}), most often by {}",
                       source.names[sum.node], calls / others >= kFar ? "far " : "", gained ? "more" : "less",
                       sum.terms.size(), counted(gained ? calls : others, "call"),
                       with_thousands(gained ? others : calls), source.names[most->caller]);
  return fmt::format("{} is {} by {} functions ({}), most often by {}", source.names[sum.node],
                     gained ? "now called" : "no longer called", sum.terms.size(), counted(calls, "call"),
                     source.names[most->caller]);
}

std::string replaced_calls_text(const SentenceSource& source, const ReplacedCalls& calls) {
  const auto edge_of = [&](size_t side) -> const FlowEdge& { return source.condensed.graph.edges[calls.edges[side]]; };
  const auto price = [&](size_t side) {
    return std::abs(source.figures.terms[calls.terms[side]].value) /
           static_cast<long double>(edge_of(side).calls[side]);
  };
  const auto [before, after] = quantities(price(0), price(1));
  const FlowEdge& edge = edge_of(1);
  return fmt::format("{} calls {} instead of {} ({}){}", source.names[edge.caller], source.names[edge.callee],
                     source.names[edge_of(0).callee], counted(edge.calls[1], "call"),
                     before == after ? "" : fmt::format("; a call costs {} instead of {}", after, before));
}

std::string grown_cycle_text(const SentenceSource& source, const HeadedSum& sum) {
  std::vector<std::pair<long double, std::string_view>> callees;
  std::string own;
  long double whole = 0;
  for (const uint32_t i : sum.terms) {
    const Term& term = source.figures.terms[i];
    whole += term.value;
    if (term.kind == TermKind::kOwnCost) {
      const auto& [base, head] = source.figures.sides;
      const auto [before, after] = quantities(base.own_cost[sum.node], head.own_cost[sum.node]);
      own = fmt::format("self cost {} -> {} per call, and ", before, after);
    } else {
      callees.emplace_back(-std::abs(term.value), source.names[source.condensed.graph.edges[term.index].callee]);
    }
  }
  std::sort(callees.begin(), callees.end());
  std::string text = fmt::format("{}, called as often, does {}: {}calls of {}", source.names[sum.node],
                                 whole > 0 ? "more" : "less", own, callees.front().second);
  if (callees.size() == 2) return text + fmt::format(" and {}", callees[1].second);
  return text + (callees.size() > 2 ? fmt::format(", {} and {} more", callees[1].second, callees.size() - 2) : "");
}

std::string rewritten_text(const SentenceSource& source, const HeadedSum& sum) {
  std::array<size_t, 2> callees{};
  std::array<const Term*, 2> most{};
  for (const uint32_t i : sum.terms) {
    const Term& term = source.figures.terms[i];
    if (term.kind != TermKind::kCalls) continue;
    const size_t side = source.condensed.graph.edges[term.index].calls[1] != 0 ? 1 : 0;
    ++callees[side];
    if (most[side] == nullptr || std::abs(term.value) > std::abs(most[side]->value)) most[side] = &term;
  }
  const auto names = [&](size_t side) {
    const std::string& first = source.names[source.condensed.graph.edges[most[side]->index].callee];
    return callees[side] == 1 ? first : fmt::format("{} and {} more", first, callees[side] - 1);
  };
  return fmt::format("{} calls {} instead of {} ({})", source.names[sum.node], names(1), names(0),
                     counted(calls_at(source, 1, sum.node), "call"));
}

std::string grown_recursion_text(const SentenceSource& source, const HeadedSum& sum) {
  const auto& [base, head] = source.figures.sides;
  const bool more = head.own_cost[sum.node] > base.own_cost[sum.node];
  const auto [before, after] = quantities(base.own_cost[sum.node], head.own_cost[sum.node]);
  const auto calls = [](const SideFigures& side, uint32_t node) {
    return static_cast<int64_t>(std::llround(side.calls[node]));
  };
  const int64_t were = calls(base, sum.node), are = calls(head, sum.node);
  if (sum.terms.size() > 2 || std::any_of(sum.terms.begin(), sum.terms.end(), [&](uint32_t i) {
        const Term& term = source.figures.terms[i];
        return term.kind == TermKind::kCalls && source.condensed.graph.edges[term.index].callee != sum.node;
      }))
    return fmt::format("{} {}: {} instead of {}; other changes in it are included", source.names[sum.node],
                       recursion_change(source, sum), counted(are, "call"), with_thousands(were));
  return fmt::format("{} calls itself {} often and costs {} each time: {} instead of {}, self cost {} -> {} per call",
                     source.names[sum.node], more ? "more" : "less", more ? "more" : "less", counted(are, "call"),
                     with_thousands(were), before, after);
}

std::string longer_loop_text(const SentenceSource& source, const HeadedSum& sum) {
  const BothSides& self = source.condensed.graph.nodes[sum.node].self;
  const long double factor = static_cast<long double>(self[1]) / static_cast<long double>(self[0]);
  return fmt::format("{} does the same {} times as often: self cost {} -> {}, and {} in proportion",
                     source.names[sum.node], quantities(factor, factor).first, with_thousands(self[0]),
                     with_thousands(self[1]), counted(static_cast<int64_t>(sum.terms.size()) - 1, "callee"));
}

}  // namespace icount
