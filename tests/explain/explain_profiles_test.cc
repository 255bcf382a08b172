// The first pairs with a known cause: totals, sums and what must be named first.
#include <gtest/gtest.h>

#include <algorithm>

#include "icount/base/file.h"
#include "icount/base/json.h"
#include "icount/callgraph/name_parts.h"
#include "icount/report/cause_sentence.h"
#include "support/golden.h"
#include "support/profile_pair.h"

namespace icount {
namespace {

struct Recorded {
  Json cause;
  Explanation explanation;
};

Recorded load_pair(const std::string& name) {
  const auto folder = unpacked("profiles/plain") / name;
  ExplainOptions options;
  Recorded recorded{parse_json(load_text(folder / "cause.json"), name), {}};
  options.event = recorded.cause["event"].get<std::string>();
  recorded.explanation = explain(load_graph(folder / "base"), load_graph(folder / "head"), options);
  return recorded;
}

class ExplainProfilesTest : public testing::TestWithParam<const char*> {};

TEST_P(ExplainProfilesTest, TotalsAreTheRecordedOnesAndCausesAddUp) {
  const auto [cause, explanation] = load_pair(GetParam());
  EXPECT_EQ(explanation.base_total, cause["total_base"].get<int64_t>());
  EXPECT_EQ(explanation.head_total, cause["total_head"].get<int64_t>());
  EXPECT_EQ(explanation.delta, cause["delta"].get<int64_t>());
  int64_t sum = 0;
  for (const Cause& each : explanation.causes) sum += each.delta;
  EXPECT_EQ(sum, explanation.delta);
}

TEST_P(ExplainProfilesTest, TheFirstCauseNamesWhatWasChanged) {
  const auto [cause, explanation] = load_pair(GetParam());
  const auto expected = cause["expected_top_functions"];
  if (expected.empty()) {
    for (const Cause& each : explanation.causes) EXPECT_EQ(each.delta, 0) << cause_sentence(each);
    return;
  }
  ASSERT_FALSE(explanation.causes.empty());
  const std::string first = all_names(explanation.causes.front());
  const bool named = std::any_of(expected.begin(), expected.end(), [&](const Json& name) {
    return first.find(canonical_name(name.get<std::string>())) != std::string::npos;
  });
  EXPECT_TRUE(named) << first;
}

INSTANTIATE_TEST_SUITE_P(Pairs, ExplainProfilesTest,
                         testing::Values("calc-namespace-rename", "calc-token-copies", "records-inlined-escape",
                                         "zlib-longer-chains"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(ExplainRecordedTest, InliningIsOneCauseWithTheNetCost) {
  const Explanation explanation = load_pair("records-inlined-escape").explanation;
  ASSERT_EQ(explanation.causes.size(), 1u);
  const Cause& cause = explanation.causes.front();
  EXPECT_EQ(cause.kind, CauseKind::kInlined);
  EXPECT_EQ(cause.callee, "escape(char, char*)");
  EXPECT_EQ(cause.delta, -10701);
  EXPECT_EQ(cause_sentence(cause),
            "`escape(char, char*)` is now inlined into `format[abi:cxx11](std::vector<Record> const&)` (2,900 calls, "
            "-3.7 each)");
  ASSERT_EQ(cause.inside.size(), 2u);
}

TEST(ExplainRecordedTest, ARenamedNamespaceIsSaidFunctionByFunction) {
  const Explanation explanation = load_pair("calc-namespace-rename").explanation;
  EXPECT_EQ(explanation.renamed, 10);
  EXPECT_EQ(explanation.causes.size(), 10u);
  for (const Cause& cause : explanation.causes) EXPECT_EQ(cause.kind, CauseKind::kRenamed);
  EXPECT_TRUE(explanation.functions.empty());
  ASSERT_EQ(explanation.notes.size(), 1u);
  EXPECT_EQ(note_sentences(explanation)[0], "10 functions matched under another name: `calc` is now `expr`");
}

TEST(ExplainRecordedTest, DearerLongestMatchLeadsByFar) {
  const Explanation explanation = load_pair("zlib-longer-chains").explanation;
  EXPECT_EQ(explanation.causes[0].kind, CauseKind::kOwnCost);
  EXPECT_EQ(cause_sentence(explanation.causes[0]),
            "`longest_match` itself costs 1,572 per call, was 1,093 (6,542 calls, was 7,080)");
}

}  // namespace
}  // namespace icount
