// A fuzzer run for people: how cost grows with size, the best and worst inputs, and where two statements
// differ most.
#pragma once

#include <iosfwd>

#include "icount/report/text_style.h"
#include "icount/stats/fuzz_result.h"

namespace icount {

struct FuzzTextOptions {
  size_t top = 10;  ///< rows at each end; 0: all samples in one list
};

/// Heading, fit with its residual, scatter, tables, failures. Ends with a line break.
void render_fuzz_text(std::ostream& out, const FuzzResult& result, const FuzzTextOptions& options,
                      const TextStyle& style);

}  // namespace icount
