// What `icount count` shows of results of known figures.
#include <gtest/gtest.h>

#include <sstream>

#include "icount/report/results_text.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

Result make_result(const std::string& stmt, std::vector<int64_t> counts, double slope) {
  Result result;
  result.task.stmt = stmt;
  result.number_per_run = 100;
  result.counts = std::move(counts);
  result.slope = slope;
  result.fixed = static_cast<double>(result.counts[0]) - 100 * slope;
  return result;
}

std::string text_of(const std::vector<Result>& results) {
  std::ostringstream out;
  make_results_document(results, {}, 0).render_text(out, {});
  return out.str();
}

TEST(ResultsTextTest, OneResultHasItsFigures) {
  EXPECT_EQ(text_of({make_result("f();", {58'854, 58'854}, 588)}),
            "f();\n"
            "  each run     588 Ir  and 54 once\n"
            "  count     58,854 Ir  100 runs, 2 repeats, all equal\n");
}

TEST(ResultsTextTest, WhereLaterRunsCostMoreThereIsNoFixedPart) {
  const Result grows = make_result("x * w + 3.5;", {2'116'013}, 22'363.43);
  EXPECT_EQ(text_of({grows}),
            "x * w + 3.5;\n"
            "  each run  22,363.43 Ir  after the first 100, which cost 120,330 less in all; compare this figure\n"
            "  count     2,116,013 Ir  100 runs\n");
  EXPECT_EQ(fixed_text(grows), "-");
}

TEST(ResultsTextTest, WhatAFilterLeavesOutIsSaid) {
  Result result = make_result("f();", {1'000}, 10);
  result.number_per_run = 1;
  result.slope.reset();
  result.fixed.reset();
  result.top = {{"lex", 600, 900}, {"hash", 300, 300}, {"main", 100, 1'000}};
  std::ostringstream out;
  make_results_document(std::vector{result}, {.filter = FunctionFilter({"^lex"}, false)}, 0).render_text(out, {});
  EXPECT_EQ(out.str(),
            "f();\n"
            "  count  1,000 Ir  1 run\n"
            "\n"
            "  self   share  inclusive  function\n"
            "   600  60.00%        900  lex\n"
            "   400  40.00%             2 functions left out\n");
  const Json json = results_to_json(std::vector{result}, FunctionFilter({"^lex"}, false));
  EXPECT_EQ(json["results"][0]["functions"].size(), 1u);
  EXPECT_EQ(json["results"][0]["left_out"], (Json{{"functions", 2}, {"self", 400}}));
  EXPECT_FALSE(results_to_json(std::vector{result})["results"][0].contains("left_out"));
}

TEST(ResultsTextTest, TheLoaderOfAProgramIsOneRow) {
  GraphBuilder graph;
  graph.function("_dl_relocate_object", 600).function("do_lookup_x", 250).function("main", 100);
  Result result = make_result("", {950}, 10);
  result.number_per_run = 1;
  result.slope.reset();
  result.fixed.reset();
  result.graph = std::make_shared<const CostGraph>(graph.graph());
  EXPECT_EQ(text_of({result}).find("of the dynamic loader"), std::string::npos) << "a statement has no start-up";
  result.task.program = {"./lex"};
  const std::string text = text_of({result});
  EXPECT_NE(text.find("   850  89.47%             2 functions of the dynamic loader\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("do_lookup_x"), std::string::npos);
  std::ostringstream all;
  make_results_document(std::vector{result}, {.top = 0}, 0).render_text(all, {});
  EXPECT_NE(all.str().find("do_lookup_x"), std::string::npos) << "all were asked for";
}

TEST(ResultsTextTest, SeveralResultsBeginWithATable) {
  Result failed = make_result("g();", {1}, 0);
  failed.counts.clear();
  failed.status = "threw";
  failed.error = "std::bad_alloc";
  const std::vector<Result> results = {make_result("f();", {58'854, 58'856}, 588), failed};
  EXPECT_EQ(text_of(results),
            "  each run  once   count  spread  statement\n"
            "       588    54  58,854       2  f();\n"
            "     threw                        g();\n"
            "\n"
            "g();\n"
            "  threw  no count\n");
  std::ostringstream markdown;
  make_results_document(results, {}, 0).render_markdown(markdown);
  EXPECT_EQ(markdown.str(),
            "| each run | once | count | spread | statement |\n"
            "|---:|---:|---:|---:|---|\n"
            "| 588 | 54 | 58,854 | 2 | `f();` |\n"
            "| threw |  |  |  | `g();` |\n"
            "\n"
            "### `g();`\n"
            "\n"
            "|  |  |\n"
            "|---|---|\n"
            "| threw | no count |\n");
}

Result counted(std::vector<int64_t> counts) {
  Result result;
  result.counts = std::move(counts);
  return result;
}

TEST(SpreadTextTest, SmallSharesKeepTheirFirstDigitAndLargeOnesAreWhole) {
  EXPECT_EQ(describe_spread(counted({1926248, 1926197, 1926248})), "moves by 51 (0.003 %)");
  EXPECT_EQ(describe_spread(counted({1000, 1120, 1000})), "moves by 120 (12 %)");
  EXPECT_EQ(describe_spread(counted({49905, 49905, 7244490})), "moves by 7,194,585 (14,417 %)");
  EXPECT_EQ(describe_spread(counted({0, 0, 5})), "moves by 5 (0 %)");
}

TEST(SpreadTextTest, JsonHasTheSmallestAndTheLargest) {
  EXPECT_EQ(dump_json(spread_to_json(counted({7, 3, 5})), -1), R"({"min":3,"max":7})");
}

}  // namespace
}  // namespace icount
