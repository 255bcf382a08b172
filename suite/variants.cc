#include "icount/suite/variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "icount/base/text.h"
#include "icount/suite/dedent.h"

namespace icount {
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

std::string join_setup(const std::string& first, const std::string& second) {
  if (first.empty() || second.empty()) return first + second;
  return first + "\n" + second;
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
  GroupedSetup setup{join_setup(dedent_and_strip(blocks.setup.py_setup), python.setup),
                     join_setup(dedent_and_strip(blocks.setup.cpp_setup), cpp.setup),
                     join_setup(dedent_and_strip(blocks.setup.global_setup), cpp.global_setup)};
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
