#include "icount/report/markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "icount/base/text.h"
#include "icount/report/short_name.h"

namespace icount {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// "@1a2b3c4" behind the name of a repository is linked as a commit.
bool begins_commit(std::string_view text) {
  constexpr size_t kShortest = 7;
  const size_t digits = std::min(text.find_first_not_of("0123456789abcdefABCDEF"), text.size());
  return digits >= kShortest && (digits == text.size() || !is_word(text[digits]));
}

/// Whether the character at `at` and what follows would be a reference on GitHub or GitLab: "@name" calls somebody,
/// "#12", "owner/repo#12", "GH-12", "!12", "$12", "&12", "~label", "%milestone" and addresses are linked from there.
/// Hosts look for them in the rendered text, where a backslash is gone: a blank of no width behind that character keeps
/// them apart.
bool refers(std::string_view text, size_t at) {
  if (at + 1 >= text.size()) return false;
  const bool behind_word = at > 0 && is_word(text[at - 1]);
  const char next = text[at + 1];
  switch (text[at]) {
    case '@':
      return behind_word ? begins_commit(text.substr(at + 1)) : is_word(next) && next != '_';
    case '#':
    case '!':
    case '$':
    case '&':
      return is_digit(next);
    case '~':
    case '%':
      return is_word(next) || next == '"';
    case '-': {
      const bool issue = at >= 2 && (text[at - 2] | 0x20) == 'g' && (text[at - 1] | 0x20) == 'h' && is_digit(next);
      return issue && (at == 2 || !is_word(text[at - 3]));
    }
    case ':':
      return text.substr(at + 1).starts_with("//");
    case '.':
      return at >= 3 && (text[at - 1] | 0x20) == 'w' && (text[at - 2] | 0x20) == 'w' && (text[at - 3] | 0x20) == 'w' &&
             (at == 3 || !is_word(text[at - 4])) && is_word(next);
    default:
      return false;
  }
}

/// "/close" alone or before a blank: GitLab does what a line that begins so says.
bool begins_with_action(std::string_view text) {
  const size_t first = hidden_prefix(text);
  if (first == text.size() || text[first] != '/') return false;
  const std::string_view rest = text.substr(first + 1);
  const auto end = std::find_if_not(rest.begin(), rest.end(), is_word);
  return end != rest.begin() && (end == rest.end() || *end == ' ');
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
  const size_t action = begins_with_action(safe) ? hidden_prefix(safe) : safe.size();
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
      if (std::string_view("\\`*_[]|~#!@$").find(c) != std::string_view::npos || at == action) out += '\\';
      out += c;
    }
    if (refers(safe, at)) out += "&#8203;";
  }
  return out;
}

namespace {

/// "#L12" and where the digits end, when `text` begins with ":12".
std::pair<std::string, size_t> line_anchor(std::string_view text) {
  size_t end = 1;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (text.empty() || text[0] != ':' || end == 1 || (end < text.size() && is_word(text[end]))) return {};
  return {"#L" + std::string(text.substr(1, end - 1)), end};
}

/// A piece without code spans.
std::string link_words(std::string_view text, const std::map<std::string, std::string>& urls) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '(';
    size_t taken = 0;
    for (const auto& [name, url] : urls) {
      const std::string shown = escape_for_markdown(name);
      if (!begins || !text.substr(at).starts_with(shown)) continue;
      const auto [anchor, end] = line_anchor(text.substr(at + shown.size()));
      if (end == 0) continue;
      taken = shown.size() + end;
      out += fmt::format("[{}]({}{})", text.substr(at, taken), url, anchor);
      break;
    }
    if (taken == 0) out += text[at];
    at += std::max<size_t>(taken, 1);
  }
  return out;
}

}  // namespace

std::string link_places(std::string_view markdown, const std::map<std::string, std::string>& urls) {
  if (urls.empty()) return std::string(markdown);
  std::string out;
  const std::vector<std::string_view> lines = split(markdown, '\n');
  for (size_t n = 0; n < lines.size(); ++n) {
    if (n > 0) out += '\n';
    const std::string_view line = lines[n];
    const std::vector<std::string_view> pieces = split(line, '`');
    const bool is_plain = pieces.size() % 2 == 1 && line.find("``") == line.npos && line.find("\\`") == line.npos;
    for (size_t i = 0; i < pieces.size(); ++i) {
      const std::string_view piece = pieces[i];
      if (!is_plain || i % 2 == 0) {
        out +=
            (is_plain ? link_words(piece, urls) : std::string(piece)) + (!is_plain && i + 1 < pieces.size() ? "`" : "");
        continue;
      }
      const size_t colon = piece.find(':');
      const auto found = urls.find(std::string(piece.substr(0, colon)));
      const auto [anchor, end] = line_anchor(piece.substr(std::min(colon, piece.size())));
      out += found != urls.end() && end > 0 && colon + end == piece.size()
                 ? fmt::format("[`{}`]({}{})", piece, found->second, anchor)
                 : fmt::format("`{}`", piece);
    }
  }
  return out;
}

std::string markdown_code(std::string_view text, MarkdownPlace place) {
  const std::string safe = escape_for_terminal(shorten_middle(text, kLongestWhole));
  size_t longest = 0, run = 0;
  for (const char c : safe) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(longest + 1, '`');
  const std::string inside = place == MarkdownPlace::kCell ? with_escaped_bars(safe) : safe;
  if (inside.empty()) return "";
  const bool pad = longest > 0 || inside.front() == ' ' || inside.back() == ' ';
  return fence + (pad ? " " : "") + inside + (pad ? " " : "") + fence;
}

std::string markdown_sentence(std::string_view text, MarkdownPlace place) {
  const auto pieces = split(text, '`');
  if (pieces.size() % 2 == 0) return escape_for_markdown(text);
  std::string out;
  for (size_t i = 0; i < pieces.size(); ++i)
    out += i % 2 == 1 ? markdown_code(pieces[i], place) : escape_for_markdown(pieces[i]);
  return out;
}

}  // namespace icount
