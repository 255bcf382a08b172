#include "icount/explain/explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/claims/claims.h"
#include "icount/explain/claims/noise_fold.h"
#include "icount/explain/flow/opened_flow.h"
#include "icount/explain/inside/function_opening.h"
#include "icount/explain/match/folded_graph.h"
#include "icount/explain/match/joined_graph.h"
#include "icount/explain/match/match.h"
#include "icount/explain/match/node_names.h"
#include "icount/explain/places/share_out.h"
#include "icount/explain/weights.h"

namespace icount {
namespace {

/// The one that stands first on both sides together, whichever is the base; by name where two do.
const std::string* first_common_event(const CostGraph& base, const CostGraph& head) {
  const auto key = [&](const std::string* event) {
    return std::pair(*base.event_index(*event) + *head.event_index(*event), std::string_view(*event));
  };
  const std::string* first = nullptr;
  for (const std::string& event : base.events)
    if (head.event_index(event) && (first == nullptr || key(&event) < key(first))) first = &event;
  return first;
}

std::string choose_event(const CostGraph& base, const CostGraph& head, const std::string& wanted) {
  if (!wanted.empty()) {
    for (const auto& [side, graph] : {std::pair("base", &base), std::pair("head", &head)})
      if (!graph->event_index(wanted))
        throw Error(ErrorKind::kUsage,
                    fmt::format("event '{}' is not in {}, which has {}", wanted, side, fmt::join(graph->events, ", ")));
    return wanted;
  }
  if (const std::string* event = first_common_event(base, head)) return *event;
  throw Error(ErrorKind::kCannotJudge, fmt::format("no event in common: base has {}, head has {}",
                                                   fmt::join(base.events, ", "), fmt::join(head.events, ", ")));
}

/// The object that `main` is in; nullptr where its identity is not known.
const CodeObject* find_program(const CostGraph& graph) {
  if (!graph.code) return nullptr;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) {
    if (graph.name(f) != "main" && graph.name(f) != "main.main") continue;  // Go's
    const CodeObject* const object = find_object(*graph.code, graph.object(f));
    if (object && !object->identity.empty()) return object;
  }
  return nullptr;
}

RanFiles compare_files(const CostGraph& base, const CostGraph& head) {
  const CodeObject *const before = find_program(base), *const after = find_program(head);
  if (!before || !after) return {};
  RanFiles files{.program = before->identity == after->identity ? RanFiles::Program::kSame : RanFiles::Program::kOther};
  std::map<std::string_view, const CodeObject*> of_base;
  for (const CodeObject& object : base.code->objects)
    if (&object != before && !object.identity.empty()) of_base.emplace(base_of_path(object.name), &object);
  for (const CodeObject& object : head.code->objects) {
    const auto there = of_base.find(base_of_path(object.name));
    if (&object != after && there != of_base.end() && !object.identity.empty() &&
        there->second->identity != object.identity)
      files.other_libraries.emplace_back(there->first);
  }
  std::sort(files.other_libraries.begin(), files.other_libraries.end());
  return files;
}

/// A profile of costs alone (Cachegrind's): functions, and not one call.
bool has_no_calls(const CostGraph& graph) {
  // A statement's few functions may be reached without a recorded call.
  return graph.functions.size() >= kFewestFunctions && graph.edges.empty();
}

/// Why the calls can't be trusted; nothing when they are.
std::optional<note::CallsNotTrusted> distrust(const CostGraph& base, const CostGraph& head, CallTrust trust) {
  using Why = note::CallsNotTrusted::Why;
  if (trust == CallTrust::kTrusted) return std::nullopt;
  if (trust == CallTrust::kUntrusted) return note::CallsNotTrusted{Why::kAsked, 0, {}};
  const std::array sides = {&base, &head};
  for (size_t side = 0; side < 2; ++side)
    if (!sides[side]->call_counts.trusted)
      return note::CallsNotTrusted{Why::kProfile, side, sides[side]->call_counts.reason};
  for (size_t side = 0; side < 2; ++side)
    if (has_no_calls(*sides[side]) && !sides[1 - side]->edges.empty())
      return note::CallsNotTrusted{Why::kNoCalls, side, {}};
  return std::nullopt;
}

std::vector<FunctionChange> changed_functions(const JoinedGraph& joined) {
  std::vector<FunctionChange> changes;
  for (size_t node = 0; node < joined.functions.size(); ++node) {
    const BothSides& self = joined.flow.nodes[node].self;
    const JoinedFunction& function = joined.functions[node];
    if (self[0] == self[1]) continue;
    FunctionChange change{
        std::string(function.name), std::string(function.file), std::string(function.object), {}, self[0], self[1],
        self[1] - self[0]};
    if (!function.base_name.empty() && !function.head_name.empty() && function.base_name != function.head_name)
      change.base_name = function.base_name;
    changes.push_back(std::move(change));
  }
  std::sort(changes.begin(), changes.end(), [](const FunctionChange& a, const FunctionChange& b) {
    const int64_t size_a = std::abs(a.delta), size_b = std::abs(b.delta);
    if (size_a != size_b) return size_a > size_b;
    return std::tie(a.name, a.file, a.object) < std::tie(b.name, b.file, b.object);
  });
  return changes;
}

/// Change of inclusive cost per edge, over edges of either side.
std::vector<EdgeChange> changed_edges(const JoinedGraph& joined) {
  std::vector<EdgeChange> changes;
  for (const FlowEdge& edge : joined.flow.edges) {
    const auto [base, head] = edge.inclusive;
    if (base == head) continue;
    const auto &caller = joined.functions[edge.caller], &callee = joined.functions[edge.callee];
    changes.push_back({std::string(caller.name), std::string(callee.name), base, head, head - base});
  }
  std::sort(changes.begin(), changes.end(), [](const EdgeChange& a, const EdgeChange& b) {
    const int64_t size_a = std::abs(a.delta), size_b = std::abs(b.delta);
    if (size_a != size_b) return size_a > size_b;
    return std::tie(a.caller, a.callee, a.base, a.head) < std::tie(b.caller, b.callee, b.base, b.head);
  });
  return changes;
}

/// Functions that one side calls `name`, in full or without parameters, else without template arguments or what it is
/// in; Error{kUsage} where there is none.
std::vector<uint32_t> nodes_called(const JoinedGraph& joined, const std::string& name) {
  std::vector<uint32_t> nodes;
  const auto add = [&](const auto& is_it) {
    for (uint32_t node = 0; node < joined.functions.size() && !name.empty(); ++node) {
      const JoinedFunction& function = joined.functions[node];
      const std::array names = {function.name, function.base_name, function.head_name};
      if (std::any_of(names.begin(), names.end(), [&](std::string_view one) { return !one.empty() && is_it(one); }))
        nodes.push_back(node);
    }
  };
  add([&](std::string_view one) { return one == name || plain_name(one) == name; });
  if (nodes.empty())
    add([&, plain = plain_name(name)](std::string_view one) {
      return plain_name(one) == plain || last_word(plain_name(one)) == name;
    });
  if (nodes.empty()) throw Error(ErrorKind::kUsage, fmt::format("'{}' is not a function of base or head", name));
  return nodes;
}

/// Those in cycles that are to be broken down.
std::vector<uint32_t> nodes_to_open(const JoinedGraph& joined, const std::vector<std::string>& names) {
  std::vector<uint32_t> nodes;
  for (const std::string& name : names) {
    const std::vector<uint32_t> found = nodes_called(joined, name);
    nodes.insert(nodes.end(), found.begin(), found.end());
    const size_t functions = largest_cluster_of(joined.flow, found);
    if (functions == 1)
      throw Error(ErrorKind::kUsage, fmt::format("'{}' is in no cycle (functions that call each other)", name));
    if (functions > largest_opened_cluster())
      throw Error(ErrorKind::kUsage,
                  fmt::format("the cycle of '{}' has {} functions: cycles of up to {} are broken down; without "
                              "--open-cluster it is explained as one cause",
                              name, with_thousands(functions), with_thousands(largest_opened_cluster())));
  }
  return nodes;
}

std::vector<GroupedCause> find_causes(const JoinedGraph& joined, bool trusted, const ExplainOptions& options,
                                      Explanation& explanation) {
  const std::vector<uint32_t> to_open = nodes_to_open(joined, options.open_clusters);
  std::vector<uint32_t> to_list;
  for (const std::string& name : options.list_functions)
    for (const uint32_t node : nodes_called(joined, name)) to_list.push_back(node);
  const auto keep_places = [&](PlacedChange places) {
    explanation.places = std::make_shared<const PlacedChange>(std::move(places));
  };
  if (trusted) {
    OpenedFlow flow = decompose_with_leading_clusters_open(joined.flow, to_open);
    const std::array<const ProfileCode*, 2> code = {joined.sides[0]->graph->code.get(),
                                                    joined.sides[1]->graph->code.get()};
    if (!code[0] || !code[1]) {
      if (options.with_places) keep_places(share_out_terms(joined, flow));
      return make_causes(joined, std::move(flow), explanation.delta);
    }
    explanation.has_executions = true;
    FunctionOpener opener(joined, code, to_list, options.list_opened);
    std::vector<GroupedCause> causes =
        make_causes(joined, std::move(flow), explanation.delta,
                    [&](const OpenedFlow& opened, const SentenceSource& names, std::vector<GroupedCause>& found) {
                      if (options.with_places) keep_places(share_out_terms(joined, opened));
                      if (options.open_functions) opener.open(opened, names, found);
                      opener.list(opened, names);
                    });
    for (note::NotOpened& note : opener.notes) explanation.notes.emplace_back(std::move(note));
    explanation.listings = std::move(opener.listings);
    return causes;
  }
  explanation.edges = changed_edges(joined);
  if (options.with_places) keep_places(share_out_totals(joined));
  return make_total_cost_causes(joined);
}

void mark_noise(std::vector<Cause>& causes, int64_t noise) {
  for (Cause& cause : causes) {
    cause.within_noise = noise > 0 && cause.delta >= -noise && cause.delta <= noise;
    mark_noise(cause.inside, noise);
  }
}

__int128 sum_of(const std::vector<Cause>& causes) {
  __int128 sum = 0;
  for (const Cause& cause : causes) sum += cause.delta;
  return sum;
}

/// Sums of a thousand products of smaller figures keep their fractions in a long double; of larger ones they don't.
/// Nothing that was counted has them: 2^53 instructions take weeks without Valgrind.
bool has_huge_figures(const JoinedGraph& joined) {
  constexpr int64_t kHuge = int64_t{1} << 53;
  const auto is_huge = [](const BothSides& figure) { return std::max(figure[0], figure[1]) >= kHuge; };
  return std::any_of(joined.flow.nodes.begin(), joined.flow.nodes.end(),
                     [&](const auto& node) { return is_huge(node.self); }) ||
         std::any_of(joined.flow.edges.begin(), joined.flow.edges.end(),
                     [&](const auto& edge) { return is_huge(edge.calls); });
}

void check_causes(const std::vector<Cause>& causes, int64_t delta) {
  ICOUNT_CHECK(sum_of(causes) == delta, "causes add up to the change");
  for (size_t i = 0; i < causes.size(); ++i) {
    const bool gave_way = i == 1 && causes[i].kind == CauseKind::kGroup;
    if (i > 0 && !gave_way)
      ICOUNT_CHECK(std::abs(causes[i - 1].delta) >= std::abs(causes[i].delta), "causes are sorted by magnitude");
    if (!causes[i].inside.empty()) check_causes(causes[i].inside, causes[i].delta);
  }
}

}  // namespace

std::string_view to_text(CauseKind kind) {
  static constexpr auto kNames = std::to_array<std::string_view>(
      {"own-cost", "calls", "entry", "inlined", "iterations", "iteration-cost", "loop-entry", "branch", "reshaped",
       "renamed", "cluster", "group", "process", "place", "sum", "rest"});
  static_assert(kNames.size() == static_cast<size_t>(CauseKind::kRest) + 1);
  return kNames.at(static_cast<size_t>(kind));
}

Remark remark_on(Remark::Kind kind, const Cause& about) {
  Remark remark{.kind = kind};
  remark.causes.push_back(about);
  remark.causes.back().inside.clear();
  return remark;
}

namespace {

/// What nobody changed does not lead where a cause is half as large.
void lead_with_a_cause(std::vector<Cause>& causes) {
  const auto is_cause = [](const Cause& cause) { return cause.kind != CauseKind::kGroup; };
  const auto first = std::find_if(causes.begin(), causes.end(), is_cause);
  if (first == causes.end() || first == causes.begin()) return;
  const auto size = [](const Cause& cause) { return std::abs(static_cast<double>(cause.delta)); };
  if (size(*first) >= kHalf * size(causes.front())) std::rotate(causes.begin(), first, first + 1);
}

}  // namespace

Explanation explain(const CostGraph& base, const CostGraph& head, const ExplainOptions& options) {
  Explanation explanation;
  explanation.event = choose_event(base, head, options.event);
  std::array<std::set<std::string_view>, 2> whole;
  if (!options.raw_names)
    for (const StrippedObject& one : find_stripped_objects(base, head, explanation.event)) {
      for (size_t side = 0; side < 2; ++side) whole[side].insert(one.objects[side]);
      explanation.notes.emplace_back(note::OneSidedSymbols{std::string(base_of_path(one.objects[1])), one.without});
    }
  const FoldedGraph folded_base = fold_graph(base, *base.event_index(explanation.event), options.raw_names, whole[0]);
  const FoldedGraph folded_head = fold_graph(head, *head.event_index(explanation.event), options.raw_names, whole[1]);
  explanation.base_total = folded_base.total;
  explanation.head_total = folded_head.total;
  explanation.delta = checked_sub(folded_head.total, folded_base.total, "the change");
  JoinedGraph joined =
      join_graphs(folded_base, folded_head, match_functions(folded_base, folded_head, options.raw_names));
  joined.raw_names = options.raw_names;
  joined.same_lines = options.same_lines;
  if (has_huge_figures(joined))
    throw Error(ErrorKind::kCannotJudge,
                "a profile has counts of 2^53 and more, whose causes cannot be computed exactly; is it damaged?");
  const auto untrusted = distrust(base, head, options.calls);
  if (untrusted) explanation.notes.emplace_back(*untrusted);

  MatchNotes said = match_notes(joined);
  explanation.renames_are_summed = said.renames_are_summed;
  for (ExplanationNote& note : said.notes) explanation.notes.push_back(std::move(note));
  std::vector<GroupedCause> causes = find_causes(joined, !untrusted, options, explanation);
  if (!options.fold_groups)
    for (GroupedCause& cause : causes) cause.group = {};
  explanation.causes = fold_noise(std::move(causes), explanation.delta);
  sort_causes(explanation.causes);
  lead_with_a_cause(explanation.causes);
  mark_noise(explanation.causes, options.noise);
  explanation.functions = changed_functions(joined);
  explanation.files = compare_files(base, head);
  for (const JoinedFunction& function : joined.functions) explanation.renamed += function.by == MatchedBy::kEvidence;
  check_invariants(explanation);
  return explanation;
}

void check_invariants(const Explanation& explanation) {
  ICOUNT_CHECK(explanation.head_total - explanation.base_total == explanation.delta, "the change is head minus base");
  check_causes(explanation.causes, explanation.delta);
}

}  // namespace icount
