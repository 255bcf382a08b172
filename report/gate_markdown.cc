#include "icount/report/cause_sentence.h"
#include "icount/report/gate_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <ostream>
#include <span>
#include <vector>

#include "icount/base/checked.h"
#include "icount/base/text.h"
#include "icount/report/document.h"
#include "icount/report/explanation_document.h"
#include "icount/report/mine_document.h"
#include "icount/stats/result.h"

namespace icount {
namespace {

constexpr size_t kMostRows = 12;
constexpr size_t kCausesUnfolded = 9;  ///< over all benchmarks
constexpr size_t kExplainedFolded = 20;
constexpr size_t kSharedShown = 5;

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

/// "12,340" or "583.90": a total as a cost of one run.
std::string per_run_text(int64_t total, int64_t number) {
  if (number <= 1 || total % number == 0) return with_thousands(total / std::max<int64_t>(number, 1));
  const auto cents = std::llround(100.0L * static_cast<long double>(total) / static_cast<long double>(number));
  return fmt::format("{}{}.{:02}", cents < 0 && cents > -100 ? "-" : "", with_thousands(cents / 100),
                     std::abs(cents % 100));
}

/// The comment's tables and lists, with names as readers know them.
class Comment {
 public:
  explicit Comment(const GateReport& report) : report_(report), names_(short_names(report)) {
    for (const GateBenchmark& benchmark : report.comparison.benchmarks) runs_[benchmark.key] = benchmark.number_per_run;
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
  int64_t runs_of(const Finding& finding) const {
    const auto found = runs_.find(finding.benchmark);
    const std::string event = finding.measure ? finding.measure->event : std::string();
    // Wall times are of one run already, and a peak is no sum over runs.
    return found == runs_.end() || event == kWallTime || is_peak_event(event) ? 1 : found->second;
  }
  Table table_of(std::span<const FindingLine> findings) const;
  void add_causes_of(Document& out, const GateExplanation& explained, int64_t least) const;

  const GateReport& report_;
  std::map<std::string, std::string> names_;
  std::map<std::string, int64_t> runs_;
};

Cell what_cell(const Finding& finding) {
  if (!finding.measure || finding.kind == FindingKind::kUnjudged)
    return {.text = finding.text, .form = Form::kSentence};
  const Measure& measure = *finding.measure;
  if (measure.function.empty()) return {to_text(measure)};
  return {.text = fmt::format("`{}`{}", measure.function, measure.inclusive ? " with what it calls" : ""),
          .form = Form::kSentence};
}

Table Comment::table_of(std::span<const FindingLine> findings) const {
  Table table({{"", Align::kLeft},
               {"benchmark", Align::kLeft},
               {"what", Align::kLeft},
               {"per run"},
               {"runs"},
               {"change of all runs"},
               {"of base"},
               {"limit"}});
  for (const FindingLine& line : findings) {
    const Finding& finding = *line.finding;
    std::vector<Cell> row = {{std::string(to_text(finding.kind))}, {name_of(line.benchmarks)}, what_cell(finding)};
    if (finding.base && finding.head) {
      const int64_t number = runs_of(finding);
      const int64_t delta = checked_sub(*finding.head, *finding.base, "change");
      row.push_back({fmt::format("{} → {}", per_run_text(*finding.base, number), per_run_text(*finding.head, number))});
      row.push_back({with_thousands(number)});
      row.push_back({with_sign(delta)});
      row.push_back({change_percent(delta, *finding.base)});
    }
    row.resize(7);
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
  out.fold(fmt::format("{} more", findings.size() - open), std::move(more));
}

/// Causes of at least that size.
void Comment::add_causes_of(Document& out, const GateExplanation& explained, int64_t least) const {
  const Explanation& explanation = explained.explanation;
  out.item({fmt::format("{} {}{}", name_of(explained.key), change_percent(explanation.delta, explanation.base_total),
                        explained_event(explained))});
  if (explained.heading.mine)
    out.item({.text = mine_sentence(*explained.heading.mine), .form = Form::kSentence, .indent = 1});
  for (const Cause& cause : explanation.causes)
    if (cause.delta != 0 && std::abs(cause.delta) >= least)
      out.item({.text = fmt::format("{}: {}", with_sign(cause.delta), cause_sentence(cause)),
                .form = Form::kSentence,
                .indent = 1});
}

/// The size of the smallest cause of an event to show: of all benchmarks together the largest ones, so that none that
/// is left out is larger than one that is shown. Allocations are not compared with instructions.
int64_t smallest_shown(const std::vector<GateExplanation>& explanations, const std::string& event) {
  std::vector<int64_t> sizes;
  for (const GateExplanation& explained : explanations)
    for (const Cause& cause : explained.explanation.causes)
      if (cause.delta != 0 && explained.explanation.event == event) sizes.push_back(std::abs(cause.delta));
  if (sizes.size() <= kCausesUnfolded) return 0;
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  const int64_t first_hidden = sizes[kCausesUnfolded];
  // Equal ones are shown or left out together, so that order decides nothing.
  return sizes[0] == first_hidden ? first_hidden : first_hidden + 1;
}

void Comment::add_why(Document& out) const {
  if (report_.explanations.empty()) return;
  out.line("Why", Tone::kBold);
  for (size_t i = 0; i < std::min(report_.shared_causes.size(), kSharedShown); ++i)
    out.item({.text = report_.shared_causes[i], .form = Form::kSentence});
  std::map<std::string, int64_t> least_of;
  for (const GateExplanation& explained : report_.explanations) {
    const std::string& event = explained.explanation.event;
    if (!least_of.contains(event)) least_of[event] = smallest_shown(report_.explanations, event);
  }
  size_t shown = 0;
  for (const GateExplanation& explained : report_.explanations) {
    const int64_t least = least_of.at(explained.explanation.event);
    const std::vector<Cause>& causes = explained.explanation.causes;
    const bool any = std::any_of(causes.begin(), causes.end(), [&](const Cause& cause) {
      return cause.delta != 0 && std::abs(cause.delta) >= least;
    });
    if (any && shown++ < kMostRows) add_causes_of(out, explained, least);
  }
}

void Comment::add_all_causes(Document& out) const {
  if (report_.explanations.empty()) return;
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
                 {.text = report.subject, .form = Form::kName},
                 {" against " + report.judged_against}});
  const Comment comment(report);
  comment.add_notes(document);
  comment.add_findings(document);
  comment.add_why(document);
  if (!report.advice.empty())
    document.line(std::vector<Cell>{{.text = "If this is meant: " + report.advice, .form = Form::kSentence}});
  comment.add_all_causes(document);
  out << kGateMarker << '\n';
  document.render_markdown(out);
}

}  // namespace icount
