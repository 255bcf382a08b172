// How a cost grows with a size, for people and as JSON. Made from stats/growth.h, written by `icount growth`.
#pragma once

#include <string>

#include "icount/base/json.h"
#include "icount/report/document.h"
#include "icount/stats/growth.h"

namespace icount {

/// How the whole grows, what grows most, then the functions that grow with their loops, and the others as one row;
/// names shortened for `width` columns, 0: whole. At most `top` functions, 0: all.
Document make_growth_document(const Growth& growth, size_t top, size_t width);

/// schema icount-growth (docs/json.md).
Json growth_to_json(const Growth& growth);

}  // namespace icount
