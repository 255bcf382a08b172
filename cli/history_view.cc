#include "icount/cli/history_view.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "icount/inputs/git_commit.h"
#include "icount/stats/fingerprint.h"
#include "icount/store/run_order.h"
#include "icount/verdict/step_detection.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

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

/// Values of one line of runs, each the nearest measured ancestor of the next, that can be compared; and which rows
/// they are of. A branch begins with the values of the line that it leaves, which are judged there.
struct Stretch {
  std::vector<double> values, spreads;
  std::vector<size_t> rows;
  size_t own = 0;  ///< the first that is judged here
};

/// How many values before it a branch is judged with.
constexpr size_t kMostSeeds = 50;

void mark_steps(BenchmarkHistory& history, const Stretch& stretch) {
  const std::vector<size_t> steps = find_steps(stretch.values, history.noise);
  const std::vector<double> level = levels(stretch.values, steps);
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] < stretch.own) continue;
    HistoryRow& row = history.rows[stretch.rows[steps[i]]];
    row.step = true;
    row.step_from = level[i];
    row.step_to = level[i + 1];
  }
}

/// Finds what runs are compared with, in the order of the history.
class Predecessors {
 public:
  explicit Predecessors(const Ancestry& ancestry) : ancestry_(ancestry) {}

  struct Before {
    std::optional<size_t> index;  ///< as given to add()
    size_t between = 0;
    std::string line;
  };

  Before find(const RunTag& tag) const {
    const std::string& commit = tag.commit.hash;
    if (commit.empty()) return {last_of(without_commit_, tag.branch), 0, {}};
    if (const auto same = last_of(of_commit_, commit)) return {same, 0, {}};
    using Kind = Ancestry::Predecessor::Kind;
    const auto nearest = ancestry_.nearest(commit, [&](const std::string& at) { return of_commit_.contains(at); });
    if (nearest.kind == Kind::kFound) return {of_commit_.at(nearest.commit), nearest.between, {}};
    if (nearest.kind == Kind::kNone || of_commit_.empty()) return {};
    // It may come from any of them, or from none. A name at least says that somebody took these for one line.
    if (const auto same = tag.branch.empty() ? std::nullopt : last_of(of_branch_, tag.branch))
      return {same, 0, "ancestry not known, compared with the run before on " + tag.branch};
    return {std::nullopt, 0, "ancestry not known, not compared; ask in a clone that has this commit"};
  }

  void add(const RunTag& tag, size_t index) {
    if (tag.commit.hash.empty()) {
      without_commit_[tag.branch] = index;
      return;
    }
    of_commit_[tag.commit.hash] = index;
    of_branch_[tag.branch] = index;
  }

 private:
  using Indices = std::map<std::string, size_t>;
  static std::optional<size_t> last_of(const Indices& indices, const std::string& key) {
    const auto at = indices.find(key);
    return at == indices.end() ? std::nullopt : std::optional(at->second);
  }

  const Ancestry& ancestry_;
  Indices of_commit_, of_branch_, without_commit_;
};

/// Where the last value of each row's stretch is.
struct Place {
  size_t stretch = 0, at = 0;
};

/// The stretch that a row continues: that of the row before it, or a new one that begins with it.
size_t continue_stretch(std::vector<Stretch>& stretches, const std::optional<Place>& before) {
  if (before && before->at + 1 == stretches[before->stretch].values.size()) return before->stretch;
  Stretch fresh;
  if (before) {
    const Stretch& left = stretches[before->stretch];
    const size_t end = before->at + 1, begin = end - std::min(end, kMostSeeds);
    for (size_t i = begin; i < end; ++i) {
      fresh.values.push_back(left.values[i]);
      fresh.rows.push_back(left.rows[i]);
    }
    fresh.own = fresh.values.size();
  }
  stretches.push_back(std::move(fresh));
  return stretches.size() - 1;
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
  std::vector<RunInfo> all = store.runs();
  const Ancestry ancestry = load_ancestry(all, fs::current_path());
  std::unordered_map<int64_t, RunInfo> runs;
  for (RunInfo& run : all) runs.emplace(run.id, std::move(run));
  AlikeMemory alike(store);
  std::vector<BenchmarkHistory> histories;
  for (const BenchmarkSeries& one : series) {
    BenchmarkHistory history{.key = one.key, .wall = metric == HistoryMetric::kWall};
    std::vector<Stretch> stretches;
    std::map<size_t, Place> places;  // of rows
    std::vector<const HistoryPoint*> points;
    Predecessors predecessors(ancestry);
    for (const HistoryPoint& point : one.points) {
      const RunTag& tag = runs.at(point.run).tag;
      const size_t index = history.rows.size();
      points.push_back(&point);
      history.rows.push_back(row_of(runs.at(point.run), point, metric));
      HistoryRow& row = history.rows.back();
      if (!row.value) continue;
      row.taken_over = alike.is_taken_over(point.fingerprint);
      const Predecessors::Before before = predecessors.find(tag);
      predecessors.add(tag, index);
      row.line = before.line;
      std::optional<Place> place;
      if (before.index) {
        row.before = history.rows[*before.index].run;
        row.before_commit = history.rows[*before.index].commit;
        row.between = before.between;
        row.not_alike = alike.refusal(points[*before.index]->fingerprint, point.fingerprint);
        if (row.not_alike.empty()) place = places.at(*before.index);
      }
      const size_t number = continue_stretch(stretches, place);
      Stretch& stretch = stretches[number];
      places[index] = {number, stretch.values.size()};
      stretch.values.push_back(*row.value);
      stretch.spreads.push_back(static_cast<double>(point.spread) / static_cast<double>(point.number_per_run));
      stretch.rows.push_back(index);
    }
    if (stretches.empty()) continue;
    learn_noise(history, stretches);
    for (const Stretch& stretch : stretches) mark_steps(history, stretch);
    histories.push_back(std::move(history));
  }
  return histories;
}

std::map<int64_t, int64_t> runs_before(const std::vector<RunInfo>& runs) {
  const Ancestry ancestry = load_ancestry(runs, fs::current_path());
  Predecessors predecessors(ancestry);
  std::map<int64_t, int64_t> before;
  for (size_t i = 0; i < runs.size(); ++i) {
    const auto found = predecessors.find(runs[i].tag);
    predecessors.add(runs[i].tag, i);
    before[runs[i].id] = found.index ? runs[*found.index].id : 0;
  }
  return before;
}

}  // namespace icount
