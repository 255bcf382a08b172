#include "icount/report/column_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "icount/stats/units.h"

namespace icount {
namespace {

constexpr size_t kWarningWidth = 7;

// Digits before the point; a figure that has none (zero, negative) takes one.
int leading_digits(double value) {
  float power = log10_float32(value);
  return std::isfinite(power) ? static_cast<int>(std::ceil(power)) : 1;
}

}  // namespace

ColumnFormat::ColumnFormat(const CompareTable& table, size_t column, const CompareOptions& options)
    : scale_(table.unit.seconds), trim_(options.trim_significant_figures) {
  std::optional<int> most_digits, fewest_decimals;
  for (size_t row = 0; row < table.rows.size(); ++row) {
    const Measurement* cell = table.cell(row, column);
    if (!cell) continue;
    int digits = leading_digits(cell->median() / scale_);
    int decimals = std::max(cell->significant_figures() - digits, 0);
    most_digits = std::max(most_digits.value_or(digits), digits);
    fewest_decimals = std::min(fewest_decimals.value_or(decimals), decimals);
    warns_ = warns_ || (options.highlight_warnings && cell->has_warnings());
  }
  decimals_ = trim_ ? fewest_decimals.value_or(1) : 1;
  // Below one unit this can be negative; PyTorch's format then takes the minus for a flag and what
  // follows for the width.
  width_ = std::abs(most_digits.value_or(1) + decimals_ + (decimals_ > 0));
}

std::string ColumnFormat::number(double value, int figures, std::string_view warning) const {
  double shown = trim_ ? trim_sigfig(value, figures) : value;
  return fmt::format("{:>{}.{}f}{:>{}}", shown, width_, decimals_, warning, warns_ ? kWarningWidth : 0);
}

std::string ColumnFormat::figure(const Measurement& measurement) const {
  std::string warning;
  if (warns_ && measurement.has_warnings()) warning = fmt::format(" (! {:.0f}%)", measurement.relative_iqr() * 100);
  return number(measurement.median() / scale_, measurement.significant_figures(), warning);
}

std::string ColumnFormat::missing() const { return std::string(number(1, 1, "").size(), ' '); }

}  // namespace icount
