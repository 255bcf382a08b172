#include "icount/report/history_text.h"

#include <gtest/gtest.h>

#include <sstream>

namespace icount {
namespace {

using Values = std::vector<std::optional<double>>;

TEST(SparklineTest, RangesFromLowestToHighest) {
  EXPECT_EQ(render_sparkline(Values{1, 2, 3, 4, 5, 6, 7, 8}, 8), "▁▂▃▄▅▆▇█");
  EXPECT_EQ(render_sparkline(Values{-5, std::nullopt, 5}, 8), "▁ █");
  EXPECT_EQ(render_sparkline(Values{7, 7}, 8), "▄▄");
  EXPECT_EQ(render_sparkline(Values{std::nullopt}, 8), " ");
  EXPECT_EQ(render_sparkline({}, 8), "");
}

TEST(SparklineTest, TheLastOfEachColumnIsSeen) {
  EXPECT_EQ(render_sparkline(Values{1, 1, 1, 8, 1, std::nullopt}, 3), "▁█▁");
  EXPECT_EQ(render_sparkline(Values{1, 1, 1, 1, 8}, 2), "▁█") << "the newest value is always there";
}

BenchmarkHistory sample(int runs) {
  BenchmarkHistory history{.key = "Math / \x1b[31madd", .exact = true};
  for (int i = 0; i < runs; ++i) {
    HistoryRow row{.run = i + 1,
                   .commit = std::string(40, static_cast<char>('a' + i)),
                   .subject = "change " + std::to_string(i),
                   .branch = "main"};
    row.unix_time = 1700000000 + 86400 * i;
    row.value = i < 3 ? 100.0 : 110.5;
    if (i == 3) {
      row.step = true;
      row.step_from = 100;
      row.step_to = 110.5;
    }
    history.rows.push_back(row);
  }
  return history;
}

std::string text_of(const BenchmarkHistory& history, size_t last) {
  std::ostringstream out;
  render_history_text(out, history, last, {});
  return out.str();
}

TEST(HistoryTextTest, OneBenchmarkRunByRun) {
  BenchmarkHistory history = sample(5);
  history.rows[4].value.reset();
  history.rows[4].status = "crashed";
  history.rows[2].not_alike = "valgrind differs";
  history.rows[2].commit.clear();
  EXPECT_EQ(text_of(history, 0),
            "Math / \\x1b[31madd\n"
            "  5 runs, 1 step, noise exact\n"
            "  ▁▁▁█ \n"
            "\n"
            "  commit      time (UTC)        branch  per run     step\n"
            "  aaaaaaaaaa  2023-11-14 22:13  main        100           change 0\n"
            "  bbbbbbbbbb  2023-11-15 22:13  main        100           change 1\n"
            "  #3          2023-11-16 22:13  main        100           change 2; not measured like the one before: "
            "valgrind differs\n"
            "  dddddddddd  2023-11-17 22:13  main     110.50  +10.50%  change 3\n"
            "  eeeeeeeeee  2023-11-18 22:13  main    crashed           change 4\n");
}

TEST(HistoryTextTest, AStepSaysWhichCommitsWereNotMeasured) {
  BenchmarkHistory history = sample(4);
  history.rows[3].before_commit = std::string(40, 'a');
  history.rows[3].between = 2;
  history.rows[2].between = 1;
  history.rows[1].line = "ancestry not known";
  const std::string text = text_of(history, 0);
  EXPECT_NE(text.find("change 3; not measured since aaaaaaaaaa: 2 commits\n"), std::string::npos) << text;
  EXPECT_NE(text.find("change 1; ancestry not known\n"), std::string::npos) << text;
  EXPECT_NE(text.find("change 2\n"), std::string::npos) << "no step, no one to blame";
}

TEST(HistoryTextTest, OldRowsThatSteppedStay) {
  const std::string text = text_of(sample(9), 2);
  EXPECT_NE(text.find("  aaaaaaaaaa"), std::string::npos);
  EXPECT_NE(text.find("  ... 2 more"), std::string::npos);
  EXPECT_NE(text.find("  dddddddddd"), std::string::npos);
  EXPECT_NE(text.find("  ... 3 more"), std::string::npos);
  EXPECT_NE(text.find("  hhhhhhhhhh"), std::string::npos);
  EXPECT_EQ(text.find("gggggggggg"), std::string::npos);
}

TEST(HistoryTextTest, ManyBenchmarksAndTheirSteps) {
  std::vector<BenchmarkHistory> histories = {sample(5), sample(2)};
  histories[1].key = "wall";
  histories[1].wall = true;
  histories[1].exact = false;
  histories[1].noise = 2e-9;
  histories[1].rows[0].value = 1e-6;
  histories[1].rows[1].value = 0.8e-6;
  histories[1].rows[1].step = true;
  histories[1].rows[1].step_from = 1e-6;
  histories[1].rows[1].step_to = 0.8e-6;
  std::ostringstream out;
  render_histories_text(out, histories, 1, {});
  EXPECT_EQ(out.str(),
            "  benchmark              now           noise  steps  history\n"
            "  Math / \\x1b[31madd  110.50           exact      1  ▁▁▁██\n"
            "  wall                800 ns  ± 2 ns (0.25%)      1  █▁\n"
            "\n"
            "steps, newest first\n"
            "  commit      from      to   change  benchmark\n"
            "  dddddddddd   100  110.50  +10.50%  Math / \\x1b[31madd  change 3\n"
            "  ... 1 older ones\n");
}

TEST(HistoryTextTest, JsonHasEverything) {
  BenchmarkHistory history = sample(4);
  history.rows[0].value.reset();
  const Json json = histories_to_json(std::vector{history}, "s.sqlite");
  EXPECT_EQ(json["schema"]["name"], "icount-history");
  EXPECT_EQ(json["store"], "s.sqlite");
  const Json& one = json["benchmarks"][0];
  EXPECT_EQ(one["exact"], true);
  EXPECT_EQ(one["unit"], "count");
  EXPECT_TRUE(one["points"][0]["value"].is_null());
  EXPECT_EQ(one["points"][3]["step"]["to"], 110.5);
  EXPECT_FALSE(one["points"][2].contains("step"));
}

TEST(HistoryTextTest, TimesAreUtc) {
  EXPECT_EQ(utc_text(0), "");
  EXPECT_EQ(utc_text(951782400), "2000-02-29 00:00");
  EXPECT_EQ(utc_text(-1), "1969-12-31 23:59");
}

}  // namespace
}  // namespace icount
