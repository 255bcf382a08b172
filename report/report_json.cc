#include "icount/report/report_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/report/annotated_source.h"
#include "icount/report/cause_rows.h"
#include "icount/report/cause_sentence.h"
#include "icount/report/growth_document.h"
#include "icount/report/mine_json.h"
#include "icount/report/processes_text.h"
#include "icount/report/shared_cause_text.h"
#include "icount/stacks/stack_tree_diff.h"
#include "icount/stats/compare.h"
#include "icount/stats/flag_paths.h"
#include "icount/stats/fuzz_result.h"

namespace icount {
namespace {

// One benchmark of an HTML report as JSON: totals, causes, and the tables of functions and calls as columns of numbers,
// cut to the limits with what was left out summed up.

/// {"approximate", "id": [function number], "up": [how many places above the parent stands; place + 1 for outermost
/// frames], "self": {"base": [], "delta": []}, "kind": {"place": text of a frame that is no function}}, in the tree's
/// own order.
Json stacks_to_json(const StackTreeDiff& stacks, ReportStrings& strings);

Json stacks_to_json(const StackTreeDiff& stacks, ReportStrings& strings) {
  Json id = Json::array(), up = Json::array(), base = Json::array(), delta = Json::array(), kind = Json::object();
  for (size_t i = 0; i < stacks.frames.size(); ++i) {
    const StackDiffFrame& frame = stacks.frames[i];
    id.push_back(strings.add_function(stacks.name(i), stacks.file(i), stacks.object(i)));
    up.push_back(frame.parent == kNoFrame ? i + 1 : i - frame.parent);
    base.push_back(frame.base_self);
    delta.push_back(frame.head_self - frame.base_self);
    if (frame.kind != FrameKind::kFunction) kind[std::to_string(i)] = kind_text(frame.kind);
  }
  return {{"approximate", stacks.approximate},
          {"id", std::move(id)},
          {"up", std::move(up)},
          {"self", {{"base", std::move(base)}, {"delta", std::move(delta)}}},
          {"kind", std::move(kind)}};
}

/// Members of a group or cluster that are kept; the rest is summed up.
constexpr size_t kInsideKept = 12;
constexpr size_t kLongestText = 8'000;
// Rows of causes that the page shows before it is asked for more.
constexpr size_t kRowsShownFirst = 12;

std::string readable(std::string_view text) {
  std::string result;
  bool name = false;
  for (std::string_view piece : split(text, '`')) {
    if (!result.empty() || name) result += '`';
    result += piece.size() > ReportStrings::kLongestName ? shorten_middle(piece, ReportStrings::kLongestName)
                                                         : std::string(piece);
    name = true;
  }
  return result.size() > kLongestText ? shorten_middle(result, kLongestText) : result;
}

Json causes_to_json(const std::vector<Cause>& causes, size_t limit, int64_t delta);

Json cause_to_json(const Cause& cause) {
  Json json = {{"kind", to_text(cause.kind)}, {"delta", cause.delta}, {"text", readable(cause_sentence(cause))}};
  if (cause.within_noise) json["noise"] = true;
  if (!cause.inside.empty()) json["inside"] = causes_to_json(cause.inside, kInsideKept, cause.delta);
  return json;
}

/// {"list": [...], "more": n, "more_delta": what the n left out add up to}.
Json causes_to_json(const std::vector<Cause>& causes, size_t limit, int64_t delta) {
  Json list = Json::array();
  for (const Cause& cause : causes) {
    if (list.size() == limit) break;
    list.push_back(cause_to_json(cause));
    delta = checked_sub(delta, cause.delta, "sum of causes");
  }
  const size_t more = causes.size() - list.size();
  return {{"list", std::move(list)}, {"more", more}, {"more_delta", delta}};
}

/// The list of rows with what stands for its end at first: {"list": [...], "more": n, "more_delta": d, "rest":
/// {"first": rows shown at first, "groups": [...] in place of the others, "more", "more_delta"}}.
Json rows_to_json(const Explanation& explanation, size_t limit) {
  const CauseRows rows = choose_cause_rows(explanation, {.rows = std::min(limit, kRowsShownFirst)});
  Json json = causes_to_json(rows.rows, limit, explanation.delta);
  size_t more = 0;
  for (size_t i = json["list"].size(); i < rows.rows.size(); ++i) more += causes_in(rows.rows[i]);
  json["more"] = more;
  Json groups = Json::array();
  for (const Cause& group : rows.rest.groups) groups.push_back(cause_to_json(group));
  json["rest"] = {{"first", rows.shown},
                  {"groups", std::move(groups)},
                  {"more", rows.rest.smaller},
                  {"more_delta", rows.rest.smaller_delta}};
  return json;
}

/// Rows to keep: the first ones (the biggest changes) and, in half of the space, the costliest of the others.
template <class Row, class Cost>
std::vector<uint32_t> choose_rows(const std::vector<Row>& rows, size_t limit, Cost cost) {
  std::vector<uint32_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  if (rows.size() <= limit) return order;
  const size_t first = limit - limit / 2;
  std::stable_sort(order.begin() + static_cast<ptrdiff_t>(first), order.end(),
                   [&](uint32_t a, uint32_t b) { return cost(rows[a]) > cost(rows[b]); });
  order.resize(limit);
  std::sort(order.begin() + static_cast<ptrdiff_t>(first), order.end());
  return order;
}

int64_t larger(const BothSides& pair) { return std::max(pair[0], pair[1]); }

/// Base and change, column by column: what did not change becomes a run of zeros.
struct PairColumn {
  Json base = Json::array(), delta = Json::array();
  void add(const BothSides& pair) {
    base.push_back(pair[0]);
    delta.push_back(pair[1] - pair[0]);
  }
  Json json() && { return {{"base", std::move(base)}, {"delta", std::move(delta)}}; }
};

/// Functions kept and, for the edges, the place of each among them.
struct FunctionTable {
  Json json;
  std::vector<uint32_t> place;  // of each function of the tables; kNowhere when left out
};
constexpr uint32_t kNowhere = 0xffffffff;

FunctionTable functions_to_json(const ComparedTables& tables, size_t limit, ReportStrings& strings) {
  FunctionTable result;
  result.place.assign(tables.functions.size(), kNowhere);
  Json ids = Json::array(), was = Json::object(), only = Json::object();
  PairColumn self, inclusive, calls;
  BothSides left = tables.totals;
  const std::vector<uint32_t> rows = choose_rows(
      tables.functions, limit, [](const ComparedFunction& f) { return std::max(larger(f.self), larger(f.inclusive)); });
  for (uint32_t row : rows) {
    const ComparedFunction& function = tables.functions[row];
    const auto at = static_cast<uint32_t>(ids.size());
    result.place[row] = at;
    ids.push_back(strings.add_function(function.name, function.file, function.object));
    if (!function.base_name.empty()) was[std::to_string(at)] = strings.add(function.base_name);
    if (function.in_base != function.in_head) only[std::to_string(at)] = function.in_head ? "head" : "base";
    self.add(function.self);
    inclusive.add(function.inclusive);
    calls.add(function.calls);
    for (size_t side = 0; side < 2; ++side) left[side] -= function.self[side];
  }
  result.json = {{"id", std::move(ids)},
                 {"was", std::move(was)},
                 {"only", std::move(only)},
                 {"self", std::move(self).json()},
                 {"inclusive", std::move(inclusive).json()},
                 {"calls", std::move(calls).json()},
                 {"more", tables.functions.size() - rows.size()},
                 {"more_self", {{"base", left[0]}, {"delta", left[1] - left[0]}}}};
  return result;
}

Json edges_to_json(const ComparedTables& tables, const std::vector<uint32_t>& place, size_t limit) {
  std::vector<ComparedEdge> known;
  for (const ComparedEdge& edge : tables.edges)
    if (place[edge.caller] != kNowhere && place[edge.callee] != kNowhere) known.push_back(edge);
  Json callers = Json::array(), callees = Json::array();
  PairColumn calls, inclusive;
  const std::vector<uint32_t> rows =
      choose_rows(known, limit, [](const ComparedEdge& e) { return larger(e.inclusive); });
  for (uint32_t row : rows) {
    callers.push_back(place[known[row].caller]);
    callees.push_back(place[known[row].callee]);
    calls.add(known[row].calls);
    inclusive.add(known[row].inclusive);
  }
  return {{"caller", std::move(callers)},
          {"callee", std::move(callees)},
          {"calls", std::move(calls).json()},
          {"inclusive", std::move(inclusive).json()},
          {"more", tables.edges.size() - rows.size()}};
}

Json lines_to_json(const std::vector<ComparedLine>& lines, size_t limit, ReportStrings& strings) {
  Json files = Json::array(), functions = Json::array(), numbers = Json::array();
  PairColumn self;
  const std::vector<uint32_t> rows =
      choose_rows(lines, limit, [](const ComparedLine& line) { return larger(line.self); });
  for (uint32_t row : rows) {
    files.push_back(strings.add(lines[row].file));
    functions.push_back(strings.add(lines[row].function));
    numbers.push_back(lines[row].line);
    self.add(lines[row].self);
  }
  return {{"file", std::move(files)},
          {"function", std::move(functions)},
          {"line", std::move(numbers)},
          {"self", std::move(self).json()},
          {"more", lines.size() - rows.size()}};
}

/// Facts of each side that belong to the benchmark itself.
Json own_facts(const Result* base, const Result* head) {
  Json json = Json::array();
  const auto add = [&](const Result* result, const char* side) {
    if (!result) return;
    for (const Fact& fact : result->fingerprint.facts)
      json.push_back({{"side", side},
                      {"name", fact.name},
                      {"value", fact.value},
                      {"class", fact.fact_class == FactClass::kRefuse ? "refuse" : "name"}});
  };
  add(base, "base");
  add(head, "head");
  return json;
}

Json task_to_json(const Result& result) {
  Json json = {{"language", result.task.language},
               {"threads", result.task.num_threads},
               {"runs", result.number_per_run},
               {"repeats", result.counts.size()},
               {"spread", count_spread(result)}};
  const auto text = [&](const char* name, const std::string& value) {
    if (!value.empty()) json[name] = value.size() > kLongestText ? shorten_middle(value, kLongestText) : value;
  };
  text("stmt", result.task.stmt);
  text("setup", result.task.setup);
  if (!result.task.program.empty()) json["program"] = result.task.program;
  if (result.fixed) json["fixed"] = *result.fixed;
  if (result.slope) json["slope"] = *result.slope;
  text("details", result.details);
  return json;
}

Json notes_of(const ReportBenchmark& benchmark) {
  Json notes = Json::array();
  const auto add = [&](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) notes.push_back(readable(text));
  };
  if (benchmark.heading) add(benchmark.heading->notes);
  if (benchmark.heading && !benchmark.heading->allocations.empty()) add({benchmark.heading->allocations});
  if (benchmark.explanation) add(note_sentences(*benchmark.explanation));
  if (benchmark.explanation)
    if (const std::string renames = renames_note(*benchmark.explanation); !renames.empty())
      notes.push_back(readable(renames));
  if (benchmark.head && !benchmark.head->taken_over.empty())
    add({fmt::format("taken over from {}, not measured", benchmark.head->taken_over)});
  if (benchmark.head) add(benchmark.head->notes);
  if (benchmark.head) add(process_lines(*benchmark.head));
  return notes;
}

/// Names go into `strings`; tables refer to them by number. Sums of what is shown and what is said to be left out are
/// exact.
Json benchmark_to_json(const ReportBenchmark& benchmark, const ReportLimits& limits, ReportStrings& strings) {
  const Result* shown = benchmark.head ? benchmark.head : benchmark.base;
  Json json = {{"key", readable(benchmark.key)}, {"verdict", to_text(benchmark.verdict)}};
  if (shown)
    for (const std::string& part : shown->label) json["label"].push_back(readable(part));
  if (!benchmark.reason.empty()) json["reason"] = readable(benchmark.reason);
  json["notes"] = notes_of(benchmark);
  if (shown) json["task"] = task_to_json(*shown);
  json["event"] = benchmark.event;
  if (benchmark.base_total) json["base"] = *benchmark.base_total;
  if (benchmark.head_total) json["head"] = *benchmark.head_total;
  if (benchmark.explanation) {
    const Explanation& explanation = *benchmark.explanation;
    json["causes"] = rows_to_json(explanation, limits.causes);
    if (Json inside = listings_to_page_json(explanation.listings, limits); !inside.empty())
      json["inside"] = std::move(inside);
  }
  if (benchmark.heading && benchmark.heading->mine) json["mine"] = mine_to_page_json(*benchmark.heading->mine);
  if (benchmark.heading && benchmark.heading->events.size() > 1)
    for (const EventTotals& totals : benchmark.heading->events)
      json["events"].push_back({{"event", totals.event}, {"base", totals.base}, {"head", totals.head}});
  if (benchmark.tables) {
    FunctionTable functions = functions_to_json(*benchmark.tables, limits.functions, strings);
    json["functions"] = std::move(functions.json);
    json["edges"] = edges_to_json(*benchmark.tables, functions.place, limits.edges);
  }
  if (benchmark.stacks) json["flame"] = stacks_to_json(*benchmark.stacks, strings);
  if (!benchmark.lines.empty()) json["lines"] = lines_to_json(benchmark.lines, limits.lines, strings);
  if (Json facts = own_facts(benchmark.base, benchmark.head); !facts.empty()) json["facts"] = std::move(facts);
  if (!benchmark.history.empty())
    for (const std::optional<double>& value : benchmark.history)
      json["history"].push_back(value ? Json(*value) : Json());
  return json;
}

// Plots of an HTML report as JSON: a Fuzzer run (cost over input size, statement against statement) and tables of wall
// times beside instructions.

/// Points as columns {elements, cost, against, shape}; failed ones are counted. Fits {factor, exponent} where there are
/// any.
Json fuzz_plot_json(std::string_view name, const FuzzResult& result);

/// {label, columns, rows: [{name, threads, env, cells: [{median, p25, p75, times, number_per_run, instructions}]}]};
/// seconds per run, at most kMostTimes of them, evenly taken from the ordered times.
Json timing_plot_json(const CompareTable& table);
inline constexpr size_t kMostTimes = 60;

Json fit_to_json(const std::optional<PowerFit>& fit) {
  if (!fit) return nullptr;
  return {{"factor", fit->factor}, {"exponent", fit->exponent}};
}

Json cost_to_json(const std::optional<FuzzCost>& cost) { return cost && cost->per_run ? Json(*cost->per_run) : Json(); }

Json cell_to_json(const CompareTable& table, size_t row, size_t column) {
  const Measurement* cell = table.cell(row, column);
  if (!cell) return nullptr;
  std::vector<double> times = cell->times();
  std::sort(times.begin(), times.end());
  Json shown = Json::array();
  const size_t count = std::min(times.size(), kMostTimes);
  for (size_t i = 0; i < count; ++i) shown.push_back(times[count == 1 ? 0 : i * (times.size() - 1) / (count - 1)]);
  Json json = {
      {"median", cell->median()},       {"p25", cell->p25()},       {"p75", cell->p75()}, {"blocks", times.size()},
      {"runs", cell->number_per_run()}, {"times", std::move(shown)}};
  if (const auto& instructions = table.instructions[*table.rows[row].cells[column]])
    json["instructions"] = *instructions;
  return json;
}

Json fuzz_plot_json(std::string_view name, const FuzzResult& result) {
  Json elements = Json::array(), cost = Json::array(), against = Json::array(), shape = Json::array(),
       sample = Json::array();
  for (const FuzzPoint& point : result.points) {
    sample.push_back(point.sample);
    elements.push_back(point.elements);
    cost.push_back(cost_to_json(point.cost));
    against.push_back(cost_to_json(point.against));
    shape.push_back(point.shape);
  }
  return {{"name", name},
          {"stmt", result.stmt},
          {"against", result.against},
          {"source", result.source},
          {"unit", to_text(result.unit)},
          {"failed", failed_points(result)},
          {"fit", fit_to_json(fit_cost(result))},
          {"fit_against", result.against.empty() ? Json() : fit_to_json(fit_cost(result, true))},
          {"points",
           {{"sample", std::move(sample)},
            {"elements", std::move(elements)},
            {"cost", std::move(cost)},
            {"against", std::move(against)},
            {"shape", std::move(shape)}}}};
}

Json timing_plot_json(const CompareTable& table) {
  Json rows = Json::array();
  for (size_t row = 0; row < table.rows.size(); ++row) {
    Json cells = Json::array();
    for (size_t column = 0; column < table.columns.size(); ++column) cells.push_back(cell_to_json(table, row, column));
    const CompareRow& from = table.rows[row];
    rows.push_back({{"name", from.name},
                    {"threads", from.num_threads},
                    {"env", from.env ? Json(*from.env) : Json()},
                    {"cells", std::move(cells)}});
  }
  return {{"label", table.label ? *table.label : std::string()},
          {"columns", table.columns},
          {"rows", std::move(rows)},
          {"notes", table.notes}};
}

/// Every fact of either side: head's order, then what only base has.
Json compare_fingerprints(const Fingerprint& base, const Fingerprint& head) {
  Json rows = Json::array();
  const auto row = [](const Fact& fact, const std::string* in_base, const std::string* in_head) {
    Json json = {{"name", fact.name}, {"class", fact.fact_class == FactClass::kRefuse ? "refuse" : "name"}};
    json["base"] = in_base ? Json(*in_base) : Json();
    json["head"] = in_head ? Json(*in_head) : Json();
    return json;
  };
  for (const Fact& fact : head.facts) rows.push_back(row(fact, base.find(fact.name), &fact.value));
  for (const Fact& fact : base.facts)
    if (!head.find(fact.name)) rows.push_back(row(fact, &fact.value, nullptr));
  return rows;
}

}  // namespace

std::string_view to_text(ReportVerdict verdict) {
  switch (verdict) {
    case ReportVerdict::kMore:
      return "more";
    case ReportVerdict::kLess:
      return "less";
    case ReportVerdict::kNoise:
      return "noise";
    case ReportVerdict::kSame:
      return "same";
    case ReportVerdict::kMeasured:
      return "measured";
    case ReportVerdict::kNew:
      return "new";
    case ReportVerdict::kVanished:
      return "vanished";
    case ReportVerdict::kFailed:
      return "failed";
    case ReportVerdict::kNotAlike:
      return "not-alike";
  }
  return {};
}

ReportVerdict judge_change(int64_t delta, int64_t noise) {
  if (delta == 0) return ReportVerdict::kSame;
  if (delta >= -noise && delta <= noise) return ReportVerdict::kNoise;
  return delta > 0 ? ReportVerdict::kMore : ReportVerdict::kLess;
}

void ReportJson::add_benchmark(const ReportBenchmark& benchmark) {
  benchmarks_.push_back(benchmark_to_json(benchmark, limits_, strings_));
}

void ReportJson::add_shared_causes(const SharedCauses& shared) {
  constexpr size_t kMost = 3;  // as `icount diff` shows
  constexpr double kLeastShare = 0.01;
  for (const SharedCause& cause : shared.causes) {
    if (shared_.size() == kMost || std::abs(cause.share) < kLeastShare) break;
    shared_.push_back({{"subject", shared_cause_subject(cause)},
                       {"effect", shared_cause_effect(cause, shared)},
                       {"delta", cause.delta},
                       {"share", cause.share},
                       {"benchmarks", cause.benchmarks.size()},
                       {"explains", cause.explains},
                       {"opposes", cause.opposes}});
  }
}

void ReportJson::add_fuzz(std::string_view name, const FuzzResult& result) {
  fuzz_.push_back(fuzz_plot_json(name, result));
}

void ReportJson::add_growth(const Growth& growth) { growths_.push_back(growth_to_json(growth)); }

void ReportJson::add_timings(const std::vector<CompareTable>& tables) {
  for (const CompareTable& table : tables) timings_.push_back(timing_plot_json(table));
}

Json ReportJson::json() const {
  Json json;
  json["schema"] = {{"name", "icount-report"}, {"version", 1}};
  json["icount"] = head_.version;
  json["title"] = head_.title;
  json["command"] = head_.command;
  json["base"] = {{"name", head_.base.name}, {"command", head_.base.command}};
  json["head"] = {{"name", head_.head.name}, {"command", head_.head.command}};
  json["built"] = head_.base.name.empty() ? head_.head.built : describe_builds(head_.base.built, head_.head.built);
  json["notes"] = head_.notes;
  json["fingerprint"] = compare_fingerprints(head_.base.fingerprint, head_.head.fingerprint);
  json["history"] = head_.history;
  json["shared"] = shared_;
  if (!head_.gate.is_null()) json["gate"] = head_.gate;
  json["strings"] = strings_.strings_json();
  json["functions"] = strings_.functions_json();
  json["benchmarks"] = benchmarks_;
  json["fuzz"] = fuzz_;
  json["growths"] = growths_;
  json["timings"] = timings_;
  return json;
}

namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& found) {
  throw Error(ErrorKind::kMalformed,
              name + ": not what `icount gate --json FILE` writes (schema icount-gate 1): " + found);
}

/// A text of an object; empty where there is none.
std::string text_of(const Json& object, const char* key, const std::string& name) {
  const auto at = object.find(key);
  if (at == object.end()) return {};
  if (!at->is_string()) refuse(name, std::string(key) + " is not text");
  return at->get<std::string>();
}

Json finding_of(const Json& finding, const std::string& name) {
  if (!finding.is_object()) refuse(name, "a finding is not an object");
  Json kept = Json::object();
  for (const char* key : {"kind", "severity", "benchmark", "text"})
    if (const std::string text = text_of(finding, key, name); !text.empty()) kept[key] = text;
  if (!kept.contains("text")) refuse(name, "a finding has no text");
  return kept;
}

Json accepted_of(const Json& accepted, const std::string& name) {
  if (!accepted.is_array()) refuse(name, "its accepted values are no list");
  Json kept = Json::array();
  for (const Json& one : accepted) {
    if (!one.is_object()) refuse(name, "an accepted value is not an object");
    Json value = {{"benchmark", text_of(one, "benchmark", name)},
                  {"event", text_of(one, "event", name)},
                  {"why", text_of(one, "why", name)}};
    for (const char* key : {"before", "now"}) {
      if (!one.contains(key) || !one[key].is_number_integer()) refuse(name, std::string(key) + " is not a count");
      value[key] = one[key];
    }
    kept.push_back(std::move(value));
  }
  return kept;
}

}  // namespace

Json parse_report_gate(std::string_view text, const std::string& name) {
  const Json json = parse_json(text, name);
  if (!json.is_object() || !json.contains("schema") || !json["schema"].is_object() ||
      text_of(json["schema"], "name", name) != "icount-gate" || json["schema"].value("version", Json()) != Json(1))
    refuse(name, "its schema is another");
  Json gate = Json::object();
  for (const char* key : {"verdict", "against"}) gate[key] = text_of(json, key, name);
  for (const char* key : {"compared", "changed"}) {
    if (!json.contains(key) || !json[key].is_number_unsigned()) refuse(name, std::string(key) + " is not a count");
    gate[key] = json[key];
  }
  if (!json.contains("findings") || !json["findings"].is_array()) refuse(name, "it has no findings");
  gate["findings"] = Json::array();
  for (const Json& finding : json["findings"]) gate["findings"].push_back(finding_of(finding, name));
  if (json.contains("accepted")) gate["accepted"] = accepted_of(json["accepted"], name);
  return gate;
}

}  // namespace icount
