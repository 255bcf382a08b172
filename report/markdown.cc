#include "icount/report/markdown.h"

#include <algorithm>
#include <cctype>
#include <ostream>

#include "icount/base/text.h"
#include "icount/report/short_name.h"

namespace icount {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// "@name" that would call somebody, "#12" that would be linked from there: hosts look for both in the rendered text,
/// where a backslash is gone. A blank of no width keeps them apart.
bool refers(std::string_view text, size_t at) {
  if (at + 1 >= text.size() || (at > 0 && is_word(text[at - 1]))) return false;
  const auto next = static_cast<unsigned char>(text[at + 1]);
  return text[at] == '@' ? std::isalnum(next) != 0 : text[at] == '#' && std::isdigit(next) != 0;
}

/// Bars as tables want them, in code too. A backslash before a bar would take the place of the bar's own, and the bar
/// would end the cell: it shows as \x5c.
std::string with_escaped_bars(std::string_view text) {
  std::string out;
  size_t backslashes = 0;
  for (const char c : text) {
    if (c == '|' && backslashes % 2 == 1) out += "x5c";
    out += c == '|' ? std::string("\\|") : std::string(1, c);
    backslashes = c == '\\' ? backslashes + 1 : 0;
  }
  return out;
}

}  // namespace

std::string escape_for_markdown(std::string_view text) {
  const std::string safe = escape_for_terminal(text);
  std::string out;
  for (size_t at = 0; at < safe.size(); ++at) {
    const char c = safe[at];
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      if (std::string_view("\\`*_[]|~#!@$").find(c) != std::string_view::npos) out += '\\';
      out += c;
      if (refers(safe, at)) out += "&#8203;";
    }
  }
  return out;
}

std::string markdown_code(std::string_view text) {
  const std::string safe = escape_for_terminal(shorten_middle(text, kLongestWhole));
  size_t longest = 0, run = 0;
  for (const char c : safe) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(longest + 1, '`');
  const std::string inside = with_escaped_bars(safe);
  if (inside.empty()) return "";
  const bool pad = longest > 0 || inside.front() == ' ' || inside.back() == ' ';
  return fence + (pad ? " " : "") + inside + (pad ? " " : "") + fence;
}

std::string markdown_sentence(std::string_view text) {
  const auto pieces = split(text, '`');
  if (pieces.size() % 2 == 0) return escape_for_markdown(text);
  std::string out;
  for (size_t i = 0; i < pieces.size(); ++i)
    out += i % 2 == 1 ? markdown_code(pieces[i]) : escape_for_markdown(pieces[i]);
  return out;
}

void MarkdownTable::render(std::ostream& out) const {
  for (const Column& column : columns_) out << "| " << escape_for_markdown(column.title) << ' ';
  out << "|\n";
  for (const Column& column : columns_) out << (column.align == Align::kRight ? "|---:" : "|---");
  out << "|\n";
  for (const auto& row : rows_) {
    for (size_t c = 0; c < columns_.size(); ++c) out << "| " << (c < row.size() ? row[c] : "") << ' ';
    out << "|\n";
  }
}

}  // namespace icount
