// Functions under another name: how much must be the same, and what is said about it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "icount/callgraph/function_code.h"
#include "icount/explain/explain.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

using Calls = std::vector<std::pair<std::string, int64_t>>;

/// A function with a name. It costs 100 per call, and its callees what is said (inclusive, by callee).
struct Code {
  std::string name;
  std::string file = "a.cc", object = "/bin/prog";
  int64_t calls = 10, cost = 1000;
  std::vector<std::string> callers = {"main"};
  Calls callees = {};
  std::vector<uint64_t> lines = {};
};

/// main calls p, q, r, s and t, which both sides have, and the codes.
CostGraph program(const std::vector<Code>& codes) {
  const bool has_lines = std::any_of(codes.begin(), codes.end(), [](const Code& code) { return !code.lines.empty(); });
  GraphBuilder graph;
  const auto add = [&](const std::string& name, const std::string& file, int64_t cost) {
    has_lines ? graph.line(name, file, 0, cost) : graph.function(name, cost);
  };
  graph.in("main.cc", "/bin/prog");
  add("main", "main.cc", 1000);
  for (const char* name : {"p", "q", "r", "s", "t"}) {
    add(name, "main.cc", 100);
    graph.calls("main", name, 1, 100);
  }
  for (const Code& code : codes) {
    graph.in(code.file, code.object);
    int64_t rest = code.cost;
    for (uint64_t line : code.lines) {
      graph.line(code.name, code.file, line, 1);
      --rest;
    }
    add(code.name, code.file, rest);
  }
  for (const Code& code : codes) {
    for (const std::string& caller : code.callers)
      graph.calls(caller, code.name, code.calls / static_cast<int64_t>(code.callers.size()), 10000);
    for (const auto& [callee, inclusive] : code.callees) graph.calls(code.name, callee, 7, inclusive);
  }
  return graph.graph();
}

/// How the renamed functions are known, one by one: "same callers, same number of calls"; empty where none is.
std::string evidence(const std::vector<Code>& base, const std::vector<Code>& head) {
  std::vector<std::string> all;
  for (const Cause& cause : explain(program(base), program(head)).causes) {
    if (cause.kind != CauseKind::kRenamed) continue;
    all.push_back(std::get<fact::Renamed>(cause.facts).evidence);
  }
  std::sort(all.begin(), all.end());
  return fmt::format("{}", fmt::join(all, "; "));
}

bool is_renamed(const Code& base, const Code& head) { return !evidence({base}, {head}).empty(); }

TEST(MatchEvidenceTest, WithoutALikeNameAllFiguresMustAgree) {
  EXPECT_EQ(evidence({{.name = "alpha"}}, {{.name = "omega"}}),
            "same callers, same cost per call, same number of calls");
  EXPECT_EQ(evidence({{.name = "alpha", .callers = {}, .callees = {{"r", 0}}}},
                     {{.name = "omega", .callers = {}, .callees = {{"r", 0}}}}),
            "same callees, same cost per call, same number of calls");
  EXPECT_EQ(evidence({{.name = "alpha", .callees = {{"r", 0}}}}, {{.name = "omega", .callees = {{"r", 0}}}}),
            "same callers and callees, same cost per call, same number of calls");
  EXPECT_EQ(
      evidence({{.name = "alpha", .callees = {{"r", 0}}}}, {{.name = "omega", .cost = 960, .callees = {{"r", 0}}}}),
      "same callers and callees, same number of calls");
  EXPECT_FALSE(is_renamed({.name = "alpha"}, {.name = "omega", .cost = 960}));
  EXPECT_FALSE(is_renamed({.name = "alpha"}, {.name = "omega", .calls = 11, .cost = 1100}));
  EXPECT_FALSE(is_renamed({.name = "alpha"}, {.name = "omega", .file = "b.cc"}));
  EXPECT_FALSE(is_renamed({.name = "alpha", .callers = {"main", "p"}}, {.name = "omega"})) << "half of the callers";
  const Code rest{.name = "rest", .cost = 200000000};
  EXPECT_EQ(evidence({{.name = "alpha"}, rest}, {{.name = "omega"}, rest}), "") << "too small to matter";
}

TEST(MatchEvidenceTest, FunctionsWithOtherWorkBelowAreTwo) {
  const auto renamed = [](const Calls& before, const Calls& after, int64_t calls) {
    return is_renamed({.name = "ns::run(int)", .callees = before},
                      {.name = "ns::run(long)", .calls = calls, .callees = after});
  };
  EXPECT_TRUE(renamed({{"r", 60}, {"s", 40}}, {{"r", 90}, {"t", 160}}, 10)) << "60 % of the first one's work";
  EXPECT_TRUE(renamed({{"r", 40}, {"s", 60}}, {{"r", 150}, {"t", 100}}, 10)) << "60 % of the second one's";
  EXPECT_FALSE(renamed({{"r", 40}, {"s", 60}}, {{"r", 100}, {"t", 150}}, 10));
  EXPECT_TRUE(renamed({{"r", 100}}, {{"t", 100}}, 10)) << "as many calls cost the same in total";
  EXPECT_FALSE(renamed({{"r", 100}}, {{"t", 101}}, 10));
  EXPECT_FALSE(renamed({{"r", 100}}, {{"t", 100}}, 11));
  EXPECT_FALSE(renamed({{"r", 100}}, {{"s", 50}, {"t", 50}}, 10));
  EXPECT_TRUE(is_renamed({.name = "ns::run(int)", .callees = {{"ns::run(int)", 900}, {"r", 100}}},
                         {.name = "ns::run(long)", .callees = {{"ns::run(long)", 950}, {"r", 100}}}))
      << "a recursion is no other work";
}

TEST(MatchEvidenceTest, FunctionsThatCallEachOtherAreMatchedTogether) {
  const auto parser = [](const std::string& flags, const Calls& work, int64_t below) {
    const std::string value = "ns::value<" + flags + ">()", array = "ns::array<" + flags + ">()";
    Calls of_value = work;
    of_value.emplace_back(array, 90000);
    return std::vector<Code>{{.name = value, .callers = {"main"}, .callees = of_value},
                             {.name = array, .calls = 7, .callers = {value}, .callees = {{value, below}}}};
  };
  EXPECT_EQ(evidence(parser("0u", {{"r", 100}}, 80000), parser("16u", {{"r", 100}, {"t", 50}}, 85000)),
            "same callers, same cost per call, same number of calls; same cost per call, same number of calls");
}

TEST(MatchEvidenceTest, OwnWorkOnTheSameLinesSpeaksForATemplate) {
  const auto renamed = [](const std::vector<uint64_t>& lines, int64_t cost) {
    return is_renamed(
        {.name = "ns::run<0u>()", .cost = cost, .callees = {{"r", 400}}, .lines = lines},
        {.name = "ns::run<2u>()", .calls = 20, .cost = 2 * cost, .callees = {{"t", 2000}}, .lines = lines});
  };
  EXPECT_TRUE(renamed({10, 12}, 3000));
  EXPECT_FALSE(renamed({10, 12}, 100)) << "it only hands on";
  EXPECT_FALSE(renamed({}, 3000)) << "who knows where it is";
}

TEST(MatchEvidenceTest, WorkOfFunctionsThatOnlyOneSideHas) {
  const auto renamed = [](const char* base_object, const char* head_object, const char* before, const char* after) {
    const Code below{.name = before, .object = base_object, .calls = 0, .callers = {}},
        below_head{.name = after, .object = head_object, .calls = 0, .cost = 70, .callers = {}};
    const auto all =
        explain(program({{.name = "ns::run(int)", .object = base_object, .callees = {{before, 100}}}, below}),
                program({{.name = "ns::run(long)", .object = head_object, .callees = {{after, 200}}}, below_head}));
    return std::any_of(all.causes.begin(), all.causes.end(), [](const Cause& cause) {
      return cause.kind == CauseKind::kRenamed && cause.function == "ns::run(long)";
    });
  };
  const char *one = "0x0000000000001100", *other = "0x0000000000009900";
  EXPECT_TRUE(renamed("/old/libops.so", "/new/libops.so", one, other)) << "who knows what these are";
  EXPECT_FALSE(renamed("/lib/libops.so", "/lib/libops.so", one, other)) << "in one build they are two";
  EXPECT_FALSE(renamed("/old/libops.so", "/new/libops.so", "alpha", "omega"));
}

TEST(MatchEvidenceTest, NeighboursThatAreOpenThemselvesCountHalf) {
  const Code below{.name = "below", .file = "c.cc", .calls = 3, .cost = 50},
      other{.name = "beneath", .file = "d.cc", .calls = 900, .cost = 77};
  EXPECT_EQ(evidence({{.name = "alpha", .callees = {{"below", 0}}}, below},
                     {{.name = "omega", .cost = 980, .callees = {{"beneath", 0}}}, other}),
            "");
  EXPECT_EQ(evidence({{.name = "alpha", .callees = {{"below", 0}}}, below},
                     {{.name = "omega", .callees = {{"beneath", 0}}}, other}),
            "same callers, same cost per call, same number of calls");
}

TEST(MatchEvidenceTest, LambdasAreKnownByAllButTheirNumber) {
  const std::string first = "draw(int)::{lambda(long)#1}::operator()(long) const",
                    second = "draw(int)::{lambda(long)#2}::operator()(long) const";
  EXPECT_EQ(
      evidence({{.name = first, .callees = {{"r", 100}}}}, {{.name = second, .cost = 700, .callees = {{"s", 150}}}}),
      "same except for the number or place of a closure, same callers, same number of calls")
      << "whatever it calls";
  const Explanation same =
      explain(program({{.name = first}, {.name = second}}), program({{.name = second}, {.name = first}}));
  EXPECT_TRUE(same.causes.empty()) << "those that kept their number are the likelier pair";
}

TEST(MatchEvidenceTest, WhatWasNotRunIsNotMatched) {
  const Code before{.name = "ns::run(int)", .calls = 0, .cost = 0},
      after{.name = "ns::run(long)", .calls = 0, .cost = 0};
  EXPECT_EQ(explain(program({before}), program({after})).renamed, 0);
}

/// Where many functions are open each must be met by something that few share.
class CrowdTest : public testing::Test {
 protected:
  static std::vector<Code> crowd(const char* prefix, int64_t shift) {
    std::vector<Code> codes;
    for (int64_t i = 0; i < 21; ++i)
      codes.push_back({.name = fmt::format("{}{}", prefix, i),
                       .file = fmt::format("{}.h", prefix),
                       .calls = 500 + 10 * i + shift,
                       .cost = 7 + 1000 * (i + shift)});
    return codes;
  }

  /// Both in a crowd that main calls.
  static bool is_found(const Code& base, const Code& head) {
    std::vector<Code> before = crowd("u", 0), after = crowd("v", 3);
    before.push_back(base);
    after.push_back(head);
    return !evidence(before, after).empty();
  }
};

TEST_F(CrowdTest, AreMetByTheirLine) {
  EXPECT_TRUE(is_found({.name = "alpha", .lines = {10}}, {.name = "omega", .cost = 960, .lines = {10}}));
}

TEST_F(CrowdTest, AreMetByTheLastWordOfTheirName) {
  EXPECT_TRUE(is_found({.name = "ns::Page::draw()"}, {.name = "ns::Sheet::draw()", .file = "b.cc", .cost = 960}));
}

TEST_F(CrowdTest, AreMetByTheirFigures) {
  EXPECT_TRUE(is_found({.name = "alpha"}, {.name = "omega"}));
  EXPECT_FALSE(is_found({.name = "ns::Ring::put()"}, {.name = "ns::Ring::get()", .cost = 960}));
}

TEST_F(CrowdTest, AreMetByTheirPlainName) {
  std::vector<Code> before, after;
  for (int i = 0; i < 21; ++i) {
    before.push_back({.name = fmt::format("Kind{}::call(int)", i), .cost = 1000 + i});
    after.push_back({.name = fmt::format("Kind{}::call(long)", i), .cost = 1900 + i});
  }
  EXPECT_EQ(explain(program(before), program(after)).renamed, 21);
}

TEST_F(CrowdTest, AreMetByTheNameOfTheirLambdaWithItsArguments) {
  std::vector<Code> before, after;
  for (int i = 0; i < 21; ++i) {
    before.push_back({.name = fmt::format("kernel<T{}>::{{lambda()#1}}::operator()()", i), .cost = 1000 + i});
    after.push_back({.name = fmt::format("kernel<T{}>::{{lambda()#2}}::operator()()", i), .cost = 1900 + i});
  }
  EXPECT_EQ(explain(program(before), program(after)).renamed, 21);
}

TEST(MatchEvidenceTest, FunctionsAreMetByACallerOrACalleeThatBothHave) {
  const auto renamed = [](const std::vector<std::string>& callers, const Calls& callees) {
    return is_renamed({.name = "ns::Ring::put()", .callers = callers, .callees = callees},
                      {.name = "ns::Ring::get()", .cost = 980, .callers = callers, .callees = callees});
  };
  EXPECT_TRUE(renamed({"p"}, {}));
  EXPECT_TRUE(renamed({}, {{"r", 0}}));
  const Code driver{.name = "begin", .file = "c.cc", .calls = 3, .cost = 50},
      other{.name = "drive_all", .file = "d.cc", .calls = 900, .cost = 77};
  EXPECT_EQ(evidence({{.name = "ns::Ring::put()", .callers = {"begin"}}, driver},
                     {{.name = "ns::Ring::get()", .callers = {"drive_all"}}, other}),
            "same cost per call, same number of calls")
      << "met by their figures";
}

TEST(MatchEvidenceTest, WhatIsInlinedNowIsNotRenamed) {
  const auto renamed = [](const InlinedCode& inlined) {
    CostGraph head = program({{.name = "omega"}});
    ProfileCode code;
    code.files = {"a.cc", "b.cc"};
    code.inlined = {inlined};
    head.code = std::make_shared<ProfileCode>(code);
    const CostGraph base = program({{.name = "alpha"}});
    EXPECT_EQ(explain(base, head).renamed, explain(head, base).renamed);
    return explain(base, head).renamed == 1;
  };
  EXPECT_FALSE(renamed({.name = "alpha"}));
  EXPECT_TRUE(renamed({.name = "omega"})) << "its own name, inlined into others as well";
  EXPECT_TRUE(renamed({.name = "beta"}));
  EXPECT_TRUE(renamed({.name = "alpha", .file = 1}));
}

TEST(MatchEvidenceTest, AnotherNameIsNoneThatLinesContradict) {
  const auto renamed = [](uint64_t line) {
    const auto sides = std::pair(program({{.name = "alpha", .lines = {50, 60}},
                                          {.name = "above", .lines = {10, 20}},
                                          {.name = "below", .lines = {90, 95}}}),
                                 program({{.name = "omega", .lines = {line, line + 10}},
                                          {.name = "above", .lines = {10, 20}},
                                          {.name = "below", .lines = {100, 105}}}));
    return explain(sides.first, sides.second).renamed == 1;
  };
  EXPECT_TRUE(renamed(50));
  EXPECT_TRUE(renamed(60)) << "as the function below";
  EXPECT_TRUE(renamed(55)) << "between the two";
  EXPECT_FALSE(renamed(70)) << "below what moved by ten lines";
  EXPECT_FALSE(renamed(30));
}

}  // namespace
}  // namespace icount
