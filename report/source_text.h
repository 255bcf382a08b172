// The source of one function with what each line was executed and cost: `icount show --source`, as text and as JSON.
// The values come from inputs/load_source.h.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "icount/base/json.h"
#include "icount/explain/function_listing.h"
#include "icount/report/text_style.h"

namespace icount {

struct ShownSource {
  std::string name, file, object;  ///< of the function
  std::string event;
  int64_t self = 0;
  FunctionListing listing;  ///< of head alone: lines, sources, notes, or why it is closed
};

/// Self costs of the lines add up to the function's.
void render_source_text(std::ostream& out, const ShownSource& shown, bool raw, const TextStyle& style);

/// schema icount-source (docs/json.md).
Json source_to_json(const ShownSource& shown);

}  // namespace icount
