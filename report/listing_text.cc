#include "icount/report/listing_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "icount/base/text.h"
#include "icount/report/listing_source.h"
#include "icount/report/markdown.h"
#include "icount/report/results_text.h"
#include "icount/report/table.h"

namespace icount {
namespace {

std::string label_of(const ListingRow& row) {
  return std::string(2 * static_cast<size_t>(row.indent), ' ') + name_of_row(row);
}

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

bool any_text(const std::vector<std::string>& texts) {
  return std::any_of(texts.begin(), texts.end(), [](const std::string& text) { return !text.empty(); });
}

/// A longer line of source is cut, not wrapped: columns stay readable.
constexpr size_t kLeastRoom = 24;
std::string cut_to(const std::string& text, size_t width) {
  return width == 0 ? text : shorten_middle(text, std::max(width, kLeastRoom));
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

TextTable make_table(const FunctionListing& listing, const std::vector<std::string>& sources, size_t room) {
  std::vector<Column> columns{{"", Align::kLeft}, {"base"}, {"head"}, {"base total"}, {"head total"}};
  const bool with_source = any_text(sources);
  if (with_source) columns.push_back({"", Align::kLeft});
  TextTable table(std::move(columns));
  for (size_t i = 0; i < listing.rows.size(); ++i) {
    const ListingRow& row = listing.rows[i];
    const auto [base, head] = rates(row);
    const Tone tone = row.per[0] == row.per[1] ? Tone::kDim : row.per[1] > row.per[0] ? Tone::kWorse : Tone::kBetter;
    std::vector<Cell> cells{
        {label_of(row)}, {base}, {head, tone}, {with_thousands(row.total[0])}, {with_thousands(row.total[1])}};
    if (with_source) cells.push_back({cut_to(sources[i], room)});
    table.add_row(std::move(cells));
  }
  return table;
}

}  // namespace

void render_listing_text(std::ostream& out, const FunctionListing& listing, const TextStyle& style) {
  out << '\n' << paint(escape_for_terminal(listing.function), Tone::kBold, style);
  if (!listing.closed.empty()) {
    out << ": no listing: " << listing.closed << '\n';
    return;
  }
  out << "\n\n";
  const std::vector<std::string> sources = sources_of(listing);
  const size_t room = any_text(sources) ? make_table(listing, sources, 0).room_for_last(style.width) : 0;
  make_table(listing, sources, room).render(out, style);
  for (const std::string& note : listing.source_notes) out << "note: " << escape_for_terminal(note) << '\n';
}

void render_listing_markdown(std::ostream& out, const FunctionListing& listing) {
  out << "\n### " << markdown_code(listing.function) << "\n\n";
  if (!listing.closed.empty()) {
    out << "No listing: " << listing.closed << ".\n";
    return;
  }
  const std::vector<std::string> sources = sources_of(listing);
  const bool with_source = any_text(sources);
  out << "| | base | head | base total | head total |" << (with_source ? " source |" : "")
      << "\n|---|---:|---:|---:|---:|" << (with_source ? "---|" : "") << '\n';
  for (size_t i = 0; i < listing.rows.size(); ++i) {
    const ListingRow& row = listing.rows[i];
    const auto [base, head] = rates(row);
    out << "| ";
    for (int i = 0; i < 2 * row.indent; ++i) out << "&nbsp;";
    const std::string label = label_of(row);
    out << markdown_code(label.substr(2 * static_cast<size_t>(row.indent))) << " | " << base << " | " << head << " | "
        << with_thousands(row.total[0]) << " | " << with_thousands(row.total[1]) << " |";
    if (with_source) out << ' ' << (sources[i].empty() ? std::string() : markdown_code(sources[i])) << " |";
    out << '\n';
  }
  for (const std::string& note : listing.source_notes) out << "\n" << escape_for_markdown(note) << '\n';
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
