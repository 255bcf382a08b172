// Own cost inside an opened function in sentences: of the body, an iteration, a last test, a reshaped loop, a block,
// and of inlined functions; and the lines that carry it.
#include "icount/explain/inside/inside_causes.h"
#include "icount/report/cause_sentence.h"

#include <gtest/gtest.h>

#include "written_code.h"

namespace icount {
namespace {

constexpr uint32_t kBody = 0, kEntry = 1, kIteration = 2, kBlock = 3;  // nodes of the graph below

/// A body on line 9 and a loop on lines 10 and 11; a time of each node costs 6 in base and 14 in head.
class OwnCostCausesTest : public testing::Test {
 protected:
  OwnCostCausesTest() : function_(side(100, 200), side(140, 60)) {
    opened().regions.resize(2);
    opened().regions[1] = {.loops = {{{0}, {0}}}, .entries = {20, 20}, .iterations = {200, 200}};
    opened().region_of_loop = {{{1}, {1}}};
    opened().lines = {{{"a.c", 9}, {"a.c", 9}}, {{"a.c", 10}, {"a.c", 10}}, {{"a.c", 11}, {"a.c", 11}}};
    graph_.nodes = {{InsideKind::kBody, 0, {}},
                    {InsideKind::kEntry, 1, {}},
                    {InsideKind::kIteration, 1, {}},
                    {InsideKind::kBlock, 1, {}}};
    figures_.times = {std::vector<long double>{10, 20, 200, 50}, {10, 20, 200, 50}};
    figures_.own_cost = {std::vector<long double>(4, 6), std::vector<long double>(4, 14)};
  }
  static WrittenSide side(int64_t body, int64_t line_10) {
    return {{{9, body}, {10, line_10, 0}, {11, 100, 0}}, {{20, 200}}};
  }

  OpenedFunction& opened() { return function_.opened; }
  Cause cause(uint32_t n) {
    source_.emplace(make_source());
    return own_cost_cause(InsideNames(*source_), n);
  }
  Cause part(uint32_t n, const InlinedPart& part) {
    source_.emplace(make_source());
    return inlined_part_cause(InsideNames(*source_), n, part);
  }
  InsideSource make_source() {
    return {.opened = opened(),
            .of_callee = function_.of_callee,
            .graph = graph_,
            .figures = figures_,
            .function = "`scan`",
            .function_field = "scan",
            .loops = {"", "loop at a.c:10-11"},
            .file = "src/a.c",
            .object = "prog",
            .in_total = in_total_};
  }

  WrittenFunction function_;
  InsideGraph graph_;
  InsideFigures figures_;
  bool in_total_ = false;
  std::optional<InsideSource> source_;
};

TEST_F(OwnCostCausesTest, OfTheBody) {
  const Cause found = cause(kBody);
  EXPECT_EQ(cause_sentence(found), "`scan` outside its loops costs 14 per call, was 6 (10 calls)");
  EXPECT_EQ(found.kind, CauseKind::kOwnCost);
  EXPECT_EQ(found.change_per_call, 8.0);
  EXPECT_EQ(found.line, 9u);
  EXPECT_FALSE(found.loop);
  opened().regions.resize(1);
  EXPECT_TRUE(cause_sentence(cause(kBody)).starts_with("`scan` itself costs 14 per call, was 6 (10 calls)"))
      << "no loops";
}

TEST_F(OwnCostCausesTest, OfALastTestAndOfABlock) {
  EXPECT_EQ(cause_sentence(cause(kEntry)), "leaving the loop at a.c:10-11 in `scan` costs 14, was 6 (20 entries)");
  EXPECT_EQ(cause(kEntry).kind, CauseKind::kOwnCost);
  EXPECT_EQ(cause_sentence(cause(kBlock)), "the code at a.c:10 in `scan` costs 14 each time, was 6 (50 times)");
  EXPECT_TRUE(cause(kBlock).loop) << "which lies in the loop";
}

TEST_F(OwnCostCausesTest, OfAReshapedLoop) {
  opened().regions[1].reshaped = true;
  const auto text = [&](const BothSides& iterations, const BothSides& self) {
    opened().regions[1].iterations = iterations;
    graph_.nodes[kEntry].self = self;
    return cause_sentence(cause(kEntry));
  };
  EXPECT_EQ(text({400, 100}, {1200, 800}),
            "the loop at a.c:10-11 in `scan` costs 14 per entry, was 6 (20 entries): 5 iterations of 8, was 20 of 3; "
            "unrolled or vectorised?");
  EXPECT_EQ(text({100, 400}, {800, 1200}),
            "the loop at a.c:10-11 in `scan` costs 14 per entry, was 6 (20 entries): 20 iterations of 3, was 5 of 8; "
            "no longer unrolled or vectorised?");
  EXPECT_EQ(text({100, 250}, {800, 1000}),
            "the loop at a.c:10-11 in `scan` costs 14 per entry, was 6 (20 entries): 12.5 iterations of 4, was 5 of 8")
      << "by no whole factor";
  EXPECT_TRUE(text({400, 104}, {1200, 832}).ends_with("; unrolled or vectorised?")) << "3.85 times";
  EXPECT_FALSE(text({400, 106}, {1200, 848}).ends_with("vectorised")) << "3.77 times, further than a twentieth off";
  EXPECT_EQ(cause(kEntry).kind, CauseKind::kReshaped);
}

TEST_F(OwnCostCausesTest, ASideThatDoesNotRunItHasNoLines) {
  for (const size_t side : {0, 1}) {
    std::vector<long double>& times = figures_.times[side];
    const long double was = times[kBody];
    times[kBody] = 0;
    EXPECT_EQ(cause_sentence(cause(kBody)).find("line"), std::string::npos);
    EXPECT_TRUE(cause(kBody).lines.empty());
    times[kBody] = was;
  }
}

/// An inlined part whose lines changed by so much each.
InlinedPart part_of(const std::vector<CauseLine>& lines) {
  return {.path = {"alpha"}, .function = {"alpha", "b.h", 3}, .cost = {6, 14}, .lines = lines};
}

TEST_F(OwnCostCausesTest, OfAnInlinedFunction) {
  const Cause found = part(kBody, part_of({}));
  EXPECT_EQ(cause_sentence(found), "`alpha` (inlined into `scan`) costs 14 per call of `scan`, was 6 (10 calls)");
  EXPECT_EQ(found.kind, CauseKind::kOwnCost);
  EXPECT_EQ(found.change_per_call, 8.0);
  ASSERT_TRUE(found.inlined);
  EXPECT_EQ(found.inlined->name, "alpha");
  const Cause iteration = part(kIteration, part_of({}));
  EXPECT_EQ(cause_sentence(iteration),
            "`alpha` (inlined into `scan`) costs 14 per iteration of the loop at a.c:10-11, was 6 (200 iterations)");
  EXPECT_EQ(iteration.kind, CauseKind::kIterationCost);
  EXPECT_FALSE(iteration.change_per_call);
}

TEST_F(OwnCostCausesTest, OfARunOfAStatement) {
  opened().regions[1].measuring = true;
  EXPECT_EQ(cause_sentence(cause(kIteration)), "a run of the statement costs 14, was 6 (200 runs)");
  EXPECT_EQ(cause_sentence(part(kIteration, part_of({}))),
            "`alpha` (inlined into `scan`) costs 14 per run of the statement, was 6 (200 runs)");
}

TEST_F(OwnCostCausesTest, LinesOfTheRestAreThoseOfTheFunctionsFile) {
  const InlinedPart rest{.cost = {6, 14}, .lines = {{"a.c", 20, 0, 100}, {"b.h", 4, 0, 50}}};
  EXPECT_EQ(part(kBody, rest).line, 20u);
  EXPECT_EQ(part(kBody, rest).file, "src/a.c");
}

}  // namespace
}  // namespace icount
