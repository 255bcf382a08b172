#include "icount/report/sparkline.h"

#include <algorithm>
#include <cmath>

namespace icount {
namespace {

constexpr const char* kBlocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr size_t kMiddle = 3;
constexpr double kLevels = 8;

size_t block_of(double value, double low, double high) {
  if (!(high > low)) return kMiddle;
  return static_cast<size_t>(std::clamp(std::floor((value - low) / (high - low) * kLevels), 0.0, kLevels - 1));
}

}  // namespace

std::string render_sparkline(std::span<const std::optional<double>> values, size_t columns) {
  double low = 0, high = 0;
  bool any = false;
  for (const std::optional<double>& value : values) {
    if (!value) continue;
    low = any ? std::min(low, *value) : *value;
    high = any ? std::max(high, *value) : *value;
    any = true;
  }
  const size_t count = std::min(columns, values.size());
  std::string text;
  for (size_t column = 0; column < count; ++column) {
    std::optional<double> shown;
    for (size_t i = column * values.size() / count; i < (column + 1) * values.size() / count; ++i)
      if (values[i]) shown = values[i];
    text += shown ? kBlocks[block_of(*shown, low, high)] : " ";
  }
  return text;
}

}  // namespace icount
