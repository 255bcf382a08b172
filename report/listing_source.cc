#include "icount/report/listing_source.h"

#include <fmt/format.h>

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

}  // namespace icount
