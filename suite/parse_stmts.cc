#include "icount/suite/parse_stmts.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/problems.h"
#include "icount/base/text.h"
#include "icount/suite/dedent.h"

namespace icount {
namespace {

constexpr size_t kLeftWidth = 40;

/// Byte position after the first `count` code points, or npos when there are fewer.
size_t after_code_points(std::string_view line, size_t count) {
  size_t at = 0;
  for (; count > 0; --count) {
    if (at >= line.size()) return std::string_view::npos;
    ++at;
    while (at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0) == 0x80) ++at;
  }
  return at;
}

std::string header_problem(std::string_view line) {
  std::string want = fmt::format("{:<{}} | C++", "Python", kLeftWidth);
  if (line == want) return {};
  return fmt::format(
      "side-by-side text: the first line is \"{}\", it must be \"Python\" padded to {} columns and \" | C++\"", line,
      kLeftWidth);
}

std::string separator_problem(std::string_view line) {
  std::string dashes(kLeftWidth, '-');
  if (line == fmt::format("{0} | {0}", dashes)) return {};
  return fmt::format("side-by-side text: the second line is \"{}\", it must be {} dashes, \" | \" and {} dashes", line,
                     kLeftWidth, kLeftWidth);
}

/// Appends the two halves of a row; the problem text otherwise.
std::string split_row(std::string_view line, std::string& left, std::string& right) {
  size_t bar = after_code_points(line, kLeftWidth);
  bool has_bar = bar != std::string_view::npos && line.substr(bar, 2) == " |";
  if (has_bar) {
    std::string_view rest = line.substr(bar + 2);
    if (rest.empty() || rest.front() == ' ') {
      left = line.substr(0, bar);
      right = rest.empty() ? rest : rest.substr(1);
      return {};
    }
    return "side-by-side text: a blank must follow the bar";
  }
  size_t found = line.rfind(" | ");
  if (found == std::string_view::npos && line.ends_with(" |")) found = line.size() - 2;
  if (found == std::string_view::npos) return fmt::format("side-by-side text: no \" | \" after column {}", kLeftWidth);
  return fmt::format("side-by-side text: unequal columns, the Python half has {} columns instead of {}",
                     display_width(line.substr(0, found)), kLeftWidth);
}

}  // namespace

SideBySide parse_stmts(std::string_view text, std::vector<RowProblem>& problems) {
  std::string plain = dedent_and_strip(text);
  // Rows before the first line with content were stripped; problems count them.
  int skipped = 0;
  for (std::string_view line : split(text, '\n')) {
    if (!trim(line).empty()) break;
    ++skipped;
  }
  std::vector<std::string_view> lines = split(plain, '\n');
  SideBySide result;
  if (lines.size() < 3) {
    problems.push_back(
        {plain.empty() ? 0 : skipped, "side-by-side text: at least three lines are needed (header, separator, a row)"});
    return result;
  }
  if (std::string why = header_problem(lines[0]); !why.empty()) problems.push_back({skipped, why});
  if (std::string why = separator_problem(lines[1]); !why.empty()) problems.push_back({skipped + 1, why});
  for (size_t i = 2; i < lines.size(); ++i) {
    std::string left, right;
    if (std::string why = split_row(lines[i], left, right); !why.empty())
      problems.push_back({skipped + static_cast<int>(i), why});
    if (i > 2) {
      result.python += '\n';
      result.cpp += '\n';
    }
    result.python += left;
    result.cpp += right;
  }
  return result;
}

SideBySide parse_stmts(std::string_view text) {
  std::vector<RowProblem> rows;
  SideBySide result = parse_stmts(text, rows);
  Problems problems;
  for (const RowProblem& row : rows) problems.add({}, fmt::format("row {}: {}", row.row + 1, row.text));
  problems.throw_if_any("a side-by-side text");
  return result;
}

}  // namespace icount
