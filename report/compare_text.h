// Compare as the ancestor prints it, byte for byte, ANSI codes included (CompareMode::kAncestor); in kMended
// the same table, but nothing that the ancestor would lose is lost, and notes below the table say what was
// done.
#pragma once

#include <string>

#include "stats/compare.h"

namespace icount {

/// One table, with the unit's line and a line break at its end.
std::string render_compare_table(const CompareTable& table, const CompareOptions& options);

/// All tables with a blank line between them; empty when there is no result.
std::string render_compare(const Compare& compare);

/// The figures of one column as text, so that all forms of a table agree.
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
