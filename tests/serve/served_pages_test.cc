#include "icount/cli/serve/served_pages.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

ServedHistory sample() {
  ServedHistory history{.name = "a<b>", .runs = {}, .benchmarks = {}};
  history.runs.push_back(
      {.id = 3, .commit = std::string(40, 'a'), .subject = "<script>alert(1)</script>", .results = 2});
  history.runs.push_back(
      {.id = 7, .commit = std::string(40, 'b'), .name = "nightly", .unix_time = 1, .results = 2, .before = 3});
  BenchmarkHistory benchmark{.key = "Math / \"add\" & more", .exact = true};
  benchmark.rows.push_back({.run = 3, .commit = std::string(40, 'a'), .value = 100});
  benchmark.rows.push_back(
      {.run = 7, .commit = std::string(40, 'b'), .value = 150, .step = true, .step_from = 100, .step_to = 150});
  benchmark.rows[1].before = 3;
  history.benchmarks.push_back(benchmark);
  return history;
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(ServedPagesTest, NamesAreText) {
  const std::string page = render_overview_page(sample());
  EXPECT_TRUE(contains(page, "&lt;script&gt;alert(1)"));
  EXPECT_FALSE(contains(page, "<script"));
  EXPECT_TRUE(contains(page, "<h1>a&lt;b&gt;</h1>"));
  EXPECT_TRUE(contains(page, "/benchmark?key=Math%20%2F%20%22add%22%20%26%20more"));
  EXPECT_TRUE(contains(page, "script-src") || contains(page, "default-src 'none'"));
}

TEST(ServedPagesTest, RunsAreNewestFirstAndTheNewestIsChosenWithItsAncestor) {
  const std::string page = render_overview_page(sample());
  EXPECT_LT(page.find("bbbbbbbbbb"), page.find("aaaaaaaaaa"));
  EXPECT_TRUE(contains(page, "name=\"base\" value=\"3\" aria-label=\"base aaaaaaaaaa\" checked"));
  EXPECT_TRUE(contains(page, "name=\"head\" value=\"7\" aria-label=\"head bbbbbbbbbb\" checked"));
  EXPECT_TRUE(contains(page, "+50 (+50.00%)"));
}

TEST(ServedPagesTest, BenchmarkRunByRun) {
  const ServedHistory history = sample();
  const std::string page = render_benchmark_page("store", history.benchmarks[0]);
  EXPECT_LT(page.find("bbbbbbbbbb"), page.find("aaaaaaaaaa"));
  EXPECT_TRUE(contains(page, "/report?base=3&amp;head=7&amp;benchmark=Math%20"));
  EXPECT_TRUE(contains(page, "a step; "));
  BenchmarkHistory unlike = history.benchmarks[0];
  unlike.rows[1].not_alike = "valgrind: 3.19.0 and 3.24.0";
  const std::string told = render_benchmark_page("store", unlike);
  EXPECT_TRUE(contains(told, "not measured alike: valgrind")) << "and its change is not given";
  EXPECT_FALSE(contains(told, "+50 (+50.00%)"));
}

TEST(ServedPagesTest, ARunOfAnotherBranchIsNotExplainedFromTheRunBefore) {
  ServedHistory history = sample();
  history.runs[1].before = history.benchmarks[0].rows[1].before = 0;
  history.benchmarks[0].rows[1].line = "ancestry not known";
  history.benchmarks[0].rows[1].step = false;
  EXPECT_FALSE(contains(render_overview_page(history), "/report?base=3"));
  EXPECT_FALSE(contains(render_overview_page(history), "+50 (+50.00%)")) << "the newest value has no change";
  const std::string page = render_benchmark_page("store", history.benchmarks[0]);
  EXPECT_FALSE(contains(page, "/report?base=3"));
  EXPECT_TRUE(contains(page, "ancestry not known; "));
}

TEST(ServedPagesTest, OneRunAndNone) {
  ServedHistory history = sample();
  history.runs.resize(1);
  EXPECT_TRUE(contains(render_overview_page(history), "1 run, 1 benchmark"));
  EXPECT_TRUE(contains(render_overview_page({.name = "empty", .runs = {}, .benchmarks = {}}), "0 runs"));
}

TEST(ServedPagesTest, LinksOfReports) {
  EXPECT_EQ(report_link(0, 4), "/report?head=4");
  EXPECT_EQ(report_link(3, 4, "a b"), "/report?base=3&head=4&benchmark=a%20b");
}

}  // namespace
}  // namespace icount
