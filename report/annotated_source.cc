#include "icount/report/annotated_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <ostream>
#include <set>

#include "icount/base/checked.h"
#include "icount/base/text.h"
#include "icount/callgraph/name_parts.h"
#include "icount/report/document.h"
#include "icount/report/listing_document.h"
#include "icount/report/profile_text.h"

namespace icount {
namespace {

constexpr uint64_t kContext = 2;

using CostByLine = std::map<uint64_t, const ListedLine*>;
using LinePair = std::pair<uint64_t, uint64_t>;

/// One file of the source as both sides name it.
struct FileLines {
  std::array<std::string, 2> file;
  std::array<CostByLine, 2> cost;
  std::vector<LinePair> same;  // lines of base and head
  int64_t self = 0;            // of the costlier side
};

std::map<std::string_view, FileLines> lines_by_file(const FunctionListing& listing) {
  std::map<std::string_view, FileLines> files;
  for (size_t side = 0; side < 2; ++side)
    for (const ListedLine& line : listing.lines[side]) {
      FileLines& file = files[base_of_path(line.place.file)];
      file.file[side] = line.place.file;
      file.cost[side].emplace(line.place.line, &line);
    }
  for (const auto& [base, head] : listing.same_lines)
    if (base_of_path(base.file) == base_of_path(head.file))
      files[base_of_path(base.file)].same.emplace_back(base.line, head.line);
  for (auto& [name, file] : files) {
    std::array<int64_t, 2> self{};
    for (size_t side = 0; side < 2; ++side)
      for (const auto& [line, cost] : file.cost[side]) self[side] = saturating_add(self[side], cost->self);
    file.self = std::max(self[0], self[1]);
  }
  return files;
}

/// The longest run of pairs that ascends on both sides: what was moved past it stands twice, once for each side.
std::vector<LinePair> ascending(std::vector<LinePair> pairs) {
  std::sort(pairs.begin(), pairs.end());
  std::vector<size_t> last;  // of the best run of each length: the pair with the least line of head
  std::vector<std::optional<size_t>> before(pairs.size());
  for (size_t i = 0; i < pairs.size(); ++i) {
    const auto at = std::partition_point(last.begin(), last.end(), [&](size_t end) {
      return pairs[end].first < pairs[i].first && pairs[end].second < pairs[i].second;
    });
    if (at != last.begin()) before[i] = *(at - 1);
    if (at == last.end())
      last.push_back(i);
    else if (pairs[i].second < pairs[*at].second)
      *at = i;
  }
  std::vector<LinePair> run;
  for (std::optional<size_t> at = last.empty() ? std::nullopt : std::optional(last.back()); at; at = before[*at])
    run.push_back(pairs[*at]);
  std::reverse(run.begin(), run.end());
  return run;
}

class FileAnnotator {
 public:
  FileAnnotator(const FunctionListing& listing, const FileLines& file) : listing_(listing), file_(file) {}

  AnnotatedFile make(size_t most) {
    out_.file = file_.file[1].empty() ? file_.file[0] : file_.file[1];
    LinePair from{first_line(0), first_line(1)};
    for (const LinePair& pair : ascending(file_.same)) {
      if (pair.first < from.first || pair.second < from.second) continue;
      add_between(from, pair);
      add_row(pair.first, pair.second);
      from = {pair.first + 1, pair.second + 1};
    }
    add_between(from, {end_line(0), end_line(1)});
    leave_out(most);
    mark_loops();
    return std::move(out_);
  }

 private:
  uint64_t first_line(size_t side) const {
    if (file_.cost[side].empty()) return 1;
    const uint64_t first = file_.cost[side].begin()->first;
    return first > kContext ? first - kContext : 1;
  }
  uint64_t end_line(size_t side) const {
    return file_.cost[side].empty() ? 1 : file_.cost[side].rbegin()->first + kContext + 1;
  }

  const std::string* text_of(size_t side, uint64_t line) const {
    return find_source_line(listing_, side, {file_.file[side], line});
  }

  /// Lines [from, to) of a side that there is anything to say of.
  std::vector<uint64_t> lines_between(size_t side, uint64_t from, uint64_t to) const {
    std::set<uint64_t> lines;
    for (auto at = file_.cost[side].lower_bound(from); at != file_.cost[side].end() && at->first < to; ++at)
      lines.insert(at->first);
    for (const SourceExcerpt& excerpt : listing_.sources[side]) {
      if (excerpt.file != file_.file[side]) continue;
      const uint64_t end = std::min<uint64_t>(to, excerpt.first_line + excerpt.lines.size());
      for (uint64_t line = std::max(from, excerpt.first_line); line < end; ++line) lines.insert(line);
    }
    return {lines.begin(), lines.end()};
  }

  /// Neither costs anything, and what is known of their texts is the same.
  bool are_alike(uint64_t base, uint64_t head) const {
    const std::string *left = text_of(0, base), *right = text_of(1, head);
    return left && right && *left == *right;
  }

  /// Between two lines that are the same: alike from the top and from the bottom, then what only one side has.
  void add_between(LinePair from, LinePair to) {
    const std::vector<uint64_t> base = lines_between(0, from.first, to.first),
                                head = lines_between(1, from.second, to.second);
    size_t top = 0, bottom = 0;
    const size_t least = std::min(base.size(), head.size());
    while (top < least && are_alike(base[top], head[top])) ++top;
    while (bottom < least - top && are_alike(base[base.size() - 1 - bottom], head[head.size() - 1 - bottom])) ++bottom;
    for (size_t i = 0; i < top; ++i) add_row(base[i], head[i]);
    for (size_t i = top; i < base.size() - bottom; ++i) add_row(base[i], 0);
    for (size_t i = top; i < head.size() - bottom; ++i) add_row(0, head[i]);
    for (size_t i = bottom; i > 0; --i) add_row(base[base.size() - i], head[head.size() - i]);
  }

  void add_row(uint64_t base, uint64_t head) {
    AnnotatedRow row;
    row.line = {base, head};
    for (size_t side = 0; side < 2; ++side) {
      if (const std::string* text = row.line[side] == 0 ? nullptr : text_of(side, row.line[side])) {
        row.text[side] = *text;
        row.has_text[side] = true;
      }
      const auto cost = file_.cost[side].find(row.line[side]);
      if (cost == file_.cost[side].end()) continue;
      row.executions[side] = cost->second->executions;
      row.self[side] = cost->second->self;
    }
    // A line that base executed and whose text is the file's: no line of its own without one.
    out_.rows.push_back(std::move(row));
  }

  static bool is_executed(const AnnotatedRow& row) {
    return row.executions[0] != 0 || row.executions[1] != 0 || row.self[0] != 0 || row.self[1] != 0;
  }

  /// Keeps the `most` costliest lines and kContext rows around each.
  void leave_out(size_t most) {
    std::vector<size_t> executed;
    for (size_t i = 0; i < out_.rows.size(); ++i)
      if (is_executed(out_.rows[i])) executed.push_back(i);
    if (executed.size() > most) {
      const auto cost = [&](size_t i) { return std::max(out_.rows[i].self[0], out_.rows[i].self[1]); };
      std::stable_sort(executed.begin(), executed.end(), [&](size_t a, size_t b) { return cost(a) > cost(b); });
      out_.more = executed.size() - most;
      for (size_t i = most; i < executed.size(); ++i)
        for (size_t side = 0; side < 2; ++side)
          out_.more_self[side] = saturating_add(out_.more_self[side], out_.rows[executed[i]].self[side]);
      executed.resize(most);
    }
    const std::set<size_t> kept(executed.begin(), executed.end());
    std::vector<AnnotatedRow> rows;
    std::optional<size_t> last;
    for (size_t i = 0; i < out_.rows.size(); ++i) {
      const auto near = kept.lower_bound(i < kContext ? 0 : i - kContext);
      const bool shown =
          near != kept.end() && *near <= i + kContext && (kept.contains(i) || !is_executed(out_.rows[i]));
      if (!shown) continue;
      AnnotatedRow& row = rows.emplace_back(std::move(out_.rows[i]));
      row.follows_gap = last && (*last + 1 != i || is_gap(rows[rows.size() - 2], row));
      last = i;
    }
    out_.rows = std::move(rows);
  }

  static bool is_gap(const AnnotatedRow& before, const AnnotatedRow& row) {
    for (const size_t side : {size_t{1}, size_t{0}})
      if (before.line[side] != 0 && row.line[side] != 0) return row.line[side] > before.line[side] + 1;
    return false;
  }

  void mark_loops() {
    for (uint32_t l = 0; l < listing_.loops.size(); ++l) {
      const ListedLoop& loop = listing_.loops[l];
      if (loop.first_line == 0 || loop.file != base_of_path(out_.file)) continue;
      const size_t side = loop.in_head ? 1 : 0;
      bool begun = false;
      for (AnnotatedRow& row : out_.rows) {
        if (row.line[side] < loop.first_line || row.line[side] > loop.last_line) continue;
        ++row.depth;
        if (!begun) row.loops.push_back(l);
        begun = true;
      }
    }
  }

  const FunctionListing& listing_;
  const FileLines& file_;
  AnnotatedFile out_;
};

}  // namespace

std::vector<AnnotatedFile> annotate_source(const FunctionListing& listing, size_t most) {
  const std::map<std::string_view, FileLines> files = lines_by_file(listing);
  std::vector<const FileLines*> order;
  for (const auto& [name, file] : files) order.push_back(&file);
  std::stable_sort(order.begin(), order.end(),
                   [](const FileLines* a, const FileLines* b) { return a->self > b->self; });
  std::vector<AnnotatedFile> annotated;
  for (const FileLines* file : order) annotated.push_back(FileAnnotator(listing, *file).make(most));
  return annotated;
}

namespace {

// Files with less than this part of the costliest's cost are summed up.
constexpr int64_t kLeastPart = 200;

bool has_text(const FunctionListing& listing, size_t side, const AnnotatedFile& file) {
  return std::any_of(file.rows.begin(), file.rows.end(),
                     [side](const AnnotatedRow& row) { return row.has_text[side]; }) &&
         !listing.sources[side].empty();
}

Json row_to_json(const AnnotatedRow& row, const std::array<bool, 2>& texts) {
  Json json{{"line", row.line}, {"executions", row.executions}, {"self", row.self}};
  if (row.has_text[0] && row.has_text[1] && row.text[0] != row.text[1])
    json["text"] = row.text;
  else if (row.has_text[0] || row.has_text[1])
    json["text"] = row.text[row.has_text[1] ? 1 : 0];
  // Only where the other side's text is known, a line it lacks was added or removed.
  if (row.line[0] == 0 && texts[0]) json["only"] = "head";
  if (row.line[1] == 0 && texts[1]) json["only"] = "base";
  if (row.depth > 0) json["depth"] = row.depth;
  if (!row.loops.empty()) json["loops"] = row.loops;
  if (row.follows_gap) json["gap"] = true;
  return json;
}

Json file_to_json(const FunctionListing& listing, const AnnotatedFile& file) {
  const std::array<bool, 2> texts = {has_text(listing, 0, file), has_text(listing, 1, file)};
  Json json{{"file", file.file}, {"rows", Json::array()}};
  bool differs = false;
  for (const AnnotatedRow& row : file.rows) {
    json["rows"].push_back(row_to_json(row, texts));
    const Json& made = json["rows"].back();
    differs = differs || made.contains("only") || (made.contains("text") && made["text"].is_array());
  }
  json["split"] = texts[0] && texts[1] && differs;
  if (file.more > 0) json["more"] = {{"lines", file.more}, {"self", file.more_self}};
  return json;
}

int64_t self_of(const AnnotatedFile& file, size_t side) {
  int64_t self = file.more_self[side];
  for (const AnnotatedRow& row : file.rows) self = saturating_add(self, row.self[side]);
  return self;
}

Json listing_to_page_json(const FunctionListing& listing, const ReportLimits& limits) {
  Json json{{"function", listing.function.size() > ReportStrings::kLongestName
                             ? listing.function.substr(0, ReportStrings::kLongestName)
                             : listing.function},
            {"self", listing.rows.front().total},
            {"files", Json::array()}};
  for (const std::string& note : listing.source_notes) json["notes"].push_back(note);
  for (const ListedLoop& loop : listing.loops)
    json["loops"].push_back({{"file", loop.file},
                             {"lines", {loop.first_line, loop.last_line}},
                             {"entries", loop.entries},
                             {"iterations", loop.iterations},
                             {"self", loop.self}});
  int64_t most = 0;
  size_t more = 0;
  std::array<int64_t, 2> more_self{};
  for (const AnnotatedFile& file : annotate_source(listing, limits.source_lines)) {
    const std::array<int64_t, 2> self = {self_of(file, 0), self_of(file, 1)};
    const int64_t larger = std::max(self[0], self[1]);
    most = std::max(most, larger);
    if (larger >= most / kLeastPart && !file.rows.empty()) {
      json["files"].push_back(file_to_json(listing, file));
      continue;
    }
    ++more;
    for (size_t side = 0; side < 2; ++side) more_self[side] = saturating_add(more_self[side], self[side]);
  }
  if (more > 0) json["more"] = {{"files", more}, {"self", more_self}};
  return json;
}

}  // namespace

Json listings_to_page_json(const std::vector<FunctionListing>& listings, const ReportLimits& limits) {
  Json json = Json::array();
  for (const FunctionListing& listing : listings)
    if (listing.closed.empty() && !listing.rows.empty() && json.size() < limits.opened)
      json.push_back(listing_to_page_json(listing, limits));
  return json;
}

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
