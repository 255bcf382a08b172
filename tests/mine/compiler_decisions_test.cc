#include "icount/mine/compiler_decisions.h"

#include <gtest/gtest.h>

#include <string>

namespace icount {
namespace {

Cause inlining(const std::string& caller, const std::string& callee) {
  Cause cause;
  cause.kind = CauseKind::kInlined;
  cause.delta = 10;
  cause.caller = caller;
  cause.callee = callee;
  cause.facts = fact::Inlined{};
  return cause;
}

Cause calls(const std::string& caller, const std::string& callee, int64_t base, int64_t head) {
  Cause cause;
  cause.kind = CauseKind::kCalls;
  cause.delta = 7;
  cause.caller = caller;
  cause.callee = callee;
  fact::Calls facts;
  facts.calls = {base, head};
  cause.facts = facts;
  return cause;
}

Explanation explanation_of(std::vector<Cause> causes) {
  Explanation explanation;
  explanation.causes = std::move(causes);
  return explanation;
}

using Texts = std::vector<std::string>;

TEST(CompilerDecisions, ANameIsTheSameInRecordsAndProfiles) {
  EXPECT_EQ(record_name("int ns::big(const std::vector<T>&) [with T = int]"), "big");
  EXPECT_EQ(record_name("ns::Kept<int>::find(unsigned long) const"), "find");
  EXPECT_EQ(record_name("big.constprop.0"), "big");
}

TEST(CompilerDecisions, OfInlinedCodeAreSaidWithTheReasonOfEachSide) {
  std::array<CompilerRecords, 2> records;
  records[0].inlining = {{"f", "big", true, ""}, {"f", "other", true, ""}};
  records[1].inlining = {{"f", "big", false, "limit reached"}, {"f", "big", false, "limit reached"}};
  const auto decisions = compiler_decisions(explanation_of({inlining("int f(long)", "big(int)")}), records);
  ASSERT_EQ(decisions.size(), 1u);
  EXPECT_EQ(decisions[0].callee, "big(int)");
  EXPECT_EQ(decisions[0].delta, 10);
  EXPECT_EQ(decisions[0].said[0], Texts{"inlined"});
  EXPECT_EQ(decisions[0].said[1], Texts{"not inlined (limit reached)"});
}

TEST(CompilerDecisions, OtherCallersAnswerWhereTheCallerItselfWasInlined) {
  std::array<CompilerRecords, 2> records;
  records[1].inlining = {{"outer", "leaf", true, "cost=5, threshold=225"}};
  const auto decisions = compiler_decisions(explanation_of({inlining("middle", "leaf")}), records);
  ASSERT_EQ(decisions.size(), 1u);
  EXPECT_EQ(decisions[0].said[0], Texts{});
  EXPECT_EQ(decisions[0].said[1], Texts{"inlined (cost=5, threshold=225) in `outer`"});
}

TEST(CompilerDecisions, OnlyCallsOfOneSideAreAskedAbout) {
  std::array<CompilerRecords, 2> records;
  records[0].inlining = {{"f", "big", true, ""}};
  records[1].inlining = {{"f", "big", false, "limit reached"}};
  EXPECT_EQ(compiler_decisions(explanation_of({calls("f", "big", 0, 9)}), records).size(), 1u);
  EXPECT_EQ(compiler_decisions(explanation_of({calls("f", "big", 3, 9)}), records).size(), 0u);
  EXPECT_EQ(compiler_decisions(explanation_of({calls("f", "strlen", 0, 9)}), records).size(), 0u) << "no decision";
  EXPECT_EQ(compiler_decisions(explanation_of({inlining("f", "unknown")}), records).size(), 1u) << "none on record";
  records[1] = records[0];
  EXPECT_EQ(compiler_decisions(explanation_of({calls("f", "big", 0, 9)}), records).size(), 0u) << "the same decision";
}

TEST(CompilerDecisions, OfLoopsAreFoundByFileAndLine) {
  Cause cause = calls("f", "f", 1, 1);
  cause.loop = CauseLoop{.file = "src/b.cc", .first_line = 3, .last_line = 5};
  std::array<CompilerRecords, 2> records;
  records[0].loops = {{"/tree/src/b.cc", 4, "loop vectorized using 16 byte vectors"}, {"/tree/src/b.cc", 9, "x"}};
  records[1].loops = {{"/tree/src/b.cc", 3, "not vectorized: unsupported use"}, {"c.cc", 4, "x"}};
  const auto decisions = compiler_decisions(explanation_of({cause}), records);
  ASSERT_EQ(decisions.size(), 1u);
  EXPECT_EQ(decisions[0].loop, "b.cc:3-5");
  EXPECT_EQ(decisions[0].said[0], Texts{"loop vectorized using 16 byte vectors"});
  EXPECT_EQ(decisions[0].said[1], Texts{"not vectorized: unsupported use"});
}

}  // namespace
}  // namespace icount
