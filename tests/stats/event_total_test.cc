#include "icount/stats/event_total.h"

#include <gtest/gtest.h>

#include "icount/callgraph/allocations.h"
#include "icount/stats/result_figures.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

/// Two calls of malloc and one of free from main; Ir is the counted event, Bcm and Bim another program's.
Result example() {
  Result result;
  result.event = "Ir";
  result.counts = {110, 100, 120};
  result.figures = {{"bytes", 640}};
  return result;
}
CostGraph graph() {
  return GraphBuilder()
      .function("main", 70)
      .calls("main", "malloc", 2, 30)
      .function("malloc", 30)
      .calls("main", "free", 1, 10)
      .function("free", 10)
      .graph();
}

TEST(EventTotalTest, TheCountThenFiguresThenTheGraph) {
  const CostGraph costs = graph();
  const Result result = example();
  EXPECT_EQ(event_total(result, &costs, "Ir"), 110);
  EXPECT_EQ(event_total(result, nullptr, "bytes"), 640);
  EXPECT_EQ(event_total(result, nullptr, "allocations"), std::nullopt);
  EXPECT_EQ(event_total(result, &costs, kAllocations), 2);
  EXPECT_EQ(event_total(result, &costs, kFrees), 1);
  EXPECT_EQ(event_total(result, &costs, "Dr"), std::nullopt);
  Result other = example();
  other.event = "Dr";
  EXPECT_EQ(event_total(other, &costs, "Ir"), 110);  // of the graph
}

TEST(EventTotalTest, FurtherEventsAreWhatIsKnownBesides) {
  CostGraph costs = GraphBuilder("Bcm").function("main", 5).graph();
  Result result = example();
  const std::vector<FurtherEvent> events = further_events(result, &costs);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].name, "Bcm");
  EXPECT_EQ(events[0].total, 5);
  EXPECT_EQ(events[1].name, "bytes");
  EXPECT_EQ(further_events(result, nullptr).size(), 1u);
  result.event = "Bcm";
  EXPECT_EQ(further_events(result, &costs).size(), 1u);
}

TEST(EventTotalTest, AGraphAddsItsAllocationsOnce) {
  Result result = example();
  add_figures(result);
  EXPECT_EQ(result.figures.size(), 1u);
  result.graph = std::make_shared<const CostGraph>(graph());
  add_figures(result);
  add_figures(result);
  ASSERT_EQ(result.figures.size(), 3u);
  EXPECT_EQ(find_figure(result, kAllocations), 2);
  EXPECT_EQ(find_figure(result, kFrees), 1);
  EXPECT_TRUE(is_memory_event("end_bytes"));
  EXPECT_FALSE(is_memory_event("Ir"));
  EXPECT_TRUE(is_peak_event("peak_bytes"));
  EXPECT_TRUE(is_peak_event("peak_blocks"));
  EXPECT_FALSE(is_peak_event("bytes"));
}

TEST(EventTotalTest, EventsThatFollowFromOthersAreKnownBesides) {
  Result result = example();
  result.figures.clear();
  CostGraph costs = GraphBuilder("Ir").function("main", 5).graph();
  EXPECT_TRUE(further_events(result, &costs).empty()) << "the counted one alone";
  costs.events = {"Ir", "Dr"};
  costs.totals = {5, 3};
  const std::vector<FurtherEvent> events = further_events(result, &costs);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].name, "Dr");
  EXPECT_EQ(events[0].total, 3);
}

}  // namespace
}  // namespace icount
