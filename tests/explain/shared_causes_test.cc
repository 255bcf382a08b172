// Causes that several benchmarks or processes have in common.
#include "icount/explain/shared_causes.h"

#include <gtest/gtest.h>

#include "icount/report/cause_sentence.h"
#include "icount/report/shared_cause_text.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

Cause own_cost(const std::string& function, int64_t delta, std::optional<double> per_call = std::nullopt) {
  Cause cause;
  cause.kind = CauseKind::kOwnCost;
  cause.function = function;
  cause.delta = delta;
  cause.change_per_call = per_call;
  return cause;
}

Explanation explanation(std::vector<Cause> causes) {
  Explanation result;
  for (const Cause& cause : causes) result.delta += cause.delta;
  result.causes = std::move(causes);
  return result;
}

SharedCauses find_shared_causes(const std::vector<Explanation>& all) {
  std::vector<const Explanation*> pointers;
  for (const Explanation& one : all) pointers.push_back(&one);
  return icount::find_shared_causes(pointers);
}

TEST(SharedCausesTest, ACauseOfSeveralBenchmarksIsToldOnceWithItsShare) {
  std::vector<Explanation> all = {explanation({own_cost("build", 3500, 35), own_cost("other", 500)}),
                                  explanation({own_cost("build", 7000, 35)}), explanation({own_cost("alone", -1000)}),
                                  explanation({})};
  SharedCauses shared = find_shared_causes(all);
  EXPECT_EQ(shared.compared, 4u);
  EXPECT_EQ(shared.changed, 3u);
  EXPECT_EQ(shared.net, 10000);
  EXPECT_EQ(shared.gross, 12000);
  ASSERT_EQ(shared.causes.size(), 1u) << "what occurs once is that benchmark's own business";
  EXPECT_EQ(shared.causes[0].benchmarks, (std::vector<size_t>{0, 1}));
  EXPECT_EQ(shared.causes[0].explains, 2);
  EXPECT_EQ(shared.causes[0].delta, 10500);
  EXPECT_DOUBLE_EQ(shared.causes[0].share, 10500.0 / 12000);
  EXPECT_EQ(shared_cause_text(shared.causes[0], shared),
            "self cost of `build` +35 per call: +10,500 in 2 of 3 changed benchmarks, the main cause in 2; 88 % of all "
            "changes");
}

TEST(SharedCausesTest, CausesInAPlaceAreSharedByThemselves) {
  Cause place = own_cost("parse", 3600);
  place.kind = CauseKind::kPlace;
  place.inside = {own_cost("build", 1300, 35), own_cost("x", 1200), own_cost("y", 1100)};
  const SharedCauses shared =
      find_shared_causes({explanation({place, own_cost("other", 500)}), explanation({own_cost("build", 7000, 35)})});
  ASSERT_EQ(shared.causes.size(), 1u);
  EXPECT_EQ(shared.causes[0].function, "build");
  EXPECT_EQ(shared.causes[0].delta, 8300);
}

TEST(SharedCausesTest, EachStatementIsItsOwn) {
  Cause statement = own_cost("stmt", 100);
  statement.object = "stub";
  EXPECT_TRUE(find_shared_causes({explanation({statement}), explanation({statement})}).causes.empty());
  statement.object = "prog";
  EXPECT_EQ(find_shared_causes({explanation({statement}), explanation({statement})}).causes.size(), 1u);
}

TEST(SharedCausesTest, WhatWorksAgainstABenchmarksChangeCountsAgainst) {
  std::vector<Explanation> all = {explanation({own_cost("a", 100), own_cost("b", -40)}),
                                  explanation({own_cost("a", 50), own_cost("b", -10)})};
  SharedCauses shared = find_shared_causes(all);
  ASSERT_EQ(shared.causes.size(), 2u);
  EXPECT_EQ(shared.causes[0].function, "a");
  EXPECT_DOUBLE_EQ(shared.causes[0].share, 1.5);
  EXPECT_DOUBLE_EQ(shared.causes[1].share, -0.5);
  EXPECT_EQ(shared_cause_text(shared.causes[1], shared),
            "self cost of `b`: -50 in 2 of 2 changed benchmarks, the main cause in none; in some it works against the "
            "change");
}

TEST(SharedCausesTest, ThePerCallFigureIsShownOnlyWhenAllAgree) {
  std::vector<Explanation> all = {explanation({own_cost("a", 10, 1), own_cost("b", 10, 2.25)}),
                                  explanation({own_cost("a", 10, 2), own_cost("b", 10, 2.25)})};
  SharedCauses shared = find_shared_causes(all);
  EXPECT_EQ(shared.causes.at(0).change_per_call, std::nullopt);
  EXPECT_EQ(shared.causes.at(1).change_per_call, 2.25);
  EXPECT_EQ(
      shared_cause_text(shared.causes[1], shared),
      "self cost of `b` +2.25 per call: +20 in 2 of 2 changed benchmarks, the main cause in 2; 50 % of all changes");
}

TEST(SharedCausesTest, FunctionsThatAreOneLineHaveNoFigurePerCall) {
  const auto text = [](const std::vector<Cause>& causes) {
    SharedCauses shared = find_shared_causes(std::vector<Explanation>{explanation(causes), explanation(causes)});
    return shared.causes.empty() ? "nothing" : shared_cause_subject(shared.causes[0]);
  };
  const auto calls = [](const std::string& caller, const std::string& callee) {
    Cause cause;
    cause.kind = CauseKind::kCalls;
    cause.caller = caller;
    cause.callee = callee;
    cause.delta = 20;
    cause.change_per_call = 2;
    return cause;
  };
  const std::string nameless = "0x0000000000109ca0";
  EXPECT_EQ(text({own_cost(nameless, 20, 2)}), "self cost of code without symbols");
  EXPECT_EQ(text({calls(nameless, "f")}), "code without symbols calling `f`");
  EXPECT_EQ(text({calls("f", nameless)}), "`f` calling code without symbols");
  EXPECT_EQ(text({calls("f", "f")}), "`f` calling itself +2 per call");
  EXPECT_EQ(text({calls(nameless, nameless)}), "nothing") << "it is nowhere in particular";
  EXPECT_EQ(text({own_cost("of two objects", 20, 2), own_cost("of two objects", 30, 3)}),
            "self cost of `of two objects`");
}

TEST(SharedCausesTest, ABenchmarkThatDidNotChangeCountsForNothing) {
  SharedCauses shared = find_shared_causes(
      std::vector<Explanation>{explanation({own_cost("a", 100)}), explanation({own_cost("a", -5), own_cost("b", 5)})});
  ASSERT_EQ(shared.causes.size(), 1u);
  EXPECT_EQ(shared_cause_text(shared.causes[0], shared),
            "self cost of `a`: net +95 (+100 in 1, -5 in 1) in 1 of 1 changed benchmarks, the main cause in 1; 100 % "
            "of all changes");
  shared = find_shared_causes(std::vector<Explanation>{explanation({own_cost("a", 5), own_cost("b", -5)}),
                                                       explanation({own_cost("a", 5), own_cost("b", -5)})});
  EXPECT_EQ(shared_cause_text(shared.causes.at(0), shared),
            "self cost of `a`: +10 in 2 benchmarks whose totals did not change");
}

TEST(SharedCausesTest, ByShareThenByTheNumberOfBenchmarks) {
  const auto order = [](const std::vector<Explanation>& all) {
    std::string names;
    for (const SharedCause& cause : find_shared_causes(all).causes) names += cause.function;
    return names;
  };
  EXPECT_EQ(order({explanation({own_cost("a", 30), own_cost("b", -50), own_cost("c", 100)}),
                   explanation({own_cost("a", 30), own_cost("b", -50), own_cost("d", 100)})}),
            "ab")
      << "what works against the changes never leads";
  EXPECT_EQ(
      order({explanation({own_cost("a", 20), own_cost("b", 10)}), explanation({own_cost("a", 20), own_cost("b", 10)}),
             explanation({own_cost("b", 10)}), explanation({own_cost("b", 10)})}),
      "ba");
}

TEST(SharedCausesTest, TwoThousandBenchmarksWithTwoHundredCausesEach) {
  std::vector<Explanation> all;
  for (int i = 0; i < 2000; ++i) {
    std::vector<Cause> causes;
    for (int j = 0; j < 200; ++j) causes.push_back(own_cost("function " + std::to_string(j * 7 + i % 7), 1 + j));
    all.push_back(explanation(std::move(causes)));
  }
  EXPECT_EQ(find_shared_causes(all).causes.size(), 1400u);
}

TEST(ExplainProcessesTest, AProcessThatOneSideRanIsOneCauseWithItsSum) {
  const CostGraph shell =
      GraphBuilder().function("main", 100).function("malloc", 50).calls("main", "malloc", 5, 50).graph();
  const CostGraph dearer =
      GraphBuilder().function("main", 130).function("malloc", 50).calls("main", "malloc", 5, 50).graph();
  const CostGraph tool =
      GraphBuilder().function("main", 7000).function("malloc", 500).calls("main", "malloc", 9, 500).graph();
  const ProcessGraph base[] = {{"the program itself", &shell}, {"old", &tool}};
  const ProcessGraph head[] = {{"the program itself", &dearer}, {"new", &tool}, {"new #2", &shell}};
  const Explanation explanation = explain_processes(base, head, {});
  EXPECT_EQ(explanation.base_total, 150 + 7500);
  EXPECT_EQ(explanation.head_total, 180 + 7500 + 150);
  EXPECT_EQ(explanation.delta, 180);
  ASSERT_EQ(explanation.causes.size(), 4u);
  EXPECT_EQ(explanation.causes[0].kind, CauseKind::kProcess);
  EXPECT_EQ(explanation.causes[0].function, "new");
  EXPECT_EQ(explanation.causes[0].delta, 7500);
  EXPECT_EQ(cause_sentence(explanation.causes[1]), "process old is gone");
  EXPECT_EQ(explanation.causes[1].delta, -7500);
  EXPECT_EQ(explanation.causes[2].delta, 150);
  EXPECT_EQ(explanation.causes[3].kind, CauseKind::kOwnCost);
  EXPECT_EQ(explanation.causes[3].delta, 30);
  int64_t functions = 0;
  for (const FunctionChange& change : explanation.functions) functions += change.delta;
  EXPECT_EQ(functions, explanation.delta);
  EXPECT_EQ(to_text(CauseKind::kProcess), "process");
}

}  // namespace
}  // namespace icount
