#include "icount/report/explanation_json.h"

#include <gtest/gtest.h>

#include <memory>

#include "support/small_explanation.h"

namespace icount {
namespace {

TEST(ExplanationJsonTest, EveryFieldOfTheContract) {
  const Json json =
      explanation_to_json(small_explanation(), {"base.out", "head.out", {{"Ir", 2'886'240, 3'392'940}}, {"a note"}});
  EXPECT_EQ(json["schema"], (Json{{"name", "icount-diff"}, {"version", 1}}));
  EXPECT_EQ(json["event"], "Ir");
  EXPECT_EQ(json["base"]["total"], 2'886'240);
  EXPECT_EQ(json["head"]["total"], 3'392'940);
  EXPECT_EQ(json["delta"], 506'700);
  EXPECT_EQ(json["notes"], Json{"a note"});
  EXPECT_EQ(
      dump_json(json["causes"][1], -1),
      R"x({"kind":"own-cost","function":"lex","delta":12060,"text":"self cost of `lex`: 1,234 -> 1,837 per call (20 calls)"})x");
  const Json& calls = json["causes"][0];
  EXPECT_EQ(calls["kind"], "calls");
  EXPECT_EQ(calls["callee"], "hash");
  EXPECT_FALSE(calls.contains("function"));
  EXPECT_EQ(calls["delta"].get<int64_t>() + json["causes"][1]["delta"].get<int64_t>(), 506'700);
  EXPECT_EQ(dump_json(json["functions"][0], -1),
            R"({"name":"hash","file":"lexer.cc","object":"lexer","base":282000,"head":564000,"delta":282000})");
}

TEST(ExplanationJsonTest, ACauseHasItsPartsOfTheUnits) {
  Mine mine;
  mine.hunks = {{.path = "lexer.cc", .unit = 0}};
  mine.units = {{.hunks = {0}}};
  mine.terms = {{.function = "lex", .hunk = 0, .why = 0, .value = 12'000},
                {.function = "lex", .hunk = kNoUnit, .why = 0, .value = 60}};
  ExplanationHeading heading;
  heading.mine = std::make_shared<const Mine>(mine);
  const Json json = explanation_to_json(small_explanation(), heading);
  EXPECT_EQ(
      dump_json(json["causes"][1]["parts"], -1),
      R"([{"unit":0,"how":"changed_lines","delta":12000},{"unit":null,"how":"compiled_differently","delta":60}])");
  EXPECT_FALSE(json["causes"][0].contains("parts"));
}

TEST(ExplanationJsonTest, ACauseHasTheFiguresOfItsSentence) {
  const auto facts = [](CauseFacts of) {
    Explanation e = small_explanation();
    e.causes[0].facts = std::move(of);
    return explanation_to_json(e, {})["causes"][0].value("facts", Json());
  };
  EXPECT_EQ(
      facts(fact::SelfCost{"`f`", {.of_common_calls = true, .cost = {6, 14.5}, .calls = {9, 9}, .all_calls = 10}}),
      Json::parse(R"({"is": "self-cost", "function": "`f`",
                            "figures": {"cost": [6.0, 14.5], "calls": [9, 9], "per": "call", "of_calls": 10}})"));
  EXPECT_EQ(facts(fact::SelfCost{"`f`", {.are_other_calls = true}})["figures"]["is_remainder"], true);
  EXPECT_EQ(
      facts(fact::SelfCost{.function = "`f`", .figures = {}, .lines_run = 0.25}).value("lines_likely_run_times", 0.0),
      0.25);
  EXPECT_EQ(facts(fact::SharedCallee{
                .function = "`g`", .most = "`a`", .gained = false, .callers = 3, .calls = 7, .others = 2}),
            Json::parse(R"({"is": "callee-lost", "function": "`g`", "instead_of": "", "most": "`a`", "callers": 3,
                            "calls": [7, 2]})"));
  const fact::Doer loop{.kind = fact::Doer::Kind::kIteration, .loop = {.loop = "loop at a.c:7", .function = "`f`"}};
  EXPECT_EQ(facts(fact::InsideCalls{.doer = loop, .callee = "`g`", .rate = {0, 1}, .calls = {0, 30}}),
            Json::parse(R"({"is": "calls-inside",
                            "by": {"is": "iteration", "loop": {"name": "loop at a.c:7", "inlined": "", "function": "`f`"}},
                            "callee": "`g`", "calls": [0, 30], "rate": [0.0, 1.0]})"));
  EXPECT_TRUE(facts(fact::Said{"as it is"}).is_null());
}

TEST(ExplanationJsonTest, BytesThatAreNotUtf8BecomeReplacementCharacters) {
  Explanation e = small_explanation();
  e.causes[1].function = "f\xff";
  EXPECT_NE(dump_json(explanation_to_json(e, {})).find("\"f\xEF\xBF\xBD\""), std::string::npos);
}

}  // namespace
}  // namespace icount
