// Columns that stand beside the times of a Compare table: ratios with interval and verdict, instruction
// counts with a mark where they disagree with the times. Text, Markdown and HTML show the same ones.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/stats/compare.h"
#include "icount/stats/compare_ratio.h"

namespace icount {

// How the figures of one column of a Compare table are written: digits, decimals, width, warnings. Text,
// Markdown and HTML take their figures from here, so that all forms of a table agree.

class ColumnFormat {
 public:
  ColumnFormat(const CompareTable& table, size_t column, const CompareOptions& options);

  /// The cell's figure, right-aligned, with its warning when warnings are highlighted and the column has one.
  std::string figure(const Measurement& measurement) const;
  /// As many blanks as an ordinary figure takes.
  std::string missing() const;

 private:
  std::string number(double value, int figures, std::string_view warning) const;

  double scale_ = 1;
  int width_ = 0;
  int decimals_ = 1;
  bool trim_ = false;
  bool warns_ = false;
};

struct ExtraColumn {
  std::string title;
  std::vector<std::string> cells;  ///< per row of the table; empty where there is nothing to say
  std::string legend;              ///< a sentence that belongs below the table; may be empty
};

/// The legends that occur, each once, in order.
std::vector<std::string> legends_of(std::span<const ExtraColumn> columns);

/// "head / base": "1.23 [1.20, 1.26] slower", one column for each but the base.
std::vector<ExtraColumn> make_ratio_columns(const CompareTable& table, const RatioTable& ratios);

/// Instructions per run of each column that has any, then allocations per run where something allocates. With ratios, a
/// count that moved against its time (more instructions but faster, or the other way round, both by more than 1 %) gets
/// the mark kDisagrees.
std::vector<ExtraColumn> make_count_columns(const CompareTable& table, const RatioTable* ratios);

inline constexpr std::string_view kDisagrees = " (!)";

}  // namespace icount
