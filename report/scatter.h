// A scatter of many points as one or two lines of text: columns are equal steps of the logarithm of x, the
// height of a block is the median of y there, on a logarithmic scale.
#pragma once

#include <span>
#include <string>
#include <utility>

namespace icount {

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

}  // namespace icount
