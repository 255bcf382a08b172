#include "icount/report/source_text.h"

#include <fmt/format.h>

#include <limits>
#include <ostream>
#include <vector>

#include "icount/base/text.h"
#include "icount/callgraph/name_parts.h"
#include "icount/report/annotated_source.h"
#include "icount/report/document.h"
#include "icount/report/profile_cells.h"

namespace icount {
namespace {

constexpr size_t kHead = 1;  // the side of a listing

std::vector<AnnotatedFile> annotate(const ShownSource& shown) {
  return annotate_source(shown.listing, std::numeric_limits<size_t>::max());
}

bool is_executed(const AnnotatedRow& row) { return row.executions[kHead] != 0 || row.self[kHead] != 0; }

}  // namespace

void render_source_text(std::ostream& out, const ShownSource& shown, bool raw, const TextStyle& style) {
  out << paint(escape_for_terminal(shown.name), Tone::kBold, style);
  const std::string place = place_of(shown.file, shown.object, raw);
  if (!place.empty()) out << "  " << paint(escape_for_terminal(place), Tone::kDim, style);
  out << fmt::format("\nself cost {} {}\n", with_thousands(shown.self), shown.event);
  if (!shown.listing.closed.empty()) {
    out << "\nno lines: " << escape_for_terminal(shown.listing.closed) << '\n';
    return;
  }
  for (const AnnotatedFile& file : annotate(shown)) {
    out << '\n';
    Table table({{"executions"},
                 {shown.event},
                 {"share"},
                 {"line"},
                 {raw ? file.file : std::string(base_of_path(file.file)), Align::kLeft}});
    for (const AnnotatedRow& row : file.rows) {
      if (row.follows_gap) table.add_row({{""}, {""}, {""}, {"..."}, {""}});
      const bool executed = is_executed(row);
      table.add_row({{executed ? with_thousands(row.executions[kHead]) : ""},
                     {executed ? with_thousands(row.self[kHead]) : ""},
                     {executed ? percent_of(row.self[kHead], shown.self) : ""},
                     {std::to_string(row.line[kHead])},
                     {row.text[kHead]}});
    }
    table.render_text(out, style);
  }
  for (const std::string& note : shown.listing.source_notes) out << "note: " << escape_for_terminal(note) << '\n';
}

Json source_to_json(const ShownSource& shown) {
  Json json;
  json["schema"] = {{"name", "icount-source"}, {"version", 1}};
  json["function"] = {{"name", shown.name}, {"file", shown.file}, {"object", shown.object}, {"self", shown.self}};
  json["event"] = shown.event;
  json["files"] = Json::array();
  for (const AnnotatedFile& file : annotate(shown)) {
    Json& one = json["files"].emplace_back(Json{{"file", file.file}, {"lines", Json::array()}});
    for (const AnnotatedRow& row : file.rows)
      one["lines"].push_back({{"line", row.line[kHead]},
                              {"executions", row.executions[kHead]},
                              {"self", row.self[kHead]},
                              {"text", row.has_text[kHead] ? Json(row.text[kHead]) : Json()}});
  }
  json["notes"] = shown.listing.source_notes;
  json["closed"] = shown.listing.closed.empty() ? Json() : Json{{"reason", shown.listing.closed}};
  return json;
}

}  // namespace icount
