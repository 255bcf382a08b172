// A function side by side, loop by loop and line by line: `icount diff --open FUNCTION`. Value:
// explain/function_listing.h.
#pragma once

#include "icount/base/json.h"
#include "icount/explain/function_listing.h"
#include "icount/report/document.h"

namespace icount {

/// Two columns of rates, and the two of the whole numbers behind them, which add up.
Document make_listing_document(const FunctionListing& listing);

Json listing_to_json(const FunctionListing& listing);

}  // namespace icount
