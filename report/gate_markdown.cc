#include "icount/report/gate_markdown.h"
#include "icount/report/cause_sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <ostream>
#include <vector>

#include "icount/base/checked.h"
#include "icount/base/text.h"
#include "icount/report/explanation_markdown.h"
#include "icount/report/markdown.h"
#include "icount/stats/result_figures.h"

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
class CommentWriter {
 public:
  CommentWriter(std::ostream& out, const GateReport& report) : out_(out), report_(report), names_(short_names(report)) {
    for (const GateBenchmark& benchmark : report.comparison.benchmarks) runs_[benchmark.key] = benchmark.number_per_run;
  }

  void render_notes() const;
  void render_findings() const;
  void render_why() const;
  void render_folded() const;

 private:
  std::string name_of(const std::string& key) const {
    const auto found = names_.find(key);
    return escape_for_markdown(found == names_.end() ? key : found->second);
  }
  int64_t runs_of(const Finding& finding) const {
    const auto found = runs_.find(finding.benchmark);
    const std::string event = finding.measure ? finding.measure->event : std::string();
    // Wall times are of one run already, and a peak is no sum over runs.
    return found == runs_.end() || event == kWallTime || is_peak_event(event) ? 1 : found->second;
  }
  void add_finding(MarkdownTable& table, const FindingLine& line) const;
  void render_causes_of(const GateExplanation& explained, int64_t least) const;

  std::ostream& out_;
  const GateReport& report_;
  std::map<std::string, std::string> names_;
  std::map<std::string, int64_t> runs_;
};

void CommentWriter::add_finding(MarkdownTable& table, const FindingLine& line) const {
  const Finding& finding = *line.finding;
  std::string per_run, runs, change, of_base;
  if (finding.base && finding.head) {
    const int64_t number = runs_of(finding);
    const int64_t delta = checked_sub(*finding.head, *finding.base, "change");
    per_run = fmt::format("{} → {}", per_run_text(*finding.base, number), per_run_text(*finding.head, number));
    runs = with_thousands(number);
    change = with_sign(delta);
    of_base = change_percent(delta, *finding.base);
  }
  std::string what = finding.measure ? escape_for_markdown(to_text(*finding.measure)) : markdown_sentence(finding.text);
  if (finding.measure && !finding.measure->function.empty())
    what = markdown_code(finding.measure->function) + (finding.measure->inclusive ? " with what it calls" : "");
  if (finding.kind == FindingKind::kUnjudged && finding.measure) what = markdown_sentence(finding.text);
  table.add_row({std::string(to_text(finding.kind)), name_of(line.benchmarks), what, per_run, runs, change,
                 escape_for_markdown(of_base), escape_for_markdown(finding.limit)});
}

MarkdownTable findings_table() {
  return MarkdownTable({{"", Align::kLeft},
                        {"benchmark", Align::kLeft},
                        {"what", Align::kLeft},
                        {"per run"},
                        {"runs"},
                        {"change of all runs"},
                        {"of base"},
                        {"limit"}});
}

/// What differs between the two sides comes before what follows from it; only a long list is folded.
void CommentWriter::render_notes() const {
  constexpr size_t kNotesUnfolded = 3;
  if (report_.notes.empty()) return;
  const bool folded = report_.notes.size() > kNotesUnfolded;
  if (folded) out_ << "<details><summary>What differs between the two sides</summary>\n\n";
  for (const std::string& note : report_.notes) out_ << "- " << markdown_sentence(note) << '\n';
  out_ << (folded ? "\n</details>\n\n" : "\n");
}

/// Those that need action first, as the verdict sorts them; what does not fit is folded.
void CommentWriter::render_findings() const {
  const std::vector<FindingLine> findings = group_findings(report_);
  if (findings.empty()) return;
  const auto rows = static_cast<size_t>(std::count_if(
      findings.begin(), findings.end(), [](const FindingLine& line) { return needs_action(*line.finding); }));
  const size_t open = std::min(rows, kMostRows);
  if (open > 0) {
    MarkdownTable table = findings_table();
    for (size_t i = 0; i < open; ++i) add_finding(table, findings[i]);
    table.render(out_);
    out_ << '\n';
  }
  if (open == findings.size()) return;
  out_ << fmt::format("<details><summary>{} more</summary>\n\n", findings.size() - open);
  MarkdownTable table = findings_table();
  for (size_t i = open; i < findings.size(); ++i) add_finding(table, findings[i]);
  table.render(out_);
  out_ << "\n</details>\n\n";
}

/// Causes of at least that size.
void CommentWriter::render_causes_of(const GateExplanation& explained, int64_t least) const {
  const Explanation& explanation = explained.explanation;
  out_ << "- " << name_of(explained.key) << ' ' << change_percent(explanation.delta, explanation.base_total)
       << explained_event(explained) << '\n';
  for (const Cause& cause : explanation.causes)
    if (cause.delta != 0 && std::abs(cause.delta) >= least)
      out_ << "  - " << with_sign(cause.delta) << ": " << markdown_sentence(cause_sentence(cause)) << '\n';
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

void CommentWriter::render_why() const {
  if (report_.explanations.empty()) return;
  out_ << "**Why**\n\n";
  for (size_t i = 0; i < std::min(report_.shared_causes.size(), kSharedShown); ++i)
    out_ << "- " << markdown_sentence(report_.shared_causes[i]) << '\n';
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
    if (any && shown++ < kMostRows) render_causes_of(explained, least);
  }
  out_ << '\n';
}

void CommentWriter::render_folded() const {
  if (report_.explanations.empty()) return;
  out_ << "<details><summary>All causes</summary>\n\n";
  const size_t shown = std::min(report_.explanations.size(), kExplainedFolded);
  for (size_t i = 0; i < shown; ++i) {
    const GateExplanation& explained = report_.explanations[i];
    out_ << "#### " << name_of(explained.key) << explained_event(explained) << "\n\n";
    render_explanation_markdown(out_, explained.explanation, explained.heading, {});
    out_ << '\n';
  }
  if (shown < report_.explanations.size())
    out_ << fmt::format("and {} more benchmarks\n\n", report_.explanations.size() - shown);
  out_ << "</details>\n\n";
}

}  // namespace

void render_gate_markdown(std::ostream& out, const GateReport& report) {
  const std::string line = verdict_line(report);
  out << kGateMarker << "\n### " << heading_of(report.verdict) << "\n\n";
  out << escape_for_markdown(line.substr(line.find(": ") + 2)) << "; " << markdown_code(report.subject) << " against "
      << escape_for_markdown(report.judged_against) << "\n\n";
  const CommentWriter writer(out, report);
  writer.render_notes();
  writer.render_findings();
  writer.render_why();
  if (!report.advice.empty()) out << "If this is meant: " << markdown_sentence(report.advice) << "\n\n";
  writer.render_folded();
}

}  // namespace icount
