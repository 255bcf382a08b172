// Upkeep of the history: taking runs out, gc, check, sizes. What it is for day by day is in store/history.cc.
#include <fmt/format.h>

#include <filesystem>

#include "icount/base/counted.h"
#include "icount/base/error.h"
#include "icount/store/cost_graph_blob.h"
#include "icount/store/history_implementation.h"

namespace icount {
namespace {

constexpr std::string_view kUsedBlobs =
    "SELECT record_id FROM results UNION SELECT graph_id FROM results WHERE graph_id IS NOT NULL";

int64_t count(Database& database, std::string_view table) {
  return database.integer(fmt::format("SELECT count(*) FROM {}", table)).value_or(0);
}

/// SQLite's own look at its pages; PostgreSQL does that on its side.
void check_pages(Database& database, std::vector<std::string>& problems) {
  if (database.postgresql()) return;
  Statement rows(database, "SELECT integrity_check FROM pragma_integrity_check", "", "t");
  rows.run();
  while (rows.next())
    if (rows.text(0) != "ok") problems.push_back(fmt::format("{}: {}", database.url().text, rows.text(0)));
}

/// Triggers and views would be another's; icount never runs them.
void check_schema(Database& database, std::vector<std::string>& problems) {
  if (database.postgresql()) return;
  Statement rows(database, "SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view') ORDER BY name", "",
                 "tt");
  rows.run();
  while (rows.next())
    problems.push_back(fmt::format("{}: holds the {} '{}', which icount did not make", database.url().text,
                                   rows.text(0), rows.text(1)));
}

/// Every text is unpacked and compared with its hash; those that results call graphs must be graphs.
void check_blobs(Database& database, std::vector<std::string>& problems) {
  BlobTable blobs(database);
  Statement rows(database,
                 "SELECT blob_id, CASE WHEN blob_id IN (SELECT graph_id FROM results) THEN 1 ELSE 0 END FROM blobs "
                 "ORDER BY coalesce(base_id, blob_id), blob_id",
                 "", "ii");
  rows.run();
  while (rows.next()) {
    try {
      const std::string plain = blobs.get(rows.integer(0));
      if (rows.integer(1) != 0)
        parse_cost_graph_bytes(plain, fmt::format("{}: blob {}", database.url().text, rows.integer(0)));
    } catch (const Error& error) {
      problems.push_back(error.what());
    }
  }
}

/// A column that holds the key of another table's row.
struct Reference {
  std::string_view table, column, to, key;
};

constexpr Reference kReferences[] = {
    {"blobs", "base_id", "blobs", "blob_id"},
    {"runs", "commit_id", "commits", "commit_id"},
    {"runs", "fingerprint_id", "fingerprints", "fingerprint_id"},
    {"results", "benchmark_id", "benchmarks", "benchmark_id"},
    {"results", "run_id", "runs", "run_id"},
    {"results", "record_id", "blobs", "blob_id"},
    {"results", "graph_id", "blobs", "blob_id"},
    {"results", "fingerprint_id", "fingerprints", "fingerprint_id"},
    {"wall_samples", "benchmark_id", "benchmarks", "benchmark_id"},
    {"wall_samples", "run_id", "runs", "run_id"},
};

/// Rows whose other half is gone: a result without its graph would be read as one that never had any.
void check_references(Database& database, std::vector<std::string>& problems) {
  for (const Reference& reference : kReferences) {
    const int64_t lost = database
                             .integer(fmt::format("SELECT count(*) FROM {0} WHERE {1} IS NOT NULL AND {1} NOT IN "
                                                  "(SELECT {3} FROM {2})",
                                                  reference.table, reference.column, reference.to, reference.key))
                             .value_or(0);
    if (lost > 0)
      problems.push_back(fmt::format("{}: {} of {} lack their row of {} ({}); the store is damaged",
                                     database.url().text, counted(static_cast<size_t>(lost), "row"), reference.table,
                                     reference.to, reference.column));
  }
}

}  // namespace

void History::remove_runs(const std::vector<int64_t>& runs) {
  Database& database = implementation_->database;
  Transaction transaction(database, Transaction::Kind::kWrite);
  for (const std::string_view table : {"wall_samples", "results", "runs"}) {
    Statement statement(database, fmt::format("DELETE FROM {} WHERE run_id = :run", table), "i");
    for (const int64_t run : runs) statement.set(0, run).run();
  }
  transaction.commit();
}

int64_t History::gc() {
  Database& database = implementation_->database;
  int64_t gone = 0;
  {
    Transaction transaction(database, Transaction::Kind::kWrite);
    const int64_t before = count(database, "blobs");
    database.execute(
        "CREATE TEMPORARY TABLE used_blobs (id BIGINT PRIMARY KEY)");  // the key keeps the look-ups below quick
    database.execute(fmt::format("INSERT INTO used_blobs {}", kUsedBlobs));
    database.execute(
        "INSERT INTO used_blobs SELECT DISTINCT base_id FROM blobs WHERE base_id IS NOT NULL AND blob_id IN (SELECT id "
        "FROM used_blobs) "
        "ON CONFLICT DO NOTHING");
    database.execute("DELETE FROM blobs WHERE NOT EXISTS (SELECT 1 FROM used_blobs WHERE id = blob_id)");
    database.execute("DROP TABLE used_blobs");
    database.execute(
        "DELETE FROM benchmarks WHERE NOT EXISTS (SELECT 1 FROM results WHERE results.benchmark_id = "
        "benchmarks.benchmark_id)");
    database.execute(
        "DELETE FROM commits WHERE commit_id NOT IN (SELECT commit_id FROM runs WHERE commit_id IS NOT NULL)");
    database.execute(
        "DELETE FROM fingerprints WHERE fingerprint_id NOT IN (SELECT fingerprint_id FROM results UNION SELECT "
        "fingerprint_id FROM runs)");
    gone = before - count(database, "blobs");
    transaction.commit();
  }
  if (database.postgresql())
    for (const std::string_view table : {"blobs", "results", "runs"}) database.execute(fmt::format("VACUUM {}", table));
  else
    database.execute("VACUUM");
  return gone;
}

std::vector<std::string> History::check() {
  Database& database = implementation_->database;
  std::vector<std::string> problems;
  try {
    const HistorySnapshot moment(*this);
    check_schema(database, problems);
    check_pages(database, problems);
    check_blobs(database, problems);
    check_references(database, problems);
    for (const RunInfo& info : runs()) {
      try {
        load(info.id);
      } catch (const Error& error) {
        problems.push_back(error.what());
      }
    }
  } catch (const Error& error) {
    problems.push_back(error.what());
  }
  return problems;
}

HistorySize History::size() {
  Database& database = implementation_->database;
  HistorySize size{.runs = count(database, "runs"),
                   .commits = count(database, "commits"),
                   .benchmarks = count(database, "benchmarks")};
  size.results = count(database, "results");
  size.blobs = count(database, "blobs");
  size.blob_bytes = database.integer("SELECT CAST(coalesce(sum(length(bytes)), 0) AS BIGINT) FROM blobs").value_or(0);
  if (database.postgresql()) {
    size.file_bytes = database
                          .integer(
                              "SELECT CAST(sum(pg_total_relation_size(c.oid)) AS BIGINT) FROM pg_class c JOIN "
                              "pg_namespace n ON n.oid = c.relnamespace "
                              "WHERE n.nspname = 'icount' AND c.relkind = 'r'")
                          .value_or(0);
  } else {
    std::error_code ignored;
    size.file_bytes = static_cast<int64_t>(std::filesystem::file_size(url().path, ignored));
  }
  return size;
}

}  // namespace icount
