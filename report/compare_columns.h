// Columns that stand beside the times of a Compare table: ratios with interval and verdict, instruction
// counts with a mark where they disagree with the times. Text, Markdown and HTML show the same ones.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "icount/stats/compare_ratio.h"

namespace icount {

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
