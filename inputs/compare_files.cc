#include "icount/inputs/compare_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "icount/base/error.h"
#include "icount/store/measurement_file.h"

namespace icount {
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
