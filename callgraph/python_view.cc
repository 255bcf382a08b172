#include "icount/callgraph/python_view.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "icount/base/checked.h"
#include "icount/callgraph/components.h"
#include "icount/callgraph/python_calls.h"

namespace icount {
namespace {

constexpr size_t kEvent = 0;

/// Recorded calls, in calls between Python functions; 0 for a call of a C function.
double weight(const CostGraph& calls, const Edge& edge) {
  if (!is_python_function(calls, edge.callee)) return 0;
  return static_cast<double>(edge.calls) * (is_python_function(calls, edge.caller) ? 1 : kOutOfC);
}

class ViewMaker {
 public:
  ViewMaker(const CostGraph& calls, double cost_per_call, const std::vector<std::string>& opened)
      : from_(calls), self_(calls.self), off_(calls.functions.size(), 0), owner_(calls.functions.size()) {
    take_off(cost_per_call);
    find_owners(opened);
  }

  CostGraph make(int64_t counted) {
    graph_.events = from_.events;
    graph_.totals = {counted};
    graph_.parts = from_.parts;
    graph_.call_counts = from_.call_counts;
    const std::vector<double> contained = recording_below();
    add_functions();
    balance(counted);
    for (size_t e = 0; e < from_.edges.size(); ++e) add_edge(e, contained);
    add_rows();
    return std::move(graph_);
  }

 private:
  void take_off(double cost_per_call) {
    for (const Edge& edge : from_.edges) {
      const auto cost = static_cast<int64_t>(std::ceil(weight(from_, edge) * cost_per_call));
      const int64_t taken = std::clamp<int64_t>(cost, 0, std::max<int64_t>(0, self_[edge.caller]));
      self_[edge.caller] -= taken;
      off_[edge.caller] += taken;
    }
  }

  void find_owners(const std::vector<std::string>& opened) {
    std::iota(owner_.begin(), owner_.end(), 0);
    const auto is_opened = [&](FunctionIndex f) {
      return std::find(opened.begin(), opened.end(), from_.name(f)) != opened.end();
    };
    for (const Edge& edge : from_.edges)
      if (!is_python_function(from_, edge.callee) && !is_opened(edge.caller)) owner_[edge.callee] = edge.caller;
  }

  /// What the recording cost within one call of each function, itself included: an average, as of the calls of a cycle.
  std::vector<double> recording_below() const {
    std::vector<Arc> arcs;
    for (const Edge& edge : from_.edges) arcs.push_back({edge.caller, edge.callee});
    const Components components = find_components(from_.functions.size(), arcs);
    std::vector<double> whole(components.count(), 0), entries(components.count(), 0);
    std::vector<std::vector<const Edge*>> leaving(components.count());
    for (FunctionIndex f = 0; f < off_.size(); ++f) whole[components.of[f]] += static_cast<double>(off_[f]);
    for (const Edge& edge : from_.edges) {
      const uint32_t caller = components.of[edge.caller], callee = components.of[edge.callee];
      if (caller == callee) continue;
      entries[callee] += static_cast<double>(edge.calls);
      leaving[caller].push_back(&edge);
    }
    std::vector<double> each(components.count(), 0);
    for (uint32_t c = 0; c < components.count(); ++c) {  // callees first
      for (const Edge* edge : leaving[c])
        whole[c] += static_cast<double>(edge->calls) * each[components.of[edge->callee]];
      each[c] = entries[c] > 0 ? whole[c] / entries[c] : 0;
    }
    std::vector<double> of(off_.size());
    for (FunctionIndex f = 0; f < of.size(); ++f) of[f] = each[components.of[f]];
    return of;
  }

  FunctionIndex add(std::string_view name, std::string_view file, std::string_view object, int64_t self) {
    graph_.functions.push_back(
        {graph_.strings.intern(name), graph_.strings.intern(file), graph_.strings.intern(object)});
    graph_.self.push_back(self);
    return static_cast<FunctionIndex>(graph_.functions.size() - 1);
  }

  void add_functions() {
    number_.resize(from_.functions.size());
    for (FunctionIndex f = 0; f < owner_.size(); ++f)
      if (owner_[f] == f) number_[f] = add(from_.name(f), from_.file(f), from_.object(f), self_[f]);
    for (FunctionIndex f = 0; f < owner_.size(); ++f) {
      if (owner_[f] == f) continue;
      number_[f] = number_[owner_[f]];
      graph_.self[number_[f]] = checked_add(graph_.self[number_[f]], self_[f], "cost of a Python function");
    }
  }

  /// What is missing is the recording's, 1 at least, so that it is a function on both sides of a comparison; what is
  /// too much, which rounding up leaves to odd cases, comes off the functions that cost most.
  void balance(int64_t counted) {
    int64_t left = counted;
    for (const int64_t self : graph_.self) left = checked_sub(left, self, "what was counted");
    constexpr int64_t kLeast = 1;
    while (left < kLeast) {
      const auto largest = std::max_element(graph_.self.begin(), graph_.self.end());
      if (largest == graph_.self.end() || *largest <= 0) break;
      const int64_t taken = std::min(*largest, kLeast - left);
      *largest -= taken;
      left += taken;
    }
    add(kRecording, "", kPythonObject, left);
  }

  void add_edge(size_t e, const std::vector<double>& contained) {
    const Edge& edge = from_.edges[e];
    const bool folded = !is_python_function(from_, edge.callee) && owner_[edge.callee] != edge.callee;
    if (folded) return;
    const std::pair<FunctionIndex, FunctionIndex> key(number_[edge.caller], number_[edge.callee]);
    const auto [at, fresh] = edges_.emplace(key, graph_.edges.size());
    if (fresh) {
      graph_.edges.push_back({key.first, key.second, 0});
      graph_.inclusive.push_back(0);
    }
    const auto recording = static_cast<int64_t>(std::llround(static_cast<double>(edge.calls) * contained[edge.callee]));
    graph_.edges[at->second].calls = saturating_add(graph_.edges[at->second].calls, edge.calls);
    graph_.inclusive[at->second] =
        saturating_add(graph_.inclusive[at->second], std::max<int64_t>(0, from_.inclusive_of(e, kEvent) - recording));
  }

  void add_rows() {
    std::vector<uint64_t> lines(graph_.functions.size(), 0);
    for (const LineRow& line : from_.lines)
      if (owner_[line.function] == line.function) lines[number_[line.function]] = line.line;
    for (FunctionIndex f = 0; f < graph_.functions.size(); ++f) {
      graph_.rows.push_back({f, graph_.functions[f].file});
      graph_.lines.push_back({f, graph_.functions[f].file, lines[f]});
    }
    graph_.row_self = graph_.line_self = graph_.self;
  }

  const CostGraph& from_;
  std::vector<int64_t> self_;         ///< without the recording
  std::vector<int64_t> off_;          ///< what was taken off
  std::vector<FunctionIndex> owner_;  ///< itself, or the Python function that it is folded under
  std::vector<FunctionIndex> number_;
  std::map<std::pair<FunctionIndex, FunctionIndex>, size_t> edges_;
  CostGraph graph_;
};

}  // namespace

double recording_cost(const CostGraph& calls, int64_t counted) {
  double weights = 0;
  for (const Edge& edge : calls.edges) weights += weight(calls, edge);
  const int64_t beyond = calls.totals[kEvent] - counted;
  return weights > 0 && beyond > 0 ? static_cast<double>(beyond) / weights : 0;
}

CostGraph make_python_view(const CostGraph& calls, int64_t counted, double cost_per_call,
                           const std::vector<std::string>& opened) {
  return ViewMaker(calls, cost_per_call, opened).make(counted);
}

}  // namespace icount
