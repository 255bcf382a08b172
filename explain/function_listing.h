// A function side by side, loop by loop and line by line: the table of `icount diff --open FUNCTION`. Made by
// explain/inside_listing.h; rendered by report/listing_text.h.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace icount {

/// One row. `per` is the figure shown, a rate per call or per iteration; `total` is the whole number behind it, and
/// totals add up exactly: a heading's own cost is the sum of the rows one level below it.
struct ListingRow {
  int indent = 0;
  std::string label;
  std::string file;   ///< of a line's row; empty for others
  uint64_t line = 0;  ///< 0 for others
  std::array<double, 2> per{};
  std::array<int64_t, 2> total{};
};

struct FunctionListing {
  std::string function;
  std::vector<ListingRow> rows;
  std::string closed;  ///< why there are no rows; else empty
};

}  // namespace icount
