// A function side by side, loop by loop and line by line: `icount diff --open FUNCTION`. Value:
// explain/function_listing.h.
#pragma once

#include <iosfwd>

#include "icount/base/json.h"
#include "icount/explain/function_listing.h"
#include "icount/report/text_style.h"

namespace icount {

/// Two columns of rates, and the two of the whole numbers behind them, which add up.
void render_listing_text(std::ostream& out, const FunctionListing& listing, const TextStyle& style);

/// The same as a Markdown table.
void render_listing_markdown(std::ostream& out, const FunctionListing& listing);

Json listing_to_json(const FunctionListing& listing);

}  // namespace icount
