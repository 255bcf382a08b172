#include "icount/report/report_json.h"
#include "icount/report/shared_cause_text.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "icount/base/checked.h"
#include "icount/base/json.h"
#include "icount/base/text.h"
#include "icount/report/benchmark_json.h"
#include "icount/stats/compare.h"
#include "icount/stats/flag_paths.h"
#include "icount/stats/fuzz_result.h"

namespace icount {
namespace {

// Plots of an HTML report as JSON: a Fuzzer run (cost over input size, statement against statement) and tables of wall
// times beside instructions. Part of report/report_json.h.

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

}  // namespace

namespace {

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
  json["timings"] = timings_;
  return json;
}

}  // namespace icount
