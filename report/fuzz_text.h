// A fuzzer run for people: how cost grows with size, the best and worst inputs, and where two statements
// differ most.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <utility>

#include "icount/report/text_style.h"
#include "icount/stats/fuzz_result.h"

namespace icount {

// A scatter of many points as one or two lines of text: columns are equal steps of the logarithm of x, the
// height of a block is the median of y there, on a logarithmic scale.

/// The range of both axes, so that several lines can share them.
struct ScatterRange {
  double low_x = 1, high_x = 1;
  double low_y = 1, high_y = 1;
};

/// The range of points above zero in both coordinates, widened to hold `range` too when `joined`.
ScatterRange scatter_range(std::span<const std::pair<double, double>> points, const ScatterRange* joined = nullptr);

/// `columns` blocks out of ▁▂▃▄▅▆▇█ (a blank where no point lies). Points outside the range are left out.
std::string render_scatter(std::span<const std::pair<double, double>> points, const ScatterRange& range,
                           size_t columns);

struct FuzzTextOptions {
  size_t top = 10;  ///< rows at each end; 0: all samples in one list
};

/// Heading, fit with its residual, scatter, tables, failures. Ends with a line break.
void render_fuzz_text(std::ostream& out, const FuzzResult& result, const FuzzTextOptions& options,
                      const TextStyle& style);

}  // namespace icount
