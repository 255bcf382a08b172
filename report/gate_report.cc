#include "icount/report/gate_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace icount {

std::string verdict_line(const GateReport& report) {
  const Verdict& verdict = report.verdict;
  std::map<FindingKind, size_t> kinds;
  for (const Finding& finding : verdict.findings) ++kinds[finding.kind];
  std::vector<std::string> parts;
  for (const auto& [kind, count] : kinds) parts.push_back(fmt::format("{} {}", count, to_text(kind)));
  parts.push_back(fmt::format("{} compared, {} changed", verdict.judged, verdict.changed));
  const auto word = [&] {
    switch (verdict.worst) {
      case Severity::kNote:
        return "passed";
      case Severity::kCannotJudge:
        return "cannot be judged";
      case Severity::kFailure:
        return "failed";
      case Severity::kRefusal:
        return "refused";
    }
    return "";
  };
  return fmt::format("{}: {}", word(), fmt::join(parts, ", "));
}

std::string finding_line(const Finding& finding) {
  return finding.benchmark.empty() ? finding.text : finding.benchmark + ": " + finding.text;
}

const GateExplanation* explanation_of(const GateReport& report, const Finding& finding) {
  const auto found = std::find_if(report.explanations.begin(), report.explanations.end(),
                                  [&](const GateExplanation& e) { return e.key == finding.benchmark; });
  return found == report.explanations.end() ? nullptr : &*found;
}

bool needs_action(const Finding& finding) { return finding.severity != Severity::kNote; }

}  // namespace icount
