#include "icount/explain/claims/inlining_trace.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "icount/base/checked.h"
#include "icount/callgraph/function_code.h"
#include "icount/callgraph/name_parts.h"
#include "icount/explain/weights.h"

namespace icount {
namespace {}  // namespace

long double InliningTrace::own_gain(uint32_t caller, size_t from) const {
  if (!flow_.figures.fixed_self[caller]) return side(1 - from).own_cost[caller] - side(from).own_cost[caller];
  const BothSides& self = graph_.nodes[caller].self;
  return static_cast<long double>(self[1 - from] - self[from]) * 2 / (side(0).calls[caller] + side(1).calls[caller]);
}

Trace InliningTrace::look_for(uint32_t caller, uint32_t callee, size_t from, long double times) {
  const uint32_t inner = folded(callee, from), outer_from = folded(caller, from), outer_to = folded(caller, 1 - from);
  if (inner == kNoFunction || outer_from == kNoFunction || outer_to == kNoFunction) return Trace::kUnknown;
  const long double body = times * side(from).own_cost[callee];
  const std::string_view name = joined_.sides[from]->functions[inner].name;
  const auto there = inlined_cost(caller, name, 1 - from), here = inlined_cost(caller, name, from);
  if (there && here) {
    if (*there - *here > body * kSame) return Trace::kSeen;
    if (side(from).own_cost[callee] > kCallOverhead) return Trace::kElsewhere;
  }
  read_sources();
  const std::vector<LineCost> lines = sources_[from].lines_of(inner);
  const std::string_view file = base_of_path(joined_.sides[from]->functions[inner].file);
  if (!lines.empty() && sources_[1 - from].has_lines()) {
    const Body whole{file, body, times / side(from).calls[callee]};
    const Trace trace = trace_in_lines(caller, lines, from, whole, &LineShifts::of);
    if (trace == Trace::kSeen) return trace;
    const Trace nearby = trace_in_lines(caller, lines, from, whole, &LineShifts::near);
    return nearby == Trace::kSeen ? nearby : trace;
  }
  if (file == "???" || file == base_of_path(joined_.sides[from]->functions[outer_from].file)) return Trace::kUnknown;
  const int64_t had = sources_[from].cost_in_file(outer_from, file);
  const long double grown =
      static_cast<long double>(sources_[1 - from].cost_in_file(outer_to, file)) / side(1 - from).calls[caller] -
      static_cast<long double>(had) / side(from).calls[caller];
  const bool seen = had == 0 ? grown > body * kSame : grown >= body * kLeastBody && gain_fits(caller, from, body);
  return seen ? Trace::kSeen : Trace::kNotSeen;
}

std::optional<long double> InliningTrace::inlined_cost(uint32_t caller, std::string_view callee, size_t s) {
  const FoldedGraph& graph = *joined_.sides[s];
  const ProfileCode* const code = graph.graph->code.get();
  if (!code || code->objects.empty() || code->events != graph.graph->event_count() || side(s).calls[caller] <= 0)
    return std::nullopt;
  const uint32_t function = folded(caller, s);
  if (!inlined_names_[s]) inlined_names_[s].emplace(*code);
  const std::vector<bool> inside = inlined_names_[s]->inside(callee);
  int64_t cost = 0;
  bool known = false;
  for (const FunctionCode& piece : code->functions) {
    if (graph.folded_of[piece.function] != function) continue;
    const CodeObject* const object = find_object(*code, graph.graph->object(piece.function));
    if (!object || !object->has_names) return std::nullopt;
    known = true;
    for (size_t r = 0; r < piece.rows.size(); ++r)
      if (inside[piece.rows[r].inlined]) cost = saturating_add(cost, piece.self[r * code->events + graph.event]);
  }
  if (!known) return std::nullopt;
  return static_cast<long double>(cost) / side(s).calls[caller];
}

bool InliningTrace::gain_fits(uint32_t caller, size_t from, long double body) const {
  const long double gain = own_gain(caller, from);
  return gain >= body * kLeastBody && gain <= body * kMostBody;
}

/// Lines of the callee's file that the caller did not have before are proof, and so is much code on new lines of other
/// files. Lines that both had anyway (of a template used by both) count only when the caller's own cost grew with them.
Trace InliningTrace::trace_in_lines(uint32_t caller, const std::vector<LineCost>& lines, size_t from, const Body& body,
                                    Shift shift) {
  long double fresh = 0, fresh_in_file = 0, grown = 0, grown_in_file = 0, in_file = 0;
  for (const LineCost& line : lines) {
    // A line costs inside the caller about what it did in the callee; what is more belongs to other code on that line.
    const long double share = body.part * static_cast<long double>(line.cost);
    const long double growth = std::clamp(growth_on_line(caller, line, from, shift), 0.0L, kMostBody * share);
    grown += growth;
    if (line.file == body.file) {
      in_file += share;
      grown_in_file += growth;
    }
    if (cost_at(caller, line, from) > 0) continue;
    fresh += growth;
    if (line.file == body.file) fresh_in_file += growth;
  }
  const bool seen = fresh_in_file > body.cost * kSame || fresh >= body.cost * kLeastBody ||
                    (grown >= body.cost * kLeastBody && gain_fits(caller, from, body.cost));
  if (seen) return Trace::kSeen;
  const bool other_file = body.file != base_of_path(joined_.sides[from]->functions[folded(caller, from)].file);
  return other_file && grown_in_file == 0 && in_file >= body.cost * kLeastBody ? Trace::kElsewhere : Trace::kNotSeen;
}

/// How much more a call of the caller costs on that line of the callee, on the side that does not call it.
long double InliningTrace::growth_on_line(uint32_t caller, const LineCost& line, size_t from, Shift shift) {
  const uint64_t there = line.line + static_cast<uint64_t>((shifts_.*shift)(line.file, line.line, from));
  return cost_at(caller, {line.file, there, 0}, 1 - from) / side(1 - from).calls[caller] -
         cost_at(caller, line, from) / side(from).calls[caller];
}

long double InliningTrace::cost_at(uint32_t caller, const LineCost& line, size_t s) {
  if (lines_caller_[s] != caller) {
    lines_caller_[s] = caller;
    caller_lines_[s] = sources_[s].lines_of(folded(caller, s));
  }
  const auto at = std::lower_bound(
      caller_lines_[s].begin(), caller_lines_[s].end(), line,
      [](const LineCost& a, const LineCost& b) { return std::tie(a.file, a.line) < std::tie(b.file, b.line); });
  return at != caller_lines_[s].end() && at->file == line.file && at->line == line.line
             ? static_cast<long double>(at->cost)
             : 0;
}

std::string_view InliningTrace::object_of(uint32_t node, size_t s) const {
  const uint32_t function = folded(node, s);
  return function == kNoFunction ? std::string_view() : joined_.sides[s]->functions[function].object;
}

uint32_t InliningTrace::folded(uint32_t node, size_t s) const {
  const auto& members = flow_.condensed.members[node];
  return members.size() == 1 ? joined_.functions[members.front()].folded[s] : kNoFunction;
}

void InliningTrace::read_sources() {
  if (!sources_.empty()) return;
  for (const FoldedGraph* graph : joined_.sides) sources_.emplace_back(*graph);
  for (const JoinedFunction& function : joined_.functions) {
    if (function.folded[0] == kNoFunction || function.folded[1] == kNoFunction) continue;
    const auto file = [&](size_t s) { return base_of_path(joined_.sides[s]->functions[function.folded[s]].file); };
    shifts_.add(file(0), sources_[0].span(function.folded[0]), file(1), sources_[1].span(function.folded[1]));
  }
}

}  // namespace icount
