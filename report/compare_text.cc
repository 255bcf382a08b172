#include "icount/report/compare_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "icount/base/text.h"
#include "icount/report/document.h"
#include "icount/stats/python_text.h"

namespace icount {
namespace {

constexpr std::string_view kBold = "\33[1m";
constexpr std::string_view kBest = "\33[92m";
constexpr std::string_view kGood = "\33[34m";
constexpr std::string_view kBad = "\33[2m\33[91m";
constexpr std::string_view kVeryBad = "\33[31m";
constexpr std::string_view kEnd = "\33[0m\33[0m";
constexpr std::string_view kBetween = "  |  ";

std::string colored(const std::string& text, CellRank rank) {
  switch (rank) {
    case CellRank::kBest:
      return fmt::format("{}{}{}{}", kBest, kBold, text, kEnd);
    case CellRank::kGood:
      return fmt::format("{}{}{}{}", kGood, kBold, text, kEnd);
    case CellRank::kWorst:
      return fmt::format("{}{}{}{}", kVeryBad, kBold, text, kEnd);
    case CellRank::kBad:
      return fmt::format("{}{}{}", kBad, text, kEnd);
    case CellRank::kPlain:
      break;
  }
  return text;
}

std::string on_one_line(std::string_view text) {
  std::string line;
  for (std::string_view piece : python_splitlines(text)) line.append(line.empty() ? "" : " ").append(piece);
  return escape_for_terminal(line);
}

// The table as strings before alignment, and the widths that follow from them.
class Grid {
 public:
  Grid(const CompareTable& table, const CompareOptions& options, std::span<const ExtraColumn> extras)
      : table_(table), options_(options), extras_(extras), mended_(options.mode == CompareMode::kMended) {
    for (size_t column = 0; column < table.columns.size(); ++column) formats_.emplace_back(table, column, options);
    fill_header();
    for (size_t row = 0; row < table.rows.size(); ++row) fill_row(row);
    label_ = fmt::format(" {} ", shown(table.label.value_or("")));
    size_t needed = code_point_count(label_) + 2;
    widened_ = mended_ && needed > overall_width();
    if (widened_) widths_[0] += needed - overall_width();
  }

  std::string text() const {
    size_t inside = overall_width() - std::min<size_t>(overall_width(), 2);
    std::string result = fmt::format("[{}]\n", python_center(label_, inside, '-'));
    result += header_line();
    for (size_t row = 0; row < table_.rows.size(); ++row) result += row_lines(row);
    return result + legend();
  }

 private:
  /// A name without what a terminal obeys; on one line, or with PyTorch's line breaks.
  std::string shown(std::string_view name) const {
    return mended_ ? on_one_line(name) : escape_lines_for_terminal(name);
  }

  void widen(size_t column, std::string_view text) {
    widths_[column] = std::max(widths_[column], code_point_count(text));
  }

  void fill_header() {
    for (const std::string& column : table_.columns) header_.push_back(shown(column));
    for (const ExtraColumn& extra : extras_) header_.push_back(on_one_line(extra.title));
    widths_.resize(header_.size() + 1);
    for (size_t column = 0; column < header_.size(); ++column) widen(column + 1, header_[column]);
  }

  std::string env_text(const CompareRow& row) const { return shown(row.env.value_or(std::string(kNoEnv))); }

  size_t env_width() const {
    size_t width = 0;
    if (table_.shows_envs)
      for (const CompareRow& row : table_.rows) width = std::max(width, code_point_count(env_text(row)));
    return width + 4;
  }

  void fill_row(size_t index) {
    const CompareRow& row = table_.rows[index];
    std::string env = python_ljust(row.shows_env ? "(" + env_text(row) + ")" : "", env_width());
    std::vector<std::string> names;
    if (mended_)
      for (std::string_view line : python_splitlines(row.name))
        names.push_back("  " + (names.empty() ? env : std::string(env_width(), ' ')) + escape_for_terminal(line));
    if (names.empty()) names.push_back("  " + env + escape_lines_for_terminal(row.name));
    for (const std::string& name : names) widen(0, name);
    names_.push_back(std::move(names));
    std::vector<std::string> figures;
    for (size_t column = 0; column < formats_.size(); ++column) {
      const Measurement* cell = table_.cell(index, column);
      figures.push_back(cell ? formats_[column].figure(*cell) : formats_[column].missing());
    }
    for (const ExtraColumn& extra : extras_) figures.push_back(extra.cells[index]);
    for (size_t column = 0; column < figures.size(); ++column) widen(column + 1, figures[column]);
    figures_.push_back(std::move(figures));
  }

  size_t overall_width() const {
    size_t width = kBetween.size() * (widths_.size() - 1);
    for (size_t column : widths_) width += column;
    return width;
  }

  std::string header_line() const {
    std::string line = python_center("", widths_[0]);
    for (size_t column = 0; column < header_.size(); ++column)
      line.append(kBetween).append(python_center(header_[column], widths_[column + 1]));
    return line + "\n";
  }

  std::string row_lines(size_t row) const {
    std::string text;
    if (table_.rows[row].opens_thread_block)
      text = python_ljust(fmt::format("{} threads: ", table_.rows[row].num_threads), overall_width(), '-') + "\n";
    text += python_ljust(names_[row][0], widths_[0]);
    for (size_t column = 0; column < header_.size(); ++column) {
      std::string figure = python_center(figures_[row][column], widths_[column + 1]);
      if (column < table_.columns.size() && options_.colorize != Colorize::kNone)
        figure = colored(figure, table_.rank(row, column, options_.colorize));
      text.append(kBetween).append(figure);
    }
    text += "\n";
    for (size_t line = 1; line < names_[row].size(); ++line) text += names_[row][line] + "\n";
    return text;
  }

  std::string legend() const {
    std::string text = fmt::format("\nTimes are in {}s ({}).\n", unit_to_english(table_.unit.name), table_.unit.name);
    bool warns = std::any_of(table_.results.begin(), table_.results.end(),
                             [](const Measurement& m) { return m.has_warnings(); });
    if (options_.highlight_warnings && warns)
      text += "(! XX%) Measurement has high variance, where XX is the IQR / median * 100.\n";
    for (const std::string& line : legends_of(extras_)) text += line + "\n";
    for (const std::string& note : table_.notes) text += "Note: " + escape_for_terminal(note) + ".\n";
    if (widened_) text += "Note: widened to hold its label.\n";
    return text;
  }

  const CompareTable& table_;
  const CompareOptions& options_;
  std::span<const ExtraColumn> extras_;
  bool mended_;
  std::vector<ColumnFormat> formats_;
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> names_;    // per row: its lines
  std::vector<std::vector<std::string>> figures_;  // per row and column
  std::vector<size_t> widths_;
  std::string label_;
  bool widened_ = false;
};

}  // namespace

std::string render_compare_table(const CompareTable& table, const CompareOptions& options,
                                 std::span<const ExtraColumn> extras) {
  return Grid(table, options, extras).text();
}

std::string render_compare(const Compare& compare) {
  std::string text;
  for (const CompareTable& table : compare.tables())
    text.append(text.empty() ? "" : "\n").append(render_compare_table(table, compare.options()));
  return text;
}

namespace {

constexpr std::string_view kPageHead =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>icount compare</title>\n<style>\n"
    ":root { color-scheme: light dark; --line: #8886; --good: #1a7f37; --best: #1a7f37; --bad: #bc4c00; --worst: "
    "#cf222e; }\n"
    "@media (prefers-color-scheme: dark) { :root { --good: #57ab5a; --best: #57ab5a; --bad: #e0823d; --worst: #f47067; "
    "} }\n"
    "body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; padding: 0 1em; max-width: 70em; }\n"
    ".compare { overflow-x: auto; margin-bottom: 2.5em; }\n"
    ".compare table { border-collapse: collapse; }\n"
    ".compare caption { text-align: left; font-weight: bold; font-size: 1.15em; padding-bottom: 0.4em; }\n"
    ".compare th, .compare td { padding: 0.25em 0.9em; border-bottom: 1px solid var(--line); text-align: right; "
    "white-space: nowrap; }\n"
    ".compare td { font-variant-numeric: tabular-nums; }\n"
    ".compare tbody th { text-align: left; font-weight: normal; font-family: ui-monospace, monospace; white-space: "
    "normal; }\n"
    ".compare .best { color: var(--best); font-weight: bold; }\n"
    ".compare .good { color: var(--good); }\n"
    ".compare .bad { color: var(--bad); }\n"
    ".compare .worst { color: var(--worst); font-weight: bold; }\n"
    ".compare p { margin: 0.3em 0; font-size: 0.9em; }\n"
    "</style>\n</head>\n<body>\n";

constexpr std::string_view kWarningLegend = "(! XX%): the interquartile range is XX % of the median";

// Classes of the HTML form; empty between good and bad.
std::string_view class_of(CellRank rank) {
  switch (rank) {
    case CellRank::kBest:
      return "best";
    case CellRank::kGood:
      return "good";
    case CellRank::kBad:
      return "bad";
    case CellRank::kWorst:
      return "worst";
    case CellRank::kPlain:
      break;
  }
  return {};
}

// Which of the columns before the figures are needed: threads, env, name.
struct Heads {
  bool threads = false;
  bool envs = false;

  explicit Heads(const CompareTable& table) : envs(table.shows_envs) {
    for (const CompareRow& row : table.rows) threads = threads || row.num_threads != 1;
  }
  std::vector<std::string> titles() const { return pick("threads", "env", ""); }
  std::vector<std::string> cells(const CompareRow& row) const {
    return pick(std::to_string(row.num_threads), row.env.value_or(std::string(kNoEnv)), row.name);
  }

 private:
  std::vector<std::string> pick(std::string threads_text, std::string env, std::string name) const {
    std::vector<std::string> texts;
    if (threads) texts.push_back(std::move(threads_text));
    if (envs) texts.push_back(std::move(env));
    texts.push_back(std::move(name));
    return texts;
  }
};

std::string unit_line(const CompareTable& table) {
  return fmt::format("Times are in {}s ({}).", unit_to_english(table.unit.name), table.unit.name);
}

bool shows_warnings(const CompareTable& table, const CompareOptions& options) {
  bool any = false;
  for (const Measurement& result : table.results) any = any || result.has_warnings();
  return any && options.highlight_warnings;
}

std::string html(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '#':  // "##[error]" is a command in the log of a hosted CI
        escaped += "&#35;";
        break;
      case '\n':
        escaped += "<br>";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

/// Whether a spreadsheet computes what begins with `text`, wide characters included. Quotes are skipped: a reader that
/// splits cells elsewhere than we do takes them for its own.
bool begins_formula(std::string_view text) {
  size_t at = hidden_prefix(text);
  for (; at < text.size() && text[at] == '"'; at += hidden_prefix(text.substr(at))) ++at;
  if (at == text.size()) return false;
  constexpr std::u32string_view kSigns = U"=+-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212";
  return kSigns.find(static_cast<char32_t>(decode_utf8(text, at).value)) != std::u32string_view::npos;
}

/// A cell whose bytes neither a terminal nor a CI log obeys. Spreadsheets take what begins with one of "=+-@" for a
/// formula, and what begins with an apostrophe for text. Where semicolons separate cells, a new one begins behind each;
/// the quotes around ours do not keep it together there, and its lines are rows.
std::string csv(std::string_view name) {
  std::string text;
  std::string_view rest = name;
  for (bool more = true; more;) {
    const size_t end = rest.find_first_of(";\n");
    more = end != std::string_view::npos;
    if (begins_formula(rest.substr(0, end))) text += '\'';
    text += rest.substr(0, more ? end + 1 : end);
    rest.remove_prefix(more ? end + 1 : rest.size());
  }
  text = escape_lines_for_terminal(text);
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string csv_ratio(const std::optional<Ratio>& ratio) {
  if (!ratio) return ",,,,";
  std::string interval = ratio->interval ? fmt::format("{},{}", ratio->interval->low, ratio->interval->high) : ",";
  return fmt::format(",{},{},{}", ratio->ratio, interval, to_text(ratio->verdict));
}

std::vector<ColumnFormat> formats_of(const CompareTable& table, const CompareOptions& options) {
  std::vector<ColumnFormat> formats;
  for (size_t column = 0; column < table.columns.size(); ++column) formats.emplace_back(table, column, options);
  return formats;
}

std::string html_cell(const CompareTable& table, const CompareOptions& options, const ColumnFormat& format, size_t row,
                      size_t column) {
  const Measurement* cell = table.cell(row, column);
  if (!cell) return "<td></td>";
  std::string_view rank = class_of(table.rank(row, column, options.colorize));
  return fmt::format("<td{}>{}</td>", rank.empty() ? "" : fmt::format(" class=\"{}\"", rank),
                     html(trim(format.figure(*cell))));
}

}  // namespace

std::string render_compare_markdown(const CompareTable& table, const CompareOptions& options,
                                    std::span<const ExtraColumn> extras) {
  Heads heads(table);
  std::vector<Column> columns;
  for (const std::string& title : heads.titles()) columns.push_back({title, Align::kLeft});
  for (const std::string& title : table.columns) columns.push_back({title});
  for (const ExtraColumn& extra : extras) columns.push_back({extra.title});
  Table rows(std::move(columns));
  std::vector<ColumnFormat> formats = formats_of(table, options);
  for (size_t row = 0; row < table.rows.size(); ++row) {
    std::vector<Cell> cells;
    for (std::string& text : heads.cells(table.rows[row])) cells.push_back({std::move(text)});
    for (size_t column = 0; column < formats.size(); ++column) {
      const Measurement* cell = table.cell(row, column);
      const bool best = cell && table.rank(row, column, options.colorize) == CellRank::kBest;
      cells.push_back(
          {cell ? std::string(trim(formats[column].figure(*cell))) : std::string(), best ? Tone::kBold : Tone::kPlain});
    }
    for (const ExtraColumn& extra : extras) cells.push_back({extra.cells[row]});
    rows.add_row(std::move(cells));
  }
  Document out;
  if (table.label) out.title({*table.label});
  out.table(std::move(rows));
  out.line(unit_line(table));
  if (shows_warnings(table, options)) out.line(std::string(kWarningLegend));
  for (std::string& line : legends_of(extras)) out.line(std::move(line));
  for (const std::string& note : table.notes) out.line("Note: " + note + ".");
  std::ostringstream text;
  text.exceptions(std::ios::badbit);  // memory that ends is an error, not a shorter text
  out.render_markdown(text);
  return text.str();
}

std::string render_compare_html(const CompareTable& table, const CompareOptions& options,
                                std::span<const ExtraColumn> extras) {
  Heads heads(table);
  std::string text = fmt::format("<section class=\"compare\">\n<table>\n<caption>{}</caption>\n<thead><tr>",
                                 html(table.label.value_or("")));
  for (const std::string& title : heads.titles()) text += fmt::format("<th>{}</th>", html(title));
  for (const std::string& title : table.columns) text += fmt::format("<th>{}</th>", html(title));
  for (const ExtraColumn& extra : extras) text += fmt::format("<th>{}</th>", html(extra.title));
  text += "</tr></thead>\n<tbody>\n";
  std::vector<ColumnFormat> formats = formats_of(table, options);
  for (size_t row = 0; row < table.rows.size(); ++row) {
    text += "<tr>";
    for (const std::string& head : heads.cells(table.rows[row])) text += fmt::format("<th>{}</th>", html(head));
    for (size_t column = 0; column < formats.size(); ++column)
      text += html_cell(table, options, formats[column], row, column);
    for (const ExtraColumn& extra : extras) text += fmt::format("<td>{}</td>", html(extra.cells[row]));
    text += "</tr>\n";
  }
  text += fmt::format("</tbody>\n</table>\n<p>{}</p>\n", unit_line(table));
  if (shows_warnings(table, options)) text += fmt::format("<p>{}.</p>\n", kWarningLegend);
  for (const std::string& line : legends_of(extras)) text += fmt::format("<p>{}</p>\n", html(line));
  for (const std::string& note : table.notes) text += fmt::format("<p>Note: {}.</p>\n", html(note));
  return text + "</section>\n";
}

std::string make_compare_page(std::string_view sections) {
  return fmt::format("{}{}</body>\n</html>\n", kPageHead, sections);
}

std::string compare_csv_header(bool with_ratios) {
  std::string header =
      "label,threads,env,row,column,median,mean,p25,p75,blocks,significant_figures,warning,instructions_per_"
      "run";
  return header + (with_ratios ? ",ratio,ratio_low,ratio_high,verdict\n" : "\n");
}

std::string render_compare_csv(const CompareTable& table, const RatioTable* ratios) {
  std::string text;
  for (size_t row = 0; row < table.rows.size(); ++row)
    for (size_t column = 0; column < table.columns.size(); ++column) {
      const CompareRow& r = table.rows[row];
      const Measurement* m = table.cell(row, column);
      if (!m) continue;
      std::optional<double> count = table.instructions[*r.cells[column]];
      text += fmt::format("{},{},{},{},{},", csv(table.label.value_or("")), r.num_threads, csv(r.env.value_or("")),
                          csv(r.name), csv(table.columns[column]));
      text += fmt::format("{},{},{},{},{},{},{},{}", m->median(), m->mean(), m->p25(), m->p75(), m->raw_times().size(),
                          m->significant_figures(), m->has_warnings() ? "yes" : "no",
                          count ? fmt::format("{}", *count) : "");
      text += (ratios ? csv_ratio(ratios->cells[row][column]) : "") + "\n";
    }
  return text;
}

}  // namespace icount
