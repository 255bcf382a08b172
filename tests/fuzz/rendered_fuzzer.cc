// libFuzzer target of what people read: names of any bytes, in an explanation as text, as Markdown or as the JSON of an
// HTML page, stay text. The page has the elements that it has without names, and its data comes out as it was put in;
// nothing in Markdown leaves its code span or its cell; no control byte reaches a terminal, no command the log of a
// hosted CI.
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "fuzz/fuzz_input.h"
#include "icount/base/error.h"
#include "icount/base/json.h"
#include "icount/base/text.h"
#include "icount/explain/explain.h"
#include "icount/report/explanation_document.h"
#include "icount/report/html_page.h"
#include "icount/report/report_json.h"

namespace {

using namespace icount;

constexpr auto kWords = std::to_array<std::string_view>({"f",
                                                         "<script>",
                                                         "</script>",
                                                         "<!--",
                                                         "-->",
                                                         "\"",
                                                         "'",
                                                         "&lt;",
                                                         "`",
                                                         "``",
                                                         "|",
                                                         "\\",
                                                         "\n",
                                                         "\r",
                                                         "\t",
                                                         "\x1b[31m",
                                                         "@user",
                                                         "#12",
                                                         "::error",
                                                         "##[group]",
                                                         "\xff",
                                                         "\xe2\x80\xa8",
                                                         "\xc2\x9b",
                                                         "\xe2\x80\xae",
                                                         "<img src=x onerror=a>",
                                                         "[a](javascript:b)",
                                                         "</title>",
                                                         "<b>",
                                                         "ns::g(int)",
                                                         " ",
                                                         "$",
                                                         "~"});

/// A graph with names of the recipe.
CostGraph graph_of(Recipe& recipe, const std::vector<std::string>& names) {
  CostGraph graph;
  graph.events = {"Ir"};
  graph.totals = {0};
  const StringId object = graph.strings.intern("prog");
  for (const std::string& name : names) {
    const auto function = static_cast<FunctionIndex>(graph.functions.size());
    const StringId file = graph.strings.intern(names[recipe.next() % names.size()]);
    graph.functions.push_back({graph.strings.intern(name), file, object});
    graph.self.push_back(recipe.next() * 7);
    graph.totals[0] += graph.self.back();
    graph.rows.push_back({function, file});
    if (function > 0) {
      graph.edges.push_back({function - 1, function, 1 + recipe.next() % 4});
      graph.inclusive.push_back(2000);
    }
  }
  graph.row_self = graph.self;
  return graph;
}

std::vector<std::string> names_of(Recipe& recipe) {
  std::vector<std::string> names;
  for (unsigned left = 2 + recipe.next() % 5; left > 0; --left) {
    std::string name = words_of(recipe, kWords, 5);
    for (; std::find(names.begin(), names.end(), name) != names.end(); name += 'x') {
    }
    names.push_back(std::move(name));
  }
  return names;
}

/// The elements of a page in their order, by a reader that knows what ends the text of scripts and styles.
std::vector<std::string> elements_of(std::string_view page) {
  std::vector<std::string> elements;
  for (size_t at; (at = page.find('<')) != std::string_view::npos;) {
    const size_t end = std::min(page.find('>', at), page.size());
    const std::string_view tag = page.substr(at, end - at);
    elements.emplace_back(tag.substr(0, tag.find_first_of(" \t\n/", 2)));
    page.remove_prefix(end);
    for (const std::string_view raw : {"script", "style"})
      if (elements.back() == "<" + std::string(raw)) {
        const size_t closing = page.find("</" + std::string(raw));
        page.remove_prefix(std::min(closing, page.size()));
      }
  }
  return elements;
}

/// The whole page, with its scripts of some 100 kB, for one input in 16; its data for all.
void check_page(const std::string& title, const Explanation& explanation, bool whole) {
  static const std::vector<std::string> plain = elements_of(render_html_page("t", Json::object()));
  ReportJson report(ReportHead{.title = title, .command = title, .notes = {title}}, {});
  report.add_benchmark({.key = title, .reason = title, .explanation = &explanation});
  const Json data = report.json();
  const std::string inert = inert_json(data);
  ICOUNT_CHECK(inert.find_first_of("<>&") == std::string::npos, "a name in the page's data may end it");
  ICOUNT_CHECK(escape_html(title).find_first_of("<>\"") == std::string::npos, "a title may become an element");
  if (!whole) return;
  const std::string page = render_html_page(title, data);
  ICOUNT_CHECK(elements_of(page) == plain, "a name became an element");
  constexpr std::string_view kBegin = "data-form=\"json\">";
  const size_t begin = page.find(kBegin) + kBegin.size();
  const std::string text = page.substr(begin, page.find("</script", begin) - begin);
  ICOUNT_CHECK(parse_json(text, "data") == parse_json(dump_json(data, -1), "data"), "the page's data changed");
}

void check_no_controls(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    ICOUNT_CHECK((c >= 0x20 || c == '\n') && c != 0x7f, "a control byte is printed");
    ICOUNT_CHECK(c != 0xc2 || i + 1 == text.size() || static_cast<unsigned char>(text[i + 1]) >= 0xa0,
                 "a control character is printed");
  }
}

/// Neither as a whole nor cut to the width of a terminal.
void check_no_commands(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    ICOUNT_CHECK(without_line_command(line) == line, "a line is a command of a hosted CI");
    for (size_t at = line.find("##"); at != std::string::npos; at = line.find("##", at + 1))
      ICOUNT_CHECK(!begins_log_command(line, at), "a line holds a command of a hosted CI");
  }
}

/// A row's cells as GitHub cuts them: at bars that no backslash escapes, in code spans too.
std::vector<std::string> cells_of(std::string_view row) {
  std::vector<std::string> cells(1);
  for (size_t i = 0; i < row.size(); ++i) {
    if (row[i] == '\\' && i + 1 < row.size()) {
      if (row[i + 1] != '|') cells.back() += row[i];
      cells.back() += row[++i];
    } else if (row[i] == '|') {
      cells.emplace_back();
    } else {
      cells.back() += row[i];
    }
  }
  return cells;
}

/// What is left of a cell or a line without code spans; names must not get here as they are.
std::string outside_code(std::string_view text) {
  std::string outside;
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '\\' && at + 1 < text.size()) {
      at += 2;
    } else if (text[at] != '`') {
      outside += text[at++];
    } else {
      const size_t run = std::min(text.find_first_not_of('`', at), text.size()) - at;
      const std::string fence(run, '`');
      size_t close = text.find(fence, at + run);
      while (close != std::string_view::npos && close + run < text.size() && text[close + run] == '`')
        close = text.find(fence, std::min(text.find_first_not_of('`', close), text.size()));
      ICOUNT_CHECK(close != std::string_view::npos, "a code span has no end");
      at = close + run;
    }
  }
  return outside;
}

void check_markdown(const std::string& text) {
  check_no_controls(text);
  check_no_commands(text);
  size_t columns = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool row = line.starts_with("| ") || line.starts_with("|-");
    const std::vector<std::string> cells = row ? cells_of(line) : std::vector{line};
    if (columns > 0 && row) ICOUNT_CHECK(cells.size() == columns, "a name left its cell");
    columns = row ? cells.size() : 0;
    for (const std::string& cell : cells) {
      const std::string outside = outside_code(cell);
      ICOUNT_CHECK(outside.find_first_of("<@") == std::string::npos, "a name is more than text in Markdown");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Recipe recipe(as_text(data, size));
  std::vector<std::string> names = names_of(recipe);
  const CostGraph base = graph_of(recipe, names);
  if (recipe.next() % 4 == 0) names.back() = words_of(recipe, kWords, 5) + "y";
  const CostGraph head = graph_of(recipe, names);
  ExplainOptions options;
  options.raw_names = recipe.next() % 2 == 0;
  const auto explanation = accepted([&] { return explain(base, head, options); });
  if (!explanation) return 0;
  const ExplanationHeading heading{names.front(), names.back(), {{"Ir", base.totals[0], head.totals[0]}}, {}};
  const uint8_t form = recipe.next();
  std::ostringstream text, markdown;
  if (kReplays || form % 3 == 0) {
    const size_t width = form < 128 ? 0u : form - 100u;
    make_explanation_document(*explanation, heading, {.all = true}, width).render_text(text, {.width = width});
    check_no_controls(text.str());
    check_no_commands(text.str());
  }
  if (kReplays || form % 3 == 1) {
    make_explanation_document(*explanation, heading, {.all = true}, 0).render_markdown(markdown);
    check_markdown(markdown.str());
  }
  if (kReplays || form % 3 == 2) check_page(names.back(), *explanation, kReplays || recipe.next() % 16 == 0);
  return 0;
}
