#include "icount/report/cause_sentence.h"
#include "icount/report/gate_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <span>
#include <sstream>
#include <vector>

#include "icount/base/checked.h"
#include "icount/base/text.h"
#include "icount/report/document.h"
#include "icount/report/explanation_document.h"
#include "icount/report/markdown.h"
#include "icount/report/mine_document.h"
#include "icount/stats/result.h"

namespace icount {
namespace {

constexpr size_t kMostRows = 12;
constexpr size_t kExplained = 4;  ///< benchmarks whose causes stand open
constexpr size_t kCausesShown = 3;
constexpr size_t kExplainedFolded = 20;
constexpr size_t kSharedShown = 3;

std::string_view heading_of(const Verdict& verdict) {
  switch (verdict.worst) {
    case Severity::kNote:
      return "✅ icount: passed";
    case Severity::kCannotJudge:
      return "⚠️ icount: cannot be judged";
    case Severity::kFailure:
      return "❌ icount: failed";
    case Severity::kRefusal:
      return "❌ icount: refused";
  }
  return {};
}

/// The comment's tables and lists, with names as readers know them.
class Comment {
 public:
  explicit Comment(const GateReport& report) : report_(report), names_(short_names(report)) {
    for (const GateBenchmark& benchmark : report.comparison.benchmarks) runs_[benchmark.key] = benchmark.number_per_run;
    const bool is_passed = report.verdict.worst == Severity::kNote;
    for (const Finding& finding : report.verdict.findings) {
      const GateExplanation* explained = is_passed || needs_action(finding) ? explanation_of(report, finding) : nullptr;
      if (explained && open_.size() < kExplained && std::find(open_.begin(), open_.end(), explained) == open_.end())
        open_.push_back(explained);
    }
  }

  void add_notes(Document& out) const;
  void add_findings(Document& out) const;
  void add_why(Document& out) const;
  void add_all_causes(Document& out) const;

 private:
  std::string name_of(const std::string& key) const {
    const auto found = names_.find(key);
    return found == names_.end() ? key : found->second;
  }
  /// " of 100 runs". Wall times are of one run already, and a peak is no sum over runs.
  std::string runs_text(const std::string& benchmark, const std::string& event) const {
    const auto found = runs_.find(benchmark);
    if (found == runs_.end() || found->second < 2 || event == kWallTime || is_peak_event(event)) return {};
    return fmt::format(" of {} runs", with_thousands(found->second));
  }
  Table table_of(std::span<const FindingLine> findings) const;
  std::string change_text(const GateExplanation& explained) const;

  const GateReport& report_;
  std::vector<const GateExplanation*> open_;  ///< those that need action first; where none does, what changed
  std::map<std::string, std::string> names_;
  std::map<std::string, int64_t> runs_;
};

Cell what_cell(const Finding& finding, const std::string& runs) {
  if (!finding.measure || finding.kind == FindingKind::kUnjudged)
    return {.text = finding.text, .form = Form::kSentence};
  const Measure& measure = *finding.measure;
  if (measure.function.empty()) return {to_text(measure) + runs};
  return {.text = fmt::format("`{}`{}{}", measure.function, measure.inclusive ? " with what it calls" : "", runs),
          .form = Form::kSentence};
}

Table Comment::table_of(std::span<const FindingLine> findings) const {
  Table table({{"", Align::kLeft},
               {"benchmark", Align::kLeft},
               {"what", Align::kLeft},
               {"base → head"},
               {"change"},
               {"of base"},
               {"limit"}});
  for (const FindingLine& line : findings) {
    const Finding& finding = *line.finding;
    const std::string runs = finding.measure ? runs_text(finding.benchmark, finding.measure->event) : std::string();
    std::vector<Cell> row = {
        {std::string(to_text(finding.kind))}, {name_of(line.benchmarks)}, what_cell(finding, runs)};
    if (finding.base && finding.head) {
      const int64_t delta = checked_sub(*finding.head, *finding.base, "change");
      row.push_back({fmt::format("{} → {}", with_thousands(*finding.base), with_thousands(*finding.head))});
      row.push_back({with_sign(delta)});
      row.push_back({change_percent(delta, *finding.base)});
    }
    row.resize(6);
    row.push_back({finding.limit});
    table.add_row(std::move(row));
  }
  return table;
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

/// Those that need action first, as the verdict sorts them; what does not fit is folded.
void Comment::add_findings(Document& out) const {
  const std::vector<FindingLine> findings = group_findings(report_);
  const auto rows = static_cast<size_t>(std::count_if(
      findings.begin(), findings.end(), [](const FindingLine& line) { return needs_action(*line.finding); }));
  const size_t open = std::min(rows, kMostRows);
  if (open > 0) out.table(table_of(std::span(findings).first(open)));
  if (open == findings.size()) return;
  Document more;
  more.table(table_of(std::span(findings).subspan(open)));
  out.fold(open == 0 ? counted(findings.size(), "finding") : fmt::format("{} more", findings.size() - open),
           std::move(more));
}

/// "hash +99.87%: 801,050 → 1,601,050 instructions of 100 runs".
std::string Comment::change_text(const GateExplanation& explained) const {
  const Explanation& explanation = explained.explanation;
  return fmt::format(
      "{} {}: {} → {} {}{}", name_of(explained.key), change_percent(explanation.delta, explanation.base_total),
      with_thousands(explanation.base_total), with_thousands(explanation.head_total),
      explanation.event == "Ir" ? "instructions" : explanation.event, runs_text(explained.key, explanation.event));
}

void Comment::add_why(Document& out) const {
  constexpr size_t kFewBenchmarks = 2;  // what these share, each of them says
  if (report_.explanations.size() > kFewBenchmarks)
    for (size_t i = 0; i < std::min(report_.shared_causes.size(), kSharedShown); ++i)
      out.item({.text = report_.shared_causes[i], .form = Form::kSentence});
  for (const GateExplanation* explained : open_) {
    out.line(change_text(*explained), Tone::kBold);
    out.append(make_causes_document(explained->explanation, {.top = kCausesShown}));
    if (explained->heading.mine) out.item({.text = mine_sentence(*explained->heading.mine), .form = Form::kSentence});
  }
}

/// What add_why leaves out.
void Comment::add_all_causes(Document& out) const {
  const std::vector<GateExplanation>& explanations = report_.explanations;
  if (explanations.size() == open_.size() &&
      std::all_of(explanations.begin(), explanations.end(), [](const GateExplanation& explained) {
        return explained.explanation.causes.size() <= kCausesShown && explained.heading.notes.empty();
      }))
    return;
  Document all;
  const size_t shown = std::min(report_.explanations.size(), kExplainedFolded);
  for (size_t i = 0; i < shown; ++i) {
    const GateExplanation& explained = report_.explanations[i];
    all.title({name_of(explained.key) + explained_event(explained)}, 4);
    all.append(make_explanation_document(explained.explanation, explained.heading, {}, 0));
  }
  if (shown < report_.explanations.size())
    all.line(fmt::format("and {} more benchmarks", report_.explanations.size() - shown));
  out.fold("All causes", std::move(all));
}

}  // namespace

void render_gate_markdown(std::ostream& out, const GateReport& report) {
  const std::string line = verdict_line(report);
  Document document;
  document.title({std::string(heading_of(report.verdict))});
  document.line({{line.substr(line.find(": ") + 2) + "; "},
                 {.text = report.head_commit.empty() ? report.subject : report.head_commit,
                  .form = report.head_commit.empty() ? Form::kName : Form::kText},
                 {" against " + report.judged_against},
                 {report.built.empty() ? "" : "; built: " + report.built}});
  const Comment comment(report);
  comment.add_notes(document);
  comment.add_why(document);
  comment.add_findings(document);
  if (!report.advice.empty())
    document.line(std::vector<Cell>{{.text = "If this is meant: " + report.advice, .form = Form::kSentence}});
  if (!report.reproduce.empty())
    document.line({{"To count it again: "}, {.text = report.reproduce, .form = Form::kName}});
  comment.add_all_causes(document);
  std::ostringstream text;
  text.exceptions(std::ios::badbit);  // memory that ends is an error, not a shorter text
  document.render_markdown(text);
  out << kGateMarker << '\n' << link_places(text.view(), report.source_urls);
}

}  // namespace icount
