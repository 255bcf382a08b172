// How the figures of one column of a Compare table are written: digits, decimals, width, warnings. Text,
// Markdown and HTML take their figures from here, so that all forms of a table agree.
#pragma once

#include <string>
#include <string_view>

#include "icount/stats/compare.h"

namespace icount {

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

}  // namespace icount
