#include "icount/report/gate_markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <set>

#include "icount/base/checked.h"
#include "icount/base/text.h"
#include "icount/report/explanation_markdown.h"
#include "icount/report/markdown.h"

namespace icount {
namespace {

constexpr size_t kMostRows = 12;
constexpr size_t kCausesUnfolded = 3;  ///< per benchmark
constexpr size_t kExplainedUnfolded = 3;
constexpr size_t kExplainedFolded = 20;
constexpr size_t kSharedShown = 5;
constexpr double kWorthALine = 0.05;  ///< of the benchmark's change

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

void add_finding(MarkdownTable& table, const Finding& finding) {
  std::string change, of_base;
  if (finding.base && finding.head) {
    const int64_t delta = checked_sub(*finding.head, *finding.base, "change");
    change = with_sign(delta);
    of_base = change_percent(delta, *finding.base);
  }
  std::string what = finding.measure ? escape_for_markdown(to_text(*finding.measure)) : markdown_sentence(finding.text);
  if (finding.measure && !finding.measure->function.empty())
    what = markdown_code(finding.measure->function) + (finding.measure->inclusive ? " with what it calls" : "");
  if (finding.kind == FindingKind::kUnjudged && finding.measure) what = markdown_sentence(finding.text);
  table.add_row({std::string(to_text(finding.kind)), escape_for_markdown(finding.benchmark), what, change,
                 escape_for_markdown(of_base), escape_for_markdown(finding.limit)});
}

MarkdownTable findings_table() {
  return MarkdownTable(
      {{"", Align::kLeft}, {"benchmark", Align::kLeft}, {"what", Align::kLeft}, {"change"}, {"of base"}, {"limit"}});
}

/// Those that need action first, as the verdict sorts them; what does not fit is folded.
void render_findings(std::ostream& out, const Verdict& verdict) {
  if (verdict.findings.empty()) return;
  const auto rows = static_cast<size_t>(std::count_if(verdict.findings.begin(), verdict.findings.end(), needs_action));
  const size_t open = std::min(rows, kMostRows);
  if (open > 0) {
    MarkdownTable table = findings_table();
    for (size_t i = 0; i < open; ++i) add_finding(table, verdict.findings[i]);
    table.render(out);
    out << '\n';
  }
  if (open == verdict.findings.size()) return;
  out << fmt::format("<details><summary>{} more</summary>\n\n", verdict.findings.size() - open);
  MarkdownTable table = findings_table();
  for (size_t i = open; i < verdict.findings.size(); ++i) add_finding(table, verdict.findings[i]);
  table.render(out);
  out << "\n</details>\n\n";
}

void render_causes_of(std::ostream& out, const GateExplanation& explained) {
  const Explanation& explanation = explained.explanation;
  out << "- " << escape_for_markdown(explained.key) << ' ' << change_percent(explanation.delta, explanation.base_total)
      << '\n';
  size_t shown = 0;
  for (const Cause& cause : explanation.causes) {
    if (shown == kCausesUnfolded ||
        static_cast<double>(std::abs(cause.delta)) < kWorthALine * static_cast<double>(std::abs(explanation.delta)))
      break;
    out << "  - " << with_sign(cause.delta) << ": " << markdown_sentence(cause.text) << '\n';
    ++shown;
  }
}

void render_why(std::ostream& out, const GateReport& report) {
  if (report.explanations.empty()) return;
  out << "**Why**\n\n";
  for (size_t i = 0; i < std::min(report.shared_causes.size(), kSharedShown); ++i)
    out << "- " << markdown_sentence(report.shared_causes[i]) << '\n';
  for (size_t i = 0; i < std::min(report.explanations.size(), kExplainedUnfolded); ++i)
    render_causes_of(out, report.explanations[i]);
  out << '\n';
}

void render_folded(std::ostream& out, const GateReport& report) {
  if (!report.notes.empty()) {
    out << "<details><summary>What differs between the two sides</summary>\n\n";
    for (const std::string& note : report.notes) out << "- " << markdown_sentence(note) << '\n';
    out << "\n</details>\n\n";
  }
  if (report.explanations.empty()) return;
  out << "<details><summary>All causes</summary>\n\n";
  const size_t shown = std::min(report.explanations.size(), kExplainedFolded);
  for (size_t i = 0; i < shown; ++i) {
    const GateExplanation& explained = report.explanations[i];
    out << "#### " << escape_for_markdown(explained.key) << "\n\n";
    render_explanation_markdown(out, explained.explanation, explained.heading, {});
    out << '\n';
  }
  if (shown < report.explanations.size())
    out << fmt::format("and {} more benchmarks\n\n", report.explanations.size() - shown);
  out << "</details>\n\n";
}

}  // namespace

void render_gate_markdown(std::ostream& out, const GateReport& report) {
  const std::string line = verdict_line(report);
  out << kGateMarker << "\n### " << heading_of(report.verdict) << "\n\n";
  out << escape_for_markdown(line.substr(line.find(": ") + 2)) << "; " << markdown_code(report.subject) << " against "
      << escape_for_markdown(report.judged_against) << "\n\n";
  render_findings(out, report.verdict);
  render_why(out, report);
  if (!report.advice.empty()) out << "If this is meant: " << markdown_sentence(report.advice) << "\n\n";
  render_folded(out, report);
}

}  // namespace icount
