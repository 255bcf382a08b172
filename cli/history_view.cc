#include "icount/cli/history_view.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "icount/stats/fingerprint.h"
#include "icount/stats/taken_over_fact.h"
#include "icount/store/run_order.h"
#include "icount/verdict/step_detection.h"

namespace icount {
namespace {

std::optional<double> value_of(const HistoryPoint& point, HistoryMetric metric) {
  if (metric == HistoryMetric::kWall) return point.wall_median_s;
  if (!point.median_count) return std::nullopt;
  return static_cast<double>(*point.median_count) / static_cast<double>(point.number_per_run);
}

/// Answers "why can these two not be compared" once per pair of fingerprints.
class AlikeMemory {
 public:
  explicit AlikeMemory(History& store) : store_(store) {}
  const std::string& refusal(int64_t base, int64_t head) {
    const auto [found, is_new] = refusals_.try_emplace({base, head});
    if (is_new && base != head) {
      const Comparability same = comparable(store_.fingerprint(base), store_.fingerprint(head));
      if (!same.comparable()) found->second = same.refusals.front();
    }
    return found->second;
  }

  bool is_taken_over(int64_t fingerprint) {
    const auto [found, is_new] = taken_over_.try_emplace(fingerprint);
    if (is_new) found->second = store_.fingerprint(fingerprint).find(kTakenOverFact) != nullptr;
    return found->second;
  }

 private:
  History& store_;
  std::map<int64_t, bool> taken_over_;
  std::map<std::pair<int64_t, int64_t>, std::string> refusals_;
};

/// Values of one stretch of runs that can be compared, and which rows they are of.
struct Stretch {
  std::vector<double> values, spreads;
  std::vector<size_t> rows;
};

void mark_steps(BenchmarkHistory& history, const Stretch& stretch) {
  const std::vector<size_t> steps = find_steps(stretch.values, history.noise);
  const std::vector<double> level = levels(stretch.values, steps);
  for (size_t i = 0; i < steps.size(); ++i) {
    HistoryRow& row = history.rows[stretch.rows[steps[i]]];
    row.step = true;
    row.step_from = level[i];
    row.step_to = level[i + 1];
  }
}

/// Noise is learnt over all stretches, from differences within them.
void learn_noise(BenchmarkHistory& history, const std::vector<Stretch>& stretches) {
  const Stretch* longest = &stretches.front();
  std::vector<double> spreads;
  for (const Stretch& stretch : stretches) {
    if (stretch.values.size() > longest->values.size()) longest = &stretch;
    spreads.insert(spreads.end(), stretch.spreads.begin(), stretch.spreads.end());
  }
  history.noise = history.wall ? wobble(longest->values) : count_noise(longest->values, spreads);
  history.exact = !history.wall && history.noise == 0;
}

HistoryRow row_of(const RunInfo& run, const HistoryPoint& point, HistoryMetric metric) {
  HistoryRow row{.run = point.run,
                 .commit = run.tag.commit.hash,
                 .subject = run.tag.commit.subject,
                 .branch = run.tag.branch,
                 .name = run.tag.name};
  row.unix_time = time_of(run.tag);
  row.status = point.status;
  row.value = value_of(point, metric);
  return row;
}

}  // namespace

std::vector<BenchmarkHistory> make_histories(History& store, const std::vector<BenchmarkSeries>& series,
                                             HistoryMetric metric) {
  std::unordered_map<int64_t, RunInfo> runs;
  for (RunInfo& run : store.runs()) runs.emplace(run.id, std::move(run));
  AlikeMemory alike(store);
  std::vector<BenchmarkHistory> histories;
  for (const BenchmarkSeries& one : series) {
    BenchmarkHistory history{.key = one.key, .wall = metric == HistoryMetric::kWall};
    std::vector<Stretch> stretches(1);
    const HistoryPoint* before = nullptr;
    for (const HistoryPoint& point : one.points) {
      history.rows.push_back(row_of(runs.at(point.run), point, metric));
      HistoryRow& row = history.rows.back();
      if (!row.value) continue;
      row.taken_over = alike.is_taken_over(point.fingerprint);
      if (before) row.not_alike = alike.refusal(before->fingerprint, point.fingerprint);
      if (!row.not_alike.empty()) stretches.emplace_back();
      stretches.back().values.push_back(*row.value);
      stretches.back().spreads.push_back(static_cast<double>(point.spread) / static_cast<double>(point.number_per_run));
      stretches.back().rows.push_back(history.rows.size() - 1);
      before = &point;
    }
    if (!before) continue;
    learn_noise(history, stretches);
    for (const Stretch& stretch : stretches) mark_steps(history, stretch);
    histories.push_back(std::move(history));
  }
  return histories;
}

}  // namespace icount
