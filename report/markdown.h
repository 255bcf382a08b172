// Pieces of Markdown that survive any name: escaped text, code spans, tables. Used by every *_markdown renderer.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "icount/report/table.h"

namespace icount {

/// Plain text that shows as itself: Markdown's and HTML's special characters escaped, control bytes as \xNN, on one
/// line; what GitHub and GitLab take for references ("@name", "#12", "!12", "~label") or commands refers to nobody and
/// nothing.
std::string escape_for_markdown(std::string_view text);

/// A code span that holds `text` whatever backticks and bars it has; fit for table cells. The middle of what is longer
/// than kLongestWhole (report/short_name.h) is left out.
std::string markdown_code(std::string_view text);

/// A sentence whose `names` stand between backticks: the names as code spans, the rest escaped.
std::string markdown_sentence(std::string_view text);

/// A table; cells are Markdown already.
class MarkdownTable {
 public:
  explicit MarkdownTable(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  void render(std::ostream& out) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace icount
