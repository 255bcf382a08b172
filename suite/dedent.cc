#include "suite/dedent.h"

#include <optional>

#include "base/text.h"

namespace icount {
namespace {

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t") == std::string_view::npos; }

/// The margin that all lines with content share; a mixture of tabs and blanks shares only its common beginning.
std::string_view shared_margin(const std::vector<std::string_view>& lines) {
  std::optional<std::string_view> margin;
  for (std::string_view line : lines) {
    if (is_blank(line)) continue;
    std::string_view leading = line.substr(0, line.find_first_not_of(" \t"));
    margin = margin ? margin->substr(0, common_prefix(*margin, leading)) : leading;
  }
  return margin.value_or("");
}

}  // namespace

std::string dedent(std::string_view text) {
  std::vector<std::string_view> lines = split(text, '\n');
  size_t margin = shared_margin(lines).size();
  std::string result;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) result += '\n';
    if (!is_blank(lines[i])) result += lines[i].substr(margin);
  }
  return result;
}

std::string dedent_and_strip(std::string_view text) {
  constexpr std::string_view kWhite = " \t\n\r\v\f";
  std::string plain = dedent(text);
  size_t begin = plain.find_first_not_of(kWhite);
  if (begin == std::string::npos) return {};
  return plain.substr(begin, plain.find_last_not_of(kWhite) - begin + 1);
}

std::string indent(std::string_view text, std::string_view prefix) {
  std::string result;
  std::vector<std::string_view> lines = split(text, '\n');
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) result += '\n';
    if (!is_blank(lines[i])) result += prefix;
    result += lines[i];
  }
  return result;
}

}  // namespace icount
