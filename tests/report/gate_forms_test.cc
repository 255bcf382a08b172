// The gate's answer in every form: what is in it, and that names which mean something to Markdown, XML, terminals or CI
// servers mean nothing there.
#include <gtest/gtest.h>

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>

#include "icount/base/error.h"
#include "icount/report/cause_sentence.h"
#include "icount/report/gate_report.h"
#include "icount/report/report_json.h"

namespace icount {
namespace {

const std::string kHostile = "a|b `c` <img src=x> &amp; \x1b[31m\n::error::x ]]> **d** \xff\x01";

Finding regressed(std::string benchmark) {
  return {.kind = FindingKind::kRegressed,
          .severity = Severity::kRefusal,
          .benchmark = std::move(benchmark),
          .measure = Measure{"Ir", "", false},
          .base = 1'000,
          .head = 1'100,
          .limit = "1 %",
          .limit_place = "suite.toml:12",
          .text = "Ir 1,000 -> 1,100, +100 (+10.00 %), over the limit of 1 % (suite.toml:12)"};
}

GateReport report_on(const std::string& name) {
  GateReport report;
  report.subject = "suite.toml";
  report.suite_file = "suite.toml";
  report.judged_against = "main (abc)";
  report.comparison.benchmarks = {{.key = name,
                                   .main_event = "Ir",
                                   .state = GateBenchmark::State::kCompared,
                                   .values = {{.measure = {"Ir", "", false}, .base = 1'000, .head = 1'100}}},
                                  {.key = "calm", .main_event = "Ir", .state = GateBenchmark::State::kCompared}};
  report.verdict = {.worst = Severity::kRefusal, .findings = {regressed(name)}, .judged = 2, .changed = 1};
  Explanation explanation{.event = "Ir", .base_total = 1'000, .head_total = 1'100, .delta = 100};
  explanation.causes = {
      {.kind = CauseKind::kOwnCost,
       .function = name,
       .delta = 100,
       .facts = fact::Said{"self cost of `" + std::string("parse") + "`: 10 -> 11 per call (100 calls)"}}};
  report.explanations = {{name, explanation, {.base_name = "main", .head_name = "branch"}}};
  report.advice = "`icount accept head.icount` writes it to suite.expected";
  return report;
}

std::string markdown(const GateReport& report) {
  std::ostringstream out;
  render_gate_markdown(out, report);
  return out.str();
}

TEST(GateMarkdownTest, ARowSaysThatItsNeighboursDiffer) {
  GateReport report = report_on("Math / add");
  EXPECT_EQ(markdown(report).find("beside other statements"), std::string::npos);
  report.comparison.benchmarks[0].has_other_unit = true;
  EXPECT_NE(markdown(report).find("| Math / add (beside other statements) |"), std::string::npos) << markdown(report);
}

TEST(GateMarkdownTest, IsShortAndBeginsWithTheMarker) {
  const std::string text = markdown(report_on("Math / add"));
  EXPECT_EQ(text,
            "<!-- icount gate -->\n"
            "### ❌ icount: refused, 1 of 2 benchmarks regressed\n\n"
            "|  | benchmark | instructions, base → head | change | of base | limit |\n"
            "|---|---|---:|---:|---:|---:|\n"
            "| regressed | Math / add | 1,000 → 1,100 | +100 | +10.00% | 1 % |\n\n"
            "**Math / add +10.00%**: self cost of `parse`: 10 -&gt; 11 per call (100 calls)\n\n"
            "If this is meant: `icount accept head.icount` writes it to suite.expected\n\n"
            "`suite.toml` against main (abc)\n")
      << "a fold that said the same again would be no use";
}

TEST(GateMarkdownTest, SaysWhatTheUnitIsOf) {
  GateReport report = report_on("Math / add");
  report.comparison.benchmarks[0].number_per_run = 30;
  const std::string text = markdown(report);
  EXPECT_NE(text.find("| benchmark | instructions of 30 runs, base → head |"), std::string::npos) << text;
  report.verdict.findings.push_back(regressed("calm"));
  const std::string mixed = markdown(report);
  EXPECT_NE(mixed.find("| benchmark | what | base → head |"), std::string::npos) << mixed;
  EXPECT_NE(mixed.find("| instructions of 30 runs | 1,000 → 1,100 |"), std::string::npos) << mixed;
  EXPECT_NE(mixed.find("| regressed | calm | instructions | 1,000 → 1,100 |"), std::string::npos) << mixed;
}

TEST(GateMarkdownTest, NamesCommitsBuildAndCommandAndLinksLines) {
  GateReport report = report_on("a");
  report.head_commit = "1a2b3c4d5e (Scan twice)";
  report.built = "g++ 12.2.0, -O2 -DNDEBUG, c++20";
  report.reproduce = "icount gate suite.toml --base-ref 0f1e2d3c4b";
  report.source_urls = {{"scan_it.h", "https://forge.example/own/repo/blob/1a2b/include/scan_it.h"}};
  report.explanations[0].explanation.causes[0].facts = fact::Said{"the loop at scan_it.h:7 in `f` costs 2, was 1"};
  const std::string text = markdown(report);
  EXPECT_NE(text.find("\n1a2b3c4d5e (Scan twice) against main (abc); built: g++ 12.2.0, -O2 -DNDEBUG, c++20\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("the loop at [scan\\_it.h:7](https://forge.example/own/repo/blob/1a2b/include/scan_it.h#L7) in "
                      "`f`"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("To count it again: `icount gate suite.toml --base-ref 0f1e2d3c4b`\n"), std::string::npos);
}

TEST(GateMarkdownTest, SaysWhatSeveralBenchmarksFailByOnce) {
  GateReport report = report_on("a");
  report.verdict.findings.clear();
  report.explanations.clear();
  for (const char* name : {"a", "calm"})
    report.verdict.findings.push_back({.kind = FindingKind::kFailed,
                                       .severity = Severity::kFailure,
                                       .benchmark = name,
                                       .text = "compile-error: source/core.h:7:3: expected ';'"});
  EXPECT_NE(markdown(report).find("| failed | all 2 benchmarks | compile-error: "), std::string::npos)
      << markdown(report);
  EXPECT_EQ(markdown(report).find("| failed | calm"), std::string::npos) << markdown(report);
}

TEST(GateMarkdownTest, SaysBesideTheCauseWhatAllocates) {
  GateReport report = report_on("a");
  report.explanations[0].heading.allocations = "allocations 0 -> 12 per run; `parse` now allocates 1,200 times";
  EXPECT_NE(markdown(report).find("\n- allocations 0 -&gt; 12 per run; `parse` now allocates 1,200 times\n"),
            std::string::npos)
      << markdown(report);
}

TEST(GateMarkdownTest, NamesALanguageOnlyWhereItTellsBenchmarksApart) {
  GateReport report = report_on("Math / add / C++");
  EXPECT_NE(markdown(report).find("| regressed | Math / add | 1,000"), std::string::npos) << markdown(report);
  EXPECT_NE(markdown(report).find("**Math / add +10.00%**: "), std::string::npos) << markdown(report);
  report.comparison.benchmarks.push_back({.key = "Math / add / Python"});
  EXPECT_NE(markdown(report).find("| regressed | Math / add / C++ | 1,000"), std::string::npos) << markdown(report);
  report.comparison.benchmarks.pop_back();
  report.comparison.benchmarks.push_back({.key = "Math / add / C++ [2 threads]"});
  EXPECT_EQ(short_names(report)["Math / add / C++ [2 threads]"], "Math / add [2 threads]");
}

/// Causes of the given sizes for a benchmark, the largest first as always.
GateExplanation explained(const std::string& key, const std::vector<int64_t>& sizes) {
  Explanation explanation{.event = "Ir", .base_total = 100'000};
  for (const int64_t size : sizes) {
    explanation.causes.push_back({.kind = CauseKind::kOwnCost,
                                  .function = "f",
                                  .delta = size,
                                  .facts = fact::Said{key + " changed by " + std::to_string(size)}});
    explanation.delta += size;
  }
  return {key, explanation, {}};
}

TEST(GateMarkdownTest, LeadsWithTheCauseThatGoesTheWayOfTheChangeAndFoldsTheOthers) {
  GateReport report = report_on("a");
  report.explanations = {explained("a", {-9'000, 5'000, 4'500})};
  for (int i = 0; i < 9; ++i) {
    report.verdict.findings.push_back(regressed(std::string(1, static_cast<char>('b' + i))));
    report.explanations.push_back(explained(report.verdict.findings.back().benchmark, {40 + i}));
  }
  const std::string text = markdown(report), open = text.substr(0, text.find("<details>"));
  EXPECT_NE(open.find("**a +0.50%**: a changed by 5000: +5,000; the rest -4,500\n"), std::string::npos) << text;
  EXPECT_NE(open.find("**h +0.05%**: h changed by 46\n"), std::string::npos) << text;
  for (const char* folded : {"a changed by -9000", "a changed by 4500", "j changed by 48"}) {
    EXPECT_EQ(open.find(folded), std::string::npos) << folded << "\n" << text;
    EXPECT_NE(text.find(folded), std::string::npos) << folded << "\n" << text;
  }
}

TEST(GateMarkdownTest, LeadsWithACauseInAChangedLineThatIsHalfAsLarge) {
  const auto lead_with = [](int64_t own, uint64_t line) {
    GateReport report = report_on("a");
    report.explanations = {explained("a", {9'000, own})};
    Cause& cause = report.explanations[0].explanation.causes[1];
    cause.file = "map.h";
    cause.line = line;
    Mine mine;
    mine.hunks = {{.path = "include/map.h", .new_lines = {7, 2}, .is_executed = true}};
    report.explanations[0].heading.mine = std::make_shared<const Mine>(mine);
    const std::string text = markdown(report);
    return text.substr(text.find("%**: a changed by ") + 18, 4);
  };
  EXPECT_EQ(lead_with(5'000, 8), "5000");
  EXPECT_EQ(lead_with(5'000, 9), "9000");
  EXPECT_EQ(lead_with(4'000, 8), "9000");
}

TEST(GateMarkdownTest, LeadsWithWhatLeadsInsideAFunction) {
  GateReport report = report_on("a");
  Cause& cause = report.explanations[0].explanation.causes[0];
  cause.facts = fact::Said{"`f` itself costs 2 per call, was 1"};
  cause.inside = {{.kind = CauseKind::kIterations,
                   .function = "f",
                   .delta = 130,
                   .file = "f.cc",
                   .line = 7,
                   .facts = fact::Said{"the loop runs twice"},
                   .loop = CauseLoop{}},
                  {.kind = CauseKind::kOwnCost, .function = "f", .delta = -30, .facts = fact::Said{"the rest"}}};
  EXPECT_NE(markdown(report).find("**a +10.00%**: the loop runs twice (f.cc:7): +130; the rest -30\n"),
            std::string::npos)
      << markdown(report);
}

TEST(GateMarkdownTest, SaysHowMuchOfTheWholeItIsAbout) {
  const auto said = [](const Explanation& explanation) { return leading_sentence(explanation, {}); };
  EXPECT_EQ(said(explained("a", {40, 35, 30}).explanation),
            "a changed by 40: +40, the largest of 3 parts; the rest +65");
  EXPECT_EQ(said(explained("a", {50, 49}).explanation), "a changed by 50: +50; the rest +49");
  Explanation thrown = explained("a", {30, 20}).explanation;
  Cause unwinder{.kind = CauseKind::kGroup, .function = "unwinding of exceptions", .delta = 60, .facts = fact::Group{}};
  thrown.causes.insert(thrown.causes.begin(), unwinder);
  thrown.delta += 60;
  EXPECT_EQ(said(thrown), "a changed by 30: +30, one of 3 parts; unwinding of exceptions +60; the rest +20");
}

TEST(GateMarkdownTest, StaysWithARowOfWhichNoPartIsMostAndNamesTheInlinedCallThatIs) {
  Explanation explanation = explained("a", {100}).explanation;
  Cause& row = explanation.causes[0];
  row.kind = CauseKind::kPlace;
  row.facts = fact::Said{"`f` with its callees costs more"};
  const auto part = [](int64_t delta, std::vector<Remark> remarks) {
    Cause made{.kind = CauseKind::kCalls, .caller = "f", .delta = delta, .facts = fact::Said{"a part"}};
    made.remarks = std::move(remarks);
    return made;
  };
  const Remark inlined{.kind = Remark::Kind::kInlined, .inlined = {.name = "at(int)", .line = 7}};
  row.inside = {part(40, {}), part(30, {inlined}), part(30, {inlined})};
  EXPECT_EQ(leading_sentence(explanation, {}),
            "`f` with its callees costs more; +60 of it through `at(int)` (inlined at line 7)");
  row.file = "f.cc";
  row.line = 7;
  EXPECT_EQ(leading_sentence(explanation, {}), "`f` with its callees costs more; +60 of it through `at(int)` (f.cc:7)");
  row.inside = {part(60, {}), part(40, {inlined})};
  EXPECT_EQ(leading_sentence(explanation, {}), "a part: +60; the rest +40");
}

TEST(GateMarkdownTest, ExplainsWhatImprovedAndNamesWhatChangedWithinLimits) {
  GateReport report = report_on("a");
  Finding improved = regressed("b");
  improved.kind = FindingKind::kImproved;
  improved.severity = Severity::kNote;
  Finding added = improved;
  added.kind = FindingKind::kNew;
  added.benchmark = "fresh";
  report.verdict.findings.insert(report.verdict.findings.end(), {added, improved});
  report.explanations.push_back(explained("b", {-700}));
  report.comparison.benchmarks[1].values = {{.measure = {"Ir", "", false}, .base = 2'000, .head = 2'001}};
  const std::string text = markdown(report), open = text.substr(0, text.find("<details>"));
  EXPECT_NE(open.find("\n| improved | b |"), std::string::npos) << text;
  EXPECT_EQ(open.find("fresh"), std::string::npos) << "what asks for nothing stands below: " << text;
  EXPECT_NE(text.find("\n| within limits | calm | 2,000 → 2,001 | +1 | +0.05% |  |"), std::string::npos) << text;
  EXPECT_NE(text.find("**b -0.70%**: b changed by -700\n"), std::string::npos) << text;
  report.verdict = {.worst = Severity::kNote, .findings = {improved}, .judged = 2, .changed = 1};
  report.explanations.erase(report.explanations.begin());
  EXPECT_NE(markdown(report).find("### ✅ icount: passed, 2 benchmarks compared, 1 changed, 1 improved\n\n|  | bench"),
            std::string::npos)
      << markdown(report);
}

TEST(GateFormsTest, CountsAndAllocationsOfOneBenchmarkAreExplainedEach) {
  GateReport report = report_on("a");
  Finding of_allocations = regressed("a");
  of_allocations.measure = Measure{"allocations", "", false};
  report.verdict.findings.insert(report.verdict.findings.begin(), of_allocations);
  GateExplanation allocations = explained("a", {3});
  allocations.explanation.event = "allocations";
  allocations.explanation.causes[0].facts = fact::Said{"`parse` now allocates 3 times per call"};
  report.explanations.insert(report.explanations.begin(), allocations);
  std::ostringstream text;
  make_gate_document(report, 0).render_text(text, {});
  for (const std::string& said : {text.str(), markdown(report), gate_to_junit(report)}) {
    EXPECT_NE(said.find("now allocates 3 times"), std::string::npos) << said;
    EXPECT_NE(said.find("11 per call (100 calls)"), std::string::npos) << said;
  }
  EXPECT_NE(text.str().find("a (allocations)\n"), std::string::npos) << text.str();
  EXPECT_NE(markdown(report).find("**a (allocations) "), std::string::npos) << markdown(report);
  EXPECT_EQ(explanation_of(report, report.verdict.findings[1])->explanation.event, "Ir");
  report.explanations.erase(report.explanations.begin());
  EXPECT_EQ(explanation_of(report, report.verdict.findings[0]), nullptr) << "another event's causes are none of it";
}

TEST(GateMarkdownTest, FoldsWhatIsTooMuch) {
  GateReport report = report_on("a");
  for (int i = 0; i < 40; ++i) report.verdict.findings.push_back(regressed("b" + std::to_string(i)));
  const std::string text = markdown(report);
  EXPECT_NE(text.find("<details><summary>29 more</summary>"), std::string::npos) << text;
  EXPECT_LT(text.find("| regressed | b10 |"), text.find("<details>"));
  EXPECT_GT(text.find("| regressed | b11 |"), text.find("<details>"));
}

TEST(GateMarkdownTest, HostileNamesStayNames) {
  const std::string text = markdown(report_on(kHostile));
  EXPECT_EQ(text.find("<img"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("\n::error"), std::string::npos);
  EXPECT_NE(text.find("\\*\\*d\\*\\*"), std::string::npos) << text;
}

TEST(GateTextTest, HostileNamesStayNames) {
  std::ostringstream out;
  make_gate_document(report_on(kHostile), 0).render_text(out, {});
  EXPECT_EQ(out.str().find('\x1b'), std::string::npos);
  EXPECT_EQ(out.str().find("\n::error"), std::string::npos) << out.str();
}

TEST(GateTextTest, NamesWhatChangedWithinLimitsAndSaysHowManyAreExplainedElsewhere) {
  GateReport report = report_on("a");
  report.verdict.findings[0].measure = Measure{"Ir", "f", false};  // says nothing of the whole
  const auto text = [&] {
    std::ostringstream out;
    make_gate_document(report, 0).render_text(out, {});
    return out.str();
  };
  for (int64_t i = 1; i <= 6; ++i)
    report.comparison.benchmarks.push_back(
        {.key = "b" + std::to_string(i),
         .main_event = "Ir",
         .values = {{.measure = {"Ir", "", false}, .base = 2'000, .head = 2'000 - i}}});
  EXPECT_NE(text().find("\n  changed    a: Ir 1,000 -> 1,100, +100 (+10.00 %), within limits\n"
                        "  changed    b6: Ir 2,000 -> 1,994, -6 (-0.30 %), within limits\n"
                        "  changed    b5: Ir 2,000 -> 1,995, -5 (-0.25 %), within limits\n"
                        "  changed    b4: Ir 2,000 -> 1,996, -4 (-0.20 %), within limits\n"
                        "  changed    b3: Ir 2,000 -> 1,997, -3 (-0.15 %), within limits\n"
                        "  changed    2 more within limits\n"),
            std::string::npos)
      << text();
  EXPECT_EQ(text().find("with --markdown"), std::string::npos) << text();
  for (const char* key : {"c", "d", "e", "f"}) {
    report.verdict.findings.push_back(regressed(key));
    report.explanations.push_back(explained(key, {40}));
  }
  EXPECT_NE(text().find("\n2 more are explained with --markdown FILE\n"), std::string::npos) << text();
  report.verdict = {.worst = Severity::kNote, .findings = {}, .judged = 2, .changed = 2};
  report.comparison.benchmarks.resize(2);
  EXPECT_NE(text().find("\n\n  changed  a: Ir 1,000 -> 1,100"), std::string::npos) << text();
}

TEST(GateAnnotationsTest, OneCommandPerFindingAtTheLimitsPlace) {
  EXPECT_EQ(gate_annotations(report_on("Math / add")),
            "::error file=suite.toml,line=12,title=icount%3A regressed::Math / add: Ir 1,000 -> 1,100, +100 (+10.00 "
            "%25), over the limit of 1 %25 (suite.toml:12); "
            "most: self cost of `parse`: 10 -> 11 per call (100 calls)\n");
  GateReport report = report_on("a");
  report.verdict.findings[0].limit_place = "--limit '1%'";
  EXPECT_EQ(gate_annotations(report).find("::error file=suite.toml,line=1,"), 0u);
  report.comparison.benchmarks[0].place = "more.toml:34";
  EXPECT_EQ(gate_annotations(report).find("::error file=more.toml,line=34,"), 0u) << "where the benchmark is defined";
}

TEST(GateAnnotationsTest, ANameCannotBeginAnotherCommand) {
  const std::string text = gate_annotations(report_on(kHostile));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(GateJunitTest, OneCasePerBenchmarkWithItsOutcome) {
  GateReport report = report_on(kHostile);
  report.verdict.findings.push_back(
      {.kind = FindingKind::kDead, .severity = Severity::kFailure, .benchmark = "dead one", .text = "nothing left"});
  report.verdict.findings.push_back({.kind = FindingKind::kUnjudged,
                                     .severity = Severity::kCannotJudge,
                                     .benchmark = "other machine",
                                     .text = "not measured alike"});
  report.verdict.findings.push_back(
      {.kind = FindingKind::kUnusedLimit, .severity = Severity::kCannotJudge, .text = "matches nothing"});
  const std::string text = gate_to_junit(report);
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(text.c_str())) << text;
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  EXPECT_EQ(suite.attribute("tests").as_int(), 5);
  EXPECT_EQ(suite.attribute("failures").as_int(), 1);
  EXPECT_EQ(suite.attribute("errors").as_int(), 1);
  EXPECT_EQ(suite.attribute("skipped").as_int(), 2);
  EXPECT_TRUE(suite.find_child_by_attribute("testcase", "name", "calm").first_child().empty());
  for (const pugi::xml_node test : suite.children("testcase"))
    if (!test.child("failure").empty()) {
      EXPECT_EQ(std::string(test.attribute("name").as_string()).find("a|b `c` <img src=x> &amp; \\x1b"), 0u)
          << test.attribute("name").as_string();
      EXPECT_NE(std::string(test.child("failure").text().as_string()).find("+100: self cost of `parse`"),
                std::string::npos);
    }
  EXPECT_EQ(text.find('\x01'), std::string::npos);
}

TEST(GateJunitTest, SaysWhenWhereAndHowLong) {
  GateReport report = report_on("slow");
  report.hostname = "builder";
  report.unix_time = 1'700'000'000;
  report.comparison.benchmarks[0].unix_time = 1'700'000'007;
  report.comparison.benchmarks[1].unix_time = 1'700'000'000;
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(gate_to_junit(report).c_str()));
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  EXPECT_STREQ(suite.attribute("hostname").as_string(), "builder");
  EXPECT_STREQ(suite.attribute("timestamp").as_string(), "2023-11-14T22:13:20");
  EXPECT_STREQ(suite.attribute("time").as_string(), "7");
  EXPECT_STREQ(suite.find_child_by_attribute("testcase", "name", "slow").attribute("time").as_string(), "7");
  EXPECT_STREQ(suite.find_child_by_attribute("testcase", "name", "calm").attribute("time").as_string(), "0");
}

TEST(GateJsonTest, HoldsVerdictFindingsAndCauses) {
  const Json json = gate_to_json(report_on(kHostile));
  EXPECT_EQ(json["schema"]["name"], "icount-gate");
  EXPECT_EQ(json["verdict"], "refusal");
  EXPECT_EQ(json["findings"][0]["base"], 1'000);
  EXPECT_EQ(json["findings"][0]["benchmark"], kHostile);
  EXPECT_EQ(json["explanations"][0]["causes"][0]["delta"], 100);
  EXPECT_FALSE(dump_json(json).empty()) << "bytes that are not UTF-8 do not stop it";
}

TEST(GateSarifTest, OneResultPerFindingWithARuleThatIsListed) {
  const Json run = gate_to_sarif(report_on("a"), "1.2")["runs"][0];
  EXPECT_EQ(run["results"][0]["ruleId"], "regressed");
  EXPECT_EQ(run["results"][0]["level"], "error");
  EXPECT_EQ(run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"], 12);
  EXPECT_EQ(run["tool"]["driver"]["rules"][0]["id"], "regressed");
}

TEST(ReportGateTest, KeepsWhatAReportShowsOfAGate) {
  const Json gate = parse_report_gate(dump_json(gate_to_json(report_on("Math / add"))), "gate.json");
  EXPECT_EQ(gate, (Json{{"verdict", "refusal"},
                        {"against", "main (abc)"},
                        {"compared", 2},
                        {"changed", 1},
                        {"findings", Json::array({{{"kind", "regressed"},
                                                   {"severity", "refusal"},
                                                   {"benchmark", "Math / add"},
                                                   {"text", regressed("").text}}})}}));
  GateReport accepting = report_on("a");
  accepting.comparison.accepted = {{"a", {"Ir", {}, false}, 100, 90, "a cache"}};
  EXPECT_EQ(parse_report_gate(dump_json(gate_to_json(accepting)), "gate.json")["accepted"],
            Json::array({{{"benchmark", "a"}, {"event", "Ir"}, {"why", "a cache"}, {"before", 100}, {"now", 90}}}));
}

TEST(ReportGateTest, OtherJsonIsRefusedByName) {
  const Json gate = gate_to_json(report_on("a"));
  for (const char* field : {"schema", "compared", "findings"}) {
    Json without = gate;
    without.erase(field);
    try {
      parse_report_gate(dump_json(without), "gate.json");
      FAIL() << field;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kMalformed);
      EXPECT_TRUE(std::string(error.what()).starts_with("gate.json: not what `icount gate --json FILE` writes"))
          << error.what();
    }
  }
  for (const char* text : {"[]", "3", "{}", "{\"schema\": {\"name\": \"icount-result\", \"version\": 1}}"})
    EXPECT_THROW(parse_report_gate(text, "x"), Error) << text;
  Json numbers = gate;
  numbers["findings"][0]["text"] = 3;
  EXPECT_THROW(parse_report_gate(dump_json(numbers), "x"), Error);
}

}  // namespace
}  // namespace icount
