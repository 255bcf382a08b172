#include "icount/report/compare_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "icount/base/text.h"
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

namespace {

std::string ratio_text(const Ratio& ratio) {
  std::string interval =
      ratio.interval ? fmt::format(" [{:.3f}, {:.3f}]", ratio.interval->low, ratio.interval->high) : "";
  return fmt::format("{:.3f}{} {}", ratio.ratio, interval, to_text(ratio.verdict));
}

std::optional<double> count_of(const CompareTable& table, size_t row, size_t column) {
  const std::optional<size_t>& result = table.rows[row].cells[column];
  return result ? table.instructions[*result] : std::nullopt;
}

std::string count_text(double count) {
  if (std::fabs(count) >= 0x1p53) return fmt::format("{:.3g}", count);
  if (count == std::floor(count)) return with_thousands(static_cast<int64_t>(count));
  const int64_t hundredths = std::llround(count * 100);
  return fmt::format("{}.{:02}", with_thousands(hundredths / 100), std::abs(hundredths % 100));
}

bool disagrees(const CompareTable& table, const RatioTable& ratios, size_t row, size_t column) {
  constexpr double kMoved = 0.01;
  const std::optional<Ratio>& time = ratios.cells[row][column];
  std::optional<double> base = count_of(table, row, ratios.base_column), head = count_of(table, row, column);
  if (!time || !base || !head || *base <= 0) return false;
  double counts = *head / *base;
  return (time->verdict == RatioVerdict::kFaster && counts > 1 + kMoved) ||
         (time->verdict == RatioVerdict::kSlower && counts < 1 - kMoved);
}

/// None where nothing allocates.
void add_allocation_columns(const CompareTable& table, std::vector<ExtraColumn>& columns) {
  if (std::none_of(table.allocations.begin(), table.allocations.end(),
                   [](const std::optional<double>& count) { return count.value_or(0) != 0; }))
    return;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    ExtraColumn extra{.title = "allocations, " + table.columns[column]};
    bool any = false;
    for (const CompareRow& row : table.rows) {
      const std::optional<size_t>& result = row.cells[column];
      const std::optional<double> count = result ? table.allocations[*result] : std::nullopt;
      any = any || count;
      extra.cells.push_back(count ? count_text(*count) : "");
    }
    if (any) columns.push_back(std::move(extra));
  }
}

}  // namespace

std::vector<std::string> legends_of(std::span<const ExtraColumn> columns) {
  std::vector<std::string> legends;
  for (const ExtraColumn& column : columns)
    if (!column.legend.empty()) legends.push_back(column.legend);
  return ordered_unique(legends);
}

std::vector<ExtraColumn> make_ratio_columns(const CompareTable& table, const RatioTable& ratios) {
  std::vector<ExtraColumn> columns;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    if (column == ratios.base_column) continue;
    ExtraColumn extra{.title = table.columns[column] + " / " + table.columns[ratios.base_column]};
    extra.legend = "Ratios are of medians, with a 95 % bootstrap interval.";
    for (const auto& row : ratios.cells) extra.cells.push_back(row[column] ? ratio_text(*row[column]) : "");
    columns.push_back(std::move(extra));
  }
  return columns;
}

std::vector<ExtraColumn> make_count_columns(const CompareTable& table, const RatioTable* ratios) {
  std::vector<ExtraColumn> columns;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    ExtraColumn extra{.title = "instructions, " + table.columns[column]};
    bool any = false;
    for (size_t row = 0; row < table.rows.size(); ++row) {
      std::optional<double> count = count_of(table, row, column);
      any = any || count;
      extra.cells.push_back(count ? count_text(*count) : "");
      if (count && ratios && disagrees(table, *ratios, row, column)) {
        extra.cells.back() += kDisagrees;
        extra.legend = "(!) Instructions and time moved in opposite directions.";
      }
    }
    if (any) columns.push_back(std::move(extra));
  }
  add_allocation_columns(table, columns);
  return columns;
}

}  // namespace icount
