#include "icount/report/cause_sentence.h"
#include "icount/report/gate_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <sstream>
#include <vector>

#include "icount/base/text.h"
#include "icount/report/mine_document.h"

namespace icount {
namespace {

constexpr size_t kCausesShown = 5;

/// XML 1.0 has no place for most control bytes, escaped or not.
std::string clean(std::string_view text) { return escape_lines_for_terminal(text); }

void set(pugi::xml_node node, const char* name, std::string_view value) {
  node.append_attribute(name).set_value(clean(value).c_str());
}

const char* element_of(Severity severity) {
  switch (severity) {
    case Severity::kRefusal:
      return "failure";
    case Severity::kFailure:
      return "error";
    case Severity::kCannotJudge:
      return "skipped";
    case Severity::kNote:
      break;
  }
  return "system-out";
}

std::string body_of(const Finding& finding, const GateReport& report) {
  std::string body = finding_line(finding) + "\n";
  const GateExplanation* explained = explanation_of(report, finding);
  if (!explained) return body;
  if (explained->heading.mine) body += mine_sentence(*explained->heading.mine) + "\n";
  size_t shown = 0;
  for (const Cause& cause : explained->explanation.causes) {
    if (shown++ == kCausesShown) break;
    body += with_sign(cause.delta) + ": " + cause_sentence(cause) + "\n";
  }
  return body;
}

/// ISO 8601 without a zone, as JUnit has it; UTC.
std::string timestamp(int64_t unix_time) {
  const std::chrono::sys_seconds time{std::chrono::seconds(unix_time)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count());
}

/// Seconds from the result before it (of the first: none), by name: what each added to the time of the whole.
std::map<std::string, int64_t> seconds_taken(const GateReport& report) {
  std::vector<std::pair<int64_t, std::string>> finished;
  for (const GateBenchmark& benchmark : report.comparison.benchmarks)
    if (benchmark.unix_time > 0) finished.emplace_back(benchmark.unix_time, benchmark.key);
  std::sort(finished.begin(), finished.end());
  std::map<std::string, int64_t> taken;
  for (size_t i = 1; i < finished.size(); ++i) taken[finished[i].second] = finished[i].first - finished[i - 1].first;
  return taken;
}

void add_case(pugi::xml_node suite, const std::string& name, int64_t seconds, const GateReport& report) {
  pugi::xml_node test = suite.append_child("testcase");
  set(test, "classname", "icount");
  set(test, "name", name.empty() ? "limits" : name);
  set(test, "time", fmt::format("{}", seconds));
  // Findings are sorted, the most severe first; JUnit knows one outcome per case.
  bool first = true;
  for (const Finding& finding : report.verdict.findings) {
    if (finding.benchmark != name) continue;
    const char* element = element_of(finding.severity);
    pugi::xml_node node = test.append_child(first ? element : "system-out");
    if (first && needs_action(finding)) {
      set(node, "message", finding.text);
      set(node, "type", to_text(finding.kind));
    }
    node.text().set(clean(body_of(finding, report)).c_str());
    first = false;
  }
}

size_t count(pugi::xml_node suite, const char* element) {
  const auto cases = suite.children("testcase");
  return static_cast<size_t>(
      std::count_if(cases.begin(), cases.end(), [&](pugi::xml_node test) { return !test.child(element).empty(); }));
}

}  // namespace

std::string gate_to_junit(const GateReport& report) {
  pugi::xml_document document;
  pugi::xml_node suite = document.append_child("testsuites").append_child("testsuite");
  set(suite, "name", report.subject);
  std::set<std::string> names;
  for (const GateBenchmark& benchmark : report.comparison.benchmarks) names.insert(benchmark.key);
  for (const Finding& finding : report.verdict.findings) names.insert(finding.benchmark);
  std::map<std::string, int64_t> seconds = seconds_taken(report);
  int64_t total = 0;
  for (const auto& [name, taken] : seconds) total += taken;
  for (const std::string& name : names) add_case(suite, name, seconds[name], report);
  const auto cases = suite.children("testcase");
  suite.append_attribute("tests").set_value(static_cast<unsigned long long>(std::distance(cases.begin(), cases.end())));
  suite.append_attribute("failures").set_value(static_cast<unsigned long long>(count(suite, "failure")));
  suite.append_attribute("errors").set_value(static_cast<unsigned long long>(count(suite, "error")));
  suite.append_attribute("skipped").set_value(static_cast<unsigned long long>(count(suite, "skipped")));
  set(suite, "time", fmt::format("{}", total));
  set(suite, "timestamp", timestamp(report.unix_time));
  set(suite, "hostname", report.hostname);
  std::ostringstream out;
  out.exceptions(std::ios::badbit);  // memory that ends is an error, not a shorter text
  document.save(out, "  ");
  return out.str();
}

}  // namespace icount
