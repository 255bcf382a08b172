#include "icount/callgraph/python_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "icount/base/checked.h"
#include "icount/callgraph/components.h"
#include "icount/callgraph/name_parts.h"

namespace icount {
namespace {

constexpr std::string_view kStatement = "stmt";
constexpr std::string_view kEvaluator = "_PyEval_EvalFrameDefault";

/// C functions by which the evaluator itself enters another function, where it does so without the trampoline, too.
bool is_call_machinery(std::string_view function) {
  for (const std::string_view one : {"PyObject_Vectorcall", "_PyObject_Vectorcall", "_PyFunction_Vectorcall",
                                     "_PyEval_Vector", "_PyEval_EvalFrame", "py_trampoline_evaluator"})
    if (function == one) return true;
  return false;
}

/// Index into the table of functions of the trampoline that a name stands for: "0x00000000054bc021".
using Trampolines = std::map<uint64_t, size_t>;
std::optional<size_t> find_trampoline(const Trampolines& trampolines, std::string_view name) {
  if (!name.starts_with("0x")) return std::nullopt;
  const auto at = trampolines.find(std::strtoull(std::string(name).c_str(), nullptr, 16));
  return at == trampolines.end() ? std::nullopt : std::optional(at->second);
}

/// To whom the cost of a context belongs: a Python function, and which C function it called; empty: its own.
struct Place {
  size_t python = 0;
  std::string head;
  auto operator<=>(const Place&) const = default;
};

class CallsMaker {
 public:
  CallsMaker(const CostGraph& contexts, std::span<const PythonFunction> functions)
      : from_(contexts), functions_(functions), events_(contexts.event_count()) {
    for (size_t i = 0; i < functions.size(); ++i) trampolines_.try_emplace(functions[i].address, i);
    name_functions();
  }

  CostGraph make() {
    read_contexts();
    place_by_callers();
    graph_.events = from_.events;
    graph_.totals = from_.totals;
    graph_.parts = from_.parts;
    add_functions();
    for (size_t e = 0; e < from_.edges.size(); ++e) add_edge(e);
    add_rows();
    return std::move(graph_);
  }

 private:
  size_t outside() const { return functions_.size(); }

  /// Names that differ within a file, whatever the lines are.
  void name_functions() {
    std::vector<size_t> order(functions_.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      const PythonFunction &x = functions_[a], &y = functions_[b];
      return std::tie(x.file, x.name, x.line, x.address) < std::tie(y.file, y.name, y.line, y.address);
    });
    names_.resize(functions_.size() + 1);
    std::map<std::pair<std::string, std::string>, int> seen;
    std::map<std::string, int> files;  // per name
    for (const size_t i : order) {
      const int number = ++seen[{functions_[i].file, functions_[i].name}];
      if (number == 1) ++files[functions_[i].name];
      names_[i] = number == 1 ? functions_[i].name : fmt::format("{} ({})", functions_[i].name, number);
    }
    names_[outside()] = kOutsideOfPython;
    contexts_ = names_;
    for (const size_t i : order)
      if (files[functions_[i].name] > 1) contexts_[i] += fmt::format(" ({})", functions_[i].file);
  }

  size_t statement() const {
    for (size_t i = 0; i < functions_.size(); ++i)
      if (functions_[i].name == kStatement && functions_[i].file == kStatement) return i;
    return outside();
  }

  void read_contexts() {
    size_t deepest = 0;
    for (FunctionIndex f = 0; f < from_.functions.size(); ++f)
      deepest = std::max(deepest, split_contexts(from_.name(f)).callers.size());
    places_.resize(from_.functions.size());
    tops_.resize(from_.functions.size());
    for (FunctionIndex f = 0; f < from_.functions.size(); ++f) {
      const NameContexts parts = split_contexts(from_.name(f));
      std::vector<std::string_view> chain = {parts.function};
      chain.insert(chain.end(), parts.callers.begin(), parts.callers.end());
      tops_[f] = chain[0];
      const Function& function = from_.functions[f];
      homes_.try_emplace(std::string(chain[0]), function);
      for (size_t i = 0; i < chain.size() && !places_[f]; ++i) {
        const auto python = find_trampoline(trampolines_, chain[i]);
        if (!python) continue;
        places_[f] = {*python, find_head(std::span(chain).first(i))};
      }
      if (!places_[f]) places_[f] = place_in_statement(chain, deepest);
    }
  }

  /// A process that begins in the middle of the statement returns to its evaluator, which no trampoline called.
  std::optional<Place> place_in_statement(std::span<const std::string_view> chain, size_t deepest) const {
    for (size_t i = 0; i < chain.size(); ++i) {
      if (!chain[i].starts_with(kEvaluator)) continue;
      const bool cut = i + 1 == chain.size() && chain.size() > deepest;
      const bool called_by_trampoline = i + 1 < chain.size() && chain[i + 1].starts_with("0x");
      if (cut || called_by_trampoline) return std::nullopt;
      return Place{statement(), find_head(chain.first(i + 1))};
    }
    return std::nullopt;
  }

  /// `below`: the frames below a trampoline, innermost first. Code without a name is that of the linkage table.
  static std::string find_head(std::span<const std::string_view> below) {
    if (!below.empty() && below.back().starts_with(kEvaluator)) below = below.first(below.size() - 1);
    while (!below.empty() && below.back().starts_with("0x")) below = below.first(below.size() - 1);
    return below.empty() || is_call_machinery(below.back()) ? std::string() : std::string(below.back());
  }

  /// Contexts too deep to name a trampoline: whoever called them at the greatest cost. What is left ran outside.
  void place_by_callers() {
    for (bool changed = true; changed;) {
      std::vector<size_t> best(places_.size(), from_.edges.size());
      for (size_t e = 0; e < from_.edges.size(); ++e) {
        const Edge& edge = from_.edges[e];
        if (places_[edge.callee] || !places_[edge.caller]) continue;
        size_t& of = best[edge.callee];
        if (of == from_.edges.size() || from_.inclusive_of(e, 0) > from_.inclusive_of(of, 0)) of = e;
      }
      changed = false;
      for (size_t f = 0; f < best.size(); ++f) {
        if (best[f] == from_.edges.size()) continue;
        places_[f] = places_[from_.edges[best[f]].caller];
        changed = true;
      }
    }
    for (std::optional<Place>& place : places_)
      if (!place) place = {outside(), ""};
  }

  bool has_cost(FunctionIndex f) const {
    for (size_t event = 0; event < events_; ++event)
      if (from_.self_of(f, event) != 0) return true;
    return false;
  }

  FunctionIndex number_of(const Place& place) {
    const auto [at, fresh] = known_.emplace(place, static_cast<FunctionIndex>(graph_.functions.size()));
    if (!fresh) return at->second;
    const auto text = [&](StringId id) { return graph_.strings.intern(from_.strings.view(id)); };
    Function function;
    if (place.head.empty()) {
      function = {graph_.strings.intern(names_[place.python]),
                  place.python == outside() ? kEmptyString : graph_.strings.intern(functions_[place.python].file),
                  graph_.strings.intern(kPythonObject)};
    } else {
      const auto home = homes_.find(place.head);
      const Function origin = home == homes_.end() ? Function() : home->second;
      function = {graph_.strings.intern(place.head + "'" + contexts_[place.python]), text(origin.file),
                  text(origin.object)};
    }
    graph_.functions.push_back(function);
    lines_.push_back(place.head.empty() && place.python != outside() ? functions_[place.python].line : 0);
    graph_.self.resize(graph_.functions.size() * events_, 0);
    return at->second;
  }

  void add_functions() {
    for (FunctionIndex f = 0; f < from_.functions.size(); ++f) {
      if (!has_cost(f)) continue;
      add_costs(graph_.self, number_of(*places_[f]), from_.self, f, events_);
      if (!places_[f]->head.empty()) find_edge(number_of({places_[f]->python, ""}), number_of(*places_[f]));
    }
  }

  size_t find_edge(FunctionIndex caller, FunctionIndex callee) {
    const auto [at, fresh] = edges_.emplace(std::pair(caller, callee), graph_.edges.size());
    if (fresh) {
      graph_.edges.push_back({caller, callee, 0});
      graph_.inclusive.resize(graph_.edges.size() * events_, 0);
    }
    return at->second;
  }

  /// Calls of Python functions, and those that the evaluator makes of C functions. Those without a number were active
  /// when the region began.
  void add_edge(size_t e) {
    const Edge& edge = from_.edges[e];
    if (edge.calls == 0) return;
    const Place &caller = *places_[edge.caller], &callee = *places_[edge.callee];
    const bool enters_python = find_trampoline(trampolines_, tops_[edge.callee]).has_value();
    const bool enters_c = !callee.head.empty() && caller.head.empty() && caller.python == callee.python;
    if (!enters_python && !enters_c) return;
    const FunctionIndex to = number_of(callee), by = number_of(caller);
    if (!caller.head.empty()) find_edge(number_of({caller.python, ""}), by);
    const size_t at = find_edge(by, to);
    graph_.edges[at].calls = saturating_add(graph_.edges[at].calls, edge.calls);
    add_costs_saturating(graph_.inclusive, at, from_.inclusive, e, events_);
  }

  void add_rows() {
    for (FunctionIndex f = 0; f < graph_.functions.size(); ++f) {
      graph_.rows.push_back({f, graph_.functions[f].file});
      graph_.lines.push_back({f, graph_.functions[f].file, static_cast<uint64_t>(std::max<int64_t>(0, lines_[f]))});
    }
    graph_.row_self = graph_.line_self = graph_.self;
  }

  const CostGraph& from_;
  std::span<const PythonFunction> functions_;
  size_t events_;
  Trampolines trampolines_;
  std::vector<std::string> names_, contexts_;  ///< per function, and of what is outside
  std::vector<std::optional<Place>> places_;   ///< per context
  std::vector<std::string_view> tops_;
  std::map<std::string, Function> homes_;  ///< of C functions, strings of from_
  CostGraph graph_;
  std::vector<int64_t> lines_;
  std::map<Place, FunctionIndex> known_;
  std::map<std::pair<FunctionIndex, FunctionIndex>, size_t> edges_;
};

}  // namespace

bool is_python_function(const CostGraph& graph, FunctionIndex function) {
  return graph.object(function) == kPythonObject;
}

bool has_python_function(const CostGraph& graph, std::string_view name) {
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    if (is_python_function(graph, f) && graph.name(f) == name) return true;
  return false;
}

CostGraph make_python_calls(const CostGraph& contexts, std::span<const PythonFunction> functions) {
  return CallsMaker(contexts, functions).make();
}

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
