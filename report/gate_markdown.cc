#include "icount/report/gate_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <ostream>
#include <span>
#include <sstream>
#include <tuple>
#include <vector>

#include "icount/base/checked.h"
#include "icount/base/text.h"
#include "icount/report/document.h"
#include "icount/report/explanation_document.h"
#include "icount/report/markdown.h"
#include "icount/report/mine_document.h"
#include "icount/report/short_name.h"
#include "icount/stats/result.h"

namespace icount {
namespace {

constexpr size_t kMostRows = 12;
constexpr size_t kExplained = 8;  ///< benchmarks whose leading cause stands open
constexpr size_t kCausesShown = 8;
constexpr size_t kExplainedFolded = 20;
constexpr size_t kSharedShown = 3;

std::string_view sign_of(const Verdict& verdict) {
  switch (verdict.worst) {
    case Severity::kNote:
      return "✅";
    case Severity::kCannotJudge:
      return "⚠️";
    case Severity::kFailure:
    case Severity::kRefusal:
      break;
  }
  return "❌";
}

/// What a reader of the comment looks for first: what has to be done, and what was gained.
bool stands_open(const FindingLine& line) {
  return needs_action(*line.finding) || line.finding->kind == FindingKind::kImproved;
}

/// A row of the comment's table, with what a benchmark is called.
struct Row {
  std::string word, benchmark;
  Cell what;
  std::optional<int64_t> base, head;
  std::string limit;
};

/// The comment's tables and lists, with names as readers know them.
class Comment {
 public:
  explicit Comment(const GateReport& report) : report_(report), names_(short_names(report)) {
    for (const GateBenchmark& benchmark : report.comparison.benchmarks) benchmarks_[benchmark.key] = &benchmark;
    std::vector<FindingLine> findings = group_findings(report);
    const auto beside = std::stable_partition(findings.begin(), findings.end(), stands_open);
    for (auto line = findings.begin(); line != findings.end(); ++line) {
      const GateExplanation* explained = line < beside ? explanation_of(report, *line->finding) : nullptr;
      if (explained && std::find(open_.begin(), open_.end(), explained) == open_.end()) open_.push_back(explained);
      (line < beside ? rows_ : more_rows_).push_back(row_of(*line));
    }
    open_.resize(std::min(open_.size(), kExplained));
    add_within_limits();
  }

  void add_findings(Document& out) const;
  void add_notes(Document& out) const;
  void add_why(Document& out) const;
  void add_all_causes(Document& out) const;

 private:
  std::string name_of(const std::string& key) const {
    const auto found = names_.find(key);
    return found == names_.end() ? key : found->second;
  }
  std::string unit_of(const std::string& benchmark, const std::string& event) const;
  Row row_of(const FindingLine& line) const;
  void add_within_limits();

  const GateReport& report_;
  std::vector<const GateExplanation*> open_;  ///< of the rows that stand open
  std::vector<Row> rows_, more_rows_;
  std::map<std::string, std::string> names_;
  std::map<std::string, const GateBenchmark*> benchmarks_;
};

/// "instructions of 100 runs". Wall times are of one run already, and a peak is no sum over runs.
std::string Comment::unit_of(const std::string& benchmark, const std::string& event) const {
  const auto found = benchmarks_.find(benchmark);
  std::string unit = event == "Ir" ? "instructions" : event == kWallTime ? "wall time" : event;
  if (found != benchmarks_.end() && found->second->number_per_run > 1 && event != kWallTime && !is_peak_event(event))
    unit += fmt::format(" of {} runs", with_thousands(found->second->number_per_run));
  return unit;
}

Row Comment::row_of(const FindingLine& line) const {
  const Finding& finding = *line.finding;
  Row row{.word = std::string(to_text(finding.kind)), .benchmark = name_of(line.benchmarks), .limit = finding.limit};
  if (!finding.measure || finding.kind == FindingKind::kUnjudged) {
    row.what = {.text = finding.text, .form = Form::kSentence};
  } else {
    const Measure& measure = *finding.measure;
    row.what = {unit_of(finding.benchmark, measure.event)};
    if (!measure.function.empty())
      row.what = {.text = fmt::format("`{}`{}: {}", measure.function, measure.inclusive ? " with what it calls" : "",
                                      row.what.text),
                  .form = Form::kSentence};
    const auto found = benchmarks_.find(finding.benchmark);
    if (found != benchmarks_.end() && found->second->has_other_unit) row.benchmark += " (beside other statements)";
  }
  if (finding.base && finding.head) std::tie(row.base, row.head) = std::tie(finding.base, finding.head);
  return row;
}

/// What changed and has no row, so that no reader asks what it is.
void Comment::add_within_limits() {
  for (const auto& [benchmark, total] : changed_within_limits(report_))
    more_rows_.push_back({"within limits",
                          name_of(benchmark->key),
                          {unit_of(benchmark->key, benchmark->main_event)},
                          total->base,
                          total->head,
                          {}});
}

/// What all rows count stands in the head.
Table table_of(std::span<const Row> rows) {
  const bool is_common = std::all_of(rows.begin(), rows.end(), [&](const Row& row) {
    return row.base && row.what.form == Form::kText && row.what.text == rows.front().what.text;
  });
  std::vector<Column> columns = {{"", Align::kLeft}, {"benchmark", Align::kLeft}};
  if (!is_common) columns.push_back({"what", Align::kLeft});
  columns.push_back({is_common ? rows.front().what.text + ", base → head" : "base → head"});
  columns.insert(columns.end(), {{"change"}, {"of base"}, {"limit"}});
  Table table(columns);
  for (const Row& row : rows) {
    std::vector<Cell> cells = {{row.word}, {row.benchmark}};
    if (!is_common) cells.push_back(row.what);
    if (row.base) {
      const int64_t delta = checked_sub(*row.head, *row.base, "change");
      cells.push_back({fmt::format("{} → {}", with_thousands(*row.base), with_thousands(*row.head))});
      cells.push_back({with_sign(delta)});
      cells.push_back({change_percent(delta, *row.base)});
    }
    cells.resize(columns.size() - 1);
    cells.push_back({row.limit});
    table.add_row(std::move(cells));
  }
  return table;
}

/// Those that need action first, as the verdict sorts them, and what was gained; what does not fit is folded.
void Comment::add_findings(Document& out) const {
  const size_t open = std::min(rows_.size(), kMostRows);
  if (open > 0) out.table(table_of(std::span(rows_).first(open)));
  std::vector<Row> folded(rows_.begin() + static_cast<std::ptrdiff_t>(open), rows_.end());
  folded.insert(folded.end(), more_rows_.begin(), more_rows_.end());
  if (folded.empty()) return;
  Document more;
  more.table(table_of(folded));
  out.fold(open == 0 ? counted(folded.size(), "finding") : fmt::format("{} more", folded.size()), std::move(more));
}

/// What differs between the two sides comes before what follows from it; only a long list is folded.
void Comment::add_notes(Document& out) const {
  constexpr size_t kNotesUnfolded = 3;
  if (report_.notes.empty()) return;
  Document notes;
  for (const std::string& note : report_.notes) notes.item({.text = note, .form = Form::kSentence});
  if (report_.notes.size() > kNotesUnfolded)
    out.fold("What differs between the two sides", std::move(notes));
  else
    out.append(std::move(notes));
}

/// A sentence for each benchmark, and whose lines it is about.
void Comment::add_why(Document& out) const {
  std::vector<std::string> shared = report_.shared_causes, leading, lines;
  // What is said of each needs no other words.
  shared.resize(report_.explanations.size() > open_.size() ? std::min(shared.size(), kSharedShown) : 0);
  std::vector<std::string> shown;
  for (const std::string& cause : shared) add_names(cause, shown);
  for (const GateExplanation* explained : open_) {
    leading.push_back(leading_sentence(explained->explanation, explained->heading));
    lines.push_back(explained->heading.mine ? mine_sentence(*explained->heading.mine) : "");
    add_names(leading.back(), shown);
    add_names(lines.back(), shown);
  }
  const ShortNames names(std::move(shown), kPageWidth / 2);
  const auto sentence = [&](const std::string& text) {
    return Cell{.text = names.in_sentence(text), .form = Form::kSentence};
  };
  for (const std::string& cause : shared) out.item(sentence(cause));
  for (size_t i = 0; i < open_.size(); ++i) {
    const Explanation& explanation = open_[i]->explanation;
    const std::string what = fmt::format("{}{} {}", name_of(open_[i]->key), explained_event(*open_[i]),
                                         change_percent(explanation.delta, explanation.base_total));
    out.line({{what, Tone::kBold}, sentence(leading[i].empty() ? "" : ": " + leading[i])});
    if (!lines[i].empty()) out.item(sentence(lines[i]));
    const ExplanationHeading& heading = open_[i]->heading;
    if (!heading.allocations.empty() && !heading.allocations_are_few) out.item(sentence(heading.allocations));
  }
}

void Comment::add_all_causes(Document& out) const {
  const std::vector<GateExplanation>& explanations = report_.explanations;
  // A single cause without more to say was said above.
  if (explanations.size() == open_.size() &&
      std::all_of(explanations.begin(), explanations.end(), [](const GateExplanation& explained) {
        const std::vector<Cause>& causes = explained.explanation.causes;
        return causes.size() < 2 && (causes.empty() || causes.front().inside.empty()) &&
               explained.heading.notes.empty();
      }))
    return;
  Document all;
  const size_t shown = std::min(explanations.size(), kExplainedFolded);
  for (size_t i = 0; i < shown; ++i)
    all.append(
        make_explained_document(explanations[i], name_of(explanations[i].key), {.top = kCausesShown}, kPageWidth));
  if (shown < explanations.size()) all.line(fmt::format("and {} more benchmarks", explanations.size() - shown));
  out.fold("All causes", std::move(all));
}

}  // namespace

void render_gate_markdown(std::ostream& out, const GateReport& report) {
  std::string line = verdict_line(report);
  line.replace(line.find(": "), 2, ", ");
  Document document;
  document.title({fmt::format("{} icount: {}", sign_of(report.verdict), line)});
  const Comment comment(report);
  for (const std::string& accepted : accepted_lines(report)) document.item({accepted});
  comment.add_findings(document);
  comment.add_notes(document);
  comment.add_why(document);
  if (!report.advice.empty())
    document.line(std::vector<Cell>{{.text = "If this is meant: " + report.advice, .form = Form::kSentence}});
  document.line({{.text = report.head_commit.empty() ? report.subject : report.head_commit,
                  .form = report.head_commit.empty() ? Form::kName : Form::kText},
                 {" against " + report.judged_against},
                 {report.built.empty() ? "" : "; built: " + report.built}});
  if (!report.reproduce.empty())
    document.line({{"To count it again: "}, {.text = report.reproduce, .form = Form::kName}});
  if (Document kernels = make_changed_kernels_document(report, 0); !kernels.empty())
    document.fold("Kernels that changed", std::move(kernels));
  comment.add_all_causes(document);
  std::ostringstream text;
  text.exceptions(std::ios::badbit);  // memory that ends is an error, not a shorter text
  document.render_markdown(text);
  out << kGateMarker << '\n' << link_places(text.view(), report.source_urls);
}

}  // namespace icount
