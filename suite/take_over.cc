#include "icount/suite/take_over.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/text.h"
#include "icount/stats/fingerprint.h"
#include "icount/suite/plan.h"
#include "icount/suite/suite_record.h"
#include "icount/suite/work_order.h"

namespace icount {
namespace {

Result taken(const ResultFile& base, const Result& result, const Benchmark& benchmark, const std::string& name) {
  Result over = result;
  over.fingerprint = full_fingerprint(base, result);
  std::erase_if(over.fingerprint.facts, [](const Fact& fact) { return fact.name == kSuiteFact; });
  over.fingerprint.set(kTakenOverFact, kTakenOverValue, FactClass::kNameOnly);
  SuiteRecord record = parse_record(result.extra);
  record.position = static_cast<int64_t>(benchmark.position);
  over.extra = record_text(record);
  over.measurement.clear();
  over.taken_over = name;
  return over;
}

}  // namespace

TakenOver take_over(std::span<const Benchmark> benchmarks, const ResultFile& base, const std::string& name,
                    BenchmarkIdentities& identities) {
  std::map<std::string, const Result*> by_key;
  for (const Result& result : base.results) by_key[parse_record(result.extra).key] = &result;
  TakenOver answer;
  for (const Benchmark& benchmark : benchmarks) {
    const auto found = by_key.find(work_order_key(benchmark));
    std::string why;
    if (found == by_key.end())
      why = "not in the baseline";
    else if (!found->second->ok())
      why = "no count in the baseline";
    else if (const CodeChange change = identities.change_since(parse_record(found->second->extra).code, benchmark);
             !change.none())
      why = change.changed + change.unknown;
    if (why.empty()) {
      answer.results.push_back(taken(base, *found->second, benchmark, name));
    } else {
      answer.rest.push_back(benchmark);
      answer.reasons[why].push_back(benchmark_name(benchmark));
    }
  }
  return answer;
}

Resumed resume_results(std::span<const Benchmark> benchmarks, std::vector<Result> results,
                       BenchmarkIdentities& identities) {
  std::map<std::string, const Benchmark*> by_key;
  for (const Benchmark& benchmark : benchmarks) by_key[work_order_key(benchmark)] = &benchmark;
  Resumed resumed;
  for (Result& result : results) {
    const SuiteRecord record = parse_record(result.extra);
    const auto at = by_key.find(record.key);
    CodeChange change;
    if (at == by_key.end())
      change.unknown = "this run does not select it";
    else if (!result.ok())
      change.changed = result.status;
    else
      change = identities.change_since(record.code, *at->second);
    if (!change.changed.empty()) {
      resumed.changed[change.changed].push_back(result_key(result));
      continue;
    }
    if (!change.unknown.empty()) {
      resumed.unknown[change.unknown].push_back(result_key(result));
      std::string note = fmt::format(
          "measured before an interruption; whether it would have the same count now is not known: {}", change.unknown);
      if (std::find(result.notes.begin(), result.notes.end(), note) == result.notes.end())
        result.notes.push_back(std::move(note));
    }
    resumed.results.push_back(std::move(result));
  }
  return resumed;
}

std::string describe(const TakenOver& taken, const std::string& name) {
  const size_t count = taken.results.size();
  std::string text =
      fmt::format("{} {} taken over from {}", counted(static_cast<int64_t>(count), "unchanged benchmark"),
                  count == 1 ? "is" : "are", name);
  return taken.rest.empty() ? text : text + "; measuring " + describe(taken.reasons);
}

std::string describe(const Reasons& reasons, std::string_view which) {
  constexpr size_t kNamed = 3;
  size_t count = 0;
  std::string text, separator = ": ";
  for (const auto& [why, names] : reasons) {
    count += names.size();
    std::string list;
    for (size_t i = 0; i < names.size() && i < kNamed; ++i) list += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > kNamed) list += fmt::format(" and {} more", names.size() - kNamed);
    text += fmt::format("{}{} ({})", separator, list, why);
    separator = "; ";
  }
  return fmt::format("{}{}{}", count, which, text);
}

}  // namespace icount
