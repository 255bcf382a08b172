// The history: runs with their commits, counts, wall samples and cost graphs, in SQLite or PostgreSQL, so that any two
// commits can be explained later. A stored run comes back as the ResultFile that was put in. Where it lives:
// store/store_url.h; tables: store/schema.sql; what it costs: docs/history.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/stats/result.h"
#include "icount/store/store_url.h"

namespace icount {

/// Newest version of the tables that this program reads, and the one it makes.
inline constexpr int kHistorySchemaVersion = 2;

/// A commit as far as it is known; empty hash: a run of no commit.
struct CommitInfo {
  std::string hash;                  ///< in full
  std::vector<std::string> parents;  ///< in full, first parent first
  int64_t unix_time = 0;             ///< of the commit, seconds; 0: unknown
  std::string subject;
  bool operator==(const CommitInfo&) const = default;
};

/// What a run is filed under.
struct RunTag {
  CommitInfo commit;
  std::string branch;
  std::string name;       ///< what it was, "nightly", a suite's name; empty: nothing
  int64_t unix_time = 0;  ///< when it was measured, seconds; 0: unknown
};

/// One stored run without its results.
struct RunInfo {
  int64_t id = 0;  ///< within this store; rises with every import
  RunTag tag;
  std::string command;
  int64_t results = 0;  ///< failed ones included
  std::string damage;   ///< what of this was changed since it was stored (store/run_rows.h); empty: nothing
};

/// Which runs; empty fields don't restrict.
struct RunFilter {
  std::string name;
  std::string branch;
  std::string commit;      ///< a hash or the first characters of one
  int64_t since_time = 0;  ///< commit's time, or the run's where that is unknown, seconds
  size_t newest = 0;       ///< only that many, the newest; 0: all
};

/// One value of one benchmark.
struct HistoryPoint {
  int64_t run = 0;  ///< RunInfo::id
  std::string status = "done";
  std::optional<int64_t> median_count;  ///< median_count(); nullopt without counts
  int64_t spread = 0;                   ///< count_spread()
  int64_t number_per_run = 1;
  std::optional<double> wall_median_s;  ///< seconds per run; nullopt without wall samples
  int64_t fingerprint = 0;              ///< History::fingerprint(); equal numbers: measured alike
};

/// All values of one benchmark, in the order of the runs.
struct BenchmarkSeries {
  std::string key;  ///< result_key()
  std::vector<HistoryPoint> points;
};

struct ImportOutcome {
  int64_t run = 0;
  bool added = false;  ///< false: this very run was there already
  int64_t results = 0;
  int64_t graphs = 0;      ///< results with a graph
  int64_t new_graphs = 0;  ///< graphs that no result had before
};

struct MergeOutcome {
  int64_t added = 0;
  std::vector<std::string> unreadable;  ///< one line per run that did not come
};

/// Sizes, for `store check`, `store gc` and the benchmark.
struct HistorySize {
  int64_t runs = 0, commits = 0, benchmarks = 0, results = 0;
  int64_t blobs = 0, blob_bytes = 0;  ///< kept graphs and records, and what they take
  int64_t file_bytes = 0;             ///< of the database
};

enum class OpenMode {
  kRead,    ///< must exist
  kWrite,   ///< must exist
  kCreate,  ///< made when missing, with its folder
};

struct OpenOptions {
  int lock_wait_s = 30;  ///< how long to wait for another process's write
};

class Transaction;

/// While it lives, everything that is read of a store is of one moment, whatever others import, drop or collect
/// meanwhile. SQLite keeps writers waiting so long.
class HistorySnapshot {
 public:
  explicit HistorySnapshot(class History& history);
  ~HistorySnapshot();

 private:
  std::unique_ptr<Transaction> transaction_;
};

/// An open store. Every writing call is one transaction: afterwards everything is there, or nothing. Errors name the
/// store: kIo (missing, locked, full, read-only, no server), kMalformed (damaged, not a store, newer tables).
class History {
 public:
  History(const StoreUrl& url, OpenMode mode, const OpenOptions& options = {});
  ~History();
  History(History&&) noexcept;

  const StoreUrl& url() const;

  /// Puts a run in. The same results under the same commit and name are kept once (ImportOutcome::added).
  /// Error{kMalformed} for a damaged graph; `name` stands for the file in messages.
  ImportOutcome import(const ResultFile& file, const RunTag& tag, std::string_view name);

  /// Whether the tables have seals. Those of version 1 have none until somebody opens the store to write.
  bool sealed() const;
  /// Runs of tables of version 1 that were sealed as they were when this store was opened to write.
  std::optional<int64_t> sealed_at_opening() const;

  /// Oldest first: by commit time (a parent always before its child), then time of the run, then id.
  /// Error{kMalformed} when any run does not fit its seal: the one that is meant may be among those that seem not to
  /// be.
  std::vector<RunInfo> runs(const RunFilter& filter = {});
  /// The newest of runs(filter).
  std::optional<RunInfo> newest_run(const RunFilter& filter);
  /// nullopt when there is no such run. One that does not fit its seal says so (RunInfo::damage); load() refuses it.
  std::optional<RunInfo> run(int64_t id);

  /// The run as it was put in: same order, graphs packed (unpack_graph). Error{kMalformed} when it is damaged.
  ResultFile load(int64_t run);

  /// Keys of all benchmarks, sorted.
  std::vector<std::string> benchmarks();
  /// Values of one benchmark over runs(filter); empty when it has none.
  BenchmarkSeries series(std::string_view key, const RunFilter& filter = {});
  /// Values of all benchmarks over runs(filter), sorted by key.
  std::vector<BenchmarkSeries> all_series(const RunFilter& filter = {});
  /// The circumstances behind HistoryPoint::fingerprint.
  Fingerprint fingerprint(int64_t id);

  /// Copies every run that this store has not. Those that are damaged there are passed over and named.
  MergeOutcome merge(History& other);
  /// Takes runs out; what only they used goes with gc().
  void remove_runs(const std::vector<int64_t>& runs);
  /// Throws away what no run uses and shrinks the file; how many blobs went.
  int64_t gc();
  /// Reads everything and says what is wrong, one line each; empty: sound.
  std::vector<std::string> check();
  HistorySize size();

 private:
  friend class HistorySnapshot;
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace icount
