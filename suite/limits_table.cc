#include "icount/suite/limits_table.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/text.h"

namespace icount {
namespace {

Allowance read_allowance(TableReader& table, const std::string& prefix) {
  Allowance allowance;
  allowance.percent = table.decimal(prefix + "percent");
  if (const TomlValue* absolute = table.find(prefix + "absolute", TomlValue::Kind::kInteger))
    allowance.absolute = absolute->integer;
  allowance.unlimited = table.flag(prefix + "unlimited");
  if (allowance.unlimited && (allowance.percent || allowance.absolute))
    table.problem(table.place(),
                  fmt::format("'{}unlimited' conflicts with the limit beside it; remove one of them", prefix));
  return allowance;
}

/// LimitSet says what is wrong in the words of its own checks; here they get the table's place.
void check_limit(GateLimit limit, TableReader& table) {
  limit.place.clear();
  try {
    LimitSet checked({limit});
  } catch (const Error& error) {
    for (std::string_view line : split_lines(error.what()))
      table.problem(table.place(), line.starts_with(": ") ? line.substr(2) : line);
  }
}

}  // namespace

GateLimit read_limits_table(TableReader& table) {
  GateLimit limit;
  limit.benchmark = table.text("benchmark");
  limit.event = table.text("event");
  limit.function = table.text("function");
  limit.inclusive = table.flag("inclusive");
  limit.change = read_allowance(table, "");
  limit.creep = read_allowance(table, "creep_");
  limit.creep_runs = table.integer("creep_runs", 1);
  limit.place = to_text(Place{table.place().file, table.place().line, 0});
  table.finish();
  const bool written =
      table.find("percent") || table.find("absolute") || table.find("creep_percent") || table.find("creep_absolute");
  // What is wrong with the numbers themselves was said; that there are none would mislead.
  if (limit.change.given() || limit.creep.given() || !written) check_limit(limit, table);
  return limit;
}

GateLimit parse_limit_option(std::string_view text) {
  const std::string place = fmt::format("--limit '{}'", text);
  GateLimit limit;
  if (const auto allowance = parse_allowance(text)) {
    limit.change = *allowance;
  } else {
    Problems problems;
    const TomlValue root = parse_toml(fmt::format("limit = {{ {} }}", text), "", problems);
    if (!problems.empty() || root.fields.empty())
      throw Error(
          ErrorKind::kUsage,
          place + ": not a limit like 1%, 100, 1%+100 or none, nor fields like: percent = 1, benchmark = \"Math\"");
    TableReader reader(root.fields[0].value, "a limit", problems);
    limit = read_limits_table(reader);
    if (!problems.empty())
      throw Error(ErrorKind::kUsage, fmt::format("{}: {}", place, fmt::join(problems.lines(), "; ")));
  }
  limit.source = LimitSource::kCommandLine;
  limit.place = place;
  return limit;
}

}  // namespace icount
