#include "icount/report/gate_text.h"
#include "icount/report/cause_sentence.h"

#include <fmt/format.h>

#include <ostream>
#include <set>

#include "icount/base/text.h"
#include "icount/report/table.h"

namespace icount {
namespace {

/// Benchmarks whose causes are printed; the others are one command away.
constexpr size_t kExplained = 3;
constexpr size_t kCausesShown = 5;

Tone tone_of(const Verdict& verdict) {
  switch (verdict.worst) {
    case Severity::kNote:
      return Tone::kBetter;
    case Severity::kCannotJudge:
      return Tone::kNote;
    case Severity::kFailure:
    case Severity::kRefusal:
      break;
  }
  return Tone::kWorse;
}

void render_findings(std::ostream& out, const GateReport& report, const TextStyle& style) {
  if (report.verdict.findings.empty()) return;
  out << '\n';
  TextTable table({{"", Align::kLeft}, {"", Align::kLeft}});
  for (const auto& [finding, benchmarks] : group_findings(report)) {
    const Tone tone = finding->kind == FindingKind::kImproved ? Tone::kBetter
                      : needs_action(*finding)                ? Tone::kWorse
                                                              : Tone::kNote;
    table.add_row({{std::string(to_text(finding->kind)), tone},
                   {benchmarks.empty() ? finding->text : fmt::format("{}: {}", benchmarks, finding->text)}});
  }
  table.render(out, style);
}

void render_explanations(std::ostream& out, const GateReport& report, const TextStyle& style) {
  std::set<const GateExplanation*> shown;
  for (const Finding& finding : report.verdict.findings) {
    const GateExplanation* explained = explanation_of(report, finding);
    if (!explained || shown.size() >= kExplained || !shown.insert(explained).second) continue;
    out << '\n' << paint(escape_for_terminal(explained->key) + explained_event(*explained), Tone::kBold, style) << '\n';
    render_explanation_text(out, explained->explanation, explained->heading, {.top = kCausesShown}, style);
  }
}

void render_lines(std::ostream& out, std::string_view title, const std::vector<std::string>& lines,
                  const TextStyle& style) {
  if (lines.empty()) return;
  out << '\n' << paint(title, Tone::kBold, style) << '\n';
  for (const std::string& line : lines)
    for (const std::string& part : wrap("  " + escape_for_terminal(line), style.width)) out << part << '\n';
}

/// What the workflow command's text and, with `property`, its properties must not hold as they are.
std::string escape_command(std::string_view text, bool property) {
  std::string out;
  for (const char c : escape_for_terminal(text)) {
    const bool special = c == '%' || (property && (c == ':' || c == ','));
    if (special)
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out;
}

}  // namespace

void render_gate_text(std::ostream& out, const GateReport& report, const TextStyle& style) {
  out << paint(verdict_line(report), tone_of(report.verdict), style) << '\n';
  out << escape_for_terminal(fmt::format("{} against {}", report.subject, report.judged_against)) << '\n';
  render_lines(out, "Notes", report.notes, style);
  render_findings(out, report, style);
  render_lines(out, "Causes that several benchmarks share", report.shared_causes, style);
  render_explanations(out, report, style);
  if (!report.advice.empty()) render_lines(out, "If this is meant", {report.advice}, style);
}

std::string gate_annotations(const GateReport& report) {
  std::string out;
  for (const Finding& finding : report.verdict.findings) {
    const auto [file, line] = place_of(report, finding);
    std::string properties =
        fmt::format("title={}", escape_command(fmt::format("icount: {}", to_text(finding.kind)), true));
    if (!file.empty()) properties = fmt::format("file={},line={},{}", escape_command(file, true), line, properties);
    std::string message = finding_line(finding);
    if (const GateExplanation* explained = explanation_of(report, finding);
        explained && !explained->explanation.causes.empty())
      message += "; most: " + cause_sentence(explained->explanation.causes.front());
    out += fmt::format("::{} {}::{}\n", needs_action(finding) ? "error" : "notice", properties,
                       escape_command(message, false));
  }
  return out;
}

}  // namespace icount
