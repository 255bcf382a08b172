#include "icount/report/annotated_json.h"

#include <algorithm>

#include "icount/base/checked.h"
#include "icount/report/annotated_source.h"
#include "icount/report/report_strings.h"

namespace icount {
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

}  // namespace icount
