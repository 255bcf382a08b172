#include "icount/report/profile_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <ostream>
#include <span>

#include "icount/base/checked.h"
#include "icount/base/text.h"
#include "icount/report/document.h"
#include "icount/report/markdown.h"
#include "icount/report/results_text.h"
#include "icount/report/short_name.h"

namespace icount {

std::string base_of(std::string_view path, bool raw) {
  const size_t slash = path.rfind('/');
  return std::string(raw || slash == std::string_view::npos ? path : path.substr(slash + 1));
}

std::string place_of(std::string_view file, std::string_view object, bool raw) {
  std::string place;
  for (std::string_view path : {file, object}) {
    if (path.empty() || path == kUnknownPlace) continue;
    if (!place.empty()) place += ", ";
    place += base_of(path, raw);
  }
  return place;
}

std::string percent_of(int64_t part, int64_t total) {
  if (total == 0) return "-";
  return fmt::format("{:.2f}%", 100.0 * static_cast<double>(part) / static_cast<double>(total));
}

namespace {

constexpr size_t kNarrow = 100;        // below, the share of inclusive cost is left out
constexpr size_t kLeastForPlace = 56;  // columns that the function needs to have its file shown beside it
constexpr size_t kWidestName = 70;

std::string name_of(const CostRow& row, GroupBy by, bool raw) {
  switch (by) {
    case GroupBy::kFunction:
      return row.name.empty() ? "(no function)" : std::string(row.name);
    case GroupBy::kFile:
      return row.file.empty() || row.file == kUnknownPlace ? "(file not known)" : std::string(row.file);
    case GroupBy::kObject:
      return row.object.empty() || row.object == kUnknownPlace ? "(object not known)" : std::string(row.object);
    case GroupBy::kLine:
      break;
  }
  const std::string line = row.line == 0 ? "?" : std::to_string(row.line);
  return fmt::format("{}:{}", base_of(row.file, raw), line);
}

/// A table in plain strings, for both forms of output.
struct Sheet {
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> names, places;       ///< of each row; the last column is made of them
  std::vector<std::vector<std::string>> rests;  ///< rows below them: what is not shown
};

std::string_view title_of(GroupBy by) {
  constexpr std::string_view kTitles[] = {"function", "file", "object", "line"};
  return kTitles[static_cast<size_t>(by)];
}

std::vector<std::string> cells_of(const CostRow& row, const CostGraph& graph, const CostTableOptions& table,
                                  bool wide) {
  const int64_t total = graph.totals[table.event];
  const int64_t self = row.self[table.event];
  std::vector<std::string> cells = {with_thousands(self), percent_of(self, total)};
  if (table.by != GroupBy::kFunction) return cells;
  const int64_t inclusive = row.inclusive[table.event];
  std::vector<std::string> below = {with_thousands(inclusive)};
  if (wide || table.inclusive) below.push_back(percent_of(inclusive, total));
  if (table.inclusive) {
    if (!wide) cells.pop_back();
    cells.insert(cells.begin(), below.begin(), below.end());
  } else {
    cells.insert(cells.end(), below.begin(), below.end());
  }
  cells.push_back(with_thousands(row.calls));
  return cells;
}

std::vector<Column> columns_of(const CostGraph& graph, const CostTableOptions& table, bool wide) {
  const std::string& event = graph.events[table.event];
  std::vector<Column> columns;
  const auto add = [&](std::string title) { columns.push_back({std::move(title), Align::kRight}); };
  if (table.by != GroupBy::kFunction) {
    add(event);
    add("share");
  } else if (table.inclusive) {
    add(event + " inclusive");
    add("share");
    add("self");
    if (wide) add("share");
    add("calls");
  } else {
    add(event);
    add("share");
    add("inclusive");
    if (wide) add("share");
    add("calls");
  }
  columns.push_back({std::string(title_of(table.by)), Align::kLeft});
  return columns;
}

/// The rows that the filter keeps; what it leaves out is added to `left_out`.
CostTableTop make_filtered_top(const CostGraph& graph, const ProfileTextOptions& options, CostTableTop& left_out) {
  if (options.filter.keeps_all() || options.table.by != GroupBy::kFunction)
    return make_cost_table_top(graph, options.table, options.top);
  const size_t event = options.table.event;
  CostTableTop top;
  for (CostRow& row : make_cost_table(graph, options.table)) {
    if ((options.table.inclusive ? row.inclusive : row.self)[event] == 0) continue;
    CostTableTop& side = options.filter.keeps(row.file, row.name) ? top : left_out;
    if (&side == &top && (options.top == 0 || top.rows.size() < options.top)) {
      top.rows.push_back(std::move(row));
      continue;
    }
    ++side.more;
    side.more_self = checked_add(side.more_self, row.self[event], "self cost");
  }
  return top;
}

Sheet make_sheet(const CostGraph& graph, const ProfileTextOptions& options, bool wide) {
  const CostTableOptions& table = options.table;
  Sheet sheet;
  sheet.columns = columns_of(graph, table, wide);
  CostTableTop left_out;
  const CostTableTop top = make_filtered_top(graph, options, left_out);
  for (const CostRow& row : top.rows) {
    sheet.rows.push_back(cells_of(row, graph, table, wide));
    sheet.names.push_back(name_of(row, table.by, options.raw));
    std::string place = table.by == GroupBy::kFunction ? place_of(row.file, row.object, options.raw)
                        : table.by == GroupBy::kLine   ? std::string(row.name)
                                                       : std::string();
    if (row.cycle_size > 1) place += fmt::format("{}[cycle of {}]", place.empty() ? "" : " ", row.cycle_size);
    sheet.places.push_back(std::move(place));
  }
  const auto add_rest = [&](const CostTableTop& rest, std::string title) {
    if (rest.more == 0) return;
    // Inclusive costs overlap, so only self costs have a rest.
    std::vector<std::string> cells;
    if (!table.inclusive)
      cells = {with_thousands(rest.more_self), percent_of(rest.more_self, graph.totals[table.event])};
    cells.resize(sheet.columns.size() - 1);
    cells.push_back(std::move(title));
    sheet.rests.push_back(std::move(cells));
  };
  add_rest(top, counted(top.more, fmt::format("more {}", title_of(table.by))));
  add_rest(left_out, counted(left_out.more, "function") + " left out");
  return sheet;
}

std::string totals_line(const CostGraph& graph) {
  std::string line;
  for (size_t e = 0; e < graph.event_count(); ++e)
    line += fmt::format("{}{} {}", e > 0 ? ", " : "", with_thousands(graph.totals[e]), graph.events[e]);
  line += " in " + counted(graph.functions.size(), "function");
  if (graph.parts != 1) line += fmt::format(", {} parts added up", with_thousands(graph.parts));
  return line;
}

void render_heading(std::ostream& out, const CostGraph& graph, const ProfileHeading& heading, const TextStyle& style) {
  out << paint(escape_for_terminal(heading.name), Tone::kBold, style);
  if (!heading.command.empty()) {
    const std::string command = escape_for_terminal(heading.command);
    const size_t used = display_width(heading.name) + 2;
    out << "  "
        << paint(
               style.width == 0 ? command : shorten_middle(command, style.width > used + 20 ? style.width - used : 20),
               Tone::kDim, style);
  }
  out << '\n' << totals_line(graph) << "\n\n";
}

std::vector<Cell> as_cells(const std::vector<std::string>& texts, Tone tone = Tone::kPlain) {
  std::vector<Cell> cells;
  for (const std::string& text : texts) cells.push_back({text, tone});
  return cells;
}

/// Name and place of each row, the places below one another; `room` is what the terminal leaves for them, 0: any.
std::vector<std::string> last_column(const Sheet& sheet, const ProfileTextOptions& options, size_t room) {
  constexpr size_t kGap = 2, kLeastPlace = 8;
  if (options.raw) room = 0;
  const bool with_places = room == 0 || room >= kLeastForPlace || options.table.by != GroupBy::kFunction;
  const ShortNames names(options.raw ? std::vector<std::string>() : sheet.names,
                         room == 0     ? 0
                         : with_places ? std::max<size_t>(room * 2 / 3, 20)
                                       : room);
  std::vector<std::string> column;
  size_t widest = 0;
  for (const std::string& name : sheet.names) {
    column.push_back(escape_for_terminal(names.of(name)));
    if (const size_t width = display_width(column.back()); width <= kWidestName) widest = std::max(widest, width);
  }
  for (size_t i = 0; with_places && i < column.size(); ++i) {
    const std::string place =
        shorten_middle(escape_for_terminal(sheet.places[i]), options.raw ? SIZE_MAX : kLongestWhole);
    const size_t used = std::max(display_width(column[i]), widest) + kGap;
    if (place.empty() || (room > 0 && room < used + kLeastPlace)) continue;
    column[i].resize(column[i].size() + used - display_width(column[i]), ' ');
    column[i] += room == 0 ? place : shorten_middle(place, room - used);
  }
  return column;
}

}  // namespace

void render_profile_text(std::ostream& out, const CostGraph& graph, const ProfileHeading& heading,
                         const ProfileTextOptions& options, const TextStyle& style) {
  render_heading(out, graph, heading, style);
  const Sheet sheet = make_sheet(graph, options, style.width == 0 || style.width >= kNarrow);
  Table figures(sheet.columns);
  for (const auto& row : sheet.rows) figures.add_row(as_cells(row));
  const std::vector<std::string> last = last_column(sheet, options, figures.room_for_last(style.width));
  Table table(sheet.columns);
  for (size_t i = 0; i < sheet.rows.size(); ++i) {
    std::vector<Cell> cells = as_cells(sheet.rows[i]);
    cells.push_back({last[i]});
    table.add_row(std::move(cells));
  }
  for (const auto& rest : sheet.rests) table.add_row(as_cells(rest, Tone::kDim));
  table.render_text(out, style);
  if (sheet.rows.empty() && sheet.rests.empty()) out << "  (no cost recorded)\n";
}

void render_profile_markdown(std::ostream& out, const CostGraph& graph, const ProfileHeading& heading,
                             const ProfileTextOptions& options) {
  out << "**" << escape_for_markdown(heading.name) << "**: " << escape_for_markdown(totals_line(graph)) << "\n\n";
  const Sheet sheet = make_sheet(graph, options, true);
  Table table(sheet.columns);
  for (size_t i = 0; i < sheet.rows.size(); ++i) {
    std::vector<Cell> cells = as_cells(sheet.rows[i]);
    cells.push_back({.text = sheet.names[i], .form = Form::kName, .place = sheet.places[i]});
    table.add_row(std::move(cells));
  }
  for (const auto& rest : sheet.rests) table.add_row(as_cells(rest));
  table.render_markdown(out);
}

void render_calls_text(std::ostream& out, const CostGraph& graph, FunctionIndex function, bool callers,
                       const ProfileTextOptions& options, const TextStyle& style) {
  const size_t event = options.table.event;
  const std::vector<CallRow> rows = make_call_table(graph, function, callers, event);
  const std::string name(graph.name(function));
  std::vector<std::string> shown_names = {name};
  for (const CallRow& row : rows) shown_names.emplace_back(graph.name(row.other));
  const ShortNames names(options.raw ? std::vector<std::string>() : shown_names,
                         style.width == 0 ? 0 : std::max<size_t>(style.width, 60) - 45);
  const std::string place = place_of(graph.file(function), graph.object(function), options.raw);
  out << (callers ? "callers of " : "callees of ") << paint(escape_for_terminal(names.of(name)), Tone::kBold, style);
  if (!place.empty()) out << "  " << paint(escape_for_terminal(place), Tone::kDim, style);
  out << fmt::format("\nself cost {} {}\n\n", with_thousands(graph.self_of(function, event)), graph.events[event]);
  if (rows.empty()) {
    out << (callers ? "  (no callers)\n" : "  (no callees)\n");
    return;
  }
  Table table({{graph.events[event] + " inclusive"},
               {"share"},
               {"calls"},
               {"per call"},
               {callers ? "caller" : "callee", Align::kLeft}});
  size_t shown = 0;
  for (const CallRow& row : rows) {
    if (options.top > 0 && shown == options.top) break;
    ++shown;
    const int64_t cost = row.inclusive[event];
    if (row.in_cycle) {
      table.add_row({{"-"},
                     {"-"},
                     {with_thousands(row.calls)},
                     {"-"},
                     {names.of(std::string(graph.name(row.other))) + "  (in a cycle)"}});
      continue;
    }
    const std::string per_call =
        row.calls == 0 ? "-" : quantity_text(static_cast<double>(cost) / static_cast<double>(row.calls));
    table.add_row({{with_thousands(cost)},
                   {percent_of(cost, graph.totals[event])},
                   {with_thousands(row.calls)},
                   {per_call},
                   {names.of(std::string(graph.name(row.other)))}});
  }
  if (shown < rows.size())
    table.add_row({{""}, {""}, {""}, {""}, {fmt::format("{} more", rows.size() - shown), Tone::kDim}});
  table.render_text(out, style);
}

namespace {

Json costs(const std::vector<int64_t>& table, size_t entry, size_t events) {
  Json list = Json::array();
  for (size_t e = 0; e < events; ++e) list.push_back(table[entry * events + e]);
  return list;
}

std::vector<FunctionIndex> functions_in_order(const CostGraph& graph) {
  std::vector<FunctionIndex> order(graph.functions.size());
  std::iota(order.begin(), order.end(), FunctionIndex{0});
  std::sort(order.begin(), order.end(), [&](FunctionIndex a, FunctionIndex b) {
    if (graph.self_of(a, 0) != graph.self_of(b, 0)) return graph.self_of(a, 0) > graph.self_of(b, 0);
    return std::tuple{graph.name(a), graph.file(a), graph.object(a)} <
           std::tuple{graph.name(b), graph.file(b), graph.object(b)};
  });
  return order;
}

Json functions_to_json(const CostGraph& graph, std::span<const FunctionIndex> order) {
  const InclusiveCosts inclusive = make_inclusive_costs(graph);
  const std::vector<int64_t> calls = calls_into(graph);
  const size_t events = graph.event_count();
  Json list = Json::array();
  for (const FunctionIndex f : order) {
    Json entry;
    entry["name"] = graph.name(f);
    entry["file"] = graph.file(f);
    entry["object"] = graph.object(f);
    entry["calls"] = calls[f];
    entry["self"] = costs(graph.self, f, events);
    entry["inclusive"] = costs(inclusive.cost, inclusive.components.of[f], events);
    if (inclusive.component_size(f) > 1) entry["cycle_size"] = inclusive.component_size(f);
    list.push_back(std::move(entry));
  }
  return list;
}

Json edges_to_json(const CostGraph& graph, std::span<const FunctionIndex> order) {
  constexpr uint32_t kLeftOut = ~uint32_t{0};
  std::vector<uint32_t> position(graph.functions.size(), kLeftOut);
  for (uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  std::vector<size_t> edges(graph.edges.size());
  std::iota(edges.begin(), edges.end(), size_t{0});
  std::erase_if(edges, [&](size_t e) {
    return position[graph.edges[e].caller] == kLeftOut || position[graph.edges[e].callee] == kLeftOut;
  });
  const auto key = [&](size_t e) {
    return std::pair{position[graph.edges[e].caller], position[graph.edges[e].callee]};
  };
  std::sort(edges.begin(), edges.end(), [&](size_t a, size_t b) { return key(a) < key(b); });
  Json list = Json::array();
  for (const size_t e : edges) {
    Json entry;
    entry["caller"] = key(e).first;
    entry["callee"] = key(e).second;
    entry["calls"] = graph.edges[e].calls;
    entry["inclusive"] = costs(graph.inclusive, e, graph.event_count());
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

Json profile_to_json(const CostGraph& graph, const FunctionFilter& filter) {
  std::vector<FunctionIndex> order = functions_in_order(graph);
  std::vector<int64_t> left_out(graph.event_count(), 0);
  if (!filter.keeps_all())
    std::erase_if(order, [&](FunctionIndex f) {
      if (filter.keeps(graph.file(f), graph.name(f))) return false;
      for (size_t e = 0; e < left_out.size(); ++e) left_out[e] += graph.self_of(f, e);
      return true;
    });
  Json json;
  json["schema"] = {{"name", "icount-profile"}, {"version", 1}};
  json["events"] = graph.events;
  json["totals"] = graph.totals;
  json["parts"] = graph.parts;
  json["call_counts"] = {{"trusted", graph.call_counts.trusted}, {"reason", graph.call_counts.reason}};
  json["functions"] = functions_to_json(graph, order);
  json["edges"] = edges_to_json(graph, order);
  if (!filter.keeps_all())
    json["left_out"] = {{"functions", graph.functions.size() - order.size()}, {"self", left_out}};
  return json;
}

}  // namespace icount
