#include "icount/report/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "icount/base/text.h"
#include "icount/report/html_page.h"
#include "icount/report/markdown.h"

namespace icount {
namespace {

constexpr size_t kGap = 2;
constexpr size_t kLeastLastColumn = 20;
constexpr size_t kLeastCutColumn = 24;

std::string padded(std::string_view text, size_t width, Align align) {
  const size_t columns = display_width(text);
  const std::string blanks(width > columns ? width - columns : 0, ' ');
  return align == Align::kRight ? blanks + std::string(text) : std::string(text) + blanks;
}

/// A cell's words as a terminal shows them, without colour.
std::string plain_words(const Cell& cell) {
  return escape_for_terminal(cell.text) +
         (cell.place.empty() ? std::string() : "   " + escape_for_terminal(cell.place));
}

std::string plain_text(const Cell& cell) { return std::string(2 * cell.indent, ' ') + plain_words(cell); }

/// In lines of at most `width` columns (0: one line). Those of what stands below something else hang: further right
/// than where it begins.
std::vector<std::string> hanging_lines(const Cell& cell, size_t width) {
  const size_t hang = cell.indent == 0 ? 0 : 2 * cell.indent + 2;
  std::vector<std::string> lines = wrap(plain_words(cell), width == 0 ? 0 : std::max(width, hang + 1) - hang);
  for (size_t i = 0; i < lines.size(); ++i) lines[i].insert(0, i == 0 ? 2 * cell.indent : hang, ' ');
  return lines;
}

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

/// One wrapped line; text between backticks is bold, also when the backticks stand on different lines.
std::string with_bold_names(std::string_view line, bool& inside, Tone tone, const TextStyle& style) {
  if (!style.colour || tone != Tone::kPlain) return paint(line, tone, style);
  std::string out;
  const auto pieces = split(line, '`');
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (i > 0) {
      inside = !inside;
      out += '`';
    }
    out += paint(pieces[i], inside ? Tone::kBold : Tone::kPlain, style);
  }
  return out;
}

void render_wrapped(std::ostream& out, const Cell& cell, size_t margin, const TextStyle& style) {
  for (const std::string& line : hanging_lines(cell, style.width == 0 ? 0 : std::max(style.width, margin + 1) - margin))
    out << paint(std::string(margin, ' ') + line, cell.tone, style) << '\n';
}

std::string markdown_of(const Cell& cell, MarkdownPlace place) {
  std::string text = cell.form == Form::kName       ? markdown_code(cell.text, place)
                     : cell.form == Form::kSentence ? markdown_sentence(cell.text, place)
                                                    : escape_for_markdown(cell.text);
  if (cell.tone == Tone::kBold && !text.empty()) text = "**" + text + "**";
  for (size_t i = 0; i < 2 * cell.indent; ++i) text.insert(0, "&nbsp;");
  return cell.place.empty() ? text : text + " " + markdown_code(cell.place, place);
}

/// Names between backticks as code.
std::string html_sentence(std::string_view text) {
  std::string html;
  const auto pieces = split(text, '`');
  for (size_t i = 0; i < pieces.size(); ++i)
    html += i % 2 == 0 ? escape_html(pieces[i]) : "<code>" + escape_html(pieces[i]) + "</code>";
  return html;
}

std::string_view html_class(Tone tone) {
  switch (tone) {
    case Tone::kPlain:
    case Tone::kBold:
      break;
    case Tone::kDim:
      return "muted";
    case Tone::kWorse:
      return "more";
    case Tone::kBetter:
      return "less";
    case Tone::kNote:
      return "tone-note";
  }
  return {};
}

std::string html_of(const Cell& cell) {
  std::string html = cell.form == Form::kName       ? "<code>" + escape_html(cell.text) + "</code>"
                     : cell.form == Form::kSentence ? html_sentence(cell.text)
                                                    : escape_html(cell.text);
  if (cell.tone == Tone::kBold && !html.empty()) html = "<b>" + html + "</b>";
  if (!cell.place.empty()) html += " <code class=\"muted\">" + escape_html(cell.place) + "</code>";
  if (const std::string_view name = html_class(cell.tone); !name.empty())
    html = fmt::format("<span class=\"{}\">{}</span>", name, html);
  return html;
}

/// For the element that a cell fills.
std::string html_indent(const Cell& cell) {
  return cell.indent == 0 ? std::string() : fmt::format(" style=\"padding-left:{}em\"", 1.5 * double(cell.indent));
}

/// Columns left beside columns of these widths, the last one apart; 0 when the width is unlimited.
size_t room_beside(const std::vector<size_t>& widths, size_t width) {
  if (width == 0) return 0;
  size_t used = kGap;
  for (size_t c = 0; c + 1 < widths.size(); ++c) used += widths[c] + kGap;
  return std::max(width > used ? width - used : 0, kLeastLastColumn);
}

}  // namespace

std::vector<size_t> Table::widths() const {
  std::vector<size_t> widths;
  for (const Column& column : columns_) widths.push_back(titles_ == Titles::kShown ? display_width(column.title) : 0);
  for (const auto& row : rows_)
    for (size_t c = 0; c < row.size() && c < widths.size(); ++c)
      widths[c] = std::max(widths[c], display_width(plain_text(row[c])));
  return widths;
}

size_t Table::room_for_last(size_t width) const { return room_beside(widths(), width); }

void Table::render_text(std::ostream& out, const TextStyle& style) const {
  const std::vector<size_t> all = widths();
  std::vector<Cell> titles;
  for (const Column& column : columns_) titles.push_back({column.title, Tone::kDim});
  if (titles_ == Titles::kShown) render_row(out, titles, all, style);
  for (const auto& row : rows_) render_row(out, row, all, style);
}

void Table::render_row(std::ostream& out, const std::vector<Cell>& cells, const std::vector<size_t>& widths,
                       const TextStyle& style) const {
  std::string line;
  size_t indent = kGap;
  for (size_t c = 0; c + 1 < columns_.size(); ++c) {
    const Cell cell = c < cells.size() ? cells[c] : Cell{};
    line += std::string(kGap, ' ') + paint(padded(plain_text(cell), widths[c], columns_[c].align), cell.tone, style);
    indent += widths[c] + kGap;
  }
  const Cell last = cells.size() == columns_.size() ? cells.back() : Cell{};
  const std::string text = plain_text(last);
  const size_t room = room_beside(widths, style.width);
  std::vector<std::string> pieces;
  if (columns_.back().align == Align::kRight)
    pieces = {padded(text, widths.back(), Align::kRight)};
  else if (columns_.back().overflow == Overflow::kCut)
    pieces = {room == 0 ? text : shorten_middle(text, std::max(room, kLeastCutColumn))};
  else
    pieces = hanging_lines(last, room);
  bool inside = false;
  for (size_t i = 0; i < pieces.size(); ++i) {
    line += std::string(i == 0 ? kGap : indent, ' ') + with_bold_names(pieces[i], inside, last.tone, style);
    out << without_trailing_blanks(std::move(line)) << '\n';
    line.clear();
  }
}

void Table::render_markdown(std::ostream& out) const {
  for (const Column& column : columns_) out << "| " << escape_for_markdown(column.title) << ' ';
  out << "|\n";
  for (const Column& column : columns_) out << (column.align == Align::kRight ? "|---:" : "|---");
  out << "|\n";
  for (const auto& row : rows_) {
    for (size_t c = 0; c < columns_.size(); ++c)
      out << "| " << (c < row.size() ? markdown_of(row[c], MarkdownPlace::kCell) : "") << ' ';
    out << "|\n";
  }
}

void Table::render_html(std::ostream& out) const {
  const auto number = [&](size_t c) { return columns_[c].align == Align::kRight ? " class=\"number\"" : ""; };
  out << "<div class=\"wide\"><table>\n";
  if (titles_ == Titles::kShown) {
    out << "<thead><tr>";
    for (size_t c = 0; c < columns_.size(); ++c)
      out << "<th" << number(c) << '>' << escape_html(columns_[c].title) << "</th>";
    out << "</tr></thead>\n";
  }
  for (const auto& row : rows_) {
    out << "<tr>";
    for (size_t c = 0; c < columns_.size(); ++c) {
      const Cell cell = c < row.size() ? row[c] : Cell{};
      out << "<td" << number(c) << html_indent(cell) << '>' << html_of(cell) << "</td>";
    }
    out << "</tr>\n";
  }
  out << "</table></div>\n";
}

void Document::fold(std::string summary, Document inside) {
  blocks_.emplace_back(Fold{std::move(summary), std::make_shared<const Document>(std::move(inside))});
}

void Document::append(Document other) {
  for (Block& block : other.blocks_) blocks_.push_back(std::move(block));
}

void Document::render_text(std::ostream& out, const TextStyle& style) const {
  const auto unlabelled = [] { return Table({{"", Align::kLeft}, {"", Align::kLeft}}, Titles::kMarkdownOnly); };
  Table notes = unlabelled();
  for (size_t i = 0; i < blocks_.size(); ++i) {
    if (const auto* note = std::get_if<Note>(&blocks_[i])) {
      notes.add_row({{"note:", Tone::kNote}, {note->sentence}});
      if (i + 1 < blocks_.size() && std::holds_alternative<Note>(blocks_[i + 1])) continue;
      notes.render_text(out, style);
      notes = unlabelled();
    } else if (const auto* title = std::get_if<Title>(&blocks_[i])) {
      out << paint(plain_text(title->words), Tone::kBold, style) << '\n';
    } else if (const auto* line = std::get_if<Line>(&blocks_[i])) {
      if (line->pieces.size() == 1) {
        render_wrapped(out, line->pieces.front(), 0, style);
        continue;
      }
      for (const Cell& piece : line->pieces) out << paint(plain_text(piece), piece.tone, style);
      out << '\n';
    } else if (const auto* item = std::get_if<Item>(&blocks_[i])) {
      render_wrapped(out, item->words, kGap, style);
    } else if (const auto* table = std::get_if<Table>(&blocks_[i])) {
      table->render_text(out, style);
    } else if (const auto* fold = std::get_if<Fold>(&blocks_[i])) {
      fold->inside->render_text(out, style);
    } else {
      out << '\n';
    }
  }
}

void Document::render_markdown(std::ostream& out) const {
  const Block* above = nullptr;
  for (const Block& block : blocks_) {
    if (std::holds_alternative<Gap>(block)) continue;
    const bool listed = std::holds_alternative<Item>(block) || std::holds_alternative<Note>(block);
    if (above && !(listed && above->index() == block.index())) out << '\n';
    above = &block;
    if (const auto* note = std::get_if<Note>(&block)) {
      out << "- note: " << markdown_sentence(note->sentence, MarkdownPlace::kLine) << '\n';
    } else if (const auto* title = std::get_if<Title>(&block)) {
      out << std::string(static_cast<size_t>(title->level), '#') << ' ';
      Cell words = title->words;
      words.tone = Tone::kPlain;
      out << markdown_of(words, MarkdownPlace::kLine) << '\n';
    } else if (const auto* line = std::get_if<Line>(&block)) {
      for (Cell piece : line->pieces) {
        if (piece.tone == Tone::kWorse || piece.tone == Tone::kBetter) piece.tone = Tone::kBold;
        out << markdown_of(piece, MarkdownPlace::kLine);
      }
      out << '\n';
    } else if (const auto* item = std::get_if<Item>(&block)) {
      Cell words = item->words;
      out << std::string(2 * words.indent, ' ') << "- ";
      words.indent = 0;
      out << markdown_of(words, MarkdownPlace::kLine) << '\n';
    } else if (const auto* table = std::get_if<Table>(&block)) {
      table->render_markdown(out);
    } else if (const auto* fold = std::get_if<Fold>(&block)) {
      out << "<details><summary>" << escape_for_markdown(fold->summary) << "</summary>\n\n";
      fold->inside->render_markdown(out);
      out << "\n</details>\n";
    }
  }
}

void Document::render_html(std::ostream& out) const {
  bool in_list = false;
  for (const Block& block : blocks_) {
    const auto* item = std::get_if<Item>(&block);
    const auto* note = std::get_if<Note>(&block);
    const bool is_listed = item || note;
    if (is_listed != in_list) out << (is_listed ? "<ul class=\"notes\">\n" : "</ul>\n");
    in_list = is_listed;
    if (item) {
      out << "<li" << html_indent(item->words) << '>' << html_of(item->words) << "</li>\n";
    } else if (note) {
      out << "<li>" << html_sentence(note->sentence) << "</li>\n";
    } else if (const auto* title = std::get_if<Title>(&block)) {
      const int level = title->level - 1;  // the page itself has the first
      out << fmt::format("<h{0}>{1}</h{0}>\n", level, html_of(title->words));
    } else if (const auto* line = std::get_if<Line>(&block)) {
      out << "<p>";
      for (const Cell& piece : line->pieces) out << html_of(piece);
      out << "</p>\n";
    } else if (const auto* table = std::get_if<Table>(&block)) {
      table->render_html(out);
    } else if (const auto* fold = std::get_if<Fold>(&block)) {
      out << "<details><summary>" << escape_html(fold->summary) << "</summary>\n";
      fold->inside->render_html(out);
      out << "</details>\n";
    }
  }
  if (in_list) out << "</ul>\n";
}

}  // namespace icount
