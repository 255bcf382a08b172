// Tables that are written down, solved and turned into terms: calls beyond the common ones, sources, detours, recorded
// calls, and changes that are told with the calls.
#include "icount/explain/flow/flow_table.h"

#include <gtest/gtest.h>

#include <utility>

#include "written_table.h"

namespace icount {
namespace {

using Figures = std::vector<long double>;

/// main (0) calls 1 twice on either side, which calls 2: three times per call in base and five in head.
class FlowTableTest : public testing::Test {
 protected:
  FlowTableTest() {
    graph_.nodes.resize(3);
    graph_.edges = {{0, 1, {2, 2}, {}}, {1, 2, {6, 10}, {}}};
    index_edges(graph_);
    table_ = table_of(graph_);
    table_.caller_edge = {FlowTable::kAllCallers, 0, 1};
    table_.own = {Figures{100, 10, 7}, Figures{105, 30, 4}};
    table_.rates = {Figures{2, 3}, Figures{2, 5}};
  }

  FlowTerms terms(const TellingPlaces& told = TellingPlaces(3, Told::kBelow)) {
    const FlowSolver solver(table_.shape, table_.components, factors_);
    solution_ = solve(table_, solver);
    return terms_of(table_, solver, solution_, graph_, told);
  }

  FlowGraph graph_;
  FlowTable table_;
  FlowSolution solution_;
  ClusterFactors factors_;
};

TEST_F(FlowTableTest, TermsOfOwnCostAndOfCallsAddUp) {
  const FlowTerms found = terms();
  EXPECT_EQ(solution_.worth[0], (Figures{100 + 2 * 31, 10 + 3 * 7, 7}));
  EXPECT_EQ(solution_.worth[1], (Figures{105 + 2 * 50, 30 + 5 * 4, 4}));
  EXPECT_EQ(solution_.common_calls, (Figures{1, 2, 6}));
  EXPECT_EQ(found.common_calls, solution_.common_calls);
  EXPECT_EQ(found.own, (Figures{5, 2 * 20, 6 * -3}));
  EXPECT_EQ(found.calls, (Figures{0, 2 * 2 * 4})) << "two more per call, at what they cost in head";
  EXPECT_EQ(found.entry, (Figures{0, 0, 0}));
}

TEST_F(FlowTableTest, CallsThatAreGoneWereWorthWhatTheyCostInBase) {
  std::swap(table_.rates[0], table_.rates[1]);
  EXPECT_EQ(terms().calls, (Figures{0, -2 * 2 * 7}));
  table_.rates = {Figures{1, 3}, Figures{4, 5}};
  EXPECT_EQ(terms().calls, (Figures{3 * 50, 2 * 4}));
  EXPECT_EQ(terms().common_calls, (Figures{1, 1, 3}));
}

TEST_F(FlowTableTest, SourcesAreEntriesOrCallsThatDoNotScale) {
  table_.sources = {
      {0, {1, 3}, TermKind::kEntry, 0}, {2, {9, 4}, TermKind::kCalls, 1}, {1, {2, 1}, TermKind::kEntry, 1}};
  const FlowTerms found = terms();
  EXPECT_EQ(solution_.common_calls, (Figures{1, 3, 4 + 9}));
  EXPECT_EQ(found.entry, (Figures{2 * 205, -31, 0}));
  EXPECT_EQ(found.calls, (Figures{0, 3 * 2 * 4 - 5 * 7}));
}

TEST_F(FlowTableTest, CallsOfADetourAreCommon) {
  // In head (side 1) four calls of 2 come through edge 0 and not by edge 1.
  table_.detours = {{2, 0, 1, 1, 4}};
  FlowTerms found = terms();
  EXPECT_EQ(solution_.common_calls, (Figures{1, 2, 10}));
  EXPECT_EQ(found.own[2], -30);
  EXPECT_EQ(found.calls, (Figures{-4 * 4, 16 + 4 * 7})) << "through at head's worth, direct at base's";
  table_.detours[0].side = 0;
  found = terms();
  EXPECT_EQ(found.calls, (Figures{4 * 7, 16 - 4 * 4}));
  table_.detours.clear();
  const FlowSolver solver(table_.shape, table_.components, factors_);
  solve_common_calls(table_, solver, solution_);
  EXPECT_EQ(solution_.common_calls, (Figures{1, 2, 6}));
}

TEST_F(FlowTableTest, RecordedCallsAreAPartOfTheirCallersCost) {
  table_.rates = {Figures{2, 3}, Figures{2, 0}};
  table_.recorded = {{1, 1, 0, 50}};
  table_.rates[0][1] = 0;
  FlowTerms found = terms();
  EXPECT_EQ(solution_.worth[0], (Figures{100 + 2 * 60, 60, 7}));
  EXPECT_EQ(solution_.worth[1], (Figures{105 + 2 * 30, 30, 4}));
  EXPECT_EQ(found.calls, (Figures{0, -2 * 50}));
  table_.recorded[0].side = 1;
  found = terms();
  EXPECT_EQ(solution_.worth[0][1], 10);
  EXPECT_EQ(solution_.worth[1][1], 80);
  EXPECT_EQ(found.calls, (Figures{0, 2 * 50}));
  found = terms({Told::kBelow, Told::kWithCalls, Told::kBelow});
  EXPECT_EQ(found.calls, (Figures{2 * 70, 0})) << "they are told with their caller's calls";
}

TEST_F(FlowTableTest, AChangeThatIsToldWithTheCallsIsToldNowhereBelow) {
  const FlowTerms found = terms({Told::kBelow, Told::kWithCalls, Told::kBelow});
  EXPECT_EQ(found.common_calls, (Figures{1, 2, 0})) << "of 2 only what others pass on";
  EXPECT_EQ(found.own, (Figures{5, 0, 0}));
  EXPECT_EQ(found.calls, (Figures{2 * (50 - 31), 0}));
  EXPECT_EQ(solution_.common_calls, (Figures{1, 2, 6}));
}

}  // namespace
}  // namespace icount
