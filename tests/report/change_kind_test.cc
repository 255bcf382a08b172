// One line on what kind of change it is, from the causes.
#include "icount/report/change_kind.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace icount {
namespace {

Cause cause(int64_t delta, CauseFacts facts) {
  Cause made;
  made.delta = delta;
  made.facts = std::move(facts);
  return made;
}

std::string kind(std::vector<Cause> causes, bool has_executions = true) {
  Explanation explanation;
  explanation.event = "Ir";
  explanation.has_executions = has_executions;
  for (const Cause& one : causes) explanation.delta += one.delta;
  explanation.causes = std::move(causes);
  return kind_of_change(explanation);
}

const CauseFacts kNew = fact::Calls{.calls = {0, 10}}, kGone = fact::LoopEntry{.entries = {10, 0}},
                 kMore = fact::Calls{.calls = {5, 10}}, kUnknown = fact::SelfCost{};

TEST(ChangeKindTest, WorkOfOneSideAlone) {
  EXPECT_EQ(kind({cause(100, kNew)}), "new work: head runs code that base did not run");
  EXPECT_EQ(kind({cause(-100, kGone)}), "work gone: head no longer runs code that base ran");
  EXPECT_EQ(kind({cause(100, kNew), cause(-19, kGone)}), "new work: head runs code that base did not run");
  EXPECT_EQ(kind({cause(100, kNew), cause(-20, kGone)}), "other work: head runs other code in place of base's");
  EXPECT_EQ(kind({cause(100, fact::ReplacedCall{})}), "other work: head runs other code in place of base's");
}

TEST(ChangeKindTest, TheSameWorkMoreOrLessOften) {
  EXPECT_EQ(kind({cause(100, kMore)}), "the same work, done more often");
  EXPECT_EQ(kind({cause(-100, kMore)}), "the same work, done less often");
  EXPECT_EQ(kind({cause(81, kMore), cause(19, kNew)}), "the same work, done more often");
  EXPECT_EQ(kind({cause(80, kMore), cause(20, kNew)}), "") << "it is both";
  EXPECT_EQ(kind({cause(50, kMore), cause(50, kNew)}), "new work: head runs code that base did not run");
  EXPECT_EQ(kind({cause(-60, kMore), cause(59, kNew), cause(2, kUnknown)}), "") << "it goes the other way";
}

TEST(ChangeKindTest, SumsByTheirPartsAndSelfCostNotAtAll) {
  Cause own = cause(100, kUnknown);
  own.lines = {{.base = 0, .head = 3}};
  EXPECT_EQ(kind({own}), "") << "a line of one side may be the compiler's";
  Cause sum = cause(100, fact::CostPlace{});
  sum.inside = {cause(90, kNew), cause(10, kUnknown)};
  EXPECT_EQ(kind({sum}), "new work: head runs code that base did not run");
  EXPECT_EQ(kind({cause(100, kUnknown), cause(99, kNew)}), "") << "half is not known";
  sum.delta = -10;
  sum.inside = {cause(90, kNew), cause(-80, kUnknown)};
  EXPECT_EQ(kind({sum}), "other work: head runs other code in place of base's") << "which makes it less";
}

TEST(ChangeKindTest, WithoutExecutionsItMayBeTheInput) {
  EXPECT_EQ(
      kind({cause(100, kUnknown)}, false),
      "code or input? These profiles don't say how often lines run (Callgrind: --dump-instr=yes --collect-jumps=yes)");
  Cause other_code = cause(100, kUnknown);
  other_code.lines = {{.base = 1, .head = 3}, {.base = 0, .head = 3}};
  EXPECT_EQ(kind({other_code}, false), "");
  const CauseFacts likely = fact::SelfCost{.lines_run = 0.2};
  EXPECT_EQ(kind({cause(-100, likely)}, false), "") << "the sentence says it";
}

TEST(ChangeKindTest, TheSameProgramFileHasTheSameCode) {
  const auto kind_with = [](RanFiles files, CauseFacts facts, bool has_executions = true) {
    Explanation explanation;
    explanation.event = "Ir";
    explanation.has_executions = has_executions;
    explanation.delta = 100;
    explanation.causes.push_back(cause(100, std::move(facts)));
    explanation.files = std::move(files);
    return kind_of_change(explanation);
  };
  using Program = RanFiles::Program;
  const std::string same = "the same program file: other input, options, libraries or environment";
  EXPECT_EQ(kind_with({Program::kSame, {}}, kMore), "the same work, done more often (" + same + ")");
  EXPECT_EQ(kind_with({Program::kSame, {}}, kUnknown), same);
  EXPECT_EQ(kind_with({Program::kSame, {}}, kUnknown, false), same) << "not: code or input?";
  EXPECT_EQ(kind_with({Program::kSame, {"liba.so", "libb.so"}}, kUnknown),
            "the same program file, another build of liba.so, libb.so");
  EXPECT_EQ(kind_with({Program::kOther, {}}, kNew),
            "new work: head runs code that base did not run (another build of the program)");
  EXPECT_EQ(kind_with({Program::kOther, {}}, fact::Rebuilt{}), "build: the same source, compiled differently");
}

TEST(ChangeKindTest, AnotherBuildAndALongerInput) {
  EXPECT_EQ(kind({cause(100, fact::Rebuilt{})}), "build: the same source, compiled differently");
  EXPECT_EQ(kind({cause(-100, fact::LongerWork{})}), "input: the same functions do less of the same work");
  EXPECT_EQ(kind({}), "");
}

}  // namespace
}  // namespace icount
