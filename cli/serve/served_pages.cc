#include "icount/cli/serve/served_pages.h"

#include <fmt/format.h>

#include <optional>

#include "icount/base/text.h"
#include "icount/cli/serve/http_server.h"
#include "icount/report/html_page.h"

namespace icount {
namespace {

constexpr size_t kSparklineColumns = 40;

std::string run_name(const std::string& commit, const std::string& name, int64_t id) {
  if (!commit.empty()) return short_hash(commit);
  return name.empty() ? fmt::format("run {}", id) : name;
}
std::string name_of(const ServedRun& run) { return run_name(run.commit, run.name, run.id); }
std::string name_of(const HistoryRow& row) { return run_name(row.commit, row.name, row.run); }

std::string value_text(double value, bool wall) {
  if (wall) return fmt::format("{:.4g} s", value);
  if (value == static_cast<double>(static_cast<int64_t>(value))) return with_thousands(static_cast<int64_t>(value));
  return fmt::format("{:.2f}", value);
}

/// "+12 (+3.1%)", coloured by its sign; empty without both.
std::string change_cell(std::optional<double> from, std::optional<double> to, bool wall) {
  if (!from || !to) return "";
  const double delta = *to - *from;
  if (delta == 0) return "<span class=\"muted\">0</span>";
  const std::string share = *from != 0 ? fmt::format(" ({:+.2f}%)", 100 * delta / *from) : "";
  return fmt::format("<span class=\"{}\">{}{}{}</span>", delta > 0 ? "more" : "less", delta > 0 ? "+" : "\u2212",
                     value_text(delta > 0 ? delta : -delta, wall), share);
}

std::string benchmark_link(std::string_view key) {
  return fmt::format("<a href=\"/benchmark?key={}\">{}</a>", escape_for_query(key), escape_html(key));
}

/// A run as a row, with what chooses it.
std::string run_row(const ServedHistory& history, size_t at) {
  const ServedRun& run = history.runs[at];
  const size_t newest = history.runs.size() - 1;
  const auto radio = [&](std::string_view side, bool checked) {
    return fmt::format("<td><input type=\"radio\" name=\"{0}\" value=\"{1}\" aria-label=\"{0} {2}\"{3}></td>", side,
                       run.id, escape_html(name_of(run)), checked ? " checked" : "");
  };
  const int64_t base = history.runs[newest].before != 0 ? history.runs[newest].before : history.runs[newest].id;
  const std::string before = run.before != 0 ? fmt::format("<a href=\"{}\">explain from the nearest ancestor</a>",
                                                           escape_html(report_link(run.before, run.id)))
                                             : "";
  return fmt::format(
      "<tr>{}{}<td><a href=\"{}\">{}</a></td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"number\">{}</td>"
      "<td>{}</td></tr>\n",
      radio("base", run.id == base), radio("head", at == newest), escape_html(report_link(0, run.id)),
      escape_html(name_of(run)), escape_html(run.subject), escape_html(run.branch), escape_html(run.name),
      utc_text(run.unix_time), run.results, before);
}

/// The run that `row` is compared with; nullptr: none.
const HistoryRow* row_before(const BenchmarkHistory& benchmark, const HistoryRow& row) {
  for (const HistoryRow& other : benchmark.rows)
    if (row.before != 0 && other.run == row.before) return &other;
  return nullptr;
}

/// The values, in order; the newest, and that of the run that it is compared with.
struct Latest {
  std::vector<std::optional<double>> values;
  std::optional<double> before, newest;
};
Latest latest_of(const BenchmarkHistory& benchmark) {
  Latest latest;
  const HistoryRow* newest = nullptr;
  for (const HistoryRow& row : benchmark.rows) {
    latest.values.push_back(row.value);
    if (row.value) newest = &row;
  }
  if (!newest) return latest;
  latest.newest = newest->value;
  if (const HistoryRow* before = row_before(benchmark, *newest)) latest.before = before->value;
  return latest;
}

std::string last_step(const BenchmarkHistory& benchmark) {
  for (size_t i = benchmark.rows.size(); i-- > 0;) {
    const HistoryRow& row = benchmark.rows[i];
    if (!row.step) continue;
    return fmt::format("<a href=\"{}\">{}</a> {}", escape_html(report_link(row.before, row.run, benchmark.key)),
                       escape_html(name_of(row)), change_cell(row.step_from, row.step_to, benchmark.wall));
  }
  return "";
}

std::string benchmark_row(const BenchmarkHistory& benchmark) {
  const Latest latest = latest_of(benchmark);
  return fmt::format(
      "<tr><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td "
      "class=\"spark\">{}</td><td>{}</td></tr>\n",
      benchmark_link(benchmark.key), latest.newest ? value_text(*latest.newest, benchmark.wall) : "",
      change_cell(latest.before, latest.newest, benchmark.wall), render_sparkline(latest.values, kSparklineColumns),
      last_step(benchmark));
}

}  // namespace

std::string report_link(int64_t base, int64_t head, std::string_view benchmark) {
  std::string link =
      base == 0 ? fmt::format("/report?head={}", head) : fmt::format("/report?base={}&head={}", base, head);
  if (!benchmark.empty()) link += "&benchmark=" + escape_for_query(benchmark);
  return link;
}

std::string render_overview_page(const ServedHistory& history) {
  std::string body = fmt::format("<h1>{}</h1>\n", escape_html(history.name));
  body += fmt::format("<p class=\"muted\">{}, {}. Values are instructions per run of the statement.</p>\n",
                      counted(static_cast<int64_t>(history.runs.size()), "run"),
                      counted(static_cast<int64_t>(history.benchmarks.size()), "benchmark"));
  body +=
      "<h2>Runs</h2>\n<form action=\"/report\" method=\"get\">\n<table id=\"runs\">\n<tr><th>base</th><th>head</th>"
      "<th>run</th><th>subject</th><th>branch</th><th>name</th><th>time</th><th "
      "class=\"number\">results</th><th></th></tr>\n";
  for (size_t i = history.runs.size(); i-- > 0;) body += run_row(history, i);
  body += "</table>\n<p><button type=\"submit\">Explain head against base</button></p>\n</form>\n";
  body +=
      "<h2>Benchmarks</h2>\n<table id=\"benchmarks\">\n<tr><th>benchmark</th><th class=\"number\">newest</th>"
      "<th class=\"number\">change</th><th>history</th><th>newest step</th></tr>\n";
  for (const BenchmarkHistory& benchmark : history.benchmarks) body += benchmark_row(benchmark);
  body += "</table>\n";
  return render_plain_page(history.name, body);
}

std::string render_benchmark_page(const std::string& store, const BenchmarkHistory& benchmark) {
  std::string body =
      fmt::format("<p><a href=\"/\">{}</a></p>\n<h1>{}</h1>\n", escape_html(store), escape_html(benchmark.key));
  body +=
      "<table id=\"history\">\n<tr><th>run</th><th>subject</th><th>time</th><th class=\"number\">value</th>"
      "<th class=\"number\">change</th><th></th></tr>\n";
  for (size_t i = benchmark.rows.size(); i-- > 0;) {
    const HistoryRow& row = benchmark.rows[i];
    const HistoryRow* before = row_before(benchmark, row);
    std::string words = row.step ? "a step; " : "";
    if (!row.not_alike.empty()) words = fmt::format("not measured alike: {}; ", escape_html(row.not_alike));
    if (row.status != "done") words = escape_html(row.status) + "; ";
    if (row.between > 0)
      words += fmt::format("not measured since {}: {}; ", short_hash(row.before_commit),
                           counted(static_cast<int64_t>(row.between), "commit"));
    if (!row.line.empty()) words += escape_html(row.line) + "; ";
    if (before)
      words += fmt::format("<a href=\"{}\">explain</a>", escape_html(report_link(before->run, row.run, benchmark.key)));
    body += fmt::format(
        "<tr><td><a href=\"{}\">{}</a></td><td>{}</td><td>{}</td><td class=\"number\">{}</td><td "
        "class=\"number\">{}</td>"
        "<td>{}</td></tr>\n",
        escape_html(report_link(0, row.run, benchmark.key)), escape_html(name_of(row)), escape_html(row.subject),
        utc_text(row.unix_time), row.value ? value_text(*row.value, benchmark.wall) : "",
        before && row.not_alike.empty() ? change_cell(before->value, row.value, benchmark.wall) : "", words);
  }
  body += "</table>\n";
  return render_plain_page(benchmark.key, body);
}

std::string render_message_page(std::string_view title, std::string_view message) {
  return render_plain_page(title, fmt::format("<p><a href=\"/\">all runs</a></p>\n<h1>{}</h1>\n<p>{}</p>\n",
                                              escape_html(title), escape_html(message)));
}

}  // namespace icount
