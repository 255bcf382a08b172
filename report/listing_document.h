// A function side by side, loop by loop and line by line: `icount diff --open FUNCTION`. Value:
// explain/function_listing.h.
#pragma once

#include <string>
#include <string_view>

#include "icount/base/json.h"
#include "icount/explain/function_listing.h"
#include "icount/report/document.h"

namespace icount {

/// The text of a line of one side; null where that side's source was not found.
const std::string* find_source_line(const FunctionListing& listing, size_t side, const ListedPlace& place);

/// What stands beside a row: head's text, or base's where head does not have the line; empty where there is none.
std::string_view source_of_row(const FunctionListing& listing, const ListingRow& row);

/// "deflate.c:1374", and "deflate.c:1374 (base)" for a line that head does not have; other rows have their label.
std::string name_of_row(const ListingRow& row);

/// Two columns of rates, and the two of the whole numbers behind them, which add up.
Document make_listing_document(const FunctionListing& listing);

Json listing_to_json(const FunctionListing& listing);

}  // namespace icount
