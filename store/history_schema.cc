#include "icount/store/history_schema.h"

#include <fmt/format.h>

#include <utility>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/store/run_rows.h"
#include "store_schema.h"

namespace icount {
namespace {

/// What version 2 added to the tables of version 1.
constexpr std::string_view kSealColumn = "seal TEXT NOT NULL DEFAULT ''";

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

void set_version(Database& database, int64_t version) {
  const std::string_view before =
      database.postgresql() ? "UPDATE icount.schema_version SET version = " : "PRAGMA user_version = ";
  database.execute(fmt::format("{}{}", before, version));
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
  set_version(database, kHistorySchemaVersion);
}

/// Everything or nothing; how many runs were sealed, nullopt where another process was quicker.
std::optional<int64_t> bring_to_this_version(Database& database) {
  Transaction transaction(database, Transaction::Kind::kWrite);
  if (schema_version(database) == kHistorySchemaVersion) return std::nullopt;
  for (const std::string_view table : {"commits", "runs"})
    database.execute(fmt::format("ALTER TABLE {} ADD COLUMN {}", table, kSealColumn));
  seal_all_rows(database);
  set_version(database, kHistorySchemaVersion);
  transaction.commit();
  return database.integer("SELECT count(*) FROM runs");
}

/// Damage may turn a sealed store into one that seems to have no seals.
void refuse_seals_of_version_1(Database& database) {
  const bool sealed =
      database
          .integer(database.postgresql() ? "SELECT count(*) FROM information_schema.columns WHERE table_schema = "
                                           "'icount' AND table_name = 'runs' AND column_name = 'seal'"
                                         : "SELECT count(*) FROM pragma_table_info('runs') WHERE name = 'seal'")
          .value_or(0) > 0;
  if (sealed && schema_version(database) == 1)  // else another process brought them to this version meanwhile
    database.fail(ErrorKind::kMalformed,
                  "its tables have version 1 and the seals of version 2; the store is damaged, nothing was changed");
}

void refuse_newer(const Database& database, int64_t version) {
  if (version <= kHistorySchemaVersion) return;
  database.fail(ErrorKind::kMalformed,
                fmt::format("its tables have version {}, written by a newer icount; this one knows versions up to {}: "
                            "update icount, nothing was changed",
                            version, kHistorySchemaVersion));
}

}  // namespace

HistorySchema prepare_history_schema(Database& database, OpenMode mode) {
  std::optional<int64_t> version = schema_version(database);
  if (!version && mode != OpenMode::kCreate)
    database.fail(ErrorKind::kIo, "there is no history yet; `icount store import` makes one");
  if (!version) {
    Transaction transaction(database, Transaction::Kind::kWrite);
    version = schema_version(database);  // another process may have been quicker
    if (!version) {
      make_tables(database);
      transaction.commit();
    }
  }
  HistorySchema schema{.version = version.value_or(kHistorySchemaVersion), .sealed_now = std::nullopt};
  refuse_newer(database, schema.version);
  if (database.postgresql()) database.execute("SET search_path TO icount");
  if (schema.version == 1) refuse_seals_of_version_1(database);
  if (schema.version < kHistorySchemaVersion && mode != OpenMode::kRead) {
    schema.sealed_now = bring_to_this_version(database);
    schema.version = kHistorySchemaVersion;
  }
  return schema;
}

std::vector<SchemaObject> schema_objects(int64_t version) {
  std::vector<SchemaObject> objects;
  const std::string all = without_comments(store_schema());
  for (const std::string_view statement : split(all, ';')) {
    const std::string_view text = trim(statement);
    if (text.empty()) continue;
    const auto words = split(text, ' ');
    SchemaObject object{words[1] == "TABLE" ? "table" : "index", std::string(words[2]), without_blanks(text)};
    const std::string added = "," + without_blanks(kSealColumn);
    if (const size_t at = object.sql.find(added); version < 2 && at != std::string::npos)
      object.sql.erase(at, added.size());
    objects.push_back(std::move(object));
  }
  return objects;
}

std::string without_blanks(std::string_view text) {
  std::string bare;
  for (const char c : text)
    if (c != ' ' && c != '\n' && c != '\t') bare += c;
  return bare;
}

}  // namespace icount
