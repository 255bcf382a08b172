#include "icount/report/report_json.h"
#include "icount/report/shared_cause_text.h"

#include <algorithm>
#include <cstdlib>

#include "icount/base/checked.h"
#include "icount/base/text.h"
#include "icount/report/benchmark_json.h"
#include "icount/report/plot_json.h"

namespace icount {
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
