#include "icount/explain/match_nameless.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "icount/base/checked.h"

namespace icount {
namespace {

/// What must be shared of the work below two functions, as a part of the whole.
constexpr double kLeastShared = 0.5;
/// A leaf's cost per call may change so much between builds and be called the same.
constexpr double kLargestRatio = 2;
/// Open functions that are looked through on the way down to matched ones.
constexpr size_t kMostLookedThrough = 256;

class NamelessMatcher {
 public:
  explicit NamelessMatcher(Pairing& pairing) : pairing_(pairing) {
    for (size_t side = 0; side < 2; ++side) {
      calls_[side].resize(pairing.sides[side]->functions.size(), 0);
      for (const FoldedEdge& edge : pairing.sides[side]->edges)
        calls_[side][edge.callee] = saturating_add(calls_[side][edge.callee], edge.calls);
    }
  }

  bool match() {
    bool any = false;
    // Pairs are appended while this walks: the callees of a new one come into reach.
    for (size_t i = 0; i < pairing_.pairs.size(); ++i)
      any |= match_callees(pairing_.pairs[i].base, pairing_.pairs[i].head);
    return any;
  }

 private:
  using Edges = std::span<const FoldedEdge>;
  /// Calls of a callee for so many calls of its caller, in lowest terms.
  using Rate = std::pair<int64_t, int64_t>;
  /// The open functions that are called so often, the costliest first.
  using OpenCallees = std::map<Rate, std::vector<FoldedEdge>>;

  Rate rate(size_t side, const FoldedEdge& edge) const {
    const int64_t callers = std::max<int64_t>(1, calls_[side][edge.caller]),
                  common = std::max<int64_t>(1, std::gcd(edge.calls, callers));
    return {edge.calls / common, callers / common};
  }

  Edges callees(size_t side, uint32_t f) const {
    const FoldedGraph& graph = *pairing_.sides[side];
    return Edges(graph.edges).subspan(graph.first_edge[f], graph.first_edge[f + 1] - graph.first_edge[f]);
  }

  OpenCallees open_callees(size_t side, uint32_t f) const {
    OpenCallees found;
    for (const FoldedEdge& edge : callees(side, f))
      if (pairing_.is_open(side, edge.callee)) found[rate(side, edge)].push_back(edge);
    for (auto& [rate, edges] : found)
      std::stable_sort(edges.begin(), edges.end(),
                       [](const FoldedEdge& a, const FoldedEdge& b) { return a.inclusive > b.inclusive; });
    return found;
  }

  bool match_callees(uint32_t base, uint32_t head) {
    bool any = false;
    const OpenCallees left = open_callees(0, base), right = open_callees(1, head);
    for (const auto& [rate, edges] : left) {
      const auto others = right.find(rate);
      if (others == right.end()) continue;
      for (const FoldedEdge& edge : edges) any |= match_first(edge.callee, others->second);
    }
    return any;
  }

  bool match_first(uint32_t base, const std::vector<FoldedEdge>& others) {
    for (const FoldedEdge& other : others) {
      if (!pairing_.is_open(1, other.callee) || !may_be_one(base, other.callee)) continue;
      pairing_.add(base, other.callee, MatchedBy::kPlace);
      return true;
    }
    return false;
  }

  bool may_be_one(uint32_t base, uint32_t head) const {
    if (pairing_.is_unnamed(0, base) == pairing_.is_unnamed(1, head)) return false;
    if (pairing_.objects.of(0, base) != pairing_.objects.of(1, head)) return false;
    if (pairing_.may_be_one_build(base, head)) return false;  // one build has one table of symbols
    return do_like_work(base, head);
  }

  /// Cost of the nearest matched functions below, by their number.
  using Work = std::unordered_map<uint32_t, double>;

  Work work_below(size_t side, uint32_t f) const {
    Work work;
    std::vector<uint32_t> open = {f};
    std::unordered_set<uint32_t> seen = {f};
    for (size_t i = 0; i < open.size() && i < kMostLookedThrough; ++i) {
      for (const FoldedEdge& edge : callees(side, open[i])) {
        if (!pairing_.is_open(side, edge.callee)) {
          work[side == 0 ? edge.callee : pairing_.partner[1][edge.callee]] += static_cast<double>(edge.inclusive);
        } else if (seen.insert(edge.callee).second) {
          open.push_back(edge.callee);
        }
      }
    }
    return work;
  }

  bool do_like_work(uint32_t base, uint32_t head) const {
    const Work left = work_below(0, base), right = work_below(1, head);
    if (left.empty() && right.empty())
      return callees(0, base).empty() && callees(1, head).empty() && cost_alike(base, head);
    double all_left = 0, all_right = 0, shared = 0;
    for (const auto& [f, cost] : left) all_left += cost;
    for (const auto& [f, cost] : right) all_right += cost;
    if (all_left == 0 || all_right == 0) return false;
    for (const auto& [f, cost] : left)
      if (const auto other = right.find(f); other != right.end())
        shared += std::min(cost / all_left, other->second / all_right);
    return shared >= kLeastShared;
  }

  bool cost_alike(uint32_t base, uint32_t head) const {
    const auto per_call = [&](size_t side, uint32_t f) {
      return static_cast<double>(pairing_.function(side, f).self) /
             static_cast<double>(std::max<int64_t>(1, calls_[side][f]));
    };
    const auto [small, large] = std::minmax({per_call(0, base), per_call(1, head)});
    return large <= kLargestRatio * small;
  }

  Pairing& pairing_;
  std::array<std::vector<int64_t>, 2> calls_;  ///< of every function
};

}  // namespace

bool match_nameless(Pairing& pairing) { return NamelessMatcher(pairing).match(); }

}  // namespace icount
