// Aligned columns of text, as show, diff and count print them. Cells are made harmless for terminals here; the last
// column may wrap. Style: report/text_style.h.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "icount/report/text_style.h"

namespace icount {

enum class Align { kLeft, kRight };

struct Column {
  std::string title;
  Align align = Align::kRight;
};

struct Cell {
  std::string text;
  Tone tone = Tone::kPlain;
};

/// Rows of cells under titles, two blanks before each column. Fewer cells than columns leave the rest of a row empty.
class TextTable {
 public:
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add_row(std::vector<Cell> cells) { rows_.push_back(std::move(cells)); }
  /// A line of dashes under the numbers of right-aligned columns, for the sum that follows.
  void add_rule() { rows_.emplace_back(); }

  /// Columns left for the last column when the rows so far are printed at `width`; 0 when the width is unlimited.
  size_t room_for_last(size_t width) const;
  /// The last column is wrapped to the style's width, names inside backticks are bold where there is colour.
  void render(std::ostream& out, const TextStyle& style) const;

 private:
  std::vector<size_t> widths() const;
  void render_row(std::ostream& out, const std::vector<Cell>& cells, const std::vector<size_t>& widths,
                  const TextStyle& style) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace icount
