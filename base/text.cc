#include "icount/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "icount/base/log_safety.h"
#include "icount/base/utf8.h"

namespace icount {
namespace {

/// Byte offset after `count` code points (stray bytes count as one).
size_t offset_of(std::string_view text, size_t count) {
  size_t at = 0;
  for (; count > 0 && at < text.size(); --count) at += std::max<size_t>(1, decode_utf8(text, at).length);
  return at;
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  while (true) {
    const size_t at = text.find(separator);
    pieces.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return pieces;
    text.remove_prefix(at + 1);
  }
}

std::vector<std::string_view> split_lines(std::string_view text) {
  if (text.empty()) return {};
  if (text.back() == '\n') text.remove_suffix(1);
  return split(text, '\n');
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string with_thousands(int64_t value) {
  std::string digits = std::to_string(value);
  const size_t first = value < 0 ? 1 : 0;
  for (size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string with_sign(int64_t value) { return value > 0 ? "+" + with_thousands(value) : with_thousands(value); }

std::optional<int64_t> parse_int64(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string escape_for_terminal(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    const bool unprintable = point.length > 0 && is_unprintable(point.value);
    if (point.length == 0 || (unprintable && point.length == 1) || begins_log_command(text, at)) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
      ++at;
      continue;
    }
    if (unprintable)
      out += fmt::format("\\u{{{:x}}}", point.value);
    else
      out.append(text, at, point.length);
    at += point.length;
  }
  return without_line_command(std::move(out));
}

std::string escape_lines_for_terminal(std::string_view text) {
  std::string out;
  for (const std::string_view line : split(text, '\n')) {
    if (line.data() != text.data()) out += '\n';
    out += escape_for_terminal(line);
  }
  return out;
}

size_t display_width(std::string_view text) {
  size_t columns = 0;
  for (size_t at = 0; at < text.size(); ++columns) at += std::max<size_t>(1, decode_utf8(text, at).length);
  return columns;
}

std::string shorten_middle(std::string_view text, size_t width) {
  constexpr std::string_view kGap = " ... ";
  const size_t columns = display_width(text);
  if (columns <= width) return std::string(text);
  if (width <= kGap.size()) return std::string(text.substr(0, offset_of(text, width)));
  const size_t left = (width - kGap.size()) / 2;
  const size_t right = width - kGap.size() - left;
  std::string out(text.substr(0, offset_of(text, left)));
  out += kGap;
  out += text.substr(offset_of(text, columns - right));
  return out;
}

size_t common_prefix(std::string_view a, std::string_view b) {
  const auto [in_a, in_b] =
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())), b.begin());
  return static_cast<size_t>(in_a - a.begin());
}

}  // namespace icount
