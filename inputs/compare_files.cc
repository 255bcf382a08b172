#include "icount/inputs/compare_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/callgraph/allocations.h"
#include "icount/callgraph/derived_events.h"
#include "icount/callgraph/graph_sum.h"
#include "icount/callgraph/python_calls.h"
#include "icount/explain/compared_tables.h"
#include "icount/explain/shared_causes.h"
#include "icount/mine/cause_parts.h"
#include "icount/mine/line_map.h"
#include "icount/report/allocation_text.h"
#include "icount/report/processes_text.h"
#include "icount/report/results_text.h"
#include "icount/stats/flag_paths.h"
#include "icount/stats/iteration_slopes.h"
#include "icount/store/measurement_file.h"
#include "icount/store/result_file.h"

namespace icount {
namespace {

void refuse_failed(const ComparedSide& side) {
  if (side.result->ok()) return;
  throw Error(ErrorKind::kCannotJudge,
              fmt::format("{}: nothing to compare: '{}' failed ({}): {}", side.name, result_label(*side.result),
                          side.result->status, side.result->error));
}

MeasuredUnder measured_under(const ComparedSide& side) {
  return {*side.result, full_fingerprint(*side.file, *side.result)};
}

/// Differences in how the two were measured: notes, or a refusal.
std::vector<std::string> judge_circumstances(const ComparedSide& base, const ComparedSide& head, bool force) {
  const Comparability alike = comparable_runs(measured_under(base), measured_under(head));
  const std::vector<std::string>& refusals = alike.refusals;
  if (!refusals.empty() && !force)
    throw Error(
        ErrorKind::kCannotJudge,
        fmt::format("{} and {} were measured under different conditions: {}; pass --force to compare them anyway",
                    base.name, head.name, fmt::join(refusals, "; ")));
  std::vector<std::string> notes;
  for (const std::string& refusal : refusals)
    notes.push_back("MEASURED UNDER DIFFERENT CONDITIONS, compared because of --force: " + refusal);
  notes.insert(notes.end(), alike.differences.begin(), alike.differences.end());
  if (!alike.neighbours.empty()) notes.push_back(alike.neighbours);
  const bool one_unknown =
      full_fingerprint(*base.file, *base.result).unknown() != full_fingerprint(*head.file, *head.result).unknown();
  if (alike.unknown && one_unknown)
    notes.push_back("one side does not record how it was measured; the two may not be comparable");
  return notes;
}

std::string describe(const MarginalPair& marginal) {
  const double change = marginal.base == 0 ? 0 : 100 * (marginal.head - marginal.base) / marginal.base;
  return fmt::format(
      "the cost per run depends on the number of runs; compare the marginal cost per run (the slope), {} -> {} "
      "({:+.1f} "
      "%): the counts also contain what only the first runs cost",
      quantity_text(marginal.base), quantity_text(marginal.head), change);
}

/// Where a side's count is not the only one that it may have; empty: it is, as far as is known.
std::string describe_chance(const ComparedSide& base, const ComparedSide& head) {
  std::string with, once;
  for (const ComparedSide* side : {&base, &head}) {
    const Fingerprint facts = full_fingerprint(*side->file, *side->result);
    const std::string* chance = facts.find(kChanceFact);
    if (!chance) continue;
    if (with.empty()) with = " with " + *chance;
    if (side->result->counts.size() < 2) once = once.empty() ? (side == &base ? "base" : "head") : "each side";
  }
  const int64_t moved = std::max(count_spread(*base.result), count_spread(*head.result));
  if (moved > 0)
    return fmt::format("runs of one side differ by up to {} instructions{}: that much may be chance",
                       with_thousands(moved), with);
  return once.empty() ? "" : fmt::format("counts may vary from run to run{}; {} was counted once", with, once);
}

std::string only_in(std::string_view side, const CostGraph& graph, const CostGraph& other) {
  std::vector<std::string> events;
  for (const std::string& event : graph.events)
    if (!other.event_index(event)) events.push_back(event);
  return events.empty() ? std::string() : fmt::format("only {} has {}", side, fmt::join(events, ", "));
}

/// What rewriting the names of both sides did, for people.
std::string describe(const NameRules& rules, size_t in_base, size_t in_head) {
  std::vector<std::string> titles;
  for (const NameRule& rule : rules.rules()) titles.push_back(rule.title);
  return fmt::format("function names were rewritten before matching ({}): {} in base, {} in head",
                     fmt::join(titles, ", "), in_base, in_head);
}

/// The graph with its names rewritten where there are rules; adds to `renamed` how many functions that changed.
std::shared_ptr<const CostGraph> with_names_by(const std::optional<NameRules>& rules,
                                               std::shared_ptr<const CostGraph> graph, size_t& renamed) {
  if (!graph || !rules) return graph;
  auto copy = std::make_shared<CostGraph>(*graph);
  renamed += rename_functions(*copy, [&](std::string_view function) { return rules->apply(function); });
  return copy;
}

/// The processes of one side that were counted; the program itself has the same key on both sides, whatever it is
/// called.
struct SideProcesses {
  std::vector<std::shared_ptr<const CostGraph>> owned;
  std::vector<ProcessGraph> graphs;
};

SideProcesses processes_of(const ComparedSide& side, const std::shared_ptr<const CostGraph>& whole,
                           const std::optional<NameRules>& rules) {
  constexpr const char* kProgram = "the program itself";
  size_t renamed = 0;  // said for the whole, which they add up to
  SideProcesses found;
  const std::vector<std::string> keys = process_keys(*side.result);
  for (size_t i = 0; i < keys.size(); ++i) {
    std::shared_ptr<const CostGraph> graph =
        with_names_by(rules, unpack_graph(side.result->processes[i], side.name), renamed);
    if (!graph) continue;
    found.graphs.push_back({i == 0 ? kProgram : keys[i], graph.get()});
    found.owned.push_back(std::move(graph));
  }
  if (keys.empty()) found.graphs.push_back({kProgram, whole.get()});
  return found;
}

/// Process by process where a side has several and both sides' are known.
std::optional<Explanation> explain_by_process(const ComparedSide& base, const ComparedSide& head,
                                              const std::shared_ptr<const CostGraph>& base_graph,
                                              const std::shared_ptr<const CostGraph>& head_graph,
                                              const CompareResultsOptions& options) {
  if (base.result->processes.empty() && head.result->processes.empty()) return std::nullopt;
  const SideProcesses a = processes_of(base, base_graph, options.rename),
                      b = processes_of(head, head_graph, options.rename);
  if (a.graphs.empty() || b.graphs.empty() || a.graphs[0].key != b.graphs[0].key) return std::nullopt;
  return explain_processes(a.graphs, b.graphs, options.explain);
}

/// What both have in common; Error{kCannotJudge} when that is nothing.
void compare_graphs(const CostGraph& base, const CostGraph& head, ComparedPair& pair) {
  for (const std::string& event : base.events)
    if (const auto other = head.event_index(event))
      pair.heading.events.push_back({event, base.totals[*base.event_index(event)], head.totals[*other]});
  if (pair.heading.events.empty())
    throw Error(ErrorKind::kCannotJudge,
                fmt::format("no event in common: {} has {}, {} has {}", pair.heading.base_name,
                            fmt::join(base.events, ", "), pair.heading.head_name, fmt::join(head.events, ", ")));
  for (const DerivedEvent& derived : derived_events()) {
    const auto before = derived_total(derived, base), now = derived_total(derived, head);
    if (before && now) pair.heading.events.push_back({std::string(derived.name) + " (model)", *before, *now});
  }
  for (std::string note : {only_in("base", base, head), only_in("head", head, base)})
    if (!note.empty()) pair.heading.notes.push_back(std::move(note));
}

/// Python statements whose calls both sides recorded, in terms of Python functions; those of `list_functions` with
/// their C functions. Nothing where another event is asked for, or a function that is no Python function.
std::optional<Explanation> explain_python(const ComparedSide& base, const ComparedSide& head,
                                          const CompareResultsOptions& options, std::vector<std::string>& notes) {
  const auto base_count = median_count(*base.result), head_count = median_count(*head.result);
  const std::string& event = options.explain.event;
  if (options.c_functions || !base_count || !head_count || (!event.empty() && event != base.result->event))
    return std::nullopt;
  const auto before = unpack_python_calls(*base.result, base.name), now = unpack_python_calls(*head.result, head.name);
  if (!before || !now) {
    if (before || now)
      notes.push_back(
          fmt::format("the causes are C functions: {} has no calls of Python functions", before ? "head" : "base"));
    return std::nullopt;
  }
  for (const std::string& name : options.explain.list_functions)
    if (!has_python_function(*before, name) && !has_python_function(*now, name)) return std::nullopt;
  ExplainOptions explaining = options.explain;
  explaining.list_functions.clear();
  const double cost = std::max(recording_cost(*before, *base_count), recording_cost(*now, *head_count));
  const auto view = [&](const CostGraph& calls, int64_t counted) {
    size_t renamed = 0;  // said for the whole graphs
    return with_names_by(
        options.rename,
        std::make_shared<const CostGraph>(make_python_view(calls, counted, cost, options.explain.list_functions)),
        renamed);
  };
  return explain(*view(*before, *base_count), *view(*now, *head_count), explaining);
}

/// Totals alone: all that can be said without cost graphs.
void compare_totals(const ComparedSide& base, const ComparedSide& head, ComparedPair& pair,
                    const CompareResultsOptions& options) {
  const auto a = median_count(*base.result), b = median_count(*head.result);
  if (!a || !b)
    throw Error(ErrorKind::kCannotJudge, fmt::format("{}: '{}' has no counts to compare", a ? head.name : base.name,
                                                     result_label(*base.result)));
  if (base.result->event != head.result->event)
    throw Error(ErrorKind::kCannotJudge, fmt::format("no event in common: {} has {}, {} has {}", base.name,
                                                     base.result->event, head.name, head.result->event));
  if (!options.explain.event.empty() && options.explain.event != base.result->event)
    throw Error(ErrorKind::kUsage,
                fmt::format("no event '{}'; both sides have {}", options.explain.event, base.result->event));
  Explanation& explanation = pair.explanation;
  explanation.event = base.result->event;
  explanation.base_total = *a;
  explanation.head_total = *b;
  explanation.delta = checked_sub(*b, *a, "change");
  pair.heading.events = {{explanation.event, *a, *b}};
  pair.heading.notes.push_back("the change cannot be explained: not both sides were saved with their cost graph");
  if (explanation.delta != 0)
    explanation.causes = {{.kind = CauseKind::kRest,
                           .delta = explanation.delta,
                           .facts = fact::Said{"unknown: saved without a cost graph"}}};
}

/// Of --event allocations or frees: who allocates more often, and whose calls do.
Explanation explain_allocations(const ComparedSide& base, const CostGraph& base_graph, const ComparedSide& head,
                                const CostGraph& head_graph, ExplainOptions options) {
  const auto allocations_of = [&](const ComparedSide& side, const CostGraph& graph) {
    auto made = make_allocation_graph(graph, options.event);
    if (!made)
      throw Error(ErrorKind::kCannotJudge,
                  fmt::format("{}: its {} are not known: call counts that can't be trusted, or no symbols", side.name,
                              options.event));
    return std::move(*made);
  };
  const CostGraph before = allocations_of(base, base_graph), now = allocations_of(head, head_graph);
  options.noise = 0;
  return explain(before, now, options);
}

/// What one further iteration costs is all that can be compared.
void compare_slopes(const Result& head, const SlopePair& slopes, ComparedPair& pair,
                    const CompareResultsOptions& options) {
  if (!options.explain.event.empty() && options.explain.event != head.event)
    throw Error(ErrorKind::kCannotJudge, fmt::format("no {} to compare: {}; count both with the same --number",
                                                     options.explain.event, slopes.difference()));
  Explanation& explanation = pair.explanation;
  explanation.event = head.event;
  explanation.base_total = slopes.base_count();
  explanation.head_total = slopes.head_count();
  explanation.delta = checked_sub(explanation.head_total, explanation.base_total, "change");
  pair.heading.events = {{explanation.event, explanation.base_total, explanation.head_total}};
  pair.heading.notes.push_back(fmt::format(
      "{}: what one further iteration costs (the slope) is compared, {} -> {}, times {}; to explain the change, "
      "count both with --number {}",
      slopes.difference(), quantity_text(slopes.base), quantity_text(slopes.head), slopes.head_iterations,
      std::min(slopes.base_iterations, slopes.head_iterations)));
  if (explanation.delta != 0)
    explanation.causes = {{.kind = CauseKind::kRest,
                           .delta = explanation.delta,
                           .facts = fact::Said{"unknown: " + slopes.difference() + "; --number makes them equal"}}};
}

/// The source files that a profile names, each once.
std::vector<std::string> files_of(const CostGraph& graph) {
  std::set<std::string> files;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) files.emplace(graph.file(f));
  for (const LineRow& row : graph.lines) files.emplace(graph.strings.view(row.file));
  if (graph.code) files.insert(graph.code->files.begin(), graph.code->files.end());
  return {files.begin(), files.end()};
}

/// Whether so many allocations, each with its free some 100 instructions, are less than a fiftieth of the change: such
/// rows are folded, too.
bool are_few(const AllocationChange& change, const CostGraph& base, const CostGraph& head) {
  constexpr double kOfOne = 100, kPart = 0.02;
  const auto& [before, now] = change.totals;
  const auto differ = [](int64_t a, int64_t b) { return std::abs(static_cast<double>(b) - static_cast<double>(a)); };
  const double more = std::max(differ(before.allocations, now.allocations), differ(before.frees, now.frees));
  return kOfOne * more < kPart * differ(base.totals.front(), head.totals.front());
}

ComparedPair compare_pair(const ComparedSide& base, const ComparedSide& head, const CompareResultsOptions& options) {
  refuse_failed(base);
  refuse_failed(head);
  ComparedPair pair;
  pair.heading.base_name = base.name;
  pair.heading.head_name = head.name;
  pair.heading.built = describe_builds(describe_build(full_fingerprint(*base.file, *base.result)),
                                       describe_build(full_fingerprint(*head.file, *head.result)));
  pair.heading.notes = judge_circumstances(base, head, options.force);
  if (const auto marginal = marginal_pair(*base.result, *head.result))
    pair.heading.notes.push_back(describe(*marginal));
  pair.heading.chance = describe_chance(base, head);
  CompareResultsOptions with_noise = options;
  with_noise.explain.noise = std::max({options.explain.noise, count_spread(*base.result), count_spread(*head.result)});
  size_t in_base = 0, in_head = 0;
  if (const auto slopes = slope_pair(measured_under(base), measured_under(head))) {
    compare_slopes(*head.result, *slopes, pair, options);
    return pair;
  }
  const auto base_graph = with_names_by(options.rename, unpack_graph(*base.result, base.name), in_base);
  const auto head_graph = with_names_by(options.rename, unpack_graph(*head.result, head.name), in_head);
  if (base_graph && head_graph) {
    compare_graphs(*base_graph, *head_graph, pair);
    if (options.commits) with_noise.explain.same_lines = same_lines(files_of(*base_graph), *options.commits);
    if (options.rename) pair.heading.notes.push_back(describe(*options.rename, in_base, in_head));
    for (std::string& line : process_change_lines(*base.result, *head.result))
      pair.heading.notes.push_back(std::move(line));
    if (is_allocation_event(with_noise.explain.event)) {
      pair.explanation = explain_allocations(base, *base_graph, head, *head_graph, with_noise.explain);
      return pair;
    }
    if (const auto change = find_allocation_change(*base_graph, *head_graph)) {
      pair.heading.allocations = allocation_change_text(*change, base.result->number_per_run);
      pair.heading.allocations_are_few = are_few(*change, *base_graph, *head_graph);
    }
    if (auto python = explain_python(base, head, with_noise, pair.heading.notes)) {
      pair.explanation = std::move(*python);
      return pair;
    }
    auto by_process = explain_by_process(base, head, base_graph, head_graph, with_noise);
    pair.explanation = by_process ? std::move(*by_process) : explain(*base_graph, *head_graph, with_noise.explain);
  } else {
    compare_totals(base, head, pair, with_noise);
  }
  return pair;
}

/// Of what the side ran, or as far as is known: a profile does not say from where to where it was recorded.
bool counts_a_part(const ComparedSide& side) {
  const Fingerprint facts = full_fingerprint(*side.file, *side.result);
  return side.result->task.program.empty() || side.result->entries > 0 || facts.unknown() || facts.find("within");
}

/// Whether both sides ran the same statement, or programs with the same arguments.
bool has_same_input(const ResultTask& base, const ResultTask& head) {
  if (base.program.empty() != head.program.empty()) return false;
  if (base.program.empty()) return !base.stmt.empty() && base == head;
  return std::equal(base.program.begin() + 1, base.program.end(), head.program.begin() + 1, head.program.end());
}

}  // namespace

ComparedPair compare_results(const ComparedSide& base, const ComparedSide& head, const CompareResultsOptions& options) {
  if (!options.commits) return compare_pair(base, head, options);
  CompareResultsOptions with_places = options;
  with_places.explain.with_places = true;
  ComparedPair pair = compare_pair(base, head, with_places);
  // Without places there are no graphs, or the sides differ in how they were counted: notes say so.
  if (pair.explanation.places) {
    Mine mine = attribute_change(*pair.explanation.places, *options.commits, pair.explanation.delta,
                                 {.counts_a_part = counts_a_part(base) || counts_a_part(head),
                                  .has_same_input = has_same_input(base.result->task, head.result->task)});
    tell_by_hunks(pair.explanation.causes, mine);
    pair.heading.mine = std::make_shared<const Mine>(std::move(mine));
  }
  pair.explanation.places.reset();
  pair.explanation.files = {};  // of two commits it is no news that the builds differ
  return pair;
}

namespace {

std::optional<WallTimePair> wall_times(const std::string& key, const ComparedSide& base, const ComparedSide& head) {
  if (base.result->measurement.empty() || head.result->measurement.empty()) return std::nullopt;
  auto load = [&](const ComparedSide& side) {
    const std::string place = fmt::format("{}: wall time of {}", side.name, key);
    return parse_measurement(parse_json(side.result->measurement, place), place);
  };
  return WallTimePair{key, load(base), load(head)};
}

BenchmarkDiff compare_one(const std::string& key, const ComparedSide& base, const ComparedSide& head,
                          const CompareResultsOptions& options) {
  BenchmarkDiff diff{.key = key};
  for (const ComparedSide* side : {&base, &head}) {
    if (side->result->ok()) continue;
    diff.state = BenchmarkDiff::State::kFailed;
    diff.reason = fmt::format("{}: {}: {}", side->name, side->result->status, side->result->error);
    return diff;
  }
  diff.time = wall_times(key, base, head);
  try {
    diff.pair = compare_results(base, head, options);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kCannotJudge) throw;
    diff.state = BenchmarkDiff::State::kNotAlike;
    diff.reason = error.what();
  }
  return diff;
}

int64_t magnitude(const BenchmarkDiff& diff) { return diff.pair ? std::abs(diff.pair->explanation.delta) : 0; }

}  // namespace

std::string_view to_text(BenchmarkDiff::State state) {
  switch (state) {
    case BenchmarkDiff::State::kCompared:
      return "compared";
    case BenchmarkDiff::State::kNew:
      return "new";
    case BenchmarkDiff::State::kVanished:
      return "vanished";
    case BenchmarkDiff::State::kFailed:
      return "failed";
    case BenchmarkDiff::State::kNotAlike:
      return "not-alike";
  }
  return {};
}

std::vector<BenchmarkDiff> compare_files(const std::string& base_name, const ResultFile& base,
                                         const std::string& head_name, const ResultFile& head,
                                         const CompareResultsOptions& options) {
  std::map<std::string, const Result*> in_head;
  for (const Result& result : head.results) in_head[result_key(result)] = &result;
  std::vector<BenchmarkDiff> diffs;
  for (const Result& result : base.results) {
    const std::string key = result_key(result);
    const auto found = in_head.find(key);
    if (found == in_head.end()) {
      diffs.push_back({.key = key, .state = BenchmarkDiff::State::kVanished});
      continue;
    }
    diffs.push_back(compare_one(key, {base_name, &base, &result}, {head_name, &head, found->second}, options));
    in_head.erase(found);
  }
  for (const auto& [key, result] : in_head) diffs.push_back({.key = key, .state = BenchmarkDiff::State::kNew});
  std::sort(diffs.begin(), diffs.end(), [](const BenchmarkDiff& a, const BenchmarkDiff& b) {
    if (a.state != b.state) return a.state < b.state;
    return magnitude(a) != magnitude(b) ? magnitude(a) > magnitude(b) : a.key < b.key;
  });
  return diffs;
}

}  // namespace icount
