// History::check: reads everything and says what is wrong. The rest of the upkeep: store/history_upkeep.cc.
#include <fmt/format.h>

#include "icount/base/counted.h"
#include "icount/base/error.h"
#include "icount/store/cost_graph_blob.h"
#include "icount/store/history_implementation.h"
#include "icount/store/run_rows.h"
#include "icount/store/schema_check.h"

namespace icount {
namespace {

/// SQLite's own look at its pages; PostgreSQL does that on its side.
void check_pages(Database& database, std::vector<std::string>& problems) {
  if (database.postgresql()) return;
  Statement rows(database, "SELECT integrity_check FROM pragma_integrity_check", "", "t");
  rows.run();
  while (rows.next())
    if (rows.text(0) != "ok") problems.push_back(fmt::format("{}: {}", database.url().text, rows.text(0)));
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
      blobs.check_base(rows.integer(0));
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

std::vector<std::string> History::check() {
  Database& database = implementation_->database;
  std::vector<std::string> problems;
  try {
    const HistorySnapshot moment(*this);
    check_schema(database, implementation_->schema.version, problems);
    check_pages(database, problems);
    check_blobs(database, problems);
    check_references(database, problems);
    if (sealed())
      for (std::string& problem : check_commit_rows(database)) problems.push_back(std::move(problem));
    for (const RunInfo& info : implementation_->all_runs()) {
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

}  // namespace icount
