#include "icount/explain/inside/function_opening.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "icount/base/checked.h"
#include "icount/base/text.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/claims/noise_fold.h"
#include "icount/explain/claims/term_causes.h"
#include "icount/explain/flow/opened_flow.h"
#include "icount/explain/inside/inlined_code.h"
#include "icount/explain/inside/inside_causes.h"
#include "icount/explain/inside/opened_function.h"
#include "icount/explain/inside/region_lines.h"
#include "icount/explain/match/node_names.h"
#include "icount/explain/weights.h"

namespace icount {
namespace {

bool is_near(int64_t value, int64_t whole) {
  const auto difference = static_cast<double>(value) - static_cast<double>(whole);
  return std::abs(difference) <= kPart * std::abs(static_cast<double>(whole));
}

bool has_sign_of(int64_t a, int64_t b) { return (a > 0 && b > 0) || (a < 0 && b < 0); }

const Cause* largest(const std::vector<Cause>& causes) {
  const auto found = std::max_element(causes.begin(), causes.end(), [](const Cause& a, const Cause& b) {
    return std::abs(a.delta) < std::abs(b.delta);
  });
  return found == causes.end() ? nullptr : &*found;
}

double gross_of(const std::vector<Cause>& causes, bool only_calls = false) {
  double gross = 0;
  for (const Cause& cause : causes)
    if (!only_calls || (cause.kind == CauseKind::kCalls && cause.caller != cause.callee))
      gross += std::abs(static_cast<double>(cause.delta));
  return gross;
}

/// How much of all parts the largest one is.
double concentration_of(const std::vector<Cause>& causes) {
  const Cause* most = largest(causes);
  return most && most->delta != 0 ? std::abs(static_cast<double>(most->delta)) / gross_of(causes) : 0;
}

/// A loop or a branch at an address alone says nothing to a reader, the function's name does, unless it is one, too.
bool has_place(const Cause& cause) {
  if (is_address_name(cause.function)) return true;
  if (cause.loop) return cause.loop->first_line != 0;
  return cause.kind != CauseKind::kBranch || cause.line != 0;
}

/// Its largest is as large a part of `inside` as the largest of `told` is of that, and it does not cancel more.
bool says_as_much(const std::vector<Cause>& inside, const std::vector<Cause>& told) {
  const Cause* most = largest(inside);
  return most && has_place(*most) && concentration_of(inside) >= concentration_of(told) - kSame &&
         gross_of(inside) <= kMuchMore * gross_of(told);
}

/// The cause of `told` that comes to all that changed about the function, if one does.
const Cause* cause_that_is_all(const std::vector<Cause>& told, int64_t delta) {
  const Cause* most = largest(told);
  if (!most || (most->kind == CauseKind::kCalls && most->caller == most->callee)) return nullptr;
  return is_near(most->delta, delta) ? most : nullptr;
}

/// One cause inside comes to all that changed about the function, and says where. Where one call does, it is that call:
/// a loop or a branch is told with it, and so it is with a sum.
bool says_where(const std::vector<Cause>& inside, const Cause* all_told, int64_t delta) {
  const Cause* most = largest(inside);
  if (!most || !is_near(most->delta, delta) || !has_place(*most)) return false;
  if (!all_told || (all_told->kind != CauseKind::kCalls && all_told->kind != CauseKind::kSum)) return true;
  return most->kind == CauseKind::kCalls && most->callee == all_told->callee;
}

/// Tells with `whole` the loop, branch or inlined function inside that leads, where it is a large part of it. Self cost
/// is then placed there.
void tell_with(Cause& whole, const std::vector<Cause>& inside) {
  const Cause* most = largest(inside);
  if (!most || most->kind == CauseKind::kCalls || !has_sign_of(most->delta, whole.delta) ||
      std::abs(static_cast<double>(most->delta)) < kHalf * std::abs(static_cast<double>(whole.delta)))
    return;
  if (most->kind == CauseKind::kOwnCost && !most->inlined) return;  // no more than `whole` says
  whole.remarks.push_back(remark_on(Remark::Kind::kLeading, *most));
  if (whole.kind == CauseKind::kCalls || most->line == 0) return;
  whole.file = most->file;
  whole.line = most->line;
}

Cause as_one(const Cause& whole, std::vector<Cause> members, int64_t delta) {
  Cause one = whole;
  one.delta = delta;
  tell_with(one, members);
  one.inside = std::move(members);
  return one;
}

/// A function that does more (or less) of what it did: nearly all is its own cost, and its calls went along.
bool grew_as_a_whole(const std::vector<Cause>& told, int64_t delta) {
  const Cause* most = largest(told);
  return most && most->kind == CauseKind::kOwnCost && told.size() > 1 &&
         std::abs(static_cast<double>(most->delta)) >= kMostlyOwn * std::abs(static_cast<double>(delta)) &&
         std::all_of(told.begin(), told.end(), [&](const Cause& one) { return has_sign_of(one.delta, delta); });
}

/// Self cost and calls of one function as one cause, which the largest one of `told` names.
std::vector<Cause> as_whole(std::vector<Cause> told, std::vector<Cause> inside, int64_t delta) {
  sort_causes(told);
  Cause sum = std::move(told.front());
  sum.kind = CauseKind::kSum;
  sum.change_per_call = std::nullopt;
  sum.remarks.push_back({.kind = Remark::Kind::kWithCalls,
                         .delta = sum.delta,
                         .other_delta = checked_sub(delta, sum.delta, "calls of one function")});
  std::vector<Cause> one;
  one.push_back(as_one(sum, std::move(inside), delta));
  return one;
}

/// Calls of one callee from several places of the function as one cause.
std::vector<Cause> join_places(const std::vector<Cause>& told, std::vector<Cause> inside) {
  std::map<std::string, std::vector<size_t>> places;
  for (size_t i = 0; i < inside.size(); ++i)
    if (inside[i].kind == CauseKind::kCalls) places[inside[i].callee].push_back(i);
  std::vector<bool> joined(inside.size(), false);
  std::vector<Cause> causes;
  for (const Cause& call : told) {
    const auto found = places.find(call.callee);
    if (call.kind != CauseKind::kCalls || found == places.end() || found->second.size() < 2) continue;
    int64_t sum = 0;
    for (const size_t i : found->second) sum = checked_add(sum, inside[i].delta, "calls from several places");
    if (!has_sign_of(sum, call.delta)) continue;
    std::vector<Cause> members;
    for (const size_t i : found->second) {
      members.push_back(std::move(inside[i]));
      joined[i] = true;
    }
    places.erase(found);
    causes.push_back(as_one(call, std::move(members), sum));
  }
  for (size_t i = 0; i < inside.size(); ++i)
    if (!joined[i]) causes.push_back(std::move(inside[i]));
  return causes;
}

/// `whole`, one of `told`, with what is inside; but calls that come to the same inside as before are told beside it.
std::vector<Cause> as_one_beside_calls(const Cause& whole, const std::vector<Cause>& told, std::vector<Cause> inside,
                                       int64_t delta) {
  const auto is_told = [&](const Cause& cause) {
    return cause.kind == CauseKind::kCalls && std::any_of(told.begin(), told.end(), [&](const Cause& call) {
             return &call != &whole && call.kind == CauseKind::kCalls && call.callee == cause.callee &&
                    is_near(cause.delta, call.delta);
           });
  };
  std::vector<Cause> causes, members;
  for (Cause& cause : join_places(told, std::move(inside))) {
    const bool beside = is_told(cause);
    if (beside) delta = checked_sub(delta, cause.delta, "what else changed about a function");
    (beside ? causes : members).push_back(std::move(cause));
  }
  if (!members.empty()) causes.push_back(as_one(whole, std::move(members), delta));
  return causes;
}

/// Ways through a function whose parts cancel, or that come to calls of several others.
bool say_less(const std::vector<Cause>& told, const std::vector<Cause>& inside, int64_t delta) {
  constexpr double kTwentyfold = 20;
  if (gross_of(inside) > kTwentyfold * gross_of(told)) return true;
  const Cause* most = largest(inside);
  if (!most || most->kind != CauseKind::kBranch) return false;
  const bool is_one_place = is_near(most->delta, delta) && has_place(*most);
  return !is_one_place && gross_of(told, true) >= (1 - kMatters) * gross_of(told);
}

/// A loop that is entered more often leads to a call that only one side makes, or a branch that comes to all that
/// changed about the function does.
bool leads_to_new_call(const std::vector<Cause>& told, const std::vector<Cause>& inside, int64_t delta,
                       const std::set<std::string>& of_one_side) {
  const Cause *call = largest(told), *way = largest(inside);
  if (!call || !way || call->kind != CauseKind::kCalls || !of_one_side.contains(call->callee)) return false;
  const bool leads = way->kind == CauseKind::kLoopEntry ? has_sign_of(way->delta, delta)
                                                        : way->kind == CauseKind::kBranch && is_near(way->delta, delta);
  return leads && has_sign_of(call->delta, delta) &&
         std::abs(static_cast<double>(call->delta)) >= (1 - kMatters) * std::abs(static_cast<double>(way->delta));
}

/// `told`, the largest with the way of `inside` that leads to it, as its only member.
std::vector<Cause> with_way(std::vector<Cause> told, const std::vector<Cause>& inside) {
  sort_causes(told);
  Cause way = *largest(inside);
  way.delta = told.front().delta;
  way.inside.clear();  // these told what else is there
  std::vector<Cause> members;
  members.push_back(std::move(way));
  told.front() = as_one(told.front(), std::move(members), told.front().delta);
  return told;
}

}  // namespace

std::vector<Cause> retell_calls(std::vector<Cause> told, std::vector<Cause> inside, int64_t delta,
                                const std::set<std::string>& of_one_side) {
  const Cause* all_told = cause_that_is_all(told, delta);
  const bool is_call = all_told && all_told->kind == CauseKind::kCalls;
  if (!is_call && say_less(told, inside, delta)) return told;
  if (!all_told && leads_to_new_call(told, inside, delta, of_one_side)) return with_way(std::move(told), inside);
  if (says_where(inside, all_told, delta)) return join_places(told, std::move(inside));
  if (all_told) return as_one_beside_calls(*all_told, told, std::move(inside), delta);
  inside = join_places(told, std::move(inside));
  if (says_as_much(inside, told)) return inside;
  if (grew_as_a_whole(told, delta)) return as_whole(std::move(told), std::move(inside), delta);
  sort_causes(told);
  if (!told.empty()) tell_with(told.front(), inside);
  return told;
}

namespace {

// Branches are told where they do not cancel and so few of them make most of it up.
constexpr size_t kFewBranches = 6;

}  // namespace

InsideOpening::InsideOpening(const JoinedGraph& joined, const OpenedFlow& flow, const CalleeNodes& of_callee,
                             uint32_t node)
    : flow_(flow), of_callee_(of_callee), node_(node) {
  const FlowGraph& graph = flow.condensed.graph;
  self_ = graph.nodes[node].self;
  for (const FlowEdge& edge : graph.edges_of(node))
    callees_.push_back({edge.callee,
                        edge.calls,
                        {flow.figures.sides[0].worth[edge.callee], flow.figures.sides[1].worth[edge.callee]}});
  price_as_told();
  function_ = flow.condensed.members[node].front();
  folded_ = joined.functions[function_].folded;
}

void InsideOpening::price_as_told() {
  const FlowGraph& graph = flow_.condensed.graph;
  const uint32_t first = graph.first_edge[node_];
  for (uint32_t e = first; e < graph.first_edge[node_ + 1]; ++e)
    if (const auto& prices = flow_.figures.joined_prices[e]; prices[0] > 0 && prices[1] > 0) {
      callees_[e - first].worth = prices;
      callees_[e - first].told_with_calls = true;
    }
  for (const Term& term : flow_.figures.terms) {
    if (term.kind != TermKind::kCalls || graph.edges[term.index].caller != node_) continue;
    const BothSides& calls = graph.edges[term.index].calls;
    if ((calls[0] > 0) == (calls[1] > 0) || flow_.figures.fixed_calls[term.index]) continue;
    const size_t side = calls[1] > 0 ? 1 : 0;
    const long double made = flow_.figures.common_calls[node_] * flow_.figures.sides[side].calls_per_call[term.index];
    const long double price = made > 0 ? term.value * (side == 1 ? 1 : -1) / made : 0;
    if (price > 0) callees_[term.index - first].worth = {price, price};
  }
}

void InsideOpening::open(const JoinedGraph& joined, const std::array<const ProfileCode*, 2>& code) {
  opened_ = open_function(joined.sides, code, folded_, of_callee_, joined.same_lines);
}

bool InsideOpening::solve(int64_t delta) {
  for (const bool in_total : ways()) {
    in_total_ = in_total;
    told_.clear();
    if (opened_.same_code) choose_branches();
    solve_with(told_);
    if (figures_.has_cycle) return false;
    // What is found inside must come to what the function's terms do, but for what callers are told apart for.
    const long double sum = sum_of_terms();
    const auto wanted = static_cast<long double>(delta);
    if (std::abs(sum - wanted) <= 2 || (sum != 0 && wanted / sum >= 1 - kMatters && wanted / sum <= 1 + kMatters))
      return !blows_up(sum);
  }
  return false;
}

long double InsideOpening::sum_of_terms() const {
  return std::accumulate(figures_.node_terms.begin(), figures_.node_terms.end(), 0.0L) +
         std::accumulate(figures_.edge_terms.begin(), figures_.edge_terms.end(), 0.0L);
}

std::vector<bool> InsideOpening::ways() const {
  if (flow_.figures.fixed_self[node_]) return {true, false};
  return {false, true};
}

void InsideOpening::solve_with(const std::set<uint32_t>& told) {
  graph_ = make_inside_graph(opened_, of_callee_, self_, callees_, told);
  const auto& sides = flow_.figures.sides;
  if (in_total_)
    figures_ = solve_inside(graph_, callees_, {1, 1}, 1);
  else
    figures_ = solve_inside(graph_, callees_, {sides[0].calls[node_], sides[1].calls[node_]},
                            flow_.figures.common_calls[node_]);
}

bool InsideOpening::has_one_way_in(uint32_t region) const {
  for (size_t side = 0; side < 2; ++side)
    for (const uint32_t loop : opened_.regions[region].loops[side])
      if (opened_.shapes[side].loops[loop].irreducible) return false;
  return true;
}

void InsideOpening::choose_branches() {
  std::set<uint32_t> all;
  for (uint32_t r = 0; r < opened_.regions.size(); ++r)
    if (has_one_way_in(r)) all.insert(r);
  solve_with(all);
  if (figures_.has_cycle) return;
  std::map<uint32_t, std::map<uint32_t, long double>> by_region;  // by node
  for (uint32_t n = 0; n < graph_.nodes.size(); ++n)
    if (graph_.nodes[n].kind == InsideKind::kBlock)
      by_region[region_of_block(graph_.nodes[n].number)][n] += figures_.node_terms[n];
  for (uint32_t e = 0; e < graph_.edges.size(); ++e) {
    const InsideNode& from = graph_.nodes[graph_.edges[e].from];
    if (from.kind == InsideKind::kBlock)
      by_region[region_of_block(from.number)][graph_.edges[e].from] += figures_.edge_terms[e];
    else if (graph_.edges[e].is_share)
      by_region[region_around(from)][graph_.edges[e].from] += figures_.edge_terms[e];
  }
  for (const auto& [region, parts] : by_region)
    if (all.contains(region) && is_simple(parts)) told_.insert(region);
}

uint32_t InsideOpening::on_both(const std::array<uint32_t, 2>& regions) {
  return regions[0] == regions[1] ? regions[0] : 0;
}

uint32_t InsideOpening::region_of_block(uint32_t block) const {
  return on_both({opened_.region_of(0, block), opened_.region_of(1, block)});
}

uint32_t InsideOpening::region_around(const InsideNode& from) const {
  if (from.kind == InsideKind::kEntry) return on_both(opened_.regions[from.number].parent);
  return from.kind == InsideKind::kBody ? 0 : from.number;
}

bool InsideOpening::is_simple(const std::map<uint32_t, long double>& parts) {
  long double net = 0, gross = 0, few = 0;
  std::vector<long double> sizes;
  for (const auto& [node, value] : parts) {
    net += value;
    gross += std::abs(value);
    sizes.push_back(std::abs(value));
  }
  std::sort(sizes.rbegin(), sizes.rend());
  for (size_t i = 0; i < sizes.size() && i < kFewBranches; ++i) few += sizes[i];
  return gross > 0 && gross <= kCancelling * std::abs(net) && few >= (1 - kSomePart) * gross;
}

bool InsideOpening::blows_up(long double sum) const {
  if (std::none_of(callees_.begin(), callees_.end(), [this](const InsideCallee& one) { return one.node == node_; }))
    return false;
  long double gross = 0;
  for (const long double value : figures_.node_terms) gross += std::abs(value);
  for (const long double value : figures_.edge_terms) gross += std::abs(value);
  return gross > kCancelling * std::abs(sum);
}

namespace {

// So many functions are opened at most, those with a cause that is a hundredth of the largest.
constexpr size_t kMostOpened = 16;

bool leads(int64_t size, int64_t largest) {
  return static_cast<long double>(size) >= kHardly * static_cast<long double>(largest);
}

bool has_code(const JoinedGraph& joined, const std::array<const ProfileCode*, 2>& code, const FoldedIds& folded) {
  for (size_t side = 0; side < 2; ++side) {
    if (folded[side] == kNoFunction || joined.sides[side]->functions[folded[side]].is_object) return false;
    const auto& functions = code[side]->functions;
    if (std::none_of(functions.begin(), functions.end(), [&](const FunctionCode& one) {
          return joined.sides[side]->folded_of[one.function] == folded[side];
        }))
      return false;
  }
  return true;
}

/// By side and folded function: its node of the condensed graph.
CalleeNodes nodes_of_callees(const JoinedGraph& joined, const OpenedFlow& flow) {
  CalleeNodes nodes;
  for (size_t side = 0; side < 2; ++side)
    for (const uint32_t node : joined.node_of[side]) nodes[side].push_back(flow.condensed.entered_by[node]);
  return nodes;
}

/// Nodes whose causes lead, the largest first, with what their causes come to.
std::vector<std::pair<uint32_t, int64_t>> leading_nodes(const std::vector<GroupedCause>& causes) {
  std::map<uint32_t, std::pair<int64_t, int64_t>> of_node;  // largest and sum
  std::set<uint32_t> barred;
  int64_t largest = 0;
  for (const GroupedCause& grouped : causes) {
    const int64_t size = std::abs(grouped.cause.delta);
    largest = std::max(largest, size);
    if (grouped.node == GroupedCause::kNoNode) continue;
    if (grouped.cause.kind == CauseKind::kRenamed || grouped.cause.kind == CauseKind::kCluster ||
        !grouped.group.empty())
      barred.insert(grouped.node);
    auto& [most, sum] = of_node[grouped.node];
    most = std::max(most, size);
    sum = saturating_add(sum, grouped.cause.delta);
  }
  std::vector<std::pair<int64_t, uint32_t>> order;
  for (const auto& [node, figures] : of_node)
    if (!barred.contains(node) && figures.first > 0 && leads(figures.first, largest))
      order.emplace_back(-figures.first, node);
  std::sort(order.begin(), order.end());
  if (order.size() > kMostOpened) order.resize(kMostOpened);
  std::vector<std::pair<uint32_t, int64_t>> nodes;
  for (const auto& [size, node] : order) nodes.emplace_back(node, of_node[node].second);
  return nodes;
}

/// Calls that are nearly all of one function of a cycle are told by that one, as without looking inside.
std::map<uint32_t, CalleeName> name_callees(const SentenceSource& source, uint32_t node) {
  const FlowGraph& graph = source.condensed.graph;
  std::map<uint32_t, CalleeName> names;
  for (uint32_t e = graph.first_edge[node]; e < graph.first_edge[node + 1]; ++e) {
    const uint32_t callee = graph.edges[e].callee;
    const size_t members = source.condensed.members[callee].size();
    if (members == 1 || !source.leading_calls[e].is_all) {
      names[callee] = {source.names[callee], node_label(source, callee)};
      continue;
    }
    const uint32_t member = source.joined.flow.edges[source.leading_calls[e].edge].callee;
    names[callee] = {source.function_names[member], std::string(source.joined.functions[member].name)};
  }
  return names;
}

/// Only own cost and calls of the body, and no inlined function: no more than was said before.
bool says_no_more(const std::vector<InsideCause>& causes) {
  return std::all_of(causes.begin(), causes.end(), [](const InsideCause& one) {
    return !one.cause.loop && !one.cause.inlined && one.cause.kind != CauseKind::kBranch;
  });
}

/// Rounded so that they come to `delta`; those of nothing are left out.
std::vector<Cause> round_causes(std::vector<InsideCause> inside, long double sum, int64_t delta) {
  const long double scale = sum == 0 ? 1 : static_cast<long double>(delta) / sum;
  std::vector<long double> values;
  for (const InsideCause& one : inside) values.push_back(one.value * scale);
  const std::vector<uint32_t> order = by_magnitude(values);
  RoundedTerms rounded = round_to_total(values, delta, order);
  if (!order.empty()) rounded.whole[order.front()] += rounded.rest;
  std::vector<Cause> causes;
  for (size_t i = 0; i < inside.size(); ++i) {
    if (rounded.whole[i] == 0) continue;
    causes.push_back(std::move(inside[i].cause));
    causes.back().delta = rounded.whole[i];
    causes.back().inside = round_causes(std::move(inside[i].parts), inside[i].value, rounded.whole[i]);
    sort_causes(causes.back().inside);
  }
  return causes;
}

/// What a function's calls say of its causes, by the names of fields.
struct CallsAround {
  std::set<std::string> of_one_side;  ///< callees that only one side calls
  std::string caller, callee;         ///< the one call of the function; empty where there are several
};

CallsAround calls_around(const SentenceSource& source, uint32_t node, const std::map<uint32_t, CalleeName>& callees) {
  const FlowGraph& graph = source.condensed.graph;
  CallsAround calls;
  for (const FlowEdge& edge : graph.edges_of(node))
    if (only_side(edge)) calls.of_one_side.insert(callees.at(edge.callee).in_field);
  if (const FlowEdge* const only = only_call_of(graph, node)) {
    calls.caller = node_label(source, only->caller);
    calls.callee = node_label(source, node);
  }
  return calls;
}

/// A function's work as a whole is what one call leads to, where there is but one.
void name_call_of_sums(std::vector<Cause>& causes, const CallsAround& calls) {
  for (Cause& cause : causes) {
    if (cause.kind != CauseKind::kSum || !cause.caller.empty()) continue;
    cause.caller = calls.caller;
    cause.callee = calls.callee;
  }
}

/// Where what a loop or a branch comes to is mostly calls of one function, or of few, its sentence says so.
void tell_leading_calls(std::vector<Cause>& causes) {
  for (Cause& cause : causes) {
    const bool is_way =
        cause.kind == CauseKind::kLoopEntry || cause.kind == CauseKind::kIterations || cause.kind == CauseKind::kBranch;
    if (!is_way) continue;
    Remark remark{.kind = Remark::Kind::kOfWhich};
    for (const Cause& part : cause.inside) {
      const double share = static_cast<double>(part.delta) / static_cast<double>(cause.delta);
      if (part.kind != CauseKind::kCalls || share < kSomePart) break;
      remark.causes.push_back(part);
      remark.causes.back().inside.clear();
      if (share >= kHalf) break;
    }
    if (!remark.causes.empty()) cause.remarks.push_back(std::move(remark));
  }
}

/// A library's function is told by what the program does: its inside lies where `told` does.
void place_as(const Cause& told, std::vector<Cause>& inside) {
  for (Cause& one : inside) {
    one.file = told.file;
    one.line = told.line;
    place_as(told, one.inside);
  }
}

/// Whose code a function is.
enum class Code { kOwn, kOfLibrary };

/// Where the largest of the node's causes lies.
uint64_t line_of_largest(const std::vector<GroupedCause>& causes, uint32_t node) {
  std::vector<Cause> told;
  for (const GroupedCause& grouped : causes)
    if (grouped.node == node) told.push_back(grouped.cause);
  const Cause* const most = largest(told);
  return most ? most->line : 0;
}

/// Puts `inside` in the place of the node's causes, which add up to `delta` as these do.
void exchange(std::vector<GroupedCause>& causes, uint32_t node, std::vector<Cause> inside, int64_t delta,
              const CallsAround& calls, Code code) {
  std::array<std::string_view, 2> objects;
  std::vector<Cause> told;
  for (const GroupedCause& grouped : causes) {
    if (grouped.node != node) continue;
    objects = grouped.objects;
    told.push_back(grouped.cause);
  }
  if (code == Code::kOfLibrary) place_as(*largest(told), inside);
  const bool of_sums =
      std::any_of(told.begin(), told.end(), [](const Cause& one) { return one.kind == CauseKind::kSum; });
  inside = retell_calls(std::move(told), std::move(inside), delta, calls.of_one_side);
  if (!of_sums) name_call_of_sums(inside, calls);
  tell_leading_calls(inside);
  std::erase_if(causes, [&](const GroupedCause& grouped) { return grouped.node == node; });
  for (Cause& cause : inside) {
    causes.push_back({std::move(cause), {}, objects});
    causes.back().within = {node};
  }
}

/// Which inlined functions the calls come from that the node's causes tell of; not of two callees with one name.
void tell_call_sites(const OpenedFunction& opened, const CalleeNodes& of_callee,
                     const std::map<uint32_t, CalleeName>& callees, uint32_t node, std::vector<GroupedCause>& causes) {
  std::map<std::string_view, std::vector<uint32_t>> by_name;
  for (const auto& [callee, name] : callees) by_name[name.in_field].push_back(callee);
  for (GroupedCause& grouped : causes) {
    if (grouped.node != node || grouped.cause.kind != CauseKind::kCalls) continue;
    const auto called = by_name.find(grouped.cause.callee);
    if (called == by_name.end() || called->second.size() != 1) continue;
    if (const auto inlined = inlined_around_calls(opened, of_callee, called->second.front()))
      grouped.cause.remarks.push_back({.kind = Remark::Kind::kInlined, .inlined = *inlined});
  }
}

}  // namespace

void FunctionOpener::open(const OpenedFlow& flow, const SentenceSource& names, std::vector<GroupedCause>& causes) {
  const CalleeNodes of_callee = nodes_of_callees(joined_, flow);
  place_inlined(flow, causes);
  for (const auto& [node, delta] : leading_nodes(causes)) {
    if (flow.condensed.members[node].size() != 1 || flow.condensed.is_door(node)) continue;
    InsideOpening opening(joined_, flow, of_callee, node);
    if (!has_code(joined_, code_, opening.folded())) continue;
    opening.open(joined_, code_);
    if (!opening.opened().closed.empty()) {
      notes.push_back({names.names[node], opening.opened().closed});
      continue;
    }
    std::map<uint32_t, CalleeName> callees = name_callees(names, node);
    tell_call_sites(opening.opened(), of_callee, callees, node, causes);
    if (!opening.solve(delta)) continue;
    const JoinedFunction& function = joined_.functions[opening.function()];
    const CallsAround calls = calls_around(names, node, callees);
    const InsideSource inside{.opened = opening.opened(),
                              .of_callee = of_callee,
                              .graph = opening.graph(),
                              .figures = opening.figures(),
                              .function = names.names[node],
                              .function_field = node_label(names, node),
                              .callees = std::move(callees),
                              .loops = loop_names(opening.opened()),
                              .file = std::string(opening.opened().file),
                              .object = std::string(function.object),
                              .line = line_of_largest(causes, node),
                              .in_total = opening.in_total()};
    std::vector<InsideCause> found = make_inside_causes(inside);
    if (found.empty() || says_no_more(found)) continue;
    exchange(causes, node, round_causes(std::move(found), opening.sum_of_terms(), delta), delta, calls,
             is_own_code(joined_, opening.function()) ? Code::kOwn : Code::kOfLibrary);
    if (list_opened_ && std::find(list_.begin(), list_.end(), opening.function()) == list_.end())
      list_.push_back(opening.function());
  }
}

void FunctionOpener::place_inlined(const OpenedFlow& flow, std::vector<GroupedCause>& causes) const {
  int64_t largest = 0;
  for (const GroupedCause& grouped : causes) largest = std::max(largest, std::abs(grouped.cause.delta));
  for (GroupedCause& grouped : causes) {
    const uint32_t node = grouped.inlined_into;
    if (node == GroupedCause::kNoNode || !leads(std::abs(grouped.cause.delta), largest)) continue;
    const size_t side = grouped.inlined_on;
    const uint32_t caller = joined_.functions[flow.condensed.members[node].front()].folded[side];
    if (caller == kNoFunction) continue;
    const auto* const inlined = std::get_if<fact::Inlined>(&grouped.cause.facts);
    if (const auto loop = find_inlined_loop(*joined_.sides[side], *code_[side], caller, grouped.cause.callee,
                                            inlined ? inlined->count : 0))
      place_in_loop(grouped.cause, *loop);
  }
}

void FunctionOpener::list(const OpenedFlow& flow, const SentenceSource& names) {
  if (list_.empty()) return;
  const CalleeNodes of_callee = nodes_of_callees(joined_, flow);
  const std::vector<BothSides> calls = calls_of(joined_.flow);
  for (const uint32_t function : list_) {
    const FoldedIds& folded = joined_.functions[function].folded;
    const std::string name(joined_.functions[function].name);
    if (!has_code(joined_, code_, folded)) {
      listings.push_back({.function = name, .closed = "not both profiles recorded addresses and jumps inside it"});
      continue;
    }
    const OpenedFunction opened = open_function(joined_.sides, code_, folded, of_callee, joined_.same_lines);
    listings.push_back(
        make_listing(opened, name, calls[function], joined_.flow.nodes[function].self, of_callee, names.names));
  }
}

}  // namespace icount
