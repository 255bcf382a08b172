#include "icount/report/compare_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/text.h"
#include "icount/stats/python_text.h"

namespace icount {
namespace {

constexpr std::string_view kBold = "\33[1m";
constexpr std::string_view kBest = "\33[92m";
constexpr std::string_view kGood = "\33[34m";
constexpr std::string_view kBad = "\33[2m\33[91m";
constexpr std::string_view kVeryBad = "\33[31m";
constexpr std::string_view kEnd = "\33[0m\33[0m";
constexpr std::string_view kBetween = "  |  ";

std::string colored(const std::string& text, CellRank rank) {
  switch (rank) {
    case CellRank::kBest:
      return fmt::format("{}{}{}{}", kBest, kBold, text, kEnd);
    case CellRank::kGood:
      return fmt::format("{}{}{}{}", kGood, kBold, text, kEnd);
    case CellRank::kWorst:
      return fmt::format("{}{}{}{}", kVeryBad, kBold, text, kEnd);
    case CellRank::kBad:
      return fmt::format("{}{}{}", kBad, text, kEnd);
    case CellRank::kPlain:
      break;
  }
  return text;
}

std::string on_one_line(std::string_view text) {
  std::string line;
  for (std::string_view piece : python_splitlines(text)) line.append(line.empty() ? "" : " ").append(piece);
  return escape_for_terminal(line);
}

// The table as strings before alignment, and the widths that follow from them.
class Grid {
 public:
  Grid(const CompareTable& table, const CompareOptions& options, std::span<const ExtraColumn> extras)
      : table_(table), options_(options), extras_(extras), mended_(options.mode == CompareMode::kMended) {
    for (size_t column = 0; column < table.columns.size(); ++column) formats_.emplace_back(table, column, options);
    fill_header();
    for (size_t row = 0; row < table.rows.size(); ++row) fill_row(row);
    label_ = fmt::format(" {} ", shown(table.label.value_or("")));
    size_t needed = code_point_count(label_) + 2;
    widened_ = mended_ && needed > overall_width();
    if (widened_) widths_[0] += needed - overall_width();
  }

  std::string text() const {
    size_t inside = overall_width() - std::min<size_t>(overall_width(), 2);
    std::string result = fmt::format("[{}]\n", python_center(label_, inside, '-'));
    result += header_line();
    for (size_t row = 0; row < table_.rows.size(); ++row) result += row_lines(row);
    return result + legend();
  }

 private:
  /// A name without what a terminal obeys; on one line, or with PyTorch's line breaks.
  std::string shown(std::string_view name) const {
    return mended_ ? on_one_line(name) : escape_lines_for_terminal(name);
  }

  void widen(size_t column, std::string_view text) {
    widths_[column] = std::max(widths_[column], code_point_count(text));
  }

  void fill_header() {
    for (const std::string& column : table_.columns) header_.push_back(shown(column));
    for (const ExtraColumn& extra : extras_) header_.push_back(on_one_line(extra.title));
    widths_.resize(header_.size() + 1);
    for (size_t column = 0; column < header_.size(); ++column) widen(column + 1, header_[column]);
  }

  std::string env_text(const CompareRow& row) const { return shown(row.env.value_or(std::string(kNoEnv))); }

  size_t env_width() const {
    size_t width = 0;
    if (table_.shows_envs)
      for (const CompareRow& row : table_.rows) width = std::max(width, code_point_count(env_text(row)));
    return width + 4;
  }

  void fill_row(size_t index) {
    const CompareRow& row = table_.rows[index];
    std::string env = python_ljust(row.shows_env ? "(" + env_text(row) + ")" : "", env_width());
    std::vector<std::string> names;
    if (mended_)
      for (std::string_view line : python_splitlines(row.name))
        names.push_back("  " + (names.empty() ? env : std::string(env_width(), ' ')) + escape_for_terminal(line));
    if (names.empty()) names.push_back("  " + env + escape_lines_for_terminal(row.name));
    for (const std::string& name : names) widen(0, name);
    names_.push_back(std::move(names));
    std::vector<std::string> figures;
    for (size_t column = 0; column < formats_.size(); ++column) {
      const Measurement* cell = table_.cell(index, column);
      figures.push_back(cell ? formats_[column].figure(*cell) : formats_[column].missing());
    }
    for (const ExtraColumn& extra : extras_) figures.push_back(extra.cells[index]);
    for (size_t column = 0; column < figures.size(); ++column) widen(column + 1, figures[column]);
    figures_.push_back(std::move(figures));
  }

  size_t overall_width() const {
    size_t width = kBetween.size() * (widths_.size() - 1);
    for (size_t column : widths_) width += column;
    return width;
  }

  std::string header_line() const {
    std::string line = python_center("", widths_[0]);
    for (size_t column = 0; column < header_.size(); ++column)
      line.append(kBetween).append(python_center(header_[column], widths_[column + 1]));
    return line + "\n";
  }

  std::string row_lines(size_t row) const {
    std::string text;
    if (table_.rows[row].opens_thread_block)
      text = python_ljust(fmt::format("{} threads: ", table_.rows[row].num_threads), overall_width(), '-') + "\n";
    text += python_ljust(names_[row][0], widths_[0]);
    for (size_t column = 0; column < header_.size(); ++column) {
      std::string figure = python_center(figures_[row][column], widths_[column + 1]);
      if (column < table_.columns.size() && options_.colorize != Colorize::kNone)
        figure = colored(figure, table_.rank(row, column, options_.colorize));
      text.append(kBetween).append(figure);
    }
    text += "\n";
    for (size_t line = 1; line < names_[row].size(); ++line) text += names_[row][line] + "\n";
    return text;
  }

  std::string legend() const {
    std::string text = fmt::format("\nTimes are in {}s ({}).\n", unit_to_english(table_.unit.name), table_.unit.name);
    bool warns = std::any_of(table_.results.begin(), table_.results.end(),
                             [](const Measurement& m) { return m.has_warnings(); });
    if (options_.highlight_warnings && warns)
      text += "(! XX%) Measurement has high variance, where XX is the IQR / median * 100.\n";
    for (const std::string& line : legends_of(extras_)) text += line + "\n";
    for (const std::string& note : table_.notes) text += "Note: " + escape_for_terminal(note) + ".\n";
    if (widened_) text += "Note: widened to hold its label.\n";
    return text;
  }

  const CompareTable& table_;
  const CompareOptions& options_;
  std::span<const ExtraColumn> extras_;
  bool mended_;
  std::vector<ColumnFormat> formats_;
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> names_;    // per row: its lines
  std::vector<std::vector<std::string>> figures_;  // per row and column
  std::vector<size_t> widths_;
  std::string label_;
  bool widened_ = false;
};

}  // namespace

std::string render_compare_table(const CompareTable& table, const CompareOptions& options,
                                 std::span<const ExtraColumn> extras) {
  return Grid(table, options, extras).text();
}

std::string render_compare(const Compare& compare) {
  std::string text;
  for (const CompareTable& table : compare.tables())
    text.append(text.empty() ? "" : "\n").append(render_compare_table(table, compare.options()));
  return text;
}

}  // namespace icount
