// Upkeep of the history: taking runs out, gc, sizes. What it is for day by day is in store/history.cc.
#include <fmt/format.h>

#include <filesystem>

#include "icount/store/history_schema.h"

namespace icount {
namespace {

constexpr std::string_view kUsedBlobs =
    "SELECT record_id FROM results UNION SELECT graph_id FROM results WHERE graph_id IS NOT NULL";

int64_t count(Database& database, std::string_view table) {
  return database.integer(fmt::format("SELECT count(*) FROM {}", table)).value_or(0);
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
