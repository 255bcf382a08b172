// What the gate says beyond a plain regression: creep of several benchmarks, limits that guard nothing, order, notes.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "icount/base/error.h"
#include "icount/verdict/gate.h"

namespace icount {
namespace {

GateLimit limit(std::string_view change, LimitSource source = LimitSource::kSuiteFile) {
  GateLimit made;
  made.change = parse_allowance(change).value();
  made.source = source;
  made.place = "suite.toml:3";
  return made;
}

GateLimit creep(std::string_view allowance) {
  GateLimit made = limit("1%");
  made.creep = parse_allowance(allowance).value();
  return made;
}

GateValue value_of(const char* event, int64_t base, int64_t head, int64_t reference) {
  return {.measure = {event, "", false}, .base = base, .head = head, .reference = reference};
}

GateBenchmark compared(std::string key, std::vector<GateValue> values) {
  return {
      .key = std::move(key), .main_event = "Ir", .state = GateBenchmark::State::kCompared, .values = std::move(values)};
}

Verdict judge_all(std::vector<GateLimit> limits, std::vector<GateBenchmark> benchmarks) {
  return judge({.benchmarks = std::move(benchmarks)}, LimitSet(std::move(limits)));
}

/// "creep b Ir" of each finding.
std::vector<std::string> findings(const Verdict& verdict) {
  std::vector<std::string> all;
  for (const Finding& finding : verdict.findings)
    all.push_back(std::string(to_text(finding.kind)) + " " + finding.benchmark + " " +
                  (finding.measure ? finding.measure->event : ""));
  return all;
}

using Findings = std::vector<std::string>;

TEST(GateVerdictTest, RepeatsThatDifferAreSaidAndAllowedBesideTheLimit) {
  GateValue value = value_of("Ir", 1'000, 1'100, 1'000);
  value.spread = 89;
  EXPECT_EQ(judge_all({limit("1%")}, {compared("a", {value})}).findings.at(0).text,
            "Ir 1,000 -> 1,100, +100 (+10.00 %), repeats of both sides differ by 89, over the limit of 1 % "
            "(suite.toml:3)");
  value.spread = 90;
  EXPECT_TRUE(judge_all({limit("1%")}, {compared("a", {value})}).findings.empty()) << "10 more than chance can do";
}

TEST(GateVerdictTest, ASpreadIsNoGainAndNoCreep) {
  GateValue gain = value_of("Ir", 1'000, 950, 1'000);
  EXPECT_EQ(findings(judge_all({limit("1%")}, {compared("a", {gain})})), Findings{"improved a Ir"});
  gain.spread = 45;
  EXPECT_TRUE(judge_all({limit("1%")}, {compared("a", {gain})}).findings.empty());
  GateValue creeps = value_of("Ir", 1'030, 1'035, 1'000);
  EXPECT_EQ(findings(judge_all({creep("2%")}, {compared("b", {creeps})})), Findings{"creep b Ir"});
  creeps.spread = 15;
  EXPECT_TRUE(judge_all({creep("2%")}, {compared("b", {creeps})}).findings.empty());
}

TEST(GateVerdictTest, AMissingValueIsUnjudgedWhereSomebodyWroteALimit) {
  GateValue value = value_of("Ir", 1'000, 0, 1'000);
  value.head.reset();
  EXPECT_EQ(findings(judge_all({limit("1%")}, {compared("a", {value})})), Findings{"unjudged a Ir"});
  EXPECT_TRUE(judge_all(default_limits(), {compared("a", {value})}).findings.empty());
}

TEST(GateVerdictTest, ARegressionHidesOnlyItsOwnCreep) {
  const GateValue creeps = value_of("Ir", 1'030, 1'035, 1'000), regressed = value_of("Ir", 1'000, 1'500, 1'000);
  EXPECT_EQ(findings(judge_all({creep("2%")}, {compared("a", {regressed}), compared("b", {creeps})})),
            (Findings{"regressed a Ir", "creep b Ir"}));
  GateLimit writes = limit("1%");
  writes.event = "Dw";
  EXPECT_EQ(findings(judge_all({creep("2%"), writes}, {compared("a", {value_of("Dw", 1'000, 1'500, 1'000), creeps})})),
            (Findings{"regressed a Dw", "creep a Ir"}));
}

TEST(GateVerdictTest, CreepIsToldFromWhereItBegan) {
  EXPECT_EQ(judge_all({creep("2%")}, {compared("a", {value_of("Ir", 1'030, 1'035, 1'000)})}).findings.at(0).base,
            1'000);
}

TEST(GateVerdictTest, AGainInBetweenDoesNotHideSmallSteps) {
  GateLimit over_runs = creep("2%");
  over_runs.creep_runs = 10;
  GateBenchmark benchmark = compared("a", {value_of("Ir", 510, 515, 510)});
  benchmark.history = std::vector<int64_t>{1'000, 500, 505, 510};
  const Verdict verdict = judge_all({over_runs}, {benchmark});
  ASSERT_EQ(findings(verdict), Findings{"creep a Ir"});
  EXPECT_EQ(verdict.findings[0].base, 500);
}

TEST(GateVerdictTest, HistoryIsOfTheMainTotalOnly) {
  GateLimit over_runs = creep("2%");
  over_runs.creep_runs = 10;
  over_runs.event = "Dw";
  GateBenchmark benchmark = compared("a", {value_of("Dw", 100, 100, 100)});
  benchmark.history = std::vector<int64_t>{10, 11, 12};
  EXPECT_EQ(findings(judge_all({over_runs}, {benchmark})), Findings{"unjudged a Dw"});
}

TEST(GateVerdictTest, SurelyFasterIsANote) {
  GateValue wall{
      .measure = {std::string(kWallTime), "", false}, .base = 1'000, .head = 900, .ratio = Interval{0.85, 0.95}};
  GateLimit made = limit("5%");
  made.event = kWallTime;
  const Verdict verdict = judge_all({made}, {compared("a", {wall})});
  ASSERT_EQ(verdict.findings.size(), 1u);
  EXPECT_EQ(verdict.findings[0].kind, FindingKind::kImproved);
  EXPECT_EQ(verdict.findings[0].text, "wall time 1,000 -> 900 ns, -15.0 % to -5.0 % (95 % interval)");
  wall.ratio = Interval{0.85, 1.01};
  EXPECT_TRUE(judge_all({made}, {compared("a", {wall})}).findings.empty());
}

TEST(GateVerdictTest, ALimitThatMatchesNothingIsSaidInFull) {
  GateLimit made = limit("1%");
  made.section = "Math";
  made.benchmark = "add";
  made.event = "Dw";
  made.function = "^parse";
  const auto said = [&](const GateLimit& one, std::vector<GateValue> values) {
    const Verdict verdict = judge_all({one}, {compared("Math / add", std::move(values))});
    return verdict.findings.empty() ? std::string() : verdict.findings[0].text;
  };
  EXPECT_EQ(said(made, {value_of("Ir", 5, 5, 5)}),
            "the limit at suite.toml:3 matches nothing that was measured below `Math`, benchmark `add`, event `Dw`, "
            "function `^parse`; it has no effect");
  EXPECT_EQ(said(made, {value_of("Dw", 5, 5, 5)}), said(made, {value_of("Ir", 5, 5, 5)}))
      << "the event's total is no function";
  EXPECT_EQ(said(made, {}), "") << "without numbers nobody knows";
  GateLimit events = limit("1%");
  events.event = "Dw";
  EXPECT_EQ(said(events, {{.measure = {"Dw", "parse", false}, .base = 5, .head = 5}}),
            "the limit at suite.toml:3 matches nothing that was measured, event `Dw`; it has no effect");
}

TEST(GateVerdictTest, ASectionIsNoPartOfAnotherLabel) {
  GateLimit made = limit("1%");
  made.section = "Math";
  EXPECT_EQ(findings(judge_all({made}, {compared("Path / add", {value_of("Ir", 100, 150, 100)})})),
            Findings{"unused-limit  "});
}

TEST(GateVerdictTest, NoLimitOnCreepAsksForNoReference) {
  GateLimit made = limit("1%");
  made.creep.unlimited = true;
  GateValue value = value_of("Ir", 100, 100, 100);
  value.reference.reset();
  EXPECT_TRUE(judge_all({made}, {compared("a", {value})}).findings.empty());
}

TEST(AllowanceTest, ASignInFrontIsNoSeparator) {
  EXPECT_EQ(to_text(*parse_allowance("+5")), "5");
  EXPECT_EQ(to_text(*parse_allowance("+5%+7")), "5 % and 7");
}

TEST(GateVerdictTest, WhatGrewFromNothingComesFirstAndUnchangedTotalsAreNotCounted) {
  const Verdict verdict = judge_all(
      {limit("1%")}, {compared("a", {value_of("Ir", 100, 150, 100)}), compared("b", {value_of("Ir", 0, 5, 0)}),
                      compared("c", {value_of("Ir", 0, 50, 0)}), compared("d", {value_of("Ir", 7, 7, 7)})});
  EXPECT_EQ(findings(verdict), (Findings{"regressed c Ir", "regressed b Ir", "regressed a Ir"}));
  EXPECT_EQ(verdict.changed, 3u);
  EXPECT_EQ(verdict.judged, 4u);
}

TEST(GateVerdictTest, OwnCostAndCostWithCalleesAreTwoMeasures) {
  GateLimit own = limit("1%");
  own.function = "^parse$";
  const GateValue own_cost{.measure = {"Ir", "parse", false}, .base = 100, .head = 100},
      with_callees{.measure = {"Ir", "parse", true}, .base = 100, .head = 900};
  EXPECT_TRUE(judge_all({own}, {compared("a", {own_cost, with_callees})}).findings.empty());
}

TEST(GateVerdictTest, LimitsThatMakeNoSenseAreRefused) {
  const auto problem = [](const GateLimit& one) {
    try {
      LimitSet({one});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  GateLimit inclusive = limit("1%"), wall_creep = creep("1%"), wall_function = limit("1%");
  inclusive.inclusive = true;
  wall_creep.event = wall_function.event = kWallTime;
  wall_function.function = "f";
  EXPECT_EQ(problem(inclusive), "suite.toml:3: 'inclusive' belongs to a limit on functions");
  EXPECT_EQ(problem(limit("1%+-200")),
            "suite.toml:3: the limit of 1 % and -200 allows growth with one part and requires an improvement with the "
            "other; give both the same sign");
  EXPECT_EQ(problem(creep("-1%+200")),
            "suite.toml:3: the limit of -1 % and 200 allows growth with one part and requires an improvement with the "
            "other; give both the same sign");
  EXPECT_EQ(problem(wall_creep), "suite.toml:3: creep of wall time can't be limited, only of counts");
  EXPECT_EQ(problem(wall_function), "suite.toml:3: wall time is not known by function, only counts are");
}

}  // namespace
}  // namespace icount
