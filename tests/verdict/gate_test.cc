// The gate as a function of values: for every way to set a limit a case where it must bite and one where it must not.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "icount/base/error.h"
#include "icount/verdict/gate.h"

namespace icount {
namespace {

using State = GateBenchmark::State;

GateLimit limit(std::string_view change, LimitSource source = LimitSource::kSuiteFile) {
  GateLimit made;
  if (!change.empty()) made.change = parse_allowance(change).value();
  made.source = source;
  made.place = "suite.toml:3";
  return made;
}

GateLimit with(GateLimit made, std::string GateLimit::*field, std::string value) {
  made.*field = std::move(value);
  return made;
}

GateValue total(int64_t base, int64_t head) {
  return {.measure = {"Ir", "", false}, .base = base, .head = head, .reference = base};
}

GateBenchmark compared(std::string key, std::vector<GateValue> values) {
  return {.key = std::move(key), .main_event = "Ir", .state = State::kCompared, .values = std::move(values)};
}

Verdict judge_one(std::vector<GateLimit> limits, GateBenchmark benchmark) {
  return judge({.benchmarks = {std::move(benchmark)}}, LimitSet(std::move(limits)));
}

/// "regressed refusal" of each finding.
std::vector<std::string> kinds(const Verdict& verdict) {
  std::vector<std::string> all;
  for (const Finding& finding : verdict.findings)
    all.push_back(std::string(to_text(finding.kind)) + " " + std::string(to_text(finding.severity)));
  return all;
}

using Kinds = std::vector<std::string>;
const Kinds kRegression = {"regressed refusal"};

TEST(GateVerdictTest, GrowthIsJudgedByItsLimitAndByTheBase) {
  const auto grows = [](std::vector<int64_t> costs) {
    Growth growth{.label = "parse", .event = "Ir", .sizes = {100, 200, 400}, .costs = std::move(costs)};
    growth.whole = fit_growth(growth.sizes, growth.costs);
    return growth;
  };
  const Growth linear = grows({1'000, 2'000, 4'000}), square = grows({1'000, 4'000, 16'000}),
               flat = grows({7'000, 7'000, 7'000});
  const auto judged = [&](Growth head, std::optional<Growth> base, std::optional<double> most,
                          const GatePolicy& policy = {}) {
    GateGrowth growth{{.max_exponent = most, .place = "s.toml:3"}, std::move(head), std::move(base)};
    return judge({.growths = {std::move(growth)}, .partial = true}, LimitSet({}), policy);
  };
  EXPECT_EQ(judged(linear, linear, 1.1).worst, Severity::kNote);
  EXPECT_EQ(judged(square, std::nullopt, std::nullopt).worst, Severity::kNote) << "nothing to compare with, no limit";
  EXPECT_EQ(kinds(judged(square, std::nullopt, 1.1)), Kinds({"growth refusal"}));
  EXPECT_EQ(kinds(judged(flat, flat, std::nullopt)), Kinds({"flat refusal"}));
  EXPECT_EQ(kinds(judged(square, linear, std::nullopt, {.growth = Severity::kNote})), Kinds({"growth note"}));
  EXPECT_EQ(kinds(judged(square, std::nullopt, 1.1, {.growth = Severity::kNote})), Kinds({"growth refusal"}));
  const Verdict verdict = judged(square, linear, std::nullopt);
  ASSERT_EQ(kinds(verdict), Kinds({"growth refusal"}));
  EXPECT_EQ(verdict.findings[0].benchmark, "parse");
  EXPECT_EQ(verdict.findings[0].text, "Ir grows as n^2.0, and as n^1.0 in the base");
  EXPECT_EQ(verdict.findings[0].limit_place, "s.toml:3");
}

TEST(AllowanceTest, WithBothPartsAChangeMustExceedBoth) {
  const Allowance percent = *parse_allowance("1%"), absolute = *parse_allowance("100"),
                  both = *parse_allowance("1%+100");
  EXPECT_FALSE(exceeds(percent, 10'000, 10'100));
  EXPECT_TRUE(exceeds(percent, 10'000, 10'101));
  EXPECT_FALSE(exceeds(absolute, 10, 110));
  EXPECT_TRUE(exceeds(absolute, 10, 111));
  EXPECT_FALSE(exceeds(both, 100, 150)) << "50 % of a tiny region, but only 50 instructions";
  EXPECT_FALSE(exceeds(both, 1'000'000, 1'000'500)) << "500 instructions, but only 0.05 %";
  EXPECT_TRUE(exceeds(both, 1'000, 1'101));
  EXPECT_FALSE(exceeds(*parse_allowance("none"), 1, 1'000'000));
  EXPECT_TRUE(exceeds(percent, 0, 1)) << "from nothing every growth exceeds every per cent";
  EXPECT_FALSE(exceeds(*parse_allowance("0%"), 7, 7));
  EXPECT_TRUE(exceeds(*parse_allowance("0%"), INT64_C(9'007'199'254'740'993), INT64_C(9'007'199'254'740'994)))
      << "beyond what a double holds";
}

TEST(AllowanceTest, NegativePartsDemandAnImprovement) {
  const Allowance demanded = *parse_allowance("-5%");
  EXPECT_TRUE(exceeds(demanded, 1'000, 1'000));
  EXPECT_TRUE(exceeds(demanded, 1'000, 951));
  EXPECT_FALSE(exceeds(demanded, 1'000, 950));
  EXPECT_TRUE(exceeds(*parse_allowance("-10"), 1'000, 991));
  EXPECT_FALSE(exceeds(*parse_allowance("-10"), 1'000, 990));
}

TEST(AllowanceTest, AStepOfExactlyTheLimitIsWithinIt) {
  // Tenths of a per cent of 1,000 to the fourth: whole numbers, whatever a double makes of them.
  for (int64_t tenths = 1; tenths < 100; ++tenths) {
    const std::string percent = std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + "%";
    for (const int64_t base : {INT64_C(1'000), INT64_C(1'000'000), INT64_C(1'000'000'000'000)}) {
      const int64_t top = base + base / 1'000 * tenths;
      EXPECT_FALSE(exceeds(*parse_allowance(percent), base, top)) << percent << " of " << base;
      EXPECT_TRUE(exceeds(*parse_allowance(percent), base, top + 1)) << percent << " of " << base;
      EXPECT_FALSE(exceeds(parse_fail_limit(percent), base, top)) << percent << " of " << base;
    }
  }
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_FALSE(exceeds(*parse_allowance("100.0000000000000000000001%"), kMost / 2, kMost - 1));
  EXPECT_TRUE(exceeds(*parse_allowance("99.9999999999999999999999%"), kMost / 2, kMost - 1));
  EXPECT_TRUE(exceeds(*parse_allowance("200%"), 1, kMost)) << "a step that leaves 64 bits times 100";
  EXPECT_FALSE(exceeds(*parse_allowance("-0.3%"), 1'000, 997));
  EXPECT_TRUE(exceeds(*parse_allowance("-0.3%"), 1'000, 998));
}

TEST(FailLimitTest, IsOnePartThatIsNotNegative) {
  EXPECT_FALSE(exceeds(parse_fail_limit("0.5%"), 1'000, 1'005));
  EXPECT_TRUE(exceeds(parse_fail_limit("0.5%"), 1'000, 1'006));
  EXPECT_FALSE(exceeds(parse_fail_limit("0.5%"), 1'000, 10));
  EXPECT_TRUE(exceeds(parse_fail_limit("0.5%"), 0, 1));
  EXPECT_FALSE(exceeds(parse_fail_limit("10,000"), 0, 10'000));
  EXPECT_TRUE(exceeds(parse_fail_limit("10,000"), 0, 10'001));
  EXPECT_FALSE(exceeds(parse_fail_limit("10,000"), 10'001, 0));
  for (const char* text : {"", "%", "-1", "-1%", "1e5", "x", "0.5", "nan%", "inf%", "5%%", "none", "1%+2"}) {
    try {
      parse_fail_limit(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      EXPECT_EQ(error.what(), "--fail-over " + std::string(text) + ": not a limit like 0.5% or 10000");
    }
  }
}

TEST(AllowanceTest, IsWrittenAsItIsSaid) {
  EXPECT_EQ(to_text(*parse_allowance(" 0.5% + 1,000 ")), "0.5 % and 1,000");
  EXPECT_EQ(to_text(*parse_allowance("-3%")), "-3 %");
  EXPECT_EQ(to_text(*parse_allowance("none")), "none");
  for (const char* wrong : {"", "1%%", "1%+2%", "5+5", "x", "1.5", "nan%", "inf%", "1% of", "+"})
    EXPECT_FALSE(parse_allowance(wrong)) << wrong;
}

TEST(GateTest, DefaultsRefuseMoreThanOnePerCent) {
  EXPECT_EQ(kinds(judge_one(default_limits(), compared("a", {total(1'000, 1'011)}))), kRegression);
  EXPECT_TRUE(judge_one(default_limits(), compared("a", {total(1'000, 1'010)})).findings.empty());
}

TEST(GateTest, TheSentenceNamesFiguresLimitAndPlace) {
  const Verdict verdict = judge_one({limit("1%+100")}, compared("a", {total(10'000, 12'345)}));
  ASSERT_EQ(verdict.findings.size(), 1u);
  EXPECT_EQ(verdict.findings[0].text,
            "Ir 10,000 -> 12,345, +2,345 (+23.45 %), over the limit of 1 % and 100 (suite.toml:3)");
  EXPECT_EQ(verdict.worst, Severity::kRefusal);
  EXPECT_EQ(verdict.changed, 1u);
}

TEST(GateTest, CommandLineBeatsSuiteFileBeatsDefault) {
  std::vector<GateLimit> limits = default_limits();
  const GateBenchmark benchmark = compared("a", {total(1'000, 1'030)});
  EXPECT_EQ(kinds(judge_one(limits, benchmark)), kRegression);
  limits.push_back(limit("5%"));
  EXPECT_TRUE(judge_one(limits, benchmark).findings.empty()) << "the suite file allows it";
  // Stronger though it stands before the suite's.
  limits.insert(limits.begin(), limit("2%", LimitSource::kCommandLine));
  EXPECT_EQ(kinds(judge_one(limits, benchmark)), kRegression)
      << "a limit of the command line still bites when the suite has one";
  limits[0] = limit("10%", LimitSource::kCommandLine);
  limits.back() = limit("2%");
  EXPECT_TRUE(judge_one(limits, benchmark).findings.empty()) << "and loosens a tight one";
}

TEST(GateTest, WithinOneSourceTheLastMatchingLimitWinsAsAWhole) {
  const GateBenchmark benchmark = compared("Math / add", {total(1'000, 1'030)});
  EXPECT_EQ(kinds(judge_one({limit("5%"), limit("1%")}, benchmark)), kRegression);
  EXPECT_TRUE(judge_one({limit("1%"), limit("5%")}, benchmark).findings.empty());
  EXPECT_EQ(kinds(judge_one({limit("1%+1000"), limit("1%")}, benchmark)), kRegression)
      << "the absolute part of the loser is gone";
  // One that does not match does not win.
  const Verdict verdict = judge_one({limit("1%"), with(limit("5%"), &GateLimit::benchmark, "sub")}, benchmark);
  EXPECT_EQ(kinds(verdict), (Kinds{"regressed refusal", "unused-limit cannot-judge"}));
}

TEST(GateTest, AMatchingPatternGuardsItsBenchmarkAlone) {
  const std::vector<GateLimit> limits = {limit("50%"), with(limit("1%"), &GateLimit::benchmark, "^Math / a")};
  EXPECT_EQ(kinds(judge_one(limits, compared("Math / add", {total(1'000, 1'030)}))), kRegression);
  EXPECT_EQ(kinds(judge_one(limits, compared("Other / Math / add", {total(1'000, 1'030)}))),
            Kinds{"unused-limit cannot-judge"});
}

TEST(GateTest, ASectionGuardsWhatIsBelowItsLabel) {
  const std::vector<GateLimit> limits = {limit("50%"), with(limit("1%"), &GateLimit::section, "Math")};
  for (const char* key : {"Math", "Math / add", "Math [2 threads]"})
    EXPECT_EQ(kinds(judge_one(limits, compared(key, {total(1'000, 1'030)}))), kRegression) << key;
  EXPECT_EQ(kinds(judge_one(limits, compared("Mathematics", {total(1'000, 1'030)}))),
            Kinds{"unused-limit cannot-judge"});
}

TEST(GateTest, LimitsOfAnotherEventBite) {
  GateValue misses{.measure = {"Dw", "", false}, .base = 100, .head = 120};
  const std::vector<GateLimit> limits = {limit("50%"), with(limit("10%"), &GateLimit::event, "Dw")};
  EXPECT_EQ(kinds(judge_one(limits, compared("a", {total(1'000, 1'000), misses}))), kRegression);
  misses.head = 110;
  EXPECT_TRUE(judge_one(limits, compared("a", {total(1'000, 1'000), misses})).findings.empty());
}

TEST(GateTest, LimitsOnFunctionsBiteThoughTheTotalFell) {
  const GateValue parse{.measure = {"Ir", "parse(char const*)", false}, .base = 100, .head = 120};
  const GateValue other{.measure = {"Ir", "other", false}, .base = 100, .head = 900};
  const std::vector<GateLimit> limits = {limit("50%"), with(limit("10%"), &GateLimit::function, "^parse")};
  const Verdict verdict = judge_one(limits, compared("a", {total(1'000, 1'000), parse, other}));
  ASSERT_EQ(kinds(verdict), kRegression);
  EXPECT_EQ(verdict.findings[0].text,
            "Ir of `parse(char const*)` 100 -> 120, +20 (+20.00 %), over the limit of 10 % (suite.toml:3)");
}

TEST(GateTest, DemandedImprovementsThatAreNotReachedAreRefused) {
  const Verdict verdict = judge_one({limit("-10%")}, compared("a", {total(1'000, 950)}));
  ASSERT_EQ(kinds(verdict), kRegression);
  EXPECT_EQ(verdict.findings[0].text,
            "Ir 1,000 -> 950, -50 (-5.00 %), short of the demanded improvement of -10 % (suite.toml:3)");
  EXPECT_TRUE(judge_one({limit("-10%")}, compared("a", {total(1'000, 900)})).findings.empty());
}

GateValue wall(int64_t base, int64_t head, Interval ratio) {
  return {.measure = {std::string(kWallTime), "", false}, .base = base, .head = head, .ratio = ratio};
}

TEST(GateTest, WallTimeIsRefusedOnlyWhenTheWholeIntervalIsOver) {
  const std::vector<GateLimit> limits = {with(limit("5%"), &GateLimit::event, "wall")};
  EXPECT_EQ(kinds(judge_one(limits, compared("a", {wall(1'000, 1'100, {1.06, 1.14})}))), kRegression);
  EXPECT_TRUE(judge_one(limits, compared("a", {wall(1'000, 1'100, {1.02, 1.18})})).findings.empty())
      << "10 % slower, but it may be 2 %";
  const std::vector<GateLimit> demanded = {with(limit("-5%"), &GateLimit::event, "wall")};
  EXPECT_EQ(kinds(judge_one(demanded, compared("a", {wall(1'000, 900, {0.84, 0.96})}))), kRegression)
      << "it may be 4 %";
  EXPECT_TRUE(judge_one(demanded, compared("a", {wall(1'000, 900, {0.84, 0.94})})).findings.empty());
  const std::vector<GateLimit> absolute = {with(limit("5%+200"), &GateLimit::event, "wall")};
  EXPECT_TRUE(judge_one(absolute, compared("a", {wall(1'000, 1'100, {1.06, 1.14})})).findings.empty())
      << "surely over 5 %, but not over 200 ns";
}

TEST(GateTest, ALimitThatSomebodyWroteAndNobodyCanJudgeIsNotSilent) {
  GateValue unknown = wall(1'000, 1'000, {});
  unknown.ratio.reset();
  unknown.unknown = "a side has no timing";
  const Verdict verdict = judge_one({with(limit("5%"), &GateLimit::event, "wall")}, compared("a", {unknown}));
  ASSERT_EQ(kinds(verdict), Kinds{"unjudged cannot-judge"});
  EXPECT_EQ(verdict.findings[0].text, "wall time has the limit of 5 % (suite.toml:3), but a side has no timing");
  EXPECT_TRUE(judge_one({limit("1%")}, compared("a", {total(5, 5), unknown})).findings.empty())
      << "no limit on it, nothing to say";
}

GateLimit creep(std::string_view allowance) {
  GateLimit made = limit("1%");
  made.creep = parse_allowance(allowance).value();
  return made;
}

TEST(GateTest, CreepIsCountedFromTheValueThatWasSetOnPurpose) {
  GateValue value = total(1'036, 1'045);
  value.reference = 1'000;
  const Verdict verdict = judge_one({creep("4%")}, compared("a", {value}));
  ASSERT_EQ(kinds(verdict), Kinds{"creep refusal"});
  EXPECT_EQ(verdict.findings[0].text,
            "Ir 1,000 -> 1,045, +45 (+4.50 %) since it was last accepted on purpose, in steps each within its own "
            "limit: over the limit of 4 % (suite.toml:3)");
  value.head = 1'040;
  EXPECT_TRUE(judge_one({creep("4%")}, compared("a", {value})).findings.empty());
}

TEST(GateTest, WithoutALimitOfItsOwnCreepMayBeTwiceTheChange) {
  GateValue value = total(1'018, 1'021);
  value.reference = 1'000;
  ASSERT_EQ(kinds(judge_one(default_limits(), compared("a", {value}))), Kinds{"creep refusal"});
  EXPECT_EQ(judge_one(default_limits(), compared("a", {value})).findings[0].limit, "2 %");
  value.head = 1'020;
  EXPECT_TRUE(judge_one(default_limits(), compared("a", {value})).findings.empty());
  GateLimit none = limit("1%");
  none.creep.unlimited = true;
  value.head = 1'028;
  EXPECT_TRUE(judge_one({none}, compared("a", {value})).findings.empty());
}

TEST(GateTest, ARegressionIsNotSaidAgainAsCreep) {
  EXPECT_EQ(kinds(judge_one({creep("2%")}, compared("a", {total(1'000, 1'500)}))), kRegression);
}

TEST(GateTest, CreepOverRunsAddsSmallStepsAndLeavesOutJudgedOnes) {
  GateLimit over_runs = creep("4%");
  over_runs.creep_runs = 4;
  GateBenchmark benchmark = compared("a", {total(1'036, 1'045)});
  benchmark.history = std::vector<int64_t>{1'000, 1'009, 1'018, 1'027, 1'036};
  EXPECT_TRUE(judge_one({over_runs}, benchmark).findings.empty()) << "four runs back it was 1,009: +36, 3.6 %";
  over_runs.creep_runs = 5;
  ASSERT_EQ(kinds(judge_one({over_runs}, benchmark)), Kinds{"creep refusal"});
  EXPECT_EQ(judge_one({over_runs}, benchmark).findings[0].text,
            "Ir 1,000 -> 1,045, +45 (+4.50 %) over the last 5 runs, in steps each within its own limit: over the limit "
            "of 4 % (suite.toml:3)");
  // A step of 50 % in between was judged when it came.
  benchmark.history = std::vector<int64_t>{600, 609, 1'027, 1'036};
  EXPECT_TRUE(judge_one({over_runs}, benchmark).findings.empty()) << "9 + 9 + 9 of 1,018";
  benchmark.history.reset();
  EXPECT_EQ(kinds(judge_one({over_runs}, benchmark)), Kinds{"unjudged cannot-judge"});
}

TEST(GateTest, AGainOfMoreThanTheLimitIsANote) {
  const Verdict verdict = judge_one({limit("1%")}, compared("a", {total(1'000, 900)}));
  EXPECT_EQ(kinds(verdict), Kinds{"improved note"});
  EXPECT_EQ(verdict.worst, Severity::kNote);
}

TEST(GateTest, WhatHasNoNumberIsAFinding) {
  const auto state = [](State state) {
    Comparison comparison{.benchmarks = {{.key = "a", .main_event = "Ir", .state = state, .reason = "why"}}};
    return kinds(judge(comparison, LimitSet(default_limits())));
  };
  EXPECT_EQ(state(State::kNew), Kinds{"new refusal"});
  EXPECT_EQ(state(State::kVanished), Kinds{"vanished refusal"});
  EXPECT_EQ(state(State::kFailed), Kinds{"failed failure"});
  EXPECT_EQ(state(State::kDead), Kinds{"dead failure"});
  EXPECT_EQ(state(State::kBaseFailed), Kinds{"unjudged cannot-judge"});
  EXPECT_EQ(state(State::kNotAlike), Kinds{"unjudged cannot-judge"});
  Comparison comparison{.benchmarks = {{.key = "a", .state = State::kNew}}};
  EXPECT_EQ(judge(comparison, LimitSet(default_limits()), {.new_benchmark = Severity::kNote}).worst, Severity::kNote);
}

TEST(GateTest, TheGravestFindingDecidesAndComesFirst) {
  Comparison comparison{.benchmarks = {{.key = "z", .state = State::kNotAlike},
                                       {.key = "y", .state = State::kFailed},
                                       compared("b", {total(1'000, 1'100)}),
                                       compared("a", {total(1'000, 1'200)})}};
  const Verdict verdict = judge(comparison, LimitSet(default_limits()));
  EXPECT_EQ(verdict.worst, Severity::kRefusal);
  std::vector<std::string> order;
  for (const Finding& finding : verdict.findings) order.push_back(finding.benchmark);
  EXPECT_EQ(order, (std::vector<std::string>{"a", "b", "y", "z"}));
}

TEST(GateTest, APartialRunDoesNotBlameLimitsOfWhatItLeftOut) {
  Comparison comparison{.benchmarks = {compared("a", {total(1, 1)})}};
  const LimitSet limits({limit("1%"), with(limit("1%"), &GateLimit::benchmark, "zzz")});
  EXPECT_EQ(kinds(judge(comparison, limits)), Kinds{"unused-limit cannot-judge"});
  comparison.partial = true;
  EXPECT_TRUE(judge(comparison, limits).findings.empty());
}

TEST(LimitSetTest, EveryCrookedLimitIsSaidAtOnce) {
  GateLimit runs_alone = limit("1%");
  runs_alone.creep_runs = 3;
  try {
    LimitSet({with(limit("1%"), &GateLimit::benchmark, "("), with(limit("1%"), &GateLimit::function, "*"), limit(""),
              runs_alone});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "suite.toml:3: 'benchmark' is not a regular expression: (: missing ): (\nsuite.toml:3: 'function' is not "
              "a regular expression: *: no argument for repetition operator: *\nsuite.toml:3: the limit allows nothing "
              "and forbids nothing: give it 'percent', 'absolute', 'creep_percent' or 'creep_absolute'\nsuite.toml:3: "
              "'creep_runs' belongs to 'creep_percent' or 'creep_absolute'");
  }
}

TEST(GateValuesTest, ReadsWhatLimitsNameAndNothingElse) {
  CostGraph graph;
  graph.events = {"Ir", "Dw"};
  const auto add = [&](std::string_view name, int64_t ir, int64_t dw) {
    graph.functions.push_back({.name = graph.strings.intern(name)});
    graph.self.insert(graph.self.end(), {ir, dw});
  };
  add("parse", 60, 6);
  add("main", 40, 4);
  add("parse", 5, 1);  // the same name in another file
  graph.edges = {{.caller = 1, .callee = 0, .calls = 1}};
  graph.inclusive = {60, 6};
  graph.totals = {105, 11};
  const Result result{.label = {"a"}, .counts = {105, 107, 105}};
  GateLimit inclusive = with(limit("1%"), &GateLimit::function, "^main$");
  inclusive.inclusive = true;
  const LimitSet limits({limit("1%"), with(limit("1%"), &GateLimit::event, "Dw"),
                         with(limit("1%"), &GateLimit::function, "^parse"), inclusive});
  std::vector<std::string> texts;
  for (const MeasuredValue& value : values_for_limits(result, &graph, limits))
    texts.push_back(to_text(value.measure) + " " + std::to_string(value.value));
  EXPECT_EQ(texts,
            (std::vector<std::string>{"Ir 105", "Dw 11", "Ir of `main` with what it calls 100", "Ir of `parse` 65"}));
  EXPECT_EQ(values_for_limits(result, nullptr, limits).size(), 1u);
}

// What the gate says beyond a plain regression: creep of several benchmarks, limits that guard nothing, order, notes.

GateValue value_of(const char* event, int64_t base, int64_t head, int64_t reference) {
  return {.measure = {event, "", false}, .base = base, .head = head, .reference = reference};
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
