#include "icount/suite/variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "icount/base/error.h"
#include "icount/base/problems.h"
#include "icount/base/text.h"
#include "icount/stats/python_text.h"
#include "icount/suite/grouped.h"

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

namespace {

/// A block taken apart: the lines below each name, in the order in which the names first appear.
struct Block {
  struct Section {
    std::string name;
    std::vector<std::string> lines;
  };
  std::vector<Section> sections;
  std::map<std::string, size_t, std::less<>> index;  ///< of `sections`, by name
  std::string setup;
  std::string global_setup;

  std::vector<std::string>& lines_of(const std::string& name) {
    auto [found, is_new] = index.emplace(name, sections.size());
    if (is_new) sections.push_back({name, {}});
    return sections[found->second].lines;
  }
  const std::vector<std::string>* find_lines(std::string_view name) const {
    auto found = index.find(name);
    return found == index.end() ? nullptr : &sections[found->second].lines;
  }
};

std::string_view without_trailing_blanks(std::string_view line) {
  return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

/// "global setup" -> "GLOBAL_SETUP"
std::string as_directive(std::string_view name) {
  std::string result(name);
  for (char& c : result) c = c == ' ' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

std::string join_lines(const std::vector<std::string>& lines) { return fmt::format("{}", fmt::join(lines, "\n")); }

Block split_block(std::string_view text, std::string_view comment) {
  Block block;
  const std::string mark = fmt::format("{} @", comment);
  std::string plain = dedent_and_strip(text);
  std::vector<std::string> setup, global_setup;
  std::string name;
  std::string directive;
  for (std::string_view line : split(plain, '\n')) {
    if (size_t at = line.find(mark); at != std::string_view::npos) {
      name = trim(line.substr(at + mark.size()));
      directive = as_directive(name);
      continue;
    }
    std::string code(line.starts_with(comment) ? "" : without_trailing_blanks(line));
    if (directive == "SETUP") {
      setup.push_back(std::move(code));
    } else if (directive == "GLOBAL_SETUP") {
      global_setup.push_back(std::move(code));
    } else {
      block.lines_of(name).push_back(std::move(code));
    }
  }
  block.setup = dedent_and_strip(join_lines(setup));
  block.global_setup = dedent_and_strip(join_lines(global_setup));
  return block;
}

std::vector<std::string> ordered_names(const Block& python, const Block& cpp) {
  std::vector<std::string> names;
  for (const Block::Section& section : python.sections) names.push_back(section.name);
  for (const Block::Section& section : cpp.sections) {
    if (!python.find_lines(section.name)) names.push_back(section.name);
  }
  return names;
}

/// Code pairs of one name, without those that are empty on both sides.
std::vector<std::pair<std::string, std::string>> pair_lines(const std::vector<std::string>* python,
                                                            const std::vector<std::string>* cpp) {
  auto at = [](const std::vector<std::string>* lines, size_t i) {
    return lines && i < lines->size() ? (*lines)[i] : std::string();
  };
  std::vector<std::pair<std::string, std::string>> pairs;
  size_t count = std::max(python ? python->size() : 0, cpp ? cpp->size() : 0);
  for (size_t i = 0; i < count; ++i) {
    std::pair<std::string, std::string> pair{at(python, i), at(cpp, i)};
    if (!pair.first.empty() || !pair.second.empty()) pairs.push_back(std::move(pair));
  }
  return pairs;
}

}  // namespace

std::vector<Variant> parse_variants(const GroupedVariants& blocks, std::vector<std::string>& problems) {
  Block python = split_block(blocks.py_block, "#");
  Block cpp = split_block(blocks.cpp_block, "//");
  if (!python.global_setup.empty()) {
    problems.push_back("Python has no global set-up: move the code below \"# @GLOBAL_SETUP\" to \"# @SETUP\"");
  }
  GroupedSetup setup{join_code(dedent_and_strip(blocks.setup.py_setup), python.setup),
                     join_code(dedent_and_strip(blocks.setup.cpp_setup), cpp.setup),
                     join_code(dedent_and_strip(blocks.setup.global_setup), cpp.global_setup)};
  std::vector<Variant> variants;
  for (const std::string& name : ordered_names(python, cpp)) {
    auto pairs = pair_lines(python.find_lines(name), cpp.find_lines(name));
    for (size_t i = 0; i < pairs.size(); ++i) {
      Variant variant;
      if (!name.empty()) variant.key.push_back(name);
      if (pairs.size() > 1) variant.key.push_back(fmt::format("Case: {:>2}", i));
      variant.stmts.py_stmt = pairs[i].first;
      variant.stmts.cpp_stmt = pairs[i].second;
      variant.stmts.setup = setup;
      variant.stmts.num_threads = blocks.num_threads;
      variants.push_back(std::move(variant));
    }
  }
  if (variants.empty()) problems.push_back("the variant blocks hold no statement");
  return variants;
}

}  // namespace icount
