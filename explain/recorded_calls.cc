#include "icount/explain/recorded_calls.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "icount/explain/caller_split.h"

namespace icount {
namespace {

// A recorded cost that is the average's to this part needs no telling apart.
constexpr long double kSameCost = 0.01L;
// Shared work below one call costs up to so many times its average; more says that something else is wrong.
constexpr long double kMostDear = 20;
// A side that makes so many times the other one's calls makes them alone, or nearly so.
constexpr long double kManyTimes = 20;
// Calls that come by other ways are at least this part of a function's calls; the rest is rounding.
constexpr long double kSomeCalls = 1e-12L;
// Of calls within a cycle so many are not made below others of the same edge, or it is a recursion.
constexpr long double kMostlyOuter = 0.5L;
// Calls are left out one by one until nothing contradicts the rest.
constexpr int kMostRounds = 8;
// Shares of full functions are known to this part. Where one call is priced that takes a step or two.
constexpr long double kFull = 1e-6L;
constexpr int kMostSteps = 20;

/// The side that alone makes a caller's calls, or nearly so; nothing where there is none.
std::optional<size_t> side_that_calls(const BothSides& calls, const std::array<long double, 2>& rates) {
  if ((calls[0] > 0) != (calls[1] > 0)) return calls[1] > 0 ? 1 : 0;
  if (calls[0] <= 0 || std::min(rates[0], rates[1]) * kManyTimes > std::max(rates[0], rates[1])) return std::nullopt;
  return rates[1] > rates[0] ? 1 : 0;
}

/// A call that only one side makes, or nearly so, as an edge of the table.
struct Candidate {
  uint32_t edge = 0, caller = 0;
  bool in_cycle = false;            ///< of caller and callee: only one edge of a cycle is a candidate
  long double calls = 0, cost = 0;  ///< of all of them, recorded
  long double price = 0;            ///< recorded, of a call
  long double alone = 0;            ///< what functions cost of it that nobody else calls
  long double dearer = 1;           ///< what shared work below costs, as a part of its average
};

class Pricing {
 public:
  Pricing(const FlowSolver& solver, FlowTable& table, size_t side, std::vector<Candidate> candidates)
      : solver_(solver), table_(table), side_(side), candidates_(std::move(candidates)) {}

  /// Whether any are left; they are priced in the table then.
  bool apply() {
    for (int round = 0; round < kMostRounds && !candidates_.empty(); ++round) {
      if (drop_implausible()) continue;
      if (find_shares()) {
        write();
        return true;
      }
      drop_dearest();
    }
    return false;
  }

 private:
  const std::vector<long double>& rates() const { return table_.rates[side_]; }
  uint32_t callee_of(const Candidate& candidate) const { return table_.shape.callee[candidate.edge]; }
  bool is_shared(uint32_t node) const { return rest_[node] > kSomeCalls * calls_[node]; }

  void find_flows() {
    std::vector<long double> entries(table_.own[0].size(), 0), others = rates();
    for (const FlowSource& source : table_.sources) entries[source.node] += source.calls[side_];
    for (const Candidate& candidate : candidates_) others[candidate.edge] = 0;
    calls_ = solver_.calls(entries, rates());
    rest_ = solver_.calls(entries, others);
    std::vector<long double> shared = table_.own[side_], alone = shared;
    for (uint32_t i = 0; i < shared.size(); ++i) (is_shared(i) ? alone : shared)[i] = 0;
    const std::vector<long double> shared_worth = solver_.worth(shared, rates()),
                                   alone_worth = solver_.worth(alone, rates());
    for (Candidate& candidate : candidates_) {
      if (candidate.in_cycle) price_in_cycle(candidate);
      const long double below = shared_worth[callee_of(candidate)];
      candidate.alone = alone_worth[callee_of(candidate)];
      candidate.dearer = below > 0 ? (candidate.price - candidate.alone) / below : -1;
    }
  }

  /// Some calls within a cycle are made below others of the same edge, if the average is right; as recorded they are
  /// not, and those that are made by other ways take the cost of all. Where most were, it is a recursion whose costs
  /// are recorded over and over.
  void price_in_cycle(Candidate& candidate) const {
    const long double outer = rest_[candidate.caller] * rates()[candidate.edge];
    candidate.price = outer >= kMostlyOuter * candidate.calls ? candidate.cost / outer : -1;
  }

  static bool is_implausible(const Candidate& one) { return one.dearer < 0 || one.dearer > kMostDear; }

  bool drop_implausible() {
    find_flows();
    return std::erase_if(candidates_, is_implausible) > 0;
  }

  /// The dearest as the flows are where no function is full.
  void drop_dearest() {
    find_flows();
    candidates_.erase(std::max_element(candidates_.begin(), candidates_.end(),
                                       [](const Candidate& a, const Candidate& b) { return a.dearer < b.dearer; }));
  }

  /// What the calls take of each function below them. No function may have less than no cost left: one that is full
  /// gives all that it has, and the others below the same calls give more. False where they cannot give that much.
  bool find_shares() {
    share_.assign(calls_.size(), 1);
    for (int step = 0; step < kMostSteps; ++step) {
      if (std::any_of(candidates_.begin(), candidates_.end(), is_implausible)) return false;
      std::vector<long double> entries(calls_.size(), 0);
      for (const Candidate& candidate : candidates_)
        entries[callee_of(candidate)] += rest_[candidate.caller] * rates()[candidate.edge] * candidate.dearer;
      taken_ = solver_.calls(entries, rates());
      if (!fill_up()) return true;
      price_again();
    }
    return false;
  }

  /// Whether what some function gives has changed.
  bool fill_up() {
    bool any = false;
    for (uint32_t i = 0; i < taken_.size(); ++i) {
      if (!is_shared(i) || table_.own[side_][i] == 0) continue;
      const long double share = taken_[i] > calls_[i] ? calls_[i] / taken_[i] : 1;
      if (std::abs(share - share_[i]) <= kFull * share_[i]) continue;
      share_[i] = share;
      any = true;
    }
    return any;
  }

  /// What full functions give stays as it is.
  void price_again() {
    std::vector<long double> open = table_.own[side_], full(open.size(), 0);
    for (uint32_t i = 0; i < open.size(); ++i) {
      if (share_[i] < 1) full[i] = share_[i] * open[i];
      if (!is_shared(i) || share_[i] < 1) open[i] = 0;
    }
    const std::vector<long double> open_worth = solver_.worth(open, rates()), full_worth = solver_.worth(full, rates());
    for (Candidate& candidate : candidates_) {
      const long double below = open_worth[callee_of(candidate)],
                        given = candidate.dearer * full_worth[callee_of(candidate)];
      if (given > 0) candidate.dearer = below > 0 ? (candidate.price - candidate.alone - given) / below : -1;
    }
  }

  void write() {
    table_.other_calls[side_].assign(taken_.size(), FlowTable::kAllCalls);
    for (uint32_t i = 0; i < taken_.size(); ++i) {
      if (!is_shared(i) || taken_[i] <= 0 || table_.own[side_][i] == 0) continue;
      table_.own[side_][i] *= std::max(0.0L, calls_[i] - taken_[i] * share_[i]) / rest_[i];
      table_.other_calls[side_][i] = rest_[i];
    }
    // What is called by these calls alone has no other; its figures are no matter.
    for (const Candidate& candidate : candidates_) {
      long double& rate = table_.rates[side_][candidate.edge];
      table_.recorded.push_back({candidate.edge, candidate.caller, side_, rate * candidate.price});
      rate = 0;
    }
  }

  const FlowSolver& solver_;
  FlowTable& table_;
  const size_t side_;
  std::vector<Candidate> candidates_;
  std::vector<long double> calls_, rest_;  ///< by node: all calls of the side, and those by other ways
  std::vector<long double> taken_;         ///< by node: calls by the candidates, weighed by what they cost
  std::vector<long double> share_;         ///< by node: part of that which it can give; 1 where it is not full
};

/// The one with the greatest recorded cost.
void keep_one_of_each_cycle(const FlowTable& table, std::vector<Candidate>& candidates) {
  std::map<uint32_t, const Candidate*> most;
  for (const Candidate& one : candidates) {
    if (!one.in_cycle) continue;
    const Candidate*& kept = most[table.components.of[one.caller]];
    if (kept == nullptr || one.cost > kept->cost) kept = &one;
  }
  std::set<uint32_t> kept;
  for (const auto& [cycle, one] : most) kept.insert(one->edge);
  std::erase_if(candidates, [&](const Candidate& one) { return one.in_cycle && !kept.contains(one.edge); });
}

}  // namespace

bool price_recorded_calls(const FlowGraph& graph, const FlowSolver& solver, const FlowSolution& solution,
                          long double least, FlowTable& table) {
  std::vector<bool> usable = has_consistent_costs(graph);
  std::vector<bool> excluded(graph.edges.size(), false);
  for (const FlowSource& source : table.sources)
    if (source.kind == TermKind::kCalls) excluded[source.index] = true;
  for (const FlowDetour& detour : table.detours) excluded[detour.through] = excluded[detour.direct] = true;
  std::array<std::vector<Candidate>, 2> candidates;
  for (uint32_t caller = 0; caller < table.shape.nodes(); ++caller) {
    if (solution.common_calls[caller] <= 0) continue;
    for (uint32_t e = table.shape.first_edge[caller]; e < table.shape.first_edge[caller + 1]; ++e) {
      const FlowEdge& edge = graph.edges[table.edge_of[e]];
      const auto calling = side_that_calls(edge.calls, {table.rates[0][e], table.rates[1][e]});
      if (!calling || excluded[table.edge_of[e]] || !usable[edge.callee] || table.shape.callee[e] == caller) continue;
      const size_t side = *calling;
      if (edge.inclusive[side] <= 0 || table.rates[side][e] <= 0) continue;
      const long double price =
          static_cast<long double>(edge.inclusive[side]) / static_cast<long double>(edge.calls[side]);
      const long double average = solution.worth[side][table.shape.callee[e]];
      const long double missed = std::abs(price - average);
      if (missed > kSameCost * std::max(price, average) &&
          missed * table.rates[side][e] * solution.common_calls[caller] >= least)
        candidates[side].push_back(
            {.edge = e,
             .caller = caller,
             .in_cycle = table.components.of[caller] == table.components.of[table.shape.callee[e]],
             .calls = static_cast<long double>(edge.calls[side]),
             .cost = static_cast<long double>(edge.inclusive[side]),
             .price = price});
    }
  }
  for (auto& of_side : candidates) keep_one_of_each_cycle(table, of_side);
  bool any = false;
  for (size_t side = 0; side < 2; ++side) any |= Pricing(solver, table, side, std::move(candidates[side])).apply();
  return any;
}

}  // namespace icount
