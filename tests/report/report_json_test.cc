#include "icount/report/report_json.h"

#include <gtest/gtest.h>

#include "icount/report/cause_sentence.h"
#include "icount/report/html_page.h"

namespace icount {
namespace {

ComparedTables many_functions(size_t count) {
  ComparedTables tables;
  for (size_t i = 0; i < count; ++i) {
    const auto cost = static_cast<int64_t>(count - i);
    tables.functions.push_back({.name = "f" + std::to_string(i),
                                .in_base = true,
                                .in_head = true,
                                .self = {cost, 2 * cost},
                                .inclusive = {cost, 2 * cost}});
    tables.totals[0] += cost;
    tables.totals[1] += 2 * cost;
    tables.edges.push_back(
        {.caller = 0, .callee = static_cast<uint32_t>(i), .calls = {1, 2}, .inclusive = {cost, 2 * cost}});
  }
  return tables;
}

int64_t sum(const Json& column) {
  int64_t total = 0;
  for (const Json& value : column) total += value.get<int64_t>();
  return total;
}

Json one_benchmark(const ReportBenchmark& benchmark, const ReportLimits& limits = {}) {
  ReportJson report(ReportHead{.title = "t"}, limits);
  report.add_benchmark(benchmark);
  return report.json()["benchmarks"][0];
}

TEST(ReportJsonTest, WhatATableLeavesOutIsSummedUp) {
  const ComparedTables tables = many_functions(50);
  const Json json = one_benchmark({.key = "b", .tables = &tables}, {.functions = 10, .edges = 5});
  const Json& functions = json["functions"];
  EXPECT_EQ(functions["id"].size(), 10u);
  EXPECT_EQ(functions["more"], 40);
  EXPECT_EQ(sum(functions["self"]["base"]) + functions["more_self"]["base"].get<int64_t>(), tables.totals[0]);
  EXPECT_EQ(sum(functions["self"]["delta"]) + functions["more_self"]["delta"].get<int64_t>(),
            tables.totals[1] - tables.totals[0]);
  EXPECT_EQ(json["edges"]["caller"].size() + json["edges"]["more"].get<size_t>(), tables.edges.size());
}

TEST(ReportJsonTest, WhatStandsForMoreCausesAddsUpToo) {
  Explanation explanation;
  for (int i = 0; i < 100; ++i)
    explanation.causes.push_back({.function = "f" + std::to_string(i),
                                  .delta = 1'000,
                                  .file = i < 80 ? "a.cc" : "b.cc",
                                  .facts = fact::Said{"self cost of `f`"}});
  explanation.delta = 100'000;
  const Json rest = one_benchmark({.key = "b", .explanation = &explanation})["causes"]["rest"];
  EXPECT_EQ(rest["first"], 12);
  ASSERT_EQ(rest["groups"].size(), 1u);
  EXPECT_EQ(rest["groups"][0]["delta"], 68'000);
  EXPECT_EQ(rest["groups"][0]["inside"]["list"].size() + rest["groups"][0]["inside"]["more"].get<size_t>(), 68u);
  EXPECT_EQ(rest["more"], 20);
  EXPECT_EQ(rest["more_delta"], 20'000);
}

TEST(ReportJsonTest, CausesThatAreLeftOutKeepTheSum) {
  Explanation explanation;
  for (int64_t delta : {50, -20, 5, 3, 2})
    explanation.causes.push_back({.function = "f", .delta = delta, .facts = fact::Said{"self cost of `f`"}});
  explanation.delta = 40;
  const Json causes = one_benchmark({.key = "b", .explanation = &explanation}, {.causes = 2})["causes"];
  EXPECT_EQ(causes["list"].size(), 2u);
  EXPECT_EQ(causes["more"], 3);
  EXPECT_EQ(causes["more_delta"], 10);
}

TEST(ReportJsonTest, HugeNamesAreCutInTheMiddle) {
  Explanation explanation;
  explanation.causes.push_back({.delta = 1, .facts = fact::Said{"self cost of `" + std::string(100'000, 'x') + "`"}});
  explanation.delta = 1;
  const Json json = one_benchmark({.key = "b", .explanation = &explanation});
  EXPECT_LT(json["causes"]["list"][0]["text"].get<std::string>().size(), 2'100u);
  ReportStrings strings;
  strings.add(std::string(100'000, 'y'));
  EXPECT_LT(strings.strings_json()["all"][1].get<std::string>().size(), 2'100u);
}

TEST(ReportJsonTest, AVerdictTellsNoiseFromChange) {
  EXPECT_EQ(judge_change(0, 0), ReportVerdict::kSame);
  EXPECT_EQ(judge_change(5, 4), ReportVerdict::kMore);
  EXPECT_EQ(judge_change(-5, 4), ReportVerdict::kLess);
  EXPECT_EQ(judge_change(-4, 4), ReportVerdict::kNoise);
}

TEST(ReportJsonTest, FingerprintsStandSideBySide) {
  ReportHead head{.title = "t"};
  head.base.fingerprint.set("compiler", "g++ 12", FactClass::kNameOnly);
  head.base.fingerprint.set("old", "1", FactClass::kRefuse);
  head.head.fingerprint.set("compiler", "clang 14", FactClass::kNameOnly);
  const Json rows = ReportJson(head, {}).json()["fingerprint"];
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["base"], "g++ 12");
  EXPECT_EQ(rows[0]["head"], "clang 14");
  EXPECT_EQ(rows[1]["class"], "refuse");
  EXPECT_TRUE(rows[1]["head"].is_null());
}

TEST(HtmlPageTest, DataCannotLeaveItsElement) {
  const Json data = {{"name", "</script><script>alert(1)</script>&\xe2\x80\xa8 \xff"}};
  const std::string text = inert_json(data);
  for (const char* bad : {"<", ">", "&", "\xe2\x80\xa8"}) EXPECT_EQ(text.find(bad), std::string::npos) << text;
  EXPECT_EQ(parse_json(text, "x")["name"], "</script><script>alert(1)</script>&\xe2\x80\xa8 \xef\xbf\xbd");
}

TEST(HtmlPageTest, TheTitleIsText) {
  const std::string page = render_html_page("<b>\x1b[31m\"", Json::object());
  EXPECT_NE(page.find("<title>&lt;b&gt;\\x1b[31m&quot;</title>"), std::string::npos);
}

TEST(HtmlPageTest, NothingIsFetched) {
  const std::string page = render_html_page("t", Json::object());
  EXPECT_NE(page.find("default-src 'none'; script-src 'sha256-"), std::string::npos);
  for (const char* link : {" src=", " href=", "@import", "url("}) EXPECT_EQ(page.find(link), std::string::npos) << link;
}

TEST(HtmlPageTest, MuchDataIsPacked) {
  Json data;
  for (int i = 0; i < 40'000; ++i) data["list"].push_back(i % 100 + 1000);
  const std::string page = render_html_page("t", data);
  EXPECT_NE(page.find("data-form=\"deflate\">eN"), std::string::npos);
  EXPECT_LT(page.size(), 200'000u);
}

}  // namespace
}  // namespace icount
