#include "icount/report/table.h"

#include <algorithm>
#include <ostream>

#include "icount/base/text.h"

namespace icount {
namespace {

constexpr size_t kGap = 2;
constexpr size_t kLeastLastColumn = 20;

std::string padded(std::string_view text, size_t width, Align align) {
  const size_t columns = display_width(text);
  const std::string blanks(width > columns ? width - columns : 0, ' ');
  return align == Align::kRight ? blanks + std::string(text) : std::string(text) + blanks;
}

/// One wrapped line; text between backticks is bold, also when the backticks stand on different lines.
std::string with_bold_names(std::string_view line, bool& inside, const Cell& cell, const TextStyle& style) {
  if (!style.colour || cell.tone != Tone::kPlain) return paint(line, cell.tone, style);
  std::string out;
  const auto pieces = split(line, '`');
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (i > 0) {
      inside = !inside;
      out += '`';
    }
    out += paint(pieces[i], inside ? Tone::kBold : Tone::kPlain, style);
  }
  return out;
}

}  // namespace

std::vector<size_t> TextTable::widths() const {
  std::vector<size_t> widths;
  for (const Column& column : columns_) widths.push_back(display_width(column.title));
  for (const auto& row : rows_)
    for (size_t c = 0; c < row.size() && c < widths.size(); ++c)
      widths[c] = std::max(widths[c], display_width(escape_for_terminal(row[c].text)));
  return widths;
}

size_t TextTable::room_for_last(size_t width) const {
  if (width == 0) return 0;
  const std::vector<size_t> all = widths();
  size_t used = kGap;
  for (size_t c = 0; c + 1 < all.size(); ++c) used += all[c] + kGap;
  return std::max(width > used ? width - used : 0, kLeastLastColumn);
}

void TextTable::render(std::ostream& out, const TextStyle& style) const {
  const std::vector<size_t> all = widths();
  std::vector<Cell> titles;
  for (const Column& column : columns_) titles.push_back({column.title, Tone::kDim});
  if (std::any_of(titles.begin(), titles.end(), [](const Cell& cell) { return !cell.text.empty(); }))
    render_row(out, titles, all, style);
  for (const auto& row : rows_) {
    if (!row.empty()) {
      render_row(out, row, all, style);
      continue;
    }
    std::vector<Cell> rule;
    for (size_t c = 0; c < columns_.size(); ++c)
      rule.push_back({columns_[c].align == Align::kRight ? std::string(all[c], '-') : std::string(), Tone::kDim});
    render_row(out, rule, all, style);
  }
}

void TextTable::render_row(std::ostream& out, const std::vector<Cell>& cells, const std::vector<size_t>& widths,
                           const TextStyle& style) const {
  std::string line;
  size_t indent = kGap;
  for (size_t c = 0; c + 1 < columns_.size(); ++c) {
    const Cell cell = c < cells.size() ? cells[c] : Cell{};
    line += std::string(kGap, ' ') +
            paint(padded(escape_for_terminal(cell.text), widths[c], columns_[c].align), cell.tone, style);
    indent += widths[c] + kGap;
  }
  const Cell last = cells.size() == columns_.size() ? cells.back() : Cell{};
  const std::string text = escape_for_terminal(last.text);
  const bool right = columns_.back().align == Align::kRight;
  bool inside = false, first = true;
  for (const std::string& piece :
       right ? std::vector{padded(text, widths.back(), Align::kRight)} : wrap(text, room_for_last(style.width))) {
    line += first ? std::string(kGap, ' ') : std::string(indent, ' ');
    line += with_bold_names(piece, inside, last, style);
    const size_t end = line.find_last_not_of(' ');
    out << line.substr(0, end == std::string::npos ? 0 : end + 1) << '\n';
    line.clear();
    first = false;
  }
}

}  // namespace icount
