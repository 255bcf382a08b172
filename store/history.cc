#include "icount/store/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "icount/base/compression.h"
#include "icount/base/error.h"
#include "icount/store/history_schema.h"
#include "icount/store/run_order.h"
#include "icount/store/run_rows.h"
#include "icount/store/stored_run.h"

namespace icount {
namespace {

constexpr int kFastZstdLevel = 1;  // a graph on its way to unpack_graph

bool passes(const RunInfo& run, const RunFilter& filter) {
  return (filter.name.empty() || run.tag.name == filter.name) &&
         (filter.branch.empty() || run.tag.branch == filter.branch) && run.tag.commit.hash.starts_with(filter.commit) &&
         time_of(run.tag) >= filter.since_time;
}

using PointRows =
    Rows<int64_t, int64_t, std::string, std::optional<int64_t>, int64_t, int64_t, std::optional<double>, int64_t>;
constexpr std::string_view kPointQuery =
    "SELECT benchmark_id, run_id, status, median_count, spread, number_per_run, wall_median_s, fingerprint_id "
    "FROM results";

HistoryPoint read_point(const PointRows::Row& row) {
  const auto& [benchmark, run, status, median_count, spread, number_per_run, wall_median_s, fingerprint] = row;
  return {run, status, median_count, spread, number_per_run, wall_median_s, fingerprint};
}

int64_t run_of(const PointRows::Row& row) { return std::get<1>(row); }

/// Place of each run in the order of history; runs that were not asked for have none.
class RunPlaces {
 public:
  explicit RunPlaces(const std::vector<RunInfo>& runs) {
    for (const RunInfo& run : runs) {
      oldest_ = oldest_ == 0 ? run.id : std::min(oldest_, run.id);
      places_.emplace(run.id, places_.size());
    }
  }
  bool contains(int64_t run) const { return places_.contains(run); }
  /// The smallest id among them; 0 without any.
  int64_t smallest_id() const { return oldest_; }
  void sort(std::vector<HistoryPoint>& points) const {
    std::sort(points.begin(), points.end(),
              [&](const HistoryPoint& a, const HistoryPoint& b) { return places_.at(a.run) < places_.at(b.run); });
  }

 private:
  std::unordered_map<int64_t, size_t> places_;
  int64_t oldest_ = 0;
};

}  // namespace

History::Implementation::Implementation(const StoreUrl& url, OpenMode mode, const OpenOptions& options)
    : database(url, {.create = mode == OpenMode::kCreate, .lock_wait_s = options.lock_wait_s}) {
  schema = prepare_history_schema(database, mode);
}

ImportOutcome History::Implementation::import(const StoredRun& run, const FingerprintTexts& text_of) {
  Transaction transaction(database, Transaction::Kind::kWrite);
  RunTable table(database, schema.sealed());
  if (const auto id = table.find(run.identity))
    return {.run = *id, .results = static_cast<int64_t>(run.results.size())};
  const ImportOutcome outcome = table.add(run, text_of);
  transaction.commit();
  return outcome;
}

std::vector<RunInfo> History::Implementation::all_runs() {
  std::vector<RunInfo> runs;
  for (RunRow& row : read_run_rows(database, schema.sealed())) runs.push_back(std::move(row.info));
  return in_history_order(std::move(runs));
}

History::History(const StoreUrl& url, OpenMode mode, const OpenOptions& options)
    : implementation_(std::make_unique<Implementation>(url, mode, options)) {}
History::~History() = default;
History::History(History&&) noexcept = default;

HistorySnapshot::HistorySnapshot(History& history)
    : transaction_(std::make_unique<Transaction>(history.implementation_->database, Transaction::Kind::kRead)) {}
HistorySnapshot::~HistorySnapshot() = default;

const StoreUrl& History::url() const { return implementation_->database.url(); }
bool History::sealed() const { return implementation_->schema.sealed(); }
std::optional<int64_t> History::sealed_at_opening() const { return implementation_->schema.sealed_now; }

ImportOutcome History::import(const ResultFile& file, const RunTag& tag, std::string_view name) {
  const StoredRun run = make_stored_run(file, tag, name);
  return implementation_->import(run, [&](const std::string& identity) { return run.texts.at(identity); });
}

std::vector<RunInfo> History::runs(const RunFilter& filter) {
  std::vector<RunInfo> runs = implementation_->all_runs();
  for (const RunInfo& run : runs)
    if (!run.damage.empty())
      implementation_->database.fail(
          ErrorKind::kMalformed,
          fmt::format(
              "run #{0}: {1}; the store is damaged, and it is no longer certain which runs are meant; `icount store "
              "check` names all such runs, `icount store drop @#{0}` removes this one",
              run.id, run.damage));
  std::erase_if(runs, [&](const RunInfo& run) { return !passes(run, filter); });
  if (filter.newest > 0 && runs.size() > filter.newest)
    runs.erase(runs.begin(), runs.end() - static_cast<ptrdiff_t>(filter.newest));
  return runs;
}

std::optional<RunInfo> History::newest_run(const RunFilter& filter) {
  std::vector<RunInfo> found = runs(filter);
  return found.empty() ? std::nullopt : std::optional(std::move(found.back()));
}

std::optional<RunInfo> History::run(int64_t id) {
  std::optional<RunRow> row = read_run_row(implementation_->database, implementation_->schema.sealed(), id);
  return row ? std::optional(std::move(row->info)) : std::nullopt;
}

ResultFile History::load(int64_t run) {
  Database& database = implementation_->database;
  Transaction transaction(database, Transaction::Kind::kRead);
  RunTable table(database, implementation_->schema.sealed());
  const StoredRun stored = table.read(run);
  const std::unordered_map<std::string, std::string> texts = table.texts(run);
  const std::string place = fmt::format("{}: run #{}", url().text, run);
  const auto text = [&](const std::string& identity) -> const std::string& {
    const auto found = texts.find(identity);
    if (found == texts.end())
      database.fail(ErrorKind::kMalformed, fmt::format("run #{} lacks a text; the store is damaged", run));
    return found->second;
  };
  std::unordered_map<std::string, Fingerprint> fingerprints;
  const auto fingerprint = [&](const std::string& identity) -> const Fingerprint& {
    const auto [found, added] = fingerprints.try_emplace(identity);
    if (added) found->second = parse_fingerprint(parse_json(text(identity), place), place);
    return found->second;
  };
  ResultFile file{.command = stored.command, .planned = stored.planned};
  file.fingerprint = fingerprint(stored.fingerprint);
  for (const StoredResult& result : stored.results) {
    file.results.push_back(join_stored_result(result, text(result.record), place));
    if (!result.graph.empty()) file.results.back().graph_blob = compress_zstd(text(result.graph), kFastZstdLevel);
    check_stored_fingerprint(result, fingerprint(result.fingerprint), full_fingerprint(file, file.results.back()),
                             place);
  }
  return file;
}

std::vector<std::string> History::benchmarks() {
  Rows<std::string> rows(implementation_->database, "SELECT key FROM benchmarks");
  std::vector<std::string> keys;
  while (const auto row = rows.next()) keys.push_back(std::get<0>(*row));
  std::sort(keys.begin(), keys.end());  // not by the database, whose order depends on its collation
  return keys;
}

BenchmarkSeries History::series(std::string_view key, const RunFilter& filter) {
  const HistorySnapshot moment(*this);
  const RunPlaces places(runs(filter));
  BenchmarkSeries series{.key = std::string(key)};
  PointRows rows(
      implementation_->database,
      fmt::format("{} WHERE benchmark_id = (SELECT benchmark_id FROM benchmarks WHERE key = :key)", kPointQuery),
      std::string(storable_text(key)));
  while (const auto row = rows.next())
    if (places.contains(run_of(*row))) series.points.push_back(read_point(*row));
  places.sort(series.points);
  return series;
}

std::vector<BenchmarkSeries> History::all_series(const RunFilter& filter) {
  const HistorySnapshot moment(*this);
  const RunPlaces places(runs(filter));
  std::map<int64_t, BenchmarkSeries> by_id;
  PointRows rows(implementation_->database, fmt::format("{} WHERE run_id >= :oldest", kPointQuery),
                 places.smallest_id());
  while (const auto row = rows.next())
    if (places.contains(run_of(*row))) by_id[std::get<0>(*row)].points.push_back(read_point(*row));
  Rows<int64_t, std::string> names(implementation_->database, "SELECT benchmark_id, key FROM benchmarks");
  while (const auto name = names.next())
    if (const auto found = by_id.find(std::get<0>(*name)); found != by_id.end()) found->second.key = std::get<1>(*name);
  std::vector<BenchmarkSeries> all;
  for (auto& [id, series] : by_id) {
    places.sort(series.points);
    all.push_back(std::move(series));
  }
  std::sort(all.begin(), all.end(), [](const BenchmarkSeries& a, const BenchmarkSeries& b) { return a.key < b.key; });
  return all;
}

Fingerprint History::fingerprint(int64_t id) {
  return parse_fingerprint(parse_json(RunTable(implementation_->database, sealed()).facts(id), url().text), url().text);
}

MergeOutcome History::merge(History& other) {
  RunTable theirs(other.implementation_->database, other.sealed());
  MergeOutcome merged;
  for (const RunInfo& info : other.implementation_->all_runs()) {
    try {
      Transaction reading(other.implementation_->database, Transaction::Kind::kRead);
      const StoredRun run = theirs.read(info.id);
      std::unordered_map<std::string, std::string> texts;
      const ImportOutcome outcome = implementation_->import(run, [&](const std::string& identity) {
        if (texts.empty()) texts = theirs.texts(info.id);
        return texts.at(identity);
      });
      if (outcome.added) ++merged.added;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kMalformed) throw;
      if (!other.run(info.id)) continue;  // dropped since the list was read
      merged.unreadable.push_back(error.what());
    }
  }
  return merged;
}

}  // namespace icount
