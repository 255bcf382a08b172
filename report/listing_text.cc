#include "icount/report/listing_text.h"

#include <fmt/format.h>

#include <ostream>

#include "icount/base/text.h"
#include "icount/report/markdown.h"
#include "icount/report/results_text.h"
#include "icount/report/table.h"

namespace icount {
namespace {

std::string label_of(const ListingRow& row) {
  const std::string what = row.line == 0 ? row.label : fmt::format("{}:{}", row.file, row.line);
  return std::string(2 * static_cast<size_t>(row.indent), ' ') + what;
}

/// Rates that differ are told apart.
std::pair<std::string, std::string> rates(const ListingRow& row) {
  std::pair<std::string, std::string> texts{quantity_text(row.per[0]), quantity_text(row.per[1])};
  for (int digits = 2; texts.first == texts.second && row.per[0] != row.per[1] && digits < 5; ++digits)
    texts = {fmt::format("{:.{}f}", row.per[0], digits), fmt::format("{:.{}f}", row.per[1], digits)};
  return texts;
}

}  // namespace

void render_listing_text(std::ostream& out, const FunctionListing& listing, const TextStyle& style) {
  out << '\n' << paint(escape_for_terminal(listing.function), Tone::kBold, style);
  if (!listing.closed.empty()) {
    out << ": no listing: " << listing.closed << '\n';
    return;
  }
  out << "\n\n";
  TextTable table({{"", Align::kLeft}, {"base"}, {"head"}, {"base total"}, {"head total"}});
  for (const ListingRow& row : listing.rows) {
    const auto [base, head] = rates(row);
    const Tone tone = row.per[0] == row.per[1] ? Tone::kDim : row.per[1] > row.per[0] ? Tone::kWorse : Tone::kBetter;
    table.add_row(
        {{label_of(row)}, {base}, {head, tone}, {with_thousands(row.total[0])}, {with_thousands(row.total[1])}});
  }
  table.render(out, style);
}

void render_listing_markdown(std::ostream& out, const FunctionListing& listing) {
  out << "\n### " << markdown_code(listing.function) << "\n\n";
  if (!listing.closed.empty()) {
    out << "No listing: " << listing.closed << ".\n";
    return;
  }
  out << "| | base | head | base total | head total |\n|---|---:|---:|---:|---:|\n";
  for (const ListingRow& row : listing.rows) {
    const auto [base, head] = rates(row);
    out << "| ";
    for (int i = 0; i < 2 * row.indent; ++i) out << "&nbsp;";
    const std::string label = label_of(row);
    out << markdown_code(label.substr(2 * static_cast<size_t>(row.indent))) << " | " << base << " | " << head << " | "
        << with_thousands(row.total[0]) << " | " << with_thousands(row.total[1]) << " |\n";
  }
}

Json listing_to_json(const FunctionListing& listing) {
  Json json;
  json["function"] = listing.function;
  json["rows"] = Json::array();
  for (const ListingRow& row : listing.rows) {
    Json each{{"indent", row.indent},
              {"base", row.per[0]},
              {"head", row.per[1]},
              {"base_total", row.total[0]},
              {"head_total", row.total[1]}};
    if (row.line == 0) {
      each["label"] = row.label;
    } else {
      each["file"] = row.file;
      each["line"] = row.line;
    }
    json["rows"].push_back(std::move(each));
  }
  json["closed"] = listing.closed.empty() ? Json() : Json{{"reason", listing.closed}};
  return json;
}

}  // namespace icount
