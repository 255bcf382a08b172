#include "icount/gate/accepter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "icount/gate/accepted_slope.h"
#include "icount/gate/compared_conditions.h"
#include "icount/gate/gate_comparison.h"
#include "icount/gate/growth_comparison.h"
#include "icount/stats/iteration_slopes.h"
#include "icount/store/result_file.h"

namespace icount {
namespace {

std::string name_of(const ExpectedKey& key) { return fmt::format("{}: {}", key.first, to_text(key.second)); }

}  // namespace

void Accepter::accept(const ResultFile& file, const Result& result) {
  const std::string key = result_key(result);
  Measured measured{full_fingerprint(file, result), {}, result.number_per_run, count_spread(result),
                    {result.event, {}, false},      {}};
  if (depends_on_number(result) || is_bench_case(measured.facts)) measured.marginal = marginal_count(result);
  const Fingerprint facts = accepted_facts(measured.facts);
  measured.conditions = conditions_name(facts);
  expected_.conditions[measured.conditions] = facts;
  const auto graph = unpack_graph(result, rules_.result_name);
  std::set<Measure> kept;
  for (MeasuredValue value : values_for_limits(result, graph.get(), limits_)) {
    kept.insert(value.measure);
    if (measured.marginal && value.measure == measured.total) value.value = *measured.marginal;
    take(key, value, measured);
  }
  drop(key, kept);
}

void Accepter::accept_growths(const ResultFile& file, const std::vector<GrowthLimit>& growths,
                              const std::function<bool(const std::string& key)>& is_meant) {
  Comparison counted;
  for (const Result& result : file.results)
    if (result.ok()) counted.benchmarks.push_back({.key = result_key(result)});
  const GateSides sides{.head_name = rules_.result_name, .head = &file, .growths = growths};
  for (const GateGrowth& one : make_gate_growths(sides, counted)) {
    if (!is_meant(one.head.label)) continue;
    ExpectedGrowth growth{one.head.event, {}};
    for (const GrowingFunction& function : one.head.functions) {
      double& power = growth.powers[function.name];
      power = std::max(power, std::round(10 * fastest_power(function)) / 10);
    }
    if (growth.powers.empty())
      expected_.growths.erase(one.head.label);
    else
      expected_.growths[one.head.label] = std::move(growth);
  }
}

void Accepter::drop(const std::string& key, const std::set<Measure>& kept) {
  for (auto line = expected_.values.begin(); line != expected_.values.end();) {
    if (line->first.first != key || kept.contains(line->first.second)) {
      ++line;
      continue;
    }
    changes_.push_back({name_of(line->first), line->second.accepted, {}});
    line = expected_.values.erase(line);
  }
}

void Accepter::take(const std::string& key, const MeasuredValue& value, const Measured& measured) {
  const int64_t spread = value.measure.function.empty() ? measured.spread : 0;
  const bool marginal = measured.marginal && value.measure == measured.total;
  const ExpectedKey place{key, value.measure};
  const auto found = expected_.values.find(place);
  if (found == expected_.values.end()) {
    expected_.values[place] = {value.value, value.value, measured.number_per_run, measured.conditions, rules_.why,
                               spread,      marginal};
    changes_.push_back({name_of(place), {}, value.value});
    return;
  }
  ExpectedValue& line = found->second;
  const Fingerprint conditions = expected_.conditions.at(line.conditions);
  Comparability alike = comparable_to_accepted(conditions, measured.facts);
  if (marginal && line.marginal && is_bench_case(conditions) && line.number_per_run != measured.number_per_run) {
    alike = comparable_to_accepted(without_iterations(conditions), without_iterations(measured.facts));
    line.accepted = scale_iterations(line.accepted, line.number_per_run, measured.number_per_run);
    line.reference = scale_iterations(line.reference, line.number_per_run, measured.number_per_run);
    line.number_per_run = measured.number_per_run;
  }
  const bool comparable = line.number_per_run == measured.number_per_run && line.marginal == marginal &&
                          alike.comparable() && alike.differences.empty();
  // A refresh follows; only a gain lowers what creep is counted from. Under other conditions there is nothing to go
  // on from.
  const int64_t reference = rules_.refresh && comparable ? std::min(line.reference, value.value) : value.value;
  if (line.accepted != value.value || line.reference != reference || !comparable) {
    changes_.push_back({name_of(place), line.accepted, value.value});
    // The reason is of the person who accepted this number: one that stays keeps it.
    if (!rules_.refresh) line.why = rules_.why;
  }
  line.reference = reference;
  line.accepted = value.value;
  line.number_per_run = measured.number_per_run;
  line.conditions = measured.conditions;
  line.spread = spread;
  line.marginal = marginal;
}

bool is_below(std::string_view key, std::string_view label) {
  if (!key.starts_with(label)) return false;
  const std::string_view rest = key.substr(label.size());
  return rest.empty() || rest.starts_with(" / ") || rest.starts_with(" [");
}

std::vector<std::string> labels_of(const std::set<std::string>& keys, const std::set<std::string>& all) {
  if (keys == all) return {};
  const auto means_others = [&](std::string_view label) {
    return std::any_of(all.begin(), all.end(),
                       [&](const std::string& key) { return is_below(key, label) && !keys.contains(key); });
  };
  std::set<std::string> labels;
  for (const std::string& key : keys) {
    size_t end = 1;
    while (end < key.size() && (!is_below(key, key.substr(0, end)) || means_others(key.substr(0, end)))) ++end;
    labels.insert(key.substr(0, end));
  }
  return {labels.begin(), labels.end()};
}

std::vector<Finding> refused_by_refresh(const ResultFile& file, const std::string& result_name,
                                        const ExpectedFile& expected, const std::string& expected_name,
                                        const LimitSet& limits) {
  const GateSides sides{.head_name = result_name,
                        .head = &file,
                        .expected_name = expected_name,
                        .expected = &expected,
                        .selected = [](const std::string&) { return false; }};
  Verdict verdict =
      judge(make_comparison(sides, limits), limits, {.new_benchmark = Severity::kNote, .vanished = Severity::kNote});
  // A limit without a number has nothing to refresh; a benchmark that was measured otherwise has.
  std::erase_if(verdict.findings, [](const Finding& finding) {
    return finding.kind != FindingKind::kRegressed && (finding.kind != FindingKind::kUnjudged || finding.measure);
  });
  return std::move(verdict.findings);
}

}  // namespace icount
