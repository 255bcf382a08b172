#include "icount/explain/inside_causes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "icount/callgraph/allocations.h"
#include "icount/callgraph/name_parts.h"
#include "icount/explain/call_sites.h"
#include "icount/explain/inlined_code.h"
#include "icount/explain/inside_names.h"
#include "icount/explain/inside_parts.h"
#include "icount/explain/node_names.h"
#include "icount/explain/own_cost_causes.h"
#include "icount/explain/rounding.h"

namespace icount {
namespace {

// The parts of so many loops and branches are told, the largest.
constexpr size_t kMostParted = 8;

class CauseWriter : InsideNames {
 public:
  explicit CauseWriter(const InsideSource& source) : InsideNames(source) {}

  std::vector<InsideCause> write() {
    const InsideGraph& graph = source_.graph;
    for (uint32_t n = 0; n < graph.nodes.size(); ++n)
      if (source_.figures.node_terms[n] != 0) add_own(n);
    std::map<uint32_t, std::vector<uint32_t>> shares;
    const std::vector<long double> terms = edge_terms();
    for (uint32_t e = 0; e < graph.edges.size(); ++e) {
      const InsideEdge& edge = graph.edges[e];
      if (edge.is_share) {
        shares[edge.from].push_back(e);
      } else if (terms[e] != 0) {
        add(key_of(edge.from, edge.to), terms[e], edge_cause(e), told_edges(e));
      }
    }
    for (const auto& [from, edges] : shares) add_branch(from, edges);
    std::sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) { return a.key < b.key; });
    add_parts();
    std::vector<InsideCause> causes;
    for (Found& found : found_) causes.push_back(std::move(found.cause));
    return causes;
  }

 private:
  using Key = std::tuple<InsideKind, uint32_t, InsideKind, uint32_t, int, std::vector<std::string_view>>;

  Key key_of(uint32_t from, uint32_t to, int kind = 0) const {
    return {node(from).kind,
            node(from).number,
            to == 0 ? InsideKind::kBody : node(to).kind,
            to == 0 ? 0 : node(to).number,
            to == 0 ? kind : 1,
            {}};
  }

  /// The terms of edges. A loop that iterates more per entry and is entered more often is told once, by its iterations,
  /// where these come to more.
  std::vector<long double> edge_terms() {
    const std::vector<InsideEdge>& edges = source_.graph.edges;
    std::vector<long double> terms = source_.figures.edge_terms;
    std::map<uint32_t, uint32_t> turns;  // of a loop's entry: the edge to its iterations
    for (uint32_t e = 0; e < edges.size(); ++e)
      if (node(edges[e].from).kind == InsideKind::kEntry && node(edges[e].to).kind == InsideKind::kIteration)
        turns[edges[e].from] = e;
    for (uint32_t e = 0; e < edges.size(); ++e) {
      const auto loop = turns.find(edges[e].to);
      if (loop == turns.end() || edges[e].is_share || edges[e].times[0] == 0 || edges[e].times[1] == 0) continue;
      const long double of_turns = source_.figures.edge_terms[loop->second];
      if (terms[e] * of_turns > 0 && std::abs(terms[e]) <= std::abs(of_turns)) {
        terms[loop->second] += std::exchange(terms[e], 0);
        told_with_[loop->second].push_back(e);
      }
    }
    return terms;
  }

  /// The edges whose terms the cause of `e` has; none of calls, which have no parts.
  std::vector<uint32_t> told_edges(uint32_t e) const {
    if (node(source_.graph.edges[e].to).kind == InsideKind::kCallee) return {};
    std::vector<uint32_t> edges = {e};
    if (const auto others = told_with_.find(e); others != told_with_.end())
      edges.insert(edges.end(), others->second.begin(), others->second.end());
    return edges;
  }

  /// What the leading loops and branches are made of.
  void add_parts() {
    std::vector<long double> values;
    for (const Found& found : found_) values.push_back(found.edges.empty() ? 0 : found.cause.value);
    std::vector<uint32_t> order = by_magnitude(values);
    if (order.size() > kMostParted) order.resize(kMostParted);
    for (const uint32_t i : order)
      if (!found_[i].edges.empty())
        found_[i].cause.parts = make_inside_parts(source_, found_[i].cause, found_[i].edges);
  }

  /// Own cost, by the inlined functions that it is of where that is known and says more.
  void add_own(uint32_t n) {
    const long double term = source_.figures.node_terms[n];
    const std::array<long double, 2> cost = {source_.figures.own_cost[0][n], source_.figures.own_cost[1][n]};
    std::vector<InlinedPart> parts;
    if (node(n).kind == InsideKind::kBody || node(n).kind == InsideKind::kIteration)
      parts = split_by_inlined(opened(), region_of(node(n)), {times(0, n), times(1, n)}, cost);
    std::erase_if(parts, [](const InlinedPart& part) { return part.cost[0] == part.cost[1]; });
    if (parts.empty() || is_loops_own(n, parts)) return add(key_of(n, 0), term, own_cost_cause(*this, n));
    for (const InlinedPart& part : parts) {
      Key key = key_of(n, 0);
      std::get<5>(key) = part.path;
      add(key, term * (part.cost[1] - part.cost[0]) / (cost[1] - cost[0]), inlined_part_cause(*this, n, part));
    }
  }

  /// All of it is of the inlined function that the loop is told to be in.
  bool is_loops_own(uint32_t n, const std::vector<InlinedPart>& parts) const {
    const auto inlined = opened().inlined_of(region_of(node(n)));
    return parts.size() == 1 && inlined && inlined->name == parts.front().function.name;
  }

  void add(const Key& key, long double value, Cause cause, std::vector<uint32_t> edges = {}) {
    found_.push_back({key, {value, std::move(cause)}, std::move(edges)});
  }

  Cause edge_cause(uint32_t e) const {
    const InsideEdge& edge = source_.graph.edges[e];
    if (node(edge.to).kind == InsideKind::kCallee) return call_cause(e);
    if (node(edge.to).kind == InsideKind::kEntry) return loop_entry_cause(e);
    if (node(edge.to).kind == InsideKind::kBlock) {  // nothing that was recorded leads there
      Cause cause = new_cause(CauseKind::kBranch, region_of(node(edge.to)));
      cause.facts =
          fact::ReachedCode{place_text(node(edge.to).number, false), source_.function, source_.in_total, rates(e)};
      return cause;
    }
    const uint32_t region = node(edge.to).number;
    Cause cause = new_cause(CauseKind::kIterations, region);
    cause.facts = fact::Iterations{loop_name(region), opened().is_knot(region), rates(e), both_times(edge.from)};
    return cause;
  }

  fact::Rates rates(uint32_t e) const { return {source_.figures.rates[0][e], source_.figures.rates[1][e]}; }

  Cause call_cause(uint32_t e) const {
    const InsideEdge& edge = source_.graph.edges[e];
    Cause cause = new_cause(CauseKind::kCalls, region_of(node(edge.from)));
    cause.function.clear();
    cause.caller = source_.function_field;
    const CalleeName& name = source_.callees.at(node(edge.to).number);
    cause.callee = name.in_field;
    cause.facts = fact::InsideCalls{
        .doer = doer(edge.from),
        .in_total = source_.in_total,
        .callee = name.in_sentence,
        .entry = is_part_of_allocator(cause.caller, {}) ? AllocatorEntry::kNone : allocator_entry_of(cause.callee),
        .rate = rates(e),
        .calls = edge.times};
    tell_call_site(cause, node(edge.to).number, region_of(node(edge.from)));
    return cause;
  }

  void tell_call_site(Cause& cause, uint32_t callee, uint32_t region) const {
    const auto inlined = inlined_around_calls(opened(), source_.of_callee, callee, region);
    if (!inlined) return;
    cause.remarks.push_back({.kind = Remark::Kind::kInlined, .inlined = *inlined});
  }

  Cause loop_entry_cause(uint32_t e) const {
    const InsideEdge& edge = source_.graph.edges[e];
    const uint32_t region = node(edge.to).number;
    Cause cause = new_cause(CauseKind::kLoopEntry, region);
    fact::LoopEntry facts{.doer = doer(edge.from),
                          .in_total = source_.in_total,
                          .loop = source_.loops[region],
                          .rate = rates(e),
                          .entries = edge.times};
    if (node(edge.from).kind == InsideKind::kEntry) {  // behind its last test, as behind an iteration
      facts.doer.kind = fact::Doer::Kind::kIteration;
    }
    if (const auto inlined = opened().entered_by(region, region_of(node(edge.from)))) {
      facts.inlined = icount::quoted(inlined->name);
      facts.inlined_line = inlined->line;
    }
    cause.facts = std::move(facts);
    return cause;
  }

  /// All ways that lead on from one place, as one cause: it tells of the one that gained most in the direction of all.
  void add_branch(uint32_t from, const std::vector<uint32_t>& edges) {
    long double sum = 0;
    for (const uint32_t e : edges) sum += source_.figures.edge_terms[e];
    if (sum == 0) return;
    const auto weight = [&](uint32_t e) {
      const uint32_t to = source_.graph.edges[e].to;
      return std::tuple(source_.figures.edge_terms[e] * (sum > 0 ? 1 : -1), node(to).kind, node(to).number);
    };
    const uint32_t most =
        *std::max_element(edges.begin(), edges.end(), [&](uint32_t a, uint32_t b) { return weight(a) < weight(b); });
    const bool leads_to_callee = std::any_of(edges.begin(), edges.end(), [&](uint32_t e) {
      return node(source_.graph.edges[e].to).kind == InsideKind::kCallee;
    });
    add(key_of(from, 0, 2), sum, branch_cause(from, most), leads_to_callee ? std::vector<uint32_t>() : edges);
  }

  Cause branch_cause(uint32_t from, uint32_t most) const {
    const uint32_t to = source_.graph.edges[most].to;
    const uint32_t region =
        node(from).kind == InsideKind::kEntry ? parent_of(node(from).number) : region_of(node(from));
    Cause cause = new_cause(CauseKind::kBranch, region);
    if (node(from).kind == InsideKind::kEntry) {
      cause.facts = fact::LeftTo{loop_name(node(from).number), target(to), rates(most)};
    } else if (node(from).kind == InsideKind::kBlock) {
      cause.facts = fact::Branch{.place = place_text(node(from).number, true),
                                 .function = source_.function,
                                 .loop = region == 0 ? std::string() : source_.loops[region],
                                 .target = target(to),
                                 .rate = rates(most),
                                 .times = both_times(from)};
      if (const auto [file, line] = line_of_block(opened(), node(from).number, true); line != 0)
        set_line(cause, file, line);
    } else {
      cause.facts = fact::Begins{begins(region), target(to), rates(most)};
    }
    return cause;
  }

  fact::Doer begins(uint32_t region) const {
    if (region == 0) return {.function = source_.function};
    return {.kind = fact::Doer::Kind::kIteration, .function = source_.function, .loop = loop_name(region)};
  }

  struct Found {
    Key key;
    InsideCause cause;
    std::vector<uint32_t> edges;  // whose terms it has, of a loop or a branch
  };
  std::vector<Found> found_;
  std::map<uint32_t, std::vector<uint32_t>> told_with_;  // edges whose terms are told with another one's
};

}  // namespace

std::vector<InsideCause> make_inside_causes(const InsideSource& source) { return CauseWriter(source).write(); }

}  // namespace icount
