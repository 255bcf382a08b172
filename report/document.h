// What a command says to people, made once: titles, lines, notes, lists, tables. Three back ends write it, text for a
// terminal, Markdown for a comment and HTML for a page; they alone escape, so that no name can do anything in any. Made
// by the `make_*_document` functions of this room, written by cli. Machine formats (JSON, CSV, JUnit) have writers of
// their own.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "icount/report/text_style.h"

namespace icount {

/// How Markdown writes a text; a terminal shows all of them as they are.
enum class Form {
  kText,      ///< plain
  kName,      ///< a code span
  kSentence,  ///< plain, with `names` between backticks as code spans
};

/// A piece of a line, or a cell of a table.
struct Cell {
  std::string text;
  Tone tone = Tone::kPlain;  ///< of Markdown's tables kBold alone; in its lines what is coloured is bold
  Form form = Form::kText;
  std::string place = {};  ///< "lexer.cc:12", behind the text
  size_t indent = 0;       ///< levels of two blanks
};

enum class Align { kLeft, kRight };
/// What a terminal does with a last column that is too wide for it.
enum class Overflow { kWrap, kCut };

struct Column {
  std::string title;
  Align align = Align::kRight;
  Overflow overflow = Overflow::kWrap;
};

/// Markdown's tables need titles; a terminal can do without where rows speak for themselves.
enum class Titles { kShown, kMarkdownOnly };

/// Rows of cells under titles. Fewer cells than columns leave the rest of a row empty.
class Table {
 public:
  explicit Table(std::vector<Column> columns, Titles titles = Titles::kShown)
      : columns_(std::move(columns)), titles_(titles) {}

  void add_row(std::vector<Cell> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }

  /// Columns left for the last column when the rows so far are printed at `width`; 0 when the width is unlimited.
  size_t room_for_last(size_t width) const;
  /// Two blanks before each column. The last column is wrapped or cut to the style's width, names inside backticks are
  /// bold where there is colour.
  void render_text(std::ostream& out, const TextStyle& style) const;
  void render_markdown(std::ostream& out) const;
  void render_html(std::ostream& out) const;

 private:
  std::vector<size_t> widths() const;
  void render_row(std::ostream& out, const std::vector<Cell>& cells, const std::vector<size_t>& widths,
                  const TextStyle& style) const;

  std::vector<Column> columns_;
  Titles titles_;
  std::vector<std::vector<Cell>> rows_;
};

class Document {
 public:
  /// A line above what follows, bold.
  void title(Cell words, int level = 3) { blocks_.emplace_back(Title{std::move(words), level}); }
  /// One line, its pieces behind one another; a paragraph of Markdown. A terminal may wrap it where it is one sentence.
  void line(std::vector<Cell> pieces) { blocks_.emplace_back(Line{std::move(pieces)}); }
  void line(std::string text, Tone tone = Tone::kPlain) { line(std::vector<Cell>{{std::move(text), tone}}); }
  /// An entry of a list; `words.indent` levels below the one above it.
  void item(Cell words) { blocks_.emplace_back(Item{std::move(words)}); }
  /// "note: ..."; names stand between backticks.
  void note(std::string sentence) { blocks_.emplace_back(Note{std::move(sentence)}); }
  /// A table without rows is left out.
  void table(Table table) {
    if (!table.empty()) blocks_.emplace_back(std::move(table));
  }
  /// Details: Markdown and HTML show `summary` until they are unfolded, a terminal shows them.
  void fold(std::string summary, Document inside);
  /// An empty line on a terminal. Markdown separates blocks by itself.
  void gap() { blocks_.emplace_back(Gap{}); }
  void append(Document other);
  bool empty() const { return blocks_.empty(); }

  void render_text(std::ostream& out, const TextStyle& style) const;
  void render_markdown(std::ostream& out) const;
  /// What stands in a page's body (report/html_page.h).
  void render_html(std::ostream& out) const;

 private:
  struct Title {
    Cell words;
    int level;
  };
  struct Line {
    std::vector<Cell> pieces;
  };
  struct Item {
    Cell words;
  };
  struct Note {
    std::string sentence;
  };
  struct Fold {
    std::string summary;
    std::shared_ptr<const Document> inside;
  };
  struct Gap {};
  using Block = std::variant<Title, Line, Item, Note, Table, Fold, Gap>;

  std::vector<Block> blocks_;
};

}  // namespace icount
