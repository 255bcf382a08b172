#include "icount/explain/shared_causes.h"
#include "icount/report/cause_sentence.h"

#include <gtest/gtest.h>

#include "support/graph_builder.h"

namespace icount {
namespace {

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

TEST(ExplainProcessesTest, SwappingTheSidesChangesTheSigns) {
  const CostGraph shell = GraphBuilder().function("main", 100).graph();
  const CostGraph tool = GraphBuilder().function("main", 7000).graph();
  const ProcessGraph one[] = {{"p", &shell}}, two[] = {{"p", &shell}, {"q", &tool}};
  EXPECT_EQ(explain_processes(one, two, {}).causes.at(0).delta, 7000);
  EXPECT_EQ(explain_processes(two, one, {}).causes.at(0).delta, -7000);
  EXPECT_TRUE(explain_processes(two, two, {}).causes.empty());
}

}  // namespace
}  // namespace icount
