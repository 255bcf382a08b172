#include "icount/report/gate_junit.h"

#include <algorithm>
#include <pugixml.hpp>
#include <set>
#include <sstream>

#include "icount/base/text.h"

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
  size_t shown = 0;
  for (const Cause& cause : explained->explanation.causes) {
    if (shown++ == kCausesShown) break;
    body += with_sign(cause.delta) + ": " + cause.text + "\n";
  }
  return body;
}

void add_case(pugi::xml_node suite, const std::string& name, const GateReport& report) {
  pugi::xml_node test = suite.append_child("testcase");
  set(test, "classname", "icount");
  set(test, "name", name.empty() ? "limits" : name);
  // Findings are sorted, the gravest first; JUnit knows one outcome per case.
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
  for (const std::string& name : names) add_case(suite, name, report);
  const auto cases = suite.children("testcase");
  suite.append_attribute("tests").set_value(static_cast<unsigned long long>(std::distance(cases.begin(), cases.end())));
  suite.append_attribute("failures").set_value(static_cast<unsigned long long>(count(suite, "failure")));
  suite.append_attribute("errors").set_value(static_cast<unsigned long long>(count(suite, "error")));
  suite.append_attribute("skipped").set_value(static_cast<unsigned long long>(count(suite, "skipped")));
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

}  // namespace icount
