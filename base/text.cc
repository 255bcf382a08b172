#include "icount/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

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

CodePoint decode_utf8(std::string_view text, size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return {1, lead};
  const size_t length = lead >= 0xF0 && lead < 0xF5   ? 4
                        : lead >= 0xE0 && lead < 0xF0 ? 3
                        : lead >= 0xC2 && lead < 0xE0 ? 2
                                                      : 0;
  if (length == 0 || at + length > text.size()) return {0, 0};
  uint32_t value = lead & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[at + i]);
    if ((next & 0xC0) != 0x80) return {0, 0};
    value = (value << 6) | (next & 0x3F);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool surrogate = value >= 0xD800 && value < 0xE000;
  return overlong || surrogate || value > 0x10FFFF ? CodePoint{0, 0} : CodePoint{length, value};
}

std::string with_valid_utf8(std::string_view text) {
  std::string valid;
  for (size_t at = 0; at < text.size();) {
    const size_t length = decode_utf8(text, at).length;
    valid += length == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(at, length);
    at += std::max<size_t>(length, 1);
  }
  return valid;
}

std::string counted(int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", with_thousands(count), noun, count == 1 ? "" : "s");
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr size_t kFar = 4;
  constexpr size_t kLeast = 3;  // letters that say enough
  std::string best;
  size_t best_distance = kFar;
  for (const std::string& candidate : candidates) {
    const size_t shorter = std::min(word.size(), candidate.size()) - (word.starts_with("--") ? 2 : 0);
    const bool is_part = shorter >= kLeast && (candidate.starts_with(word) || word.starts_with(candidate) ||
                                               candidate.ends_with("_" + std::string(word)));
    const size_t distance = is_part ? 1 : edit_distance(word, candidate);
    if (distance >= best_distance || (!is_part && distance * 2 > candidate.size())) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

std::string first_line(std::string_view text) { return std::string(trim(text.substr(0, text.find_first_of("\r\n")))); }

std::string last_line(std::string_view text) {
  std::string_view last;
  for (const std::string_view line : split_lines(text))
    if (!trim(line).empty()) last = trim(line);
  return std::string(last);
}

namespace {

struct Range {
  uint32_t first, last;
};

/// What Unicode calls white space, what has no width, and letters that are drawn as a blank.
constexpr Range kHidden[] = {
    {0x09, 0x0D},     {0x20, 0x20},     {0x85, 0x85},     {0xA0, 0xA0},       {0xAD, 0xAD},     {0x034F, 0x034F},
    {0x061C, 0x061C}, {0x115F, 0x1160}, {0x1680, 0x1680}, {0x17B4, 0x17B5},   {0x180B, 0x180F}, {0x2000, 0x200F},
    {0x2028, 0x202F}, {0x205F, 0x206F}, {0x2800, 0x2800}, {0x3000, 0x3000},   {0x3164, 0x3164}, {0xFE00, 0xFE0F},
    {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0xE0000, 0xE0FFF},
};

bool is_hidden(uint32_t c) {
  return std::any_of(std::begin(kHidden), std::end(kHidden), [c](Range r) { return c >= r.first && c <= r.last; });
}

}  // namespace

bool is_unprintable(uint32_t c) {
  const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
  const bool bidirectional =
      (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x200E || c == 0x200F || c == 0x061C;
  return control || bidirectional || c == 0x2028 || c == 0x2029;
}

size_t hidden_prefix(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    const CodePoint point = decode_utf8(text, at);
    if (point.length == 0 || !is_hidden(point.value)) break;
    at += point.length;
  }
  return at;
}

bool begins_log_command(std::string_view text, size_t at) {
  const std::string_view rest = text.substr(at);
  return rest.starts_with("##[") || rest.starts_with("##vso[") || rest.starts_with("##teamcity[");
}

std::string without_line_command(std::string line) {
  const size_t first = hidden_prefix(line);
  if (std::string_view(line).substr(first).starts_with("::")) line.replace(first, 1, "\\x3a");
  return line;
}

std::string json_for_logs(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (size_t at = 0; at < json.size();) {
    const auto byte = static_cast<unsigned char>(json[at]);
    const bool plain =
        byte < 0x7F && byte != '#';  // controls are the text's own line breaks: JSON has escaped the rest
    const CodePoint point = plain ? CodePoint{1, byte} : decode_utf8(json, at);
    const size_t length = std::max<size_t>(point.length, 1);
    if (!plain && (begins_log_command(json, at) || (point.length > 0 && is_unprintable(point.value))))
      out += fmt::format("\\u{:04x}", point.value);
    else
      out.append(json, at, length);
    at += length;
  }
  return out;
}

}  // namespace icount
