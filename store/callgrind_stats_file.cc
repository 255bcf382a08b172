#include "icount/store/callgrind_stats_file.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/json_number.h"
#include "icount/store/task_spec_json.h"

namespace icount {
namespace {

constexpr std::string_view kSchemaName = "icount-callgrind-stats";

[[noreturn]] void fail(std::string_view place, std::string_view what) {
  throw Error(ErrorKind::kMalformed, fmt::format("{}: {}", place, what));
}

/// [[count, "function"], ...] in that order.
Json rows_json(const FunctionCounts& counts) {
  Json rows = Json::array();
  for (const FunctionCount& row : counts) rows.push_back({row.count, row.function});
  return rows;
}

FunctionCounts parse_rows(const Json& tables, std::string_view table, bool inclusive, std::string_view name) {
  const Json& rows = json_field(tables, table, name);
  if (!rows.is_array()) fail(name, fmt::format("table '{}' is not a list", table));
  std::vector<FunctionCount> out;
  for (const Json& row : rows) {
    const bool fits = row.is_array() && row.size() == 2 && row[0].is_number_integer() && row[1].is_string();
    if (!fits) fail(name, fmt::format("row {} of table '{}' is not [count, function]", out.size(), table));
    out.push_back({row[0].get<int64_t>(), row[1].get<std::string>()});
  }
  return FunctionCounts(std::move(out), inclusive);
}

void check_schema(const Json& json, std::string_view name) {
  const Json& schema = json_field(json, "schema", name);
  if (json_field(schema, "name", name) != kSchemaName)
    fail(name, fmt::format("not saved CallgrindStats (no schema \"{}\")", kSchemaName));
  const int64_t version = json_whole_number_field(schema, "version", name);
  if (version < 1 || version > kCallgrindStatsFormatVersion)
    fail(name, fmt::format("version {} of the format; this icount reads up to {}: use a newer icount", version,
                           kCallgrindStatsFormatVersion));
}

}  // namespace

std::string callgrind_stats_text(const CallgrindStats& stats) {
  Json json;
  json["schema"] = {{"name", kSchemaName}, {"version", kCallgrindStatsFormatVersion}};
  json["task_spec"] = to_json(stats.task_spec());
  json["number_per_run"] = stats.number_per_run();
  json["built_with_debug_symbols"] = stats.built_with_debug_symbols();
  json["tables"] = {{"baseline_inclusive", rows_json(stats.baseline(true))},
                    {"baseline_exclusive", rows_json(stats.baseline(false))},
                    {"stmt_inclusive", rows_json(stats.stats(true))},
                    {"stmt_exclusive", rows_json(stats.stats(false))}};
  return dump_json(json) + "\n";
}

CallgrindStats parse_callgrind_stats(std::string_view bytes, std::string_view name) {
  const Json json = parse_json(bytes, name);
  check_schema(json, name);
  const Json& symbols = json_field(json, "built_with_debug_symbols", name);
  if (!symbols.is_boolean()) fail(name, "field 'built_with_debug_symbols' is not true or false");
  const Json& tables = json_field(json, "tables", name);
  const int64_t number = json_whole_number_field(json, "number_per_run", name);
  if (number < 1) fail(name, fmt::format("field 'number_per_run' is {}", number));
  return CallgrindStats({.task_spec = parse_task_spec(json_field(json, "task_spec", name), name),
                         .number_per_run = number,
                         .built_with_debug_symbols = symbols.get<bool>(),
                         .baseline_inclusive = parse_rows(tables, "baseline_inclusive", true, name),
                         .baseline_exclusive = parse_rows(tables, "baseline_exclusive", false, name),
                         .stmt_inclusive = parse_rows(tables, "stmt_inclusive", true, name),
                         .stmt_exclusive = parse_rows(tables, "stmt_exclusive", false, name)});
}

void save_callgrind_stats(const std::filesystem::path& path, const CallgrindStats& stats) {
  save_file(path, callgrind_stats_text(stats));
}

CallgrindStats load_callgrind_stats(const std::filesystem::path& path) {
  return parse_callgrind_stats(load_file(path).view(), path.string());
}

}  // namespace icount
