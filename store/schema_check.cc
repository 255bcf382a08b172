#include "icount/store/schema_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/store/history_schema.h"
#include "icount/store/rows.h"

namespace icount {
namespace {

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

}  // namespace

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

}  // namespace icount
