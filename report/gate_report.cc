#include "icount/report/gate_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "icount/base/checked.h"
#include "icount/base/text.h"
#include "icount/callgraph/allocations.h"
#include "icount/report/kernels_document.h"

namespace icount {

std::string verdict_line(const GateReport& report) {
  const Verdict& verdict = report.verdict;
  std::map<FindingKind, size_t> kinds;
  for (const Finding& finding : verdict.findings) ++kinds[finding.kind];
  const std::string compared = counted(static_cast<int64_t>(verdict.judged), "benchmark");
  const size_t regressed = kinds[FindingKind::kRegressed], told = regressed + kinds[FindingKind::kImproved];
  std::vector<std::string> parts;
  if (regressed > 0) parts.push_back(fmt::format("{} of {} regressed", regressed, compared));
  if (regressed == 0 && verdict.judged > 0)
    parts.push_back(fmt::format("{} compared, {} changed", compared, verdict.changed));
  kinds.erase(FindingKind::kRegressed);
  kinds.erase(FindingKind::kKernels);  // said by their number
  for (const auto& [kind, count] : kinds)
    if (count > 0) parts.push_back(fmt::format("{} {}", count, to_text(kind)));
  if (regressed > 0 && verdict.changed > told)
    parts.push_back(fmt::format("{} changed within limits", verdict.changed - told));
  size_t kernels = 0, changed_kernels = 0;
  for (const GateKernels& table : report.comparison.kernels) {
    kernels += table.kernels;
    changed_kernels += table.changed;
  }
  if (kernels > 0) parts.push_back(fmt::format("{} compared, {} changed", counted(kernels, "kernel"), changed_kernels));
  if (const size_t accepted = report.comparison.accepted.size(); accepted > 0)
    parts.push_back(fmt::format("{} newly accepted", accepted));
  if (verdict.judged == 0 && kernels == 0) parts.push_back("no benchmark compared");
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
  const std::string event = finding.measure ? finding.measure->event : std::string();
  const auto is_meant = [&](const GateExplanation& e) {
    return e.key == finding.benchmark &&
           (is_allocation_event(event) ? e.explanation.event == event : !is_allocation_event(e.explanation.event));
  };
  const auto found = std::find_if(report.explanations.begin(), report.explanations.end(), is_meant);
  return found == report.explanations.end() ? nullptr : &*found;
}

std::string explained_event(const GateExplanation& explained) {
  const std::string& event = explained.explanation.event;
  return is_allocation_event(event) ? fmt::format(" ({})", event) : std::string();
}

Document make_explained_document(const GateExplanation& explained, const std::string& name, const ExplanationView& view,
                                 size_t width) {
  Document out;
  out.title({name + explained_event(explained)}, 4);
  ExplanationHeading heading = explained.heading;
  heading.base_name.clear();
  out.append(make_explanation_document(explained.explanation, heading, view, width));
  return out;
}

std::vector<FindingLine> group_findings(const GateReport& report) {
  constexpr size_t kNamed = 3;
  std::map<std::string, std::vector<std::string>> alike;
  const auto is_of_all = [](const Finding& finding) {
    return (finding.kind == FindingKind::kUnjudged || finding.kind == FindingKind::kFailed) && !finding.measure &&
           !finding.benchmark.empty();
  };
  for (const Finding& finding : report.verdict.findings)
    if (is_of_all(finding)) alike[finding.text].push_back(finding.benchmark);
  std::vector<FindingLine> lines;
  for (const Finding& finding : report.verdict.findings) {
    const std::vector<std::string> names = is_of_all(finding) ? alike.at(finding.text) : std::vector<std::string>();
    if (names.size() < 2) {
      lines.push_back({&finding, finding.benchmark});
    } else if (names.front() == finding.benchmark) {
      const std::vector<std::string> first(names.begin(),
                                           names.begin() + static_cast<ptrdiff_t>(std::min(kNamed, names.size())));
      std::string text = fmt::format("{}", fmt::join(first, ", "));
      if (names.size() == report.comparison.benchmarks.size())
        text = fmt::format("all {} benchmarks", names.size());
      else if (names.size() > first.size())
        text += fmt::format(" and {} more", names.size() - first.size());
      lines.push_back({&finding, std::move(text)});
    }
  }
  return lines;
}

std::pair<std::string, int64_t> place_of(const GateReport& report, const Finding& finding) {
  std::string place = finding.limit_place;
  for (const GateBenchmark& benchmark : report.comparison.benchmarks)
    if (!finding.benchmark.empty() && benchmark.key == finding.benchmark && !benchmark.place.empty())
      place = benchmark.place;
  const size_t colon = place.rfind(':');
  if (colon != std::string::npos && !place.starts_with("--"))
    if (const auto line = parse_int64(std::string_view(place).substr(colon + 1)))
      return {place.substr(0, colon), *line};
  return {report.suite_file, 1};
}

std::vector<std::pair<const GateBenchmark*, const GateValue*>> changed_within_limits(const GateReport& report) {
  std::vector<std::pair<const GateBenchmark*, const GateValue*>> changed;
  for (const GateBenchmark& benchmark : report.comparison.benchmarks) {
    const Measure measure{benchmark.main_event, "", false};
    const auto total = std::find_if(benchmark.values.begin(), benchmark.values.end(), [&](const GateValue& value) {
      return value.measure == measure && value.base && value.head && value.base != value.head;
    });
    const auto is_told = [&](const Finding& finding) {
      return finding.benchmark == benchmark.key && finding.measure == measure;
    };
    if (total != benchmark.values.end() &&
        std::none_of(report.verdict.findings.begin(), report.verdict.findings.end(), is_told))
      changed.emplace_back(&benchmark, &*total);
  }
  std::stable_sort(changed.begin(), changed.end(), [](const auto& a, const auto& b) {
    const auto size = [](const GateValue& value) { return std::abs(checked_sub(*value.head, *value.base, "change")); };
    return size(*a.second) > size(*b.second);
  });
  return changed;
}

std::string without_language(std::string key) {
  const size_t threads = std::min(key.rfind(" ["), key.size());
  for (const std::string_view language : {" / C++", " / Python"})
    if (threads > language.size() && key.compare(threads - language.size(), language.size(), language) == 0)
      return key.erase(threads - language.size(), language.size());
  return key;
}

std::map<std::string, std::string> short_names(const GateReport& report) {
  std::map<std::string, std::string> names;
  std::map<std::string, size_t> uses;
  for (const GateBenchmark& benchmark : report.comparison.benchmarks)
    ++uses[names[benchmark.key] = without_language(benchmark.key)];
  for (auto& [key, name] : names)
    if (uses[name] > 1) name = key;
  return names;
}

std::vector<std::string> accepted_lines(const GateReport& report) {
  constexpr size_t kShown = 8;
  const std::vector<NewlyAccepted>& accepted = report.comparison.accepted;
  const std::map<std::string, std::string> names = short_names(report);
  std::vector<std::string> lines;
  for (const NewlyAccepted& one : accepted) {
    if (lines.size() == kShown) {
      lines.push_back(fmt::format("and {} more accepted", accepted.size() - kShown));
      break;
    }
    const auto found = names.find(one.benchmark);
    const bool is_usual = one.measure.event == "Ir";
    lines.push_back(fmt::format("accepted: {}{} {} ({})", found == names.end() ? one.benchmark : found->second,
                                is_usual ? "" : fmt::format(" ({})", one.measure.event),
                                change_percent(checked_sub(one.now, one.before, "change"), one.before),
                                !one.why.empty()       ? one.why
                                : one.now < one.before ? "a gain"
                                                       : "no reason given"));
  }
  return lines;
}

Document make_changed_kernels_document(const GateReport& report, size_t width) {
  constexpr size_t kKernelsShown = 10;
  Document all;
  for (const KernelComparison& one : report.kernels) {
    if (std::all_of(one.pairs.begin(), one.pairs.end(), is_same_code)) continue;
    all.gap();
    all.append(make_kernels_document(one, {.most = kKernelsShown}, width));
  }
  return all;
}

bool needs_action(const Finding& finding) { return finding.severity != Severity::kNote; }

}  // namespace icount
