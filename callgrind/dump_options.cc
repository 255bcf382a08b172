#include "icount/callgrind/dump_options.h"

#include <fmt/format.h>

#include <algorithm>

namespace icount {
namespace {

/// What stands before the first wildcard, as a name of C++ may have one ("f(char*)"); where there is one, any text may
/// follow.
struct Pattern {
  std::string literal;
  bool is_open = false;
  std::string text() const { return literal + (is_open ? "*" : ""); }
};

Pattern pattern_of(std::string_view name) {
  const size_t wild = name.find_first_of("*?");
  return {std::string(name.substr(0, wild)), wild != std::string_view::npos};
}

// Callgrind keeps patterns in a tree of their common beginnings. Of the branches of a knot it follows the one that was
// added last among those that fit, and a pattern that is added where its beginning is known already gets a branch of
// its own, whatever is there. So each pattern comes once, and the shorter ones before those that begin with them.
std::vector<Pattern> in_order(std::vector<Pattern> patterns) {
  std::sort(patterns.begin(), patterns.end(), [](const Pattern& a, const Pattern& b) {
    if (a.literal.size() != b.literal.size()) return a.literal.size() < b.literal.size();
    return a.literal != b.literal ? a.literal < b.literal : a.is_open > b.is_open;
  });
  const auto end = std::unique(patterns.begin(), patterns.end(),
                               [](const Pattern& a, const Pattern& b) { return a.literal == b.literal; });
  patterns.erase(end, patterns.end());
  return patterns;
}

}  // namespace

std::vector<std::string> dump_options(std::span<const std::string> before, std::span<const std::string> after) {
  std::vector<Pattern> begins, ends;
  for (const std::string& name : before) begins.push_back(pattern_of(name));
  // A name that was asked for twice, before and behind, would come twice: "?" for the first character is a tree apart.
  for (const std::string& name : after) {
    Pattern pattern = pattern_of(name);
    pattern.literal.replace(0, 1, "?");
    ends.push_back(std::move(pattern));
  }
  std::vector<std::string> options;
  for (const Pattern& pattern : in_order(std::move(begins)))
    options.push_back(fmt::format("--dump-before={}", pattern.text()));
  for (const Pattern& pattern : in_order(std::move(ends)))
    options.push_back(fmt::format("--dump-after={}", pattern.text()));
  return options;
}

}  // namespace icount
