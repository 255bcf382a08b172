#include "icount/stats/python_text.h"

#include <algorithm>
#include <optional>

#include "icount/base/text.h"

namespace icount {
namespace {

/// What stands at `at`; a byte that is not UTF-8 stands for itself.
CodePoint code_point_at(std::string_view text, size_t at) {
  const CodePoint found = decode_utf8(text, at);
  return found.length > 0 ? found : CodePoint{1, static_cast<unsigned char>(text[at])};
}

// A lone byte from 0x80 on is no code point of this value; it is never white space.
bool is_space(CodePoint c) {
  if (c.value < 0x80) return (c.value >= 0x09 && c.value <= 0x0D) || (c.value >= 0x1C && c.value <= 0x20);
  if (c.length == 1) return false;
  return c.value == 0x85 || c.value == 0xA0 || c.value == 0x1680 || (c.value >= 0x2000 && c.value <= 0x200A) ||
         c.value == 0x2028 || c.value == 0x2029 || c.value == 0x202F || c.value == 0x205F || c.value == 0x3000;
}

bool ends_line(CodePoint c) {
  if (c.value < 0x80) return (c.value >= 0x0A && c.value <= 0x0D) || (c.value >= 0x1C && c.value <= 0x1E);
  return c.length > 1 && (c.value == 0x85 || c.value == 0x2028 || c.value == 0x2029);
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Lines of dedent: pieces between LFs.
std::vector<std::string_view> lines_at_lf(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t from = 0;;) {
    size_t end = text.find('\n', from);
    lines.push_back(text.substr(from, end == std::string_view::npos ? end : end - from));
    if (end == std::string_view::npos) return lines;
    from = end + 1;
  }
}

std::string_view common_start(std::string_view a, std::string_view b) {
  size_t same = std::mismatch(a.begin(), a.begin() + std::min(a.size(), b.size()), b.begin()).first - a.begin();
  return a.substr(0, same);
}

}  // namespace

std::string python_dedent(std::string_view text) {
  std::vector<std::string_view> lines = lines_at_lf(text);
  std::optional<std::string_view> margin;
  for (std::string_view& line : lines) {
    size_t indent = std::find_if_not(line.begin(), line.end(), is_blank) - line.begin();
    if (indent == line.size()) {
      line = {};
      continue;
    }
    std::string_view start = line.substr(0, indent);
    margin = margin ? common_start(*margin, start) : start;
  }
  size_t cut = margin ? margin->size() : 0;
  std::string result;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) result += '\n';
    result += lines[i].substr(std::min(cut, lines[i].size()));
  }
  return result;
}

std::vector<std::string_view> python_splitlines(std::string_view text, bool keep_ends) {
  std::vector<std::string_view> lines;
  size_t from = 0;
  for (size_t at = 0; at < text.size();) {
    CodePoint c = code_point_at(text, at);
    size_t end = at;
    at += c.length;
    if (!ends_line(c)) continue;
    if (c.value == '\r' && at < text.size() && text[at] == '\n') ++at;
    lines.push_back(text.substr(from, (keep_ends ? at : end) - from));
    from = at;
  }
  if (from < text.size()) lines.push_back(text.substr(from));
  return lines;
}

std::string_view python_rstrip(std::string_view text) {
  size_t end = 0;
  for (size_t at = 0; at < text.size();) {
    CodePoint c = code_point_at(text, at);
    at += c.length;
    if (!is_space(c)) end = at;
  }
  return text.substr(0, end);
}

std::string_view python_strip(std::string_view text) {
  size_t from = 0;
  while (from < text.size()) {
    CodePoint c = code_point_at(text, from);
    if (!is_space(c)) break;
    from += c.length;
  }
  return python_rstrip(text.substr(from));
}

std::string python_indent(std::string_view text, std::string_view prefix) {
  std::string result;
  for (std::string_view line : python_splitlines(text, true)) {
    if (!python_strip(line).empty()) result += prefix;
    result += line;
  }
  return result;
}

std::string python_center(std::string_view text, size_t width, char fill) {
  size_t length = code_point_count(text);
  if (length >= width) return std::string(text);
  size_t pad = width - length;
  size_t left = pad / 2 + (pad & width & 1);
  return std::string(left, fill).append(text).append(pad - left, fill);
}

std::string python_ljust(std::string_view text, size_t width, char fill) {
  size_t length = code_point_count(text);
  return std::string(text).append(length < width ? width - length : 0, fill);
}

std::string python_rjust(std::string_view text, size_t width, char fill) {
  size_t length = code_point_count(text);
  return std::string(length < width ? width - length : 0, fill).append(text);
}

std::string_view code_points(std::string_view text, size_t from, size_t to) {
  size_t at = 0, index = 0, begin = text.size(), end = text.size();
  while (at < text.size()) {
    if (index == from) begin = at;
    if (index == to) end = at;
    at += code_point_at(text, at).length;
    ++index;
  }
  return begin < end ? text.substr(begin, end - begin) : std::string_view();
}

size_t code_point_count(std::string_view text) {
  size_t count = 0;
  for (size_t at = 0; at < text.size(); at += code_point_at(text, at).length) ++count;
  return count;
}

std::string dedent_and_strip(std::string_view text) {
  const std::string plain = python_dedent(text);
  return std::string(python_strip(plain));
}

}  // namespace icount
