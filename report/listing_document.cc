#include "icount/report/listing_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/text.h"
#include "icount/report/results_text.h"

namespace icount {

const std::string* find_source_line(const FunctionListing& listing, size_t side, const ListedPlace& place) {
  if (place.line == 0) return nullptr;
  for (const SourceExcerpt& excerpt : listing.sources[side])
    if (excerpt.file == place.file && place.line >= excerpt.first_line &&
        place.line - excerpt.first_line < excerpt.lines.size())
      return &excerpt.lines[place.line - excerpt.first_line];
  return nullptr;
}

std::string_view source_of_row(const FunctionListing& listing, const ListingRow& row) {
  for (const size_t side : {size_t{1}, size_t{0}})
    if (const std::string* text = find_source_line(listing, side, row.places[side])) return *text;
  return {};
}

std::string name_of_row(const ListingRow& row) {
  if (row.line == 0) return row.label;
  const bool only_base = row.places[1].line == 0 && row.places[0].line != 0;
  return fmt::format("{}:{}{}", row.file, row.line, only_base ? " (base)" : "");
}

namespace {

/// The source beside each row, without the indentation that all have in common.
std::vector<std::string> sources_of(const FunctionListing& listing) {
  std::vector<std::string> texts;
  size_t common = std::string::npos;
  for (const ListingRow& row : listing.rows) {
    texts.emplace_back(source_of_row(listing, row));
    if (const size_t indent = texts.back().find_first_not_of(' '); indent != std::string::npos)
      common = std::min(common, indent);
  }
  for (std::string& text : texts) text.erase(0, common == std::string::npos ? text.size() : common);
  return texts;
}

/// Rates that differ are told apart.
std::pair<std::string, std::string> rates(const ListingRow& row) {
  std::pair<std::string, std::string> texts{quantity_text(row.per[0]), quantity_text(row.per[1])};
  for (int digits = 2; texts.first == texts.second && row.per[0] != row.per[1] && digits < 5; ++digits)
    texts = {fmt::format("{:.{}f}", row.per[0], digits), fmt::format("{:.{}f}", row.per[1], digits)};
  return texts;
}

Json line_to_json(const ListingRow& row, size_t side) {
  const ListedPlace& place = row.places[side];
  return place.line == 0 ? Json() : Json{{"file", place.file}, {"line", place.line}};
}

}  // namespace

Document make_listing_document(const FunctionListing& listing) {
  Document out;
  out.gap();
  if (!listing.closed.empty()) {
    out.line({{listing.function, Tone::kBold, Form::kName}, {": no listing: " + listing.closed}});
    return out;
  }
  out.title({.text = listing.function, .form = Form::kName});
  out.gap();
  const std::vector<std::string> sources = sources_of(listing);
  const bool with_source =
      std::any_of(sources.begin(), sources.end(), [](const std::string& text) { return !text.empty(); });
  std::vector<Column> columns{{"", Align::kLeft}, {"base"}, {"head"}, {"base total"}, {"head total"}};
  if (with_source) columns.push_back({"", Align::kLeft, Overflow::kCut});  // wrapped source could not be read
  Table table(std::move(columns));
  for (size_t i = 0; i < listing.rows.size(); ++i) {
    const ListingRow& row = listing.rows[i];
    const auto [base, head] = rates(row);
    const Tone tone = row.per[0] == row.per[1] ? Tone::kDim : row.per[1] > row.per[0] ? Tone::kWorse : Tone::kBetter;
    std::vector<Cell> cells{{.text = name_of_row(row), .form = Form::kName, .indent = static_cast<size_t>(row.indent)},
                            {base},
                            {head, tone},
                            {with_thousands(row.total[0])},
                            {with_thousands(row.total[1])}};
    if (with_source) cells.push_back({.text = sources[i], .form = Form::kName});
    table.add_row(std::move(cells));
  }
  out.table(std::move(table));
  for (const std::string& note : listing.source_notes) out.line("note: " + note);
  return out;
}

Json listing_to_json(const FunctionListing& listing) {
  Json json;
  json["function"] = listing.function;
  json["rows"] = Json::array();
  for (const ListingRow& row : listing.rows) {
    Json each{{"indent", row.indent},       {"base", row.per[0]},         {"head", row.per[1]},
              {"base_total", row.total[0]}, {"head_total", row.total[1]}, {"counts", row.is_cost ? "self" : "times"}};
    if (row.line == 0) {
      each["label"] = row.label;
    } else {
      each["file"] = row.file;
      each["line"] = row.line;
      each["lines"] = {line_to_json(row, 0), line_to_json(row, 1)};
      each["executions"] = row.executions;
      if (const std::string_view text = source_of_row(listing, row); !text.empty()) each["source"] = text;
    }
    json["rows"].push_back(std::move(each));
  }
  if (!listing.source_notes.empty()) json["source_notes"] = listing.source_notes;
  json["closed"] = listing.closed.empty() ? Json() : Json{{"reason", listing.closed}};
  return json;
}

}  // namespace icount
