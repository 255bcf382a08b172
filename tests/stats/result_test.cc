#include <gtest/gtest.h>

#include "icount/base/error.h"
#include "icount/callgraph/allocations.h"
#include "icount/stats/result.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

TEST(ResultTest, LabelIsThePathElseTheStatementElseTheProgram) {
  Result result;
  result.task.program = {"./calc", "1+1"};
  EXPECT_EQ(result_label(result), "./calc 1+1");
  result.task.program.clear();
  result.task.stmt = "auto y = x;\n\n  y.add_(1);\n";
  EXPECT_EQ(result_label(result), "auto y = x; y.add_(1);");
  result.label = {"Math", "add"};
  EXPECT_EQ(result_label(result), "Math / add");
  result.task.num_threads = 2;
  EXPECT_EQ(result_key(result), "Math / add [2 threads]");
}

TEST(ResultTest, TheLowerMedianIsARealRepeat) {
  Result result;
  EXPECT_EQ(median_count(result), std::nullopt);
  EXPECT_EQ(per_run(result), std::nullopt);
  result.counts = {30, 10, 20, 40};
  result.number_per_run = 8;
  EXPECT_EQ(median_count(result), 20);
  EXPECT_EQ(per_run(result), 2.5);
  EXPECT_EQ(count_spread(result), 30);
  result.counts = {INT64_MIN, INT64_MAX};  // no repeat of ours, but a file may say so
  EXPECT_THROW(count_spread(result), Error);
}

TEST(ResultTest, ATestIsGateableWhereItsRepeatsAreNear) {
  const auto classified = [](std::vector<int64_t> counts, std::string status = "done") {
    Result result;
    result.counts = std::move(counts);
    result.status = std::move(status);
    classify_test(result);
    return result;
  };
  EXPECT_TRUE(classified({1000, 1000}).ok());
  EXPECT_TRUE(classified({1000, 1050}).ok());
  EXPECT_TRUE(classified({1000}).ok()) << "counted once, nothing is known";
  const Result moving = classified({1000, 1051});
  EXPECT_EQ(moving.status, kNotGateable);
  EXPECT_TRUE(moving.counts.empty());
  EXPECT_EQ(moving.error,
            "its repeats differ by 51 of 1,000 instructions: time, randomness or addresses decide what it does");
  EXPECT_EQ(classified({}, "forked").status, kNotGateable) << "its processes are in no count";
  EXPECT_EQ(classified({}, "crashed").status, "crashed") << "it failed";
}

TEST(ResultTest, FactsThatAllShareMoveToTheFile) {
  ResultFile file;
  file.results.resize(2);
  for (Result& result : file.results) result.fingerprint.set("valgrind", "3.19.0", FactClass::kRefuse);
  file.results[0].fingerprint.set("torch", "1.13", FactClass::kNameOnly);
  file.results[1].fingerprint.set("torch", "2.13", FactClass::kNameOnly);
  const Fingerprint before = full_fingerprint(file, file.results[1]);
  share_fingerprint(file);
  ASSERT_EQ(file.fingerprint.facts.size(), 1u);
  EXPECT_EQ(file.fingerprint.facts[0].name, "valgrind");
  EXPECT_EQ(file.results[1].fingerprint.facts.size(), 1u);
  EXPECT_EQ(to_json(full_fingerprint(file, file.results[1])), to_json(before));
}

TEST(ResultTest, TwoResultsOfOneNameAreRefused) {
  ResultFile file;
  file.results.resize(2);
  file.results[0].label = file.results[1].label = {"add"};
  EXPECT_NO_THROW({
    file.results[1].task.num_threads = 2;
    check_result_keys(file, "r.icount");
  });
  file.results[1].task.num_threads = 1;
  try {
    check_result_keys(file, "r.icount");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "r.icount: two results share the name 'add'; give them labels that differ");
  }
}

TEST(ResultTest, AProcessWithoutCountsIsAFactOfOlderResultsToo) {
  ResultFile file;
  Result whole, lacking;
  whole.processes = {{.command = "sh", .counts = {5}}, {.command = "cc1", .counts = {7}}};
  lacking.processes = {{.command = "sh", .counts = {5}}, {.command = "cc1"}};
  whole.fingerprint.set("valgrind", "3.19.0", FactClass::kRefuse);
  lacking.fingerprint = whole.fingerprint;
  const Fingerprint base = full_fingerprint(file, whole), head = full_fingerprint(file, lacking);
  EXPECT_FALSE(base.find("uncounted processes"));
  EXPECT_TRUE(comparable(base, base).comparable());
  EXPECT_TRUE(comparable(head, head).comparable());
  const Comparability alike = comparable(base, head);
  ASSERT_EQ(alike.refusals.size(), 1u);
  EXPECT_EQ(alike.refusals[0], "uncounted processes differ: none against cc1");
}

TEST(ResultTest, OneRunAndTwoRepeatsAreEnough) {
  Result result;
  result.counts = {30, 10};
  EXPECT_EQ(count_spread(result), 20);
  EXPECT_EQ(per_run(result), 10);
  result.number_per_run = 0;
  EXPECT_EQ(per_run(result), std::nullopt);
}

TEST(ResultTest, ProcessesOfOneCommandAreNumbered) {
  Result result;
  result.processes = {{.command = "sh"}, {.command = "cc1"}, {.command = "cc1"}};
  EXPECT_EQ(process_keys(result), (std::vector<std::string>{"sh", "cc1", "cc1 #2"}));
}

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
