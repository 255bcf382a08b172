#include "icount/suite/side_by_side.h"

#include <vector>

#include "icount/suite/parse_stmts.h"

namespace icount {

void read_side_by_side(TableReader& table, std::string& python, std::string& cpp) {
  const TomlValue* value = table.find("side_by_side", TomlValue::Kind::kString);
  if (!value) return;
  if (!python.empty() || !cpp.empty())
    table.problem(value->place, "'side_by_side' holds both languages; remove the separate texts");
  std::vector<RowProblem> rows;
  SideBySide both = parse_stmts(value->text, rows);
  for (const RowProblem& row : rows) {
    Place place = value->text_line > 0 ? Place{value->place.file, value->text_line + row.row, 1} : value->place;
    table.problem(place, row.text);
  }
  if (!rows.empty()) both = {"pass", ""};  // said already; "no statement" on top would mislead
  python = both.python;
  cpp = both.cpp;
}

}  // namespace icount
