#include "icount/report/asm_text.h"

#include <fmt/format.h>

#include <ostream>

#include "icount/base/text.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/report/document.h"
#include "icount/report/profile_cells.h"

namespace icount {
namespace {

/// "scan.c:9 in limit"; empty where the line is not known.
std::string place_text(const ShownInstruction& one) {
  if (one.line == 0) return {};
  const std::string inlined = one.inlined.empty() ? std::string() : " in " + plain_name(one.inlined);
  return fmt::format("{}:{}{}", one.file, one.line, inlined);
}

}  // namespace

void render_asm_text(std::ostream& out, const ShownAssembly& shown, bool raw, const TextStyle& style) {
  out << paint(escape_for_terminal(shown.name), Tone::kBold, style);
  const std::string place = place_of(shown.file, shown.object, raw);
  if (!place.empty()) out << "  " << paint(escape_for_terminal(place), Tone::kDim, style);
  out << fmt::format("\nself cost {} {}\n\n", with_thousands(shown.self), shown.event);
  if (!shown.closed.empty()) {
    out << "no instructions: " << escape_for_terminal(shown.closed) << '\n';
    return;
  }
  Table table(
      {{"executions"}, {shown.event}, {"share"}, {"address"}, {"instruction", Align::kLeft}, {"line", Align::kLeft}});
  std::string above;
  for (const ShownInstruction& one : shown.instructions) {
    const bool executed = one.executions != 0 || one.self != 0;
    const std::string line = place_text(one);
    table.add_row({{executed ? with_thousands(one.executions) : ""},
                   {executed ? with_thousands(one.self) : ""},
                   {executed ? percent_of(one.self, shown.self) : ""},
                   {fmt::format("{:x}", one.address)},
                   {one.text},
                   {line == above ? "" : line}});
    if (!line.empty()) above = line;
  }
  table.render_text(out, style);
}

Json asm_to_json(const ShownAssembly& shown) {
  Json json;
  json["schema"] = {{"name", "icount-asm"}, {"version", 1}};
  json["function"] = {{"name", shown.name}, {"file", shown.file}, {"object", shown.object}, {"self", shown.self}};
  json["event"] = shown.event;
  json["instructions"] = Json::array();
  for (const ShownInstruction& one : shown.instructions)
    json["instructions"].push_back({{"address", fmt::format("{:#x}", one.address)},
                                    {"text", one.text},
                                    {"executions", one.executions},
                                    {"self", one.self},
                                    {"file", one.file},
                                    {"line", one.line == 0 ? Json() : Json(one.line)},
                                    {"inlined", one.inlined.empty() ? Json() : Json(one.inlined)}});
  json["closed"] = shown.closed.empty() ? Json() : Json{{"reason", shown.closed}};
  return json;
}

}  // namespace icount
