// History::check: reads everything and says what is wrong. The rest of the upkeep: store/history_upkeep.cc.
#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/store/cost_graph_blob.h"
#include "icount/store/database.h"
#include "icount/store/history_schema.h"
#include "icount/store/run_rows.h"

namespace icount {
namespace {

// Whether a history's tables and indices are those that icount makes, and nothing besides.

/// Indices behind PRIMARY KEY and UNIQUE belong to their tables.
constexpr std::string_view kSqliteObjects =
    "SELECT type, name, coalesce(sql, '') FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY "
    "name";
constexpr std::string_view kPostgresqlObjects =
    "SELECT CASE c.relkind WHEN 'i' THEN 'index' WHEN 'v' THEN 'view' WHEN 'm' THEN 'view' ELSE 'table' END AS type, "
    "CAST(c.relname AS TEXT), '' FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = "
    "'icount' AND c.relkind IN ('r', 'p', 'f', 'v', 'm', 'i') AND c.relname <> 'schema_version' AND NOT EXISTS (SELECT "
    "1 "
    "FROM pg_constraint k WHERE k.conindid = c.oid) UNION ALL SELECT 'trigger', CAST(t.tgname AS TEXT), '' FROM "
    "pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = "
    "'icount' AND NOT t.tgisinternal ORDER BY 2";

std::vector<SchemaObject> found_objects(Database& database) {
  Rows<std::string, std::string, std::string> rows(database,
                                                   database.postgresql() ? kPostgresqlObjects : kSqliteObjects);
  std::vector<SchemaObject> objects;
  while (const auto row = rows.next())
    objects.push_back({std::get<0>(*row), std::get<1>(*row), without_blanks(std::get<2>(*row))});
  return objects;
}

const SchemaObject* find_in(const std::vector<SchemaObject>& objects, const SchemaObject& wanted) {
  const auto found = std::find_if(objects.begin(), objects.end(), [&](const SchemaObject& object) {
    return object.type == wanted.type && object.name == wanted.name;
  });
  return found == objects.end() ? nullptr : &*found;
}

/// Adds one line for each table, index, trigger or view that is missing, another's, or (SQLite) made in other words.
/// What SQLite keeps for itself (names that begin with "sqlite_") is its own.
void check_schema(Database& database, int64_t version, std::vector<std::string>& problems) {
  const std::vector<SchemaObject> ours = schema_objects(version), found = found_objects(database);
  const std::string& store = database.url().text;
  for (const SchemaObject& object : found)
    if (!find_in(ours, object))
      problems.push_back(
          fmt::format("{}: holds the {} '{}', which icount did not make", store, object.type, object.name));
  for (const SchemaObject& object : ours) {
    const SchemaObject* const there = find_in(found, object);
    if (!there)
      problems.push_back(fmt::format("{}: lacks the {} '{}'; the store is damaged", store, object.type, object.name));
    else if (!there->sql.empty() && there->sql != object.sql)
      problems.push_back(fmt::format("{}: the {} '{}' is not as icount makes it; the store is damaged", store,
                                     object.type, object.name));
  }
}

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
