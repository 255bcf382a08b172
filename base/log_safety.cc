#include "icount/base/log_safety.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/utf8.h"

namespace icount {
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
