#include "icount/report/scatter.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace icount {
namespace {

constexpr const char* kBlocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr double kLevels = 8;

// Where `value` lies between the ends, from 0 to 1 in the logarithm; 0 when there is no stretch between them.
double share_of(double value, double low, double high) {
  if (!(high > low)) return 0;
  return (std::log2(value) - std::log2(low)) / (std::log2(high) - std::log2(low));
}

size_t bucket(double share, double count) {
  return static_cast<size_t>(std::clamp(std::floor(share * count), 0.0, count - 1));
}

bool is_inside(const std::pair<double, double>& point, const ScatterRange& range) {
  return point.first >= range.low_x && point.first <= range.high_x && point.second >= range.low_y &&
         point.second <= range.high_y;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

ScatterRange scatter_range(std::span<const std::pair<double, double>> points, const ScatterRange* joined) {
  ScatterRange range;
  bool is_first = joined == nullptr;
  if (joined) range = *joined;
  for (const auto& [x, y] : points) {
    if (!(x > 0 && y > 0)) continue;
    if (is_first) range = {x, x, y, y};
    is_first = false;
    range = {std::min(range.low_x, x), std::max(range.high_x, x), std::min(range.low_y, y), std::max(range.high_y, y)};
  }
  return range;
}

std::string render_scatter(std::span<const std::pair<double, double>> points, const ScatterRange& range,
                           size_t columns) {
  std::vector<std::vector<double>> cells(columns);
  for (const auto& point : points)
    if (is_inside(point, range))
      cells[bucket(share_of(point.first, range.low_x, range.high_x), static_cast<double>(columns))].push_back(
          point.second);
  std::string text;
  for (const std::vector<double>& cell : cells)
    text += cell.empty() ? " " : kBlocks[bucket(share_of(median(cell), range.low_y, range.high_y), kLevels)];
  return text;
}

}  // namespace icount
