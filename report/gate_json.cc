#include "icount/report/gate_report.h"

#include "icount/report/explanation_json.h"
#include "icount/report/kernels_document.h"
#include "icount/report/mine_document.h"

namespace icount {
namespace {

Json finding_to_json(const Finding& finding) {
  Json json = {{"kind", to_text(finding.kind)}, {"severity", to_text(finding.severity)}};
  if (!finding.benchmark.empty()) json["benchmark"] = finding.benchmark;
  if (finding.measure) {
    json["event"] = finding.measure->event;
    if (!finding.measure->function.empty()) json["function"] = finding.measure->function;
    if (finding.measure->inclusive) json["inclusive"] = true;
  }
  if (finding.base) json["base"] = *finding.base;
  if (finding.head) json["head"] = *finding.head;
  if (!finding.limit.empty()) json["limit"] = finding.limit;
  if (!finding.limit_place.empty()) json["limit_place"] = finding.limit_place;
  json["text"] = finding.text;
  return json;
}

std::string_view sarif_level(const Finding& finding) {
  if (finding.severity == Severity::kNote) return "note";
  return finding.severity == Severity::kCannotJudge ? "warning" : "error";
}

Json sarif_location(const Finding& finding, const GateReport& report) {
  const auto [file, line] = place_of(report, finding);
  return {{"physicalLocation", {{"artifactLocation", {{"uri", file}}}, {"region", {{"startLine", line}}}}}};
}

}  // namespace

Json gate_to_json(const GateReport& report) {
  Json json;
  json["schema"] = {{"name", "icount-gate"}, {"version", 1}};
  json["verdict"] = report.verdict.worst == Severity::kNote ? "passed" : std::string(to_text(report.verdict.worst));
  json["subject"] = report.subject;
  json["against"] = report.judged_against;
  json["compared"] = report.verdict.judged;
  json["changed"] = report.verdict.changed;
  json["findings"] = Json::array();
  for (const Finding& finding : report.verdict.findings) json["findings"].push_back(finding_to_json(finding));
  if (!report.comparison.accepted.empty()) json["accepted"] = Json::array();
  for (const NewlyAccepted& one : report.comparison.accepted)
    json["accepted"].push_back({{"benchmark", one.benchmark},
                                {"event", one.measure.event},
                                {"before", one.before},
                                {"now", one.now},
                                {"why", one.why}});
  json["benchmarks"] = Json::array();
  for (const GateBenchmark& benchmark : report.comparison.benchmarks) {
    Json entry = {{"label", benchmark.key}, {"number_per_run", benchmark.number_per_run}, {"values", Json::array()}};
    for (const GateValue& value : benchmark.values) {
      Json number = {{"event", value.measure.event}};
      if (!value.measure.function.empty()) number["function"] = value.measure.function;
      number["base"] = value.base ? Json(*value.base) : Json(nullptr);
      number["head"] = value.head ? Json(*value.head) : Json(nullptr);
      if (value.reference) number["reference"] = *value.reference;
      if (value.spread > 0) number["spread"] = value.spread;
      if (value.ratio) number["ratio"] = {value.ratio->low, value.ratio->high};
      entry["values"].push_back(std::move(number));
    }
    json["benchmarks"].push_back(std::move(entry));
  }
  json["explanations"] = Json::array();
  for (const GateExplanation& explained : report.explanations) {
    Json entry = {{"label", explained.key}};
    Json causes = explanation_to_json(explained.explanation, explained.heading);
    causes.erase("schema");
    entry.update(causes);
    json["explanations"].push_back(std::move(entry));
  }
  if (!report.kernels.empty()) json["kernels"] = Json::array();
  for (const KernelComparison& one : report.kernels) json["kernels"].push_back(kernels_to_json(one));
  json["shared_causes"] = report.shared_causes;
  json["notes"] = report.notes;
  if (!report.taken_over.empty()) json["taken_over"] = report.taken_over;
  return json;
}

Json gate_to_sarif(const GateReport& report, std::string_view version) {
  Json results = Json::array(), rules = Json::array();
  for (const FindingKind kind : kFindingKinds) rules.push_back({{"id", to_text(kind)}});
  for (const Finding& finding : report.verdict.findings) {
    Json result = {{"ruleId", to_text(finding.kind)},
                   {"level", sarif_level(finding)},
                   {"message", {{"text", finding_line(finding)}}}};
    if (const GateExplanation* explained = explanation_of(report, finding); explained && explained->heading.mine)
      for (const MineUnit* unit : leading_units(*explained->heading.mine)) {
        const MineHunk& hunk = explained->heading.mine->hunks[unit->hunks.front()];
        result["relatedLocations"].push_back(
            {{"physicalLocation", {{"artifactLocation", {{"uri", hunk.path}}}, {"region", {{"startLine", hunk.line}}}}},
             {"message", {{"text", unit_annotation(*explained->heading.mine, *unit, explained->explanation.event)}}}});
      }
    if (!report.suite_file.empty()) result["locations"] = Json::array({sarif_location(finding, report)});
    results.push_back(std::move(result));
  }
  Json json;
  json["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  json["version"] = "2.1.0";
  json["runs"] = Json::array(
      {{{"tool", {{"driver", {{"name", "icount"}, {"version", version}, {"rules", rules}}}}}, {"results", results}}});
  return json;
}

}  // namespace icount
