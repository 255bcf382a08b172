// Pieces of Markdown that survive any name: escaped text and code spans. Used by the back end of report/document.h.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace icount {

/// Plain text that shows as itself: Markdown's and HTML's special characters escaped, control bytes as \xNN, on one
/// line; what GitHub and GitLab take for references ("@name", "#12", "!12", "~label") or commands refers to nobody and
/// nothing.
std::string escape_for_markdown(std::string_view text);

/// Bars end a cell of a table, in code spans too; elsewhere a backslash in front of one would be shown, and copied.
enum class MarkdownPlace { kLine, kCell };

/// A code span that holds `text` whatever backticks and bars it has. The middle of what is longer than kLongestWhole
/// (report/short_name.h) is left out.
std::string markdown_code(std::string_view text, MarkdownPlace place);

/// A sentence whose `names` stand between backticks: the names as code spans, the rest escaped.
std::string markdown_sentence(std::string_view text, MarkdownPlace place);

/// Markdown in which "parse.h:12" leads to line 12 of the page that `urls` has for parse.h; code spans of other text
/// stay.
std::string link_places(std::string_view markdown, const std::map<std::string, std::string>& urls);

}  // namespace icount
