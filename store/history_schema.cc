#include "icount/store/history_schema.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/store/history.h"
#include "store_schema.h"

namespace icount {
namespace {

constexpr int64_t kApplicationId = 0x69636e74;  // "icnt"

std::string without_comments(std::string_view sql) {
  std::string bare;
  for (const std::string_view line : split_lines(sql)) bare += std::string(line.substr(0, line.find("--"))) + "\n";
  return bare;
}

std::string in_dialect(std::string sql, bool postgresql) {
  if (!postgresql) return sql;
  static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"INTEGER", "BIGINT"}, {" BLOB", " BYTEA"}, {"REAL", "DOUBLE PRECISION"}, {" WITHOUT ROWID", ""}};
  for (const auto& [from, to] : kWords)
    for (size_t at = 0; (at = sql.find(from, at)) != std::string::npos; at += to.size())
      sql.replace(at, from.size(), to);
  return sql;
}

/// nullopt: a database without tables.
std::optional<int64_t> schema_version(Database& database) {
  if (database.postgresql()) {
    if (!database.integer(
            "SELECT 1 FROM information_schema.tables WHERE table_schema = 'icount' AND table_name = 'schema_version'"))
      return std::nullopt;
    return database.integer("SELECT version FROM icount.schema_version");
  }
  const int64_t version = database.integer("PRAGMA user_version").value_or(0);
  const bool ours = database.integer("PRAGMA application_id") == kApplicationId;
  if (ours && version > 0) return version;
  if (database.integer("SELECT count(*) FROM sqlite_master").value_or(0) == 0) return std::nullopt;
  database.fail(ErrorKind::kMalformed,
                "this SQLite database belongs to another program; a history of icount is a file of its own");
}

void make_tables(Database& database) {
  if (database.postgresql()) {
    database.execute("CREATE SCHEMA IF NOT EXISTS icount");
    database.execute("SET search_path TO icount");
  }
  const std::string sql = in_dialect(without_comments(store_schema()), database.postgresql());
  for (const std::string_view statement : split(sql, ';'))
    if (!trim(statement).empty()) database.execute(statement);
  if (database.postgresql()) {
    database.execute(
        fmt::format("CREATE TABLE schema_version AS SELECT CAST({} AS BIGINT) AS version", kHistorySchemaVersion));
    return;
  }
  database.execute(fmt::format("PRAGMA application_id = {}", kApplicationId));
  database.execute(fmt::format("PRAGMA user_version = {}", kHistorySchemaVersion));
}

}  // namespace

void prepare_history_schema(Database& database, bool create) {
  std::optional<int64_t> version = schema_version(database);
  if (!version && !create) database.fail(ErrorKind::kIo, "there is no history yet; `icount store import` makes one");
  if (!version) {
    Transaction transaction(database, Transaction::Kind::kWrite);
    version = schema_version(database);  // another process may have been quicker
    if (!version) {
      make_tables(database);
      transaction.commit();
    }
  }
  if (version.value_or(0) > kHistorySchemaVersion)
    database.fail(
        ErrorKind::kMalformed,
        fmt::format("its tables have version {}, written by a newer icount; this one knows versions up to {}: "
                    "update icount, nothing was changed",
                    *version, kHistorySchemaVersion));
  if (database.postgresql()) database.execute("SET search_path TO icount");
}

}  // namespace icount
