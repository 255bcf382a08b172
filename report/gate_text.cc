#include "icount/report/gate_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "icount/base/text.h"
#include "icount/report/document.h"
#include "icount/report/mine_document.h"
#include "icount/report/short_name.h"

namespace icount {
namespace {

/// Benchmarks whose causes are printed; the others are one command away.
constexpr size_t kExplained = 3;
constexpr size_t kWithinLimits = 5;  ///< rows of what changed without a finding
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

void add_findings(Document& out, const GateReport& report) {
  const auto within = changed_within_limits(report);
  if (report.verdict.findings.empty() && within.empty()) return;
  out.gap();
  Table table({{"", Align::kLeft}, {"", Align::kLeft}}, Titles::kMarkdownOnly);
  for (const auto& [finding, benchmarks] : group_findings(report)) {
    const Tone tone = finding->kind == FindingKind::kImproved ? Tone::kBetter
                      : needs_action(*finding)                ? Tone::kWorse
                                                              : Tone::kNote;
    table.add_row({{std::string(to_text(finding->kind)), tone},
                   {benchmarks.empty() ? finding->text : fmt::format("{}: {}", benchmarks, finding->text)}});
  }
  const size_t shown = within.size() > kWithinLimits + 1 ? kWithinLimits : within.size();
  for (size_t i = 0; i < shown; ++i) {
    const auto& [benchmark, total] = within[i];
    table.add_row({{"changed", Tone::kNote},
                   {fmt::format("{}: {}, within limits", benchmark->key, step_text(*total, *total->base))}});
  }
  if (shown < within.size())
    table.add_row({{"changed", Tone::kNote}, {fmt::format("{} more within limits", within.size() - shown)}});
  out.table(std::move(table));
}

void add_explanations(Document& out, const GateReport& report, size_t width) {
  std::set<const GateExplanation*> shown;
  for (const Finding& finding : report.verdict.findings) {
    const GateExplanation* explained = explanation_of(report, finding);
    if (!explained || shown.size() >= kExplained || !shown.insert(explained).second) continue;
    out.gap();
    out.append(make_explained_document(*explained, explained->key, {.top = kCausesShown}, width));
  }
  if (const size_t more = report.explanations.size() - shown.size(); more > 0) {
    out.gap();
    out.line(fmt::format("{} more {} explained with --markdown FILE", more, more == 1 ? "is" : "are"));
  }
}

void add_list(Document& out, std::string title, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  out.gap();
  out.title({std::move(title)});
  for (const std::string& line : lines) out.item({line});
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

/// Head's: where lines were only taken out, that before them.
uint64_t annotated_line(const MineHunk& hunk) {
  return hunk.is_line_of_base ? std::max<uint64_t>(hunk.new_lines.first, 1) : hunk.line;
}

std::vector<const MineUnit*> units_of(const GateExplanation* explained) {
  return explained && explained->heading.mine ? leading_units(*explained->heading.mine)
                                              : std::vector<const MineUnit*>();
}

}  // namespace

Document make_gate_document(const GateReport& report, size_t width) {
  Document out;
  out.line(verdict_line(report), tone_of(report.verdict));
  out.line(fmt::format("{} against {}", report.subject, report.judged_against));
  if (!report.built.empty()) out.line("built: " + report.built, Tone::kDim);
  add_list(out, "Accepted values", accepted_lines(report));
  add_list(out, "Notes", report.notes);
  add_findings(out, report);
  std::vector<std::string> shared = report.shared_causes, shown;
  for (const std::string& cause : shared) add_names(cause, shown);
  const ShortNames names(std::move(shown), width / 2);
  for (std::string& cause : shared) cause = names.in_sentence(cause);
  add_list(out, "Causes that several benchmarks share", shared);
  add_explanations(out, report, width);
  out.append(make_changed_kernels_document(report, width));
  if (!report.advice.empty()) add_list(out, "If this is meant", {report.advice});
  return out;
}

std::string gate_annotations(const GateReport& report) {
  std::string out;
  std::set<const GateExplanation*> placed;  // whose first hunk carries what was found
  for (const Finding& finding : report.verdict.findings) {
    auto [file, line] = place_of(report, finding);
    const GateExplanation* explained = explanation_of(report, finding);
    std::string message = finding_line(finding);
    if (explained)
      if (const std::string lead = leading_sentence(explained->explanation, explained->heading); !lead.empty())
        message += "; most: " + lead;
    if (const auto units = units_of(explained); !units.empty() && placed.insert(explained).second) {
      const MineHunk& hunk = explained->heading.mine->hunks[units.front()->hunks.front()];
      file = hunk.path;
      line = static_cast<int64_t>(annotated_line(hunk));
      message += "; " + unit_annotation(*explained->heading.mine, *units.front(), explained->explanation.event);
    }
    std::string properties =
        fmt::format("title={}", escape_command(fmt::format("icount: {}", to_text(finding.kind)), true));
    if (!file.empty()) properties = fmt::format("file={},line={},{}", escape_command(file, true), line, properties);
    out += fmt::format("::{} {}::{}\n", needs_action(finding) ? "error" : "notice", properties,
                       escape_command(message, false));
  }
  for (const GateExplanation& explained : report.explanations) {
    const std::vector<const MineUnit*> units = units_of(&explained);
    for (size_t i = placed.contains(&explained) ? 1 : 0; i < units.size(); ++i) {
      const Mine& mine = *explained.heading.mine;
      const MineHunk& hunk = mine.hunks[units[i]->hunks.front()];
      out += fmt::format("::notice file={},line={},title=icount%3A your hunk::{}\n", escape_command(hunk.path, true),
                         annotated_line(hunk),
                         escape_command(fmt::format("{}: {}", explained.key,
                                                    unit_annotation(mine, *units[i], explained.explanation.event)),
                                        false));
    }
  }
  return out;
}

}  // namespace icount
