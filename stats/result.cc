#include "icount/stats/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/callgraph/allocations.h"
#include "icount/callgraph/derived_events.h"
#include "icount/callgraph/system_calls.h"

namespace icount {
namespace {

/// A statement of several lines as one line.
std::string on_one_line(std::string_view text) {
  std::string out;
  for (std::string_view line : split_lines(trim(text))) {
    line = trim(line);
    if (line.empty()) continue;
    if (!out.empty()) out += ' ';
    out += line;
  }
  return out;
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) out += separator;
    out += part;
  }
  return out;
}

std::optional<int64_t> lower_median(std::vector<int64_t> counts) {
  if (counts.empty()) return std::nullopt;
  std::sort(counts.begin(), counts.end());
  return counts[(counts.size() - 1) / 2];
}

}  // namespace

std::string result_label(const Result& result) {
  if (!result.label.empty()) return joined(result.label, " / ");
  return result.task.program.empty() ? on_one_line(result.task.stmt) : joined(result.task.program, " ");
}

const Result* find_result(const ResultFile& file, const std::string& key) {
  for (const Result& result : file.results)
    if (result_key(result) == key) return &result;
  return nullptr;
}

std::string result_key(const Result& result) {
  std::string key = result_label(result);
  if (result.task.num_threads != 1) key += " [" + std::to_string(result.task.num_threads) + " threads]";
  return key;
}

std::vector<std::string> process_keys(const Result& result) {
  std::map<std::string, int> seen;
  std::vector<std::string> keys;
  for (const ResultProcess& process : result.processes) {
    const int number = ++seen[process.command];
    keys.push_back(number == 1 ? process.command : process.command + " #" + std::to_string(number));
  }
  return keys;
}

std::optional<int64_t> median_count(const Result& result) { return lower_median(result.counts); }

std::optional<int64_t> median_count(const ResultProcess& process) { return lower_median(process.counts); }

std::optional<int64_t> find_figure(const Result& result, std::string_view name) {
  for (const ResultFigure& figure : result.figures)
    if (figure.name == name) return figure.total;
  return std::nullopt;
}

int64_t count_spread(const Result& result) {
  if (result.counts.size() < 2) return 0;
  const auto [low, high] = std::minmax_element(result.counts.begin(), result.counts.end());
  return checked_sub(*high, *low, "the spread of the counts of " + result_key(result));
}

bool is_test(const Result& result) {
  static constexpr std::string_view kFrameworks[] = {"googletest", "catch2-tests", "doctest", "ctest"};
  return std::find(std::begin(kFrameworks), std::end(kFrameworks), result.task.language) != std::end(kFrameworks);
}

void classify_test(Result& result) {
  static constexpr std::string_view kPartial[] = {"forked", "escaped", "stale-code"};
  if (std::find(std::begin(kPartial), std::end(kPartial), result.status) != std::end(kPartial))
    result.status = kNotGateable;
  if (!result.ok() || result.counts.empty()) return;
  constexpr double kMostSpread = 0.05;
  const int64_t spread = count_spread(result), median = *median_count(result);
  if (static_cast<double>(spread) <= kMostSpread * static_cast<double>(median)) return;
  result.status = kNotGateable;
  result.error =
      fmt::format("its repeats differ by {} of {} instructions: time, randomness or addresses decide what it does",
                  with_thousands(spread), with_thousands(median));
  result.counts.clear();
}

std::optional<double> per_run(const Result& result) {
  const std::optional<int64_t> count = median_count(result);
  if (!count || result.number_per_run < 1) return std::nullopt;
  return static_cast<double>(*count) / static_cast<double>(result.number_per_run);
}

Fingerprint full_fingerprint(const ResultFile& file, const Result& result) {
  Fingerprint full = file.fingerprint;
  for (const Fact& fact : result.fingerprint.facts) full.set(fact.name, fact.value, fact.fact_class);
  if (full.find(kUncountedFact)) return full;
  // Results from before this fact say it by processes without counts.
  std::vector<std::string> uncounted;
  for (const ResultProcess& process : result.processes)
    if (process.counts.empty()) uncounted.push_back(process.command);
  std::sort(uncounted.begin(), uncounted.end());
  if (!uncounted.empty()) full.set(kUncountedFact, fmt::format("{}", fmt::join(uncounted, ", ")), FactClass::kRefuse);
  return full;
}

void share_fingerprint(ResultFile& file) {
  if (file.results.empty()) return;
  const auto has = [](const Fingerprint& fingerprint, const Fact& fact) {
    const std::string* value = fingerprint.find(fact.name);
    return value && *value == fact.value;
  };
  for (const Fact& fact : std::vector<Fact>(file.results.front().fingerprint.facts)) {
    if (!std::all_of(file.results.begin(), file.results.end(),
                     [&](const Result& r) { return has(r.fingerprint, fact); }))
      continue;
    file.fingerprint.set(fact.name, fact.value, fact.fact_class);
    for (Result& result : file.results)
      std::erase_if(result.fingerprint.facts, [&](const Fact& own) { return own.name == fact.name; });
  }
}

void check_result_keys(const ResultFile& file, std::string_view name) {
  std::set<std::string> seen;
  for (const Result& result : file.results) {
    std::string key = result_key(result);
    if (!seen.insert(key).second)
      throw Error(ErrorKind::kMalformed,
                  std::string(name) + ": two results share the name '" + key + "'; give them labels that differ");
  }
}

void add_figures(Result& result) {
  if (!result.graph || find_figure(result, kAllocations)) return;
  const std::optional<AllocationCounts> counts = count_allocations(*result.graph);
  if (!counts) return;
  result.figures.push_back({std::string(kAllocations), counts->allocations});
  result.figures.push_back({std::string(kFrees), counts->frees});
}

bool is_memory_event(std::string_view event) {
  return std::find(kMemoryFigures.begin(), kMemoryFigures.end(), event) != kMemoryFigures.end();
}

bool is_peak_event(std::string_view event) { return event == kMemoryFigures[2] || event == kMemoryFigures[3]; }

std::optional<int64_t> event_total(const Result& result, const CostGraph* graph, std::string_view event) {
  if (event == result.event) return median_count(result);
  if (const auto figure = find_figure(result, event)) return figure;
  if (!graph) return std::nullopt;
  if (const auto column = graph->event_index(event)) return graph->totals[*column];
  if (const DerivedEvent* derived = find_derived_event(event)) return derived_total(*derived, *graph);
  if (event != kAllocations && event != kFrees) return calls_of_kind(*graph, event);
  const auto counts = count_allocations(*graph);  // a result of an icount that did not count them yet
  if (!counts) return std::nullopt;
  return event == kAllocations ? counts->allocations : counts->frees;
}

std::vector<FurtherEvent> further_events(const Result& result, const CostGraph* graph) {
  std::vector<FurtherEvent> events;
  if (graph) {
    for (size_t e = 0; e < graph->events.size(); ++e)
      if (graph->events[e] != result.event) events.push_back({graph->events[e], graph->totals[e], {}});
    for (const DerivedEvent& derived : derived_events())
      if (const auto total = derived_total(derived, *graph))
        events.push_back({std::string(derived.name), *total, formula_text(derived)});
  }
  for (const ResultFigure& figure : result.figures) events.push_back({figure.name, figure.total, {}});
  return events;
}

}  // namespace icount
