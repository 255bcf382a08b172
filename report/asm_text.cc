#include "icount/report/asm_text.h"

#include <fmt/format.h>

#include <ostream>
#include <set>

#include "icount/base/text.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/report/document.h"
#include "icount/report/profile_text.h"
#include "icount/report/results_text.h"

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

namespace {

int64_t self_inside(const FunctionShape& shape, const ShapeLoop& loop) {
  int64_t self = 0;
  for (const uint32_t block : loop.blocks) self += shape.blocks[block].self;
  return self;
}

uint64_t last_address(const FunctionShape& shape, const ShapeBlock& block) {
  return block.end > block.first ? shape.flow.instructions[block.end - 1].address : block.address;
}

/// "scan.c:9-11", or the lines of several files one after the other; empty where none is known.
std::string lines_of(const ShownShape& shown, const ShapeBlock& block) {
  std::vector<std::pair<uint32_t, std::set<uint64_t>>> by_file;
  for (uint32_t i = block.first; i < block.end; ++i) {
    const Instruction& one = shown.shape.flow.instructions[i];
    if (one.line == 0) continue;
    if (by_file.empty() || by_file.back().first != one.file) by_file.push_back({one.file, {}});
    by_file.back().second.insert(one.line);
  }
  std::string text;
  for (const auto& [file, lines] : by_file) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{}:{}", base_of_path(shown.files[file]), *lines.begin());
    if (lines.size() > 1) text += fmt::format("-{}", *lines.rbegin());
  }
  return text;
}

std::string ratio(int64_t of, int64_t per) {
  return per == 0 ? "-" : quantity_text(static_cast<double>(of) / static_cast<double>(per));
}

void render_loops(std::ostream& out, const ShownShape& shown, const TextStyle& style) {
  Table table({{shown.event}, {"share"}, {"entries"}, {"iterations"}, {"per entry"}, {"loop", Align::kLeft}});
  for (uint32_t i = 0; i < shown.shape.loops.size(); ++i) {
    const ShapeLoop& loop = shown.shape.loops[i];
    const int64_t self = self_inside(shown.shape, loop);
    table.add_row({{with_thousands(self)},
                   {percent_of(self, shown.self)},
                   {with_thousands(loop.entries)},
                   {with_thousands(loop.iterations)},
                   {ratio(loop.iterations, loop.entries)},
                   {std::string(2 * static_cast<size_t>(loop.depth - 1), ' ') + shown.loops[i].text() +
                    (loop.knot ? "  (several entries: counted by its jumps to one of many)" : "")}});
  }
  table.render_text(out, style);
}

void render_blocks(std::ostream& out, const ShownShape& shown, const TextStyle& style) {
  Table table({{"executions"}, {shown.event}, {"share"}, {"addresses", Align::kLeft}, {"lines", Align::kLeft}});
  for (const ShapeBlock& block : shown.shape.blocks) {
    const int depth = block.loop == kNoLoop ? 0 : shown.shape.loops[block.loop].depth;
    table.add_row({{with_thousands(block.executions)},
                   {with_thousands(block.self)},
                   {percent_of(block.self, shown.self)},
                   {fmt::format("{:#x}-{:#x}", block.address, last_address(shown.shape, block))},
                   {std::string(2 * static_cast<size_t>(depth), ' ') + lines_of(shown, block)}});
  }
  table.render_text(out, style);
}

}  // namespace

void render_blocks_text(std::ostream& out, const ShownShape& shown, bool raw, const TextStyle& style) {
  out << paint(escape_for_terminal(shown.name), Tone::kBold, style);
  const std::string place = place_of(shown.file, shown.object, raw);
  if (!place.empty()) out << "  " << paint(escape_for_terminal(place), Tone::kDim, style);
  out << fmt::format("\nself cost {} {}", with_thousands(shown.self), shown.event);
  const FunctionShape& shape = shown.shape;
  if (!shape.closed.empty()) {
    out << "\n\nno blocks: " << shape.closed << '\n';
    return;
  }
  out << fmt::format(" in {}; {}, {}", counted(shape.flow.entries, "call"),
                     counted(static_cast<int64_t>(shape.blocks.size()), "block"),
                     counted(static_cast<int64_t>(shape.loops.size()), "loop"));
  if (shape.flow.arrivals > 0)
    out << fmt::format("\n{} by neither a call nor a jump (an exception, longjmp, a signal, a dump)",
                       counted(shape.flow.arrivals, "arrival"));
  out << "\n\n";
  if (!shape.loops.empty()) {
    render_loops(out, shown, style);
    out << '\n';
  }
  render_blocks(out, shown, style);
}

Json blocks_to_json(const ShownShape& shown) {
  const FunctionShape& shape = shown.shape;
  Json json;
  json["schema"] = {{"name", "icount-blocks"}, {"version", 1}};
  json["function"] = {{"name", shown.name}, {"file", shown.file}, {"object", shown.object}, {"self", shown.self}};
  json["event"] = shown.event;
  json["calls"] = shape.flow.entries;
  json["arrivals"] = shape.flow.arrivals;
  json["blocks"] = Json::array();
  for (const ShapeBlock& block : shape.blocks)
    json["blocks"].push_back({{"first", fmt::format("{:#x}", block.address)},
                              {"last", fmt::format("{:#x}", last_address(shape, block))},
                              {"executions", block.executions},
                              {"self", block.self},
                              {"loop", block.loop == kNoLoop ? Json() : Json(block.loop)},
                              {"lines", lines_of(shown, block)}});
  json["loops"] = Json::array();
  for (uint32_t i = 0; i < shape.loops.size(); ++i) {
    const ShapeLoop& loop = shape.loops[i];
    const LoopPlace& place = shown.loops[i];
    json["loops"].push_back({{"file", place.file},
                             {"lines", {place.first_line, place.last_line}},
                             {"address", fmt::format("{:#x}", place.address)},
                             {"entries", loop.entries},
                             {"iterations", loop.iterations},
                             {"depth", loop.depth},
                             {"parent", loop.parent == kNoLoop ? Json() : Json(loop.parent)},
                             {"self", self_inside(shape, loop)},
                             {"knot", loop.knot}});
  }
  json["closed"] = shape.closed.empty() ? Json() : Json{{"reason", shape.closed}};
  return json;
}

}  // namespace icount
