#include "icount/report/text_style.h"

#include "icount/base/text.h"

namespace icount {
namespace {

std::string_view escape_of(Tone tone) {
  switch (tone) {
    case Tone::kPlain:
      break;
    case Tone::kDim:
      return "\x1b[2m";
    case Tone::kBold:
      return "\x1b[1m";
    case Tone::kWorse:
      return "\x1b[31m";
    case Tone::kBetter:
      return "\x1b[32m";
    case Tone::kNote:
      return "\x1b[33m";
  }
  return {};
}

/// Bytes of the first `columns` code points of UTF-8 text.
size_t bytes_of_columns(std::string_view text, size_t columns) {
  size_t at = 0;
  while (at < text.size()) {
    const bool starts_code_point = (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
    if (starts_code_point && columns-- == 0) break;
    ++at;
  }
  return at;
}

}  // namespace

std::string paint(std::string_view text, Tone tone, const TextStyle& style) {
  const std::string_view escape = escape_of(tone);
  if (!style.colour || escape.empty() || text.empty()) return std::string(text);
  return std::string(escape) + std::string(text) + "\x1b[0m";
}

std::vector<std::string> wrap(std::string_view text, size_t width) {
  if (width == 0 || display_width(text) <= width) return {std::string(text)};
  std::vector<std::string> lines;
  std::string line;
  size_t columns = 0;
  for (std::string_view word : split(text, ' ')) {
    size_t word_columns = display_width(word);
    if (columns > 0 && columns + 1 + word_columns > width) {
      lines.push_back(std::move(line));
      line.clear();
      columns = 0;
    }
    if (columns > 0) {
      line += ' ';
      ++columns;
    }
    for (; word_columns > width; word_columns -= width) {
      const size_t bytes = bytes_of_columns(word, width);
      lines.emplace_back(word.substr(0, bytes));
      word.remove_prefix(bytes);
    }
    line += word;
    columns += word_columns;
  }
  if (!line.empty() || lines.empty()) lines.push_back(std::move(line));
  for (size_t i = 1; i < lines.size(); ++i) lines[i] = without_line_command(std::move(lines[i]));
  return lines;
}

Tone tone_of_change(long long delta) { return delta > 0 ? Tone::kWorse : delta < 0 ? Tone::kBetter : Tone::kPlain; }

}  // namespace icount
