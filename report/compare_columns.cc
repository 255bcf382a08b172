#include "icount/report/compare_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "icount/base/text.h"
#include "icount/stats/units.h"

namespace icount {
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
