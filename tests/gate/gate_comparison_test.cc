// Results and accepted values side by side: spreads, builds, what was left out on purpose; and what accepting writes.
#include "icount/gate/gate_comparison.h"

#include <gtest/gtest.h>

#include "icount/gate/accepter.h"

namespace icount {
namespace {

Result result(std::string label, std::vector<int64_t> counts) {
  Result made;
  made.label = {std::move(label)};
  made.counts = std::move(counts);
  made.number_per_run = 10;
  return made;
}

ResultFile file_of(std::vector<Result> results, std::string_view compiler = "g++ 12") {
  ResultFile file;
  file.results = std::move(results);
  file.fingerprint.set("valgrind", "3.19.0", FactClass::kRefuse);
  file.fingerprint.set("compiler", compiler, FactClass::kNameOnly);
  return file;
}

ExpectedFile accepted(const ResultFile& file) {
  ExpectedFile expected;
  const LimitSet limits(default_limits());
  Accepter accepter({"base", "", false}, limits, expected);
  for (const Result& one : file.results) accepter.accept(file, one);
  return expected;
}

Comparison compare(const ResultFile& head, const ExpectedFile& expected) {
  return make_comparison({.head = &head, .expected_name = "s.expected", .expected = &expected},
                         LimitSet(default_limits()));
}

TEST(GateComparisonTest, TheSpreadsOfBothSidesAreAdded) {
  const ResultFile base = file_of({result("a", {1'000, 1'051, 1'000})}),
                   head = file_of({result("a", {1'010, 1'010, 1'030})});
  EXPECT_EQ(compare(head, accepted(base)).benchmarks.at(0).values.at(0).spread, 71) << "accepted values keep theirs";
  const Comparison against_base =
      make_comparison({.head = &head, .base_name = "base", .base = &base}, LimitSet(default_limits()));
  EXPECT_EQ(against_base.benchmarks.at(0).values.at(0).spread, 71);
}

/// A benchmark at three sizes, under a label or as cases of a family.
ResultFile sizes_of(std::string_view last, int64_t at_100, int64_t at_200, int64_t at_400) {
  std::vector<Result> results;
  for (const auto& [size, count] : {std::pair(100, at_100), {200, at_200}, {400, at_400}}) {
    results.push_back(result("sort", {count}));
    results.back().label.push_back(with_size(last, size));
  }
  return file_of(std::move(results));
}

TEST(GateComparisonTest, SizesOfABenchmarkGrowTogether) {
  const ResultFile base = sizes_of("n = {n}", 10'000, 20'000, 40'000),
                   head = sizes_of("n = {n}", 10'000, 40'000, 160'000);
  const auto growths = make_comparison({.head = &head, .base_name = "base", .base = &base}, LimitSet({})).growths;
  ASSERT_EQ(growths.size(), 1u);
  EXPECT_EQ(growths[0].head.label, "sort");
  EXPECT_EQ(growths[0].head.costs, (std::vector<int64_t>{1'000, 4'000, 16'000})) << "of one run";
  EXPECT_EQ(growth_text(growths[0].head.whole), "n^2.0");
  EXPECT_EQ(growth_text(growths[0].base.value().whole), "n^1.0");
  const ExpectedFile expected = accepted(base);
  EXPECT_EQ(growth_text(compare(head, expected).growths.at(0).base.value().whole), "n^1.0") << "of accepted values";
  ResultFile other = base;
  other.fingerprint.set("valgrind", "3.20.0", FactClass::kRefuse);
  EXPECT_FALSE(make_comparison({.head = &head, .base_name = "base", .base = &other}, LimitSet({})).growths.at(0).base)
      << "not measured alike";
}

TEST(GateComparisonTest, CasesGrowTogetherWhereATableSaysSo) {
  const ResultFile head = sizes_of("BM_sort/{n}", 10'000, 40'000, 160'000);
  GateSides sides{.head = &head, .base_name = "base", .base = &head};
  EXPECT_TRUE(make_comparison(sides, LimitSet({})).growths.empty()) << "what 100 means is not known";
  sides.growths = {{.key = "sort", .pattern = "BM_sort/{n}", .max_exponent = 1.1}};
  const auto growths = make_comparison(sides, LimitSet({})).growths;
  ASSERT_EQ(growths.size(), 1u);
  EXPECT_EQ(growths[0].limit.max_exponent, 1.1);
  EXPECT_EQ(growth_text(growths[0].head.whole), "n^2.0");
}

/// 10 runs whose first ones cost more.
Result warming(int64_t count, double slope) {
  Result made = result("a", {count});
  made.slope = slope;
  made.fixed = static_cast<double>(count) - 10 * slope;
  return made;
}

/// A case of a benchmark binary.
ResultFile bench_case(int64_t iterations, double slope) {
  Result made = result("BM_x", {static_cast<int64_t>(slope) * iterations + 9});
  made.number_per_run = iterations;
  made.slope = slope;
  made.fixed = 9;
  made.figures = {{"allocations", iterations}};
  made.fingerprint.set("number", std::to_string(iterations), FactClass::kRefuse);
  return file_of({std::move(made)});
}

TEST(GateComparisonTest, CasesWithOtherNumbersOfIterationsAreJudgedByTheirSlopes) {
  const ResultFile base = bench_case(100, 199'000), head = bench_case(10, 201'000);
  const GateSides sides{.head = &head, .base_name = "base", .base = &base};
  std::vector<GateLimit> limits = default_limits();
  limits.push_back({.event = "allocations", .change = {.absolute = 0}});
  const GateBenchmark judged = make_comparison(sides, LimitSet(limits)).benchmarks.at(0);
  EXPECT_EQ(judged.state, GateBenchmark::State::kCompared) << judged.reason;
  ASSERT_EQ(judged.values.size(), 2u);
  EXPECT_EQ(judged.values[0].base, 1'990'000);
  EXPECT_EQ(judged.values[0].head, 2'010'000);
  EXPECT_NE(judged.values[1].unknown.find("the numbers of iterations differ (100 against 10)"), std::string::npos);
  EXPECT_NE(make_comparison(sides, LimitSet(default_limits())).notes.at(0).find("the slope, times 10"),
            std::string::npos);
}

TEST(GateComparisonTest, AcceptedCasesWithOtherNumbersOfIterationsAreJudgedByTheirSlopes) {
  const ExpectedFile expected = accepted(bench_case(100, 199'000));
  EXPECT_EQ(expected.values.begin()->second.accepted, 19'900'000) << "the slope, not the count";
  EXPECT_EQ(compare(bench_case(100, 199'000), expected).benchmarks.at(0).values.at(0).head, 19'900'000);
  const ResultFile head = bench_case(10, 201'000);
  const GateSides sides{.head = &head, .expected_name = "s.expected", .expected = &expected};
  std::vector<GateLimit> limits = default_limits();
  limits.push_back({.event = "allocations", .change = {.absolute = 0}});
  const GateBenchmark judged = make_comparison(sides, LimitSet(limits)).benchmarks.at(0);
  ASSERT_EQ(judged.state, GateBenchmark::State::kCompared) << judged.reason;
  EXPECT_EQ(judged.number_per_run, 10);
  ASSERT_EQ(judged.values.size(), 2u);
  EXPECT_EQ(judged.values[0].base, 1'990'000);
  EXPECT_EQ(judged.values[0].reference, 1'990'000);
  EXPECT_EQ(judged.values[0].head, 2'010'000);
  EXPECT_NE(judged.values[1].unknown.find("the numbers of iterations differ (100 against 10)"), std::string::npos);
  EXPECT_EQ(make_comparison(sides, LimitSet(default_limits())).notes,
            std::vector<std::string>{"BM_x: the numbers of iterations differ (100 against 10), so what one further "
                                     "iteration costs (the slope, times 10) is judged"});
  // Both ways on the scale of the smaller number: an eighth of an instruction more is none.
  EXPECT_EQ(compare(bench_case(100, 12.125), accepted(bench_case(10, 12.125))).benchmarks.at(0).values.at(0).head,
            accepted(bench_case(10, 12.125)).values.begin()->second.accepted);
}

TEST(GateComparisonTest, AcceptedCountsOfCasesAreRefusedWithAnotherNumberAndSayWhatToDo) {
  ExpectedFile expected = accepted(bench_case(100, 1'000));
  ExpectedValue& line = expected.values.begin()->second;  // as an earlier icount wrote it
  line.accepted = line.reference = 100'009;
  line.marginal = false;
  EXPECT_EQ(compare(bench_case(100, 1'000), expected).benchmarks.at(0).values.at(0).head, 100'009);
  const GateBenchmark other = compare(bench_case(10, 1'000), expected).benchmarks.at(0);
  EXPECT_EQ(other.state, GateBenchmark::State::kNotAlike);
  EXPECT_NE(other.reason.find("accept it anew"), std::string::npos) << other.reason;
}

TEST(AccepterTest, ARefreshKeepsTheReferenceOfACaseWithAnotherNumberOfIterations) {
  ExpectedFile expected = accepted(bench_case(100, 1'000));
  const LimitSet limits(default_limits());
  const ResultFile head = bench_case(10, 1'005);
  EXPECT_TRUE(refused_by_refresh(head, "head", expected, "s.expected", limits).empty());
  Accepter accepter({"head", "", true}, limits, expected);
  accepter.accept(head, head.results[0]);
  const ExpectedValue& line = expected.values.begin()->second;
  EXPECT_EQ(line.accepted, 10'050);
  EXPECT_EQ(line.reference, 10'000);
  EXPECT_EQ(line.number_per_run, 10);
}

TEST(GateComparisonTest, WhereACostPerRunDependsOnTheNumberTheSlopeIsAcceptedAndJudged) {
  const ExpectedFile expected = accepted(file_of({warming(16'000, 1'000)}));
  const ExpectedValue& line = expected.values.begin()->second;
  EXPECT_EQ(line.accepted, 10'000);
  EXPECT_TRUE(line.marginal);
  // The count falls, what a further run costs grows by 10 %.
  const ResultFile head = file_of({warming(15'000, 1'100)});
  const GateValue value = compare(head, expected).benchmarks.at(0).values.at(0);
  EXPECT_EQ(value.base, 10'000);
  EXPECT_EQ(value.head, 11'000);
  const GateSides sides{.head = &head, .expected_name = "s.expected", .expected = &expected};
  ASSERT_EQ(make_comparison(sides, LimitSet(default_limits())).notes.size(), 1u);
  EXPECT_NE(make_comparison(sides, LimitSet(default_limits())).notes[0].find("the slope, times 10 runs) is judged"),
            std::string::npos);
  // Without a slope there is nothing to judge.
  EXPECT_EQ(compare(file_of({result("a", {10'000})}), expected).benchmarks.at(0).state,
            GateBenchmark::State::kNotAlike);
}

TEST(GateComparisonTest, ValuesThatWereAcceptedAsCountsAreJudgedAsCounts) {
  ExpectedFile expected = accepted(file_of({warming(16'000, 1'000)}));
  ExpectedValue& line = expected.values.begin()->second;
  line.accepted = line.reference = 16'000;
  line.marginal = false;
  EXPECT_EQ(compare(file_of({warming(15'000, 1'100)}), expected).benchmarks.at(0).values.at(0).head, 15'000);
}

TEST(GateComparisonTest, AgainstABaseTheSlopeIsJudgedOfStatementsInCppToo) {
  ResultFile base = file_of({warming(16'000, 1'000)}), head = file_of({warming(15'000, 1'100)});
  const auto judged = [&] {
    return make_comparison({.head = &head, .base_name = "base", .base = &base}, LimitSet(default_limits()))
        .benchmarks.at(0)
        .values.at(0)
        .head;
  };
  EXPECT_EQ(judged(), 15'000) << "results of an icount that did not record how it built";
  for (ResultFile* file : {&base, &head}) file->fingerprint.set("standard", "c++20", FactClass::kNameOnly);
  EXPECT_EQ(judged(), 11'000);
}

TEST(AccepterTest, LabelsMeanTheseBenchmarksAndNoOther) {
  using Names = std::vector<std::string>;
  const std::set<std::string> all = {"Math / add", "Math / mul [n=1]", "Math / mul [n=2]", "Math2", "Parser / a / b"};
  EXPECT_EQ(labels_of({"Math / add", "Math / mul [n=1]", "Math / mul [n=2]"}, all), Names{"Math"});
  EXPECT_EQ(labels_of({"Math / mul [n=1]", "Math / mul [n=2]", "Parser / a / b"}, all),
            (Names{"Math / mul", "Parser"}));
  EXPECT_EQ(labels_of({"Math / add", "Math / mul [n=2]"}, all), (Names{"Math / add", "Math / mul [n=2]"}));
  EXPECT_EQ(labels_of(all, all), Names{});
}

TEST(AccepterTest, OnlyAValueThatChangesTakesTheReason) {
  ExpectedFile expected;
  const LimitSet limits(default_limits());
  const auto accept = [&](const std::string& why, bool refresh, int64_t a, int64_t b) {
    const ResultFile file = file_of({result("a", {a}), result("b", {b})});
    Accepter accepter({"head", why, refresh}, limits, expected);
    for (const Result& one : file.results) accepter.accept(file, one);
    return accepter.changes().size();
  };
  const auto reason = [&](const std::string& key) { return expected.values.at({key, {"Ir", "", false}}).why; };
  EXPECT_EQ(accept("first", false, 1'000, 1'000), 2u);
  EXPECT_EQ(accept("second", false, 1'000, 1'100), 1u);
  EXPECT_EQ(reason("a"), "first");
  EXPECT_EQ(reason("b"), "second");
  // What a refresh let through is accepted on purpose now: creep is counted from here.
  EXPECT_EQ(accept("", true, 1'005, 1'100), 1u);
  EXPECT_EQ(reason("a"), "first");
  EXPECT_EQ(accept("third", false, 1'005, 1'100), 1u);
  EXPECT_EQ(reason("a"), "third");
  EXPECT_EQ(reason("b"), "second");
}

TEST(AccepterTest, AReferenceInCountsEndsWhereTheSlopeIsAccepted) {
  ExpectedFile expected = accepted(file_of({result("a", {16'000})}));
  const LimitSet limits(default_limits());
  const ResultFile head = file_of({warming(16'100, 1'000)});
  Accepter accepter({"head", "", true}, limits, expected);
  accepter.accept(head, head.results[0]);
  EXPECT_EQ(expected.values.begin()->second.reference, 10'000);
  EXPECT_TRUE(expected.values.begin()->second.marginal);
}

TEST(GateComparisonTest, AnotherCompilerIsNotComparedUnlessAllowed) {
  const ExpectedFile expected = accepted(file_of({result("a", {1'000})}));
  const ResultFile head = file_of({result("a", {900})}, "clang 14");
  GateSides sides{.head = &head, .expected_name = "s.expected", .expected = &expected};
  EXPECT_EQ(make_comparison(sides, LimitSet(default_limits())).benchmarks.at(0).state, GateBenchmark::State::kNotAlike);
  sides.allow_other_build = true;
  EXPECT_EQ(make_comparison(sides, LimitSet(default_limits())).benchmarks.at(0).state, GateBenchmark::State::kCompared);
  EXPECT_EQ(make_comparison(sides, LimitSet(default_limits())).notes,
            std::vector<std::string>{"compiler differs: g++ 12 against clang 14"});
}

TEST(GateComparisonTest, OtherNeighboursAreSaidInTheFindingAndOnceInTheNotes) {
  const auto counted_with = [](std::string_view unit, int64_t count) {
    ResultFile file = file_of({result("a", {count}), result("b", {count})});
    file.fingerprint.set(kUnitFact, unit, FactClass::kNameOnly);
    return file;
  };
  const ResultFile base = counted_with("shared with 1 other statement (1)", 1'000),
                   head = counted_with("its own", 1'100);
  const ExpectedFile expected = accepted(base);
  const LimitSet limits(default_limits());
  for (const GateSides& sides : {GateSides{.head = &head, .base_name = "base", .base = &base},
                                 GateSides{.head = &head, .expected_name = "s.expected", .expected = &expected}}) {
    const Comparison comparison = make_comparison(sides, limits);
    const Verdict verdict = judge(comparison, limits);
    ASSERT_EQ(verdict.findings.size(), 2u);
    EXPECT_EQ(verdict.findings[0].kind, FindingKind::kRegressed);
    EXPECT_TRUE(verdict.findings[0].text.ends_with(kOtherUnit)) << verdict.findings[0].text;
    EXPECT_EQ(make_comparison(sides, LimitSet(default_limits())).notes.size(), 1u);
    const ResultFile unmoved = counted_with("its own", 1'000);
    GateSides alike = sides;
    alike.head = &unmoved;
    EXPECT_TRUE(make_comparison(alike, limits).notes.empty()) << "nothing that may come of that";
    GateSides same = sides;
    same.head = &base;
    EXPECT_FALSE(make_comparison(same, limits).benchmarks.at(0).has_other_unit);
  }
}

TEST(GateComparisonTest, AcceptedValuesWithoutABuildAreComparedWithAnyCompiler) {
  ExpectedFile expected = accepted(file_of({result("a", {1'000})}));
  for (auto& [name, facts] : expected.conditions)
    std::erase_if(facts.facts, [](const Fact& fact) { return fact.name == "compiler"; });
  const ResultFile head = file_of({result("a", {1'000})}, "clang 14");
  EXPECT_EQ(compare(head, expected).benchmarks.at(0).state, GateBenchmark::State::kCompared);
}

TEST(GateComparisonTest, OnlyWhatWasMeantToBeMeasuredCanVanish) {
  const ExpectedFile expected = accepted(file_of({result("a", {1}), result("b", {2}), result("c", {3})}));
  const ResultFile head = file_of({result("a", {1})});
  const GateSides sides{
      .head = &head, .expected_name = "s.expected", .expected = &expected, .selected = [](const std::string& key) {
        return key != "c";
      }};
  const Comparison comparison = make_comparison(sides, LimitSet(default_limits()));
  ASSERT_EQ(comparison.benchmarks.size(), 2u);
  EXPECT_EQ(comparison.benchmarks[1].key, "b");
  EXPECT_EQ(comparison.benchmarks[1].state, GateBenchmark::State::kVanished);
}

Result test_case(std::string label, std::vector<int64_t> counts, int64_t allocations) {
  Result made = result(std::move(label), std::move(counts));
  made.task.language = "googletest";
  made.number_per_run = 1;
  made.figures = {{"allocations", allocations}};
  return made;
}

TEST(GateComparisonTest, ATestNeedsNoAcceptedValueUntilOneIsAccepted) {
  const ExpectedFile expected = accepted(file_of({test_case("a", {100, 100}, 3)}));
  const ResultFile head = file_of({test_case("a", {100, 100}, 3), test_case("b", {100, 100}, 3)});
  const Comparison comparison = compare(head, expected);
  ASSERT_EQ(comparison.benchmarks.size(), 1u);
  EXPECT_EQ(comparison.unaccepted_tests, 1u);
  EXPECT_EQ(judge(comparison, LimitSet(default_limits())).worst, Severity::kNote);
  Result failed = test_case("b", {}, 0);
  failed.status = "failed";
  EXPECT_EQ(compare(file_of({failed}), expected).unaccepted_tests, 1u) << "as some fail under Valgrind alone";
  failed.label = {"a"};
  EXPECT_EQ(compare(file_of({failed}), expected).benchmarks.at(0).state, GateBenchmark::State::kFailed);
  ResultFile benchmark = file_of({result("b", {100})});
  EXPECT_EQ(compare(benchmark, expected).benchmarks.at(0).state, GateBenchmark::State::kNew) << "a benchmark does";
  benchmark.command = "pytest --icount";
  EXPECT_EQ(compare(benchmark, expected).unaccepted_tests, 1u);
}

TEST(GateComparisonTest, ATestThatCannotBeGatedNeverFails) {
  const ExpectedFile expected = accepted(file_of({test_case("a", {100, 100}, 3)}));
  Result moving = test_case("a", {}, 0), other = test_case("b", {}, 0);
  moving.status = other.status = kNotGateable;
  const Verdict verdict = judge(compare(file_of({moving, other}), expected), LimitSet(default_limits()));
  EXPECT_EQ(verdict.worst, Severity::kNote);
  ASSERT_EQ(verdict.findings.size(), 1u) << "the accepted one is said, the other never was judged";
  EXPECT_EQ(verdict.findings[0].benchmark, "a");
}

TEST(GateComparisonTest, AllocationsOfATestObeyTheLimitOfItsCount) {
  const LimitSet limits(default_limits());
  const ExpectedFile expected = accepted(file_of({test_case("a", {1000, 1000}, 3)}));
  EXPECT_EQ(expected.values.size(), 2u);
  const auto judged = [&](const Result& head) { return judge(compare(file_of({head}), expected), limits); };
  EXPECT_EQ(judged(test_case("a", {1000, 1000}, 3)).findings.size(), 0u);
  const Verdict more = judged(test_case("a", {1005, 1005}, 4));
  EXPECT_EQ(more.worst, Severity::kRefusal);
  ASSERT_EQ(more.findings.size(), 1u);
  EXPECT_EQ(more.findings[0].measure->event, "allocations");
  const ExpectedFile bounded = accepted(file_of({test_case("a", {1000, 1001}, 3)}));
  EXPECT_EQ(bounded.values.size(), 1u) << "repeats that differ may allocate differently";
  EXPECT_EQ(judge(compare(file_of({test_case("a", {1000, 1000}, 9)}), bounded), limits).worst, Severity::kNote);
}

TEST(AccepterTest, ARefreshRefusesWhatIsAboveItsLimitOrBuiltDifferently) {
  const ExpectedFile expected = accepted(file_of({result("a", {1'000}), result("b", {1'000})}));
  const LimitSet limits(default_limits());
  const auto refused = [&](const ResultFile& file) {
    std::vector<std::string> names;
    for (const Finding& finding : refused_by_refresh(file, "head", expected, "s.expected", limits))
      names.push_back(finding.benchmark + " " + std::string(to_text(finding.kind)));
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(refused(file_of({result("a", {1'010}), result("b", {500}), result("new", {7})})), Names());
  EXPECT_EQ(refused(file_of({result("a", {1'011}), result("b", {1'000})})), Names{"a regressed"});
  EXPECT_EQ(refused(file_of({result("a", {1'000})}, "clang 14")), Names{"a unjudged"});
}

}  // namespace
}  // namespace icount
