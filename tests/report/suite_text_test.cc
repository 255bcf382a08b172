// `icount suite show` and wall times of two runs, as text.
#include "icount/report/suite_text.h"

#include <gtest/gtest.h>

#include <sstream>

namespace icount {
namespace {

Result result(std::vector<std::string> label, std::vector<int64_t> counts) {
  Result one;
  one.label = std::move(label);
  one.number_per_run = 100;
  one.counts = std::move(counts);
  return one;
}

std::vector<Result> sample() {
  std::vector<Result> all = {result({"Math", "add", "C++"}, {123400, 123400}),
                             result({"Math", "add", "Python"}, {99950, 99960}), result({"Math", "mul", "C++"}, {}),
                             result({"Empty", "C++"}, {})};
  all[0].slope = 1233.5;
  all[0].fixed = 50;
  all[1].task.num_threads = 2;
  all[2].status = "crashed";
  all[2].error = "ended by signal 11 (SIGSEGV)";
  all[3].status = "skipped";
  all[3].error = "no Python has torch";
  return all;
}

Measurement measurement(double seconds, Json metadata = nullptr) {
  return Measurement(1000,
                     {seconds * 999, seconds * 1000, seconds * 1000, seconds * 1000, seconds * 1000, seconds * 1001,
                      seconds * 1000, seconds * 1000},
                     {}, std::move(metadata));
}

std::string text(const std::vector<Result>& results, const std::vector<std::optional<Measurement>>& times = {}) {
  std::ostringstream out;
  make_suite_document(results, times).render_text(out, {});
  return out.str();
}

TEST(SuiteTextTest, LabelsAreHeadingsSaidOnceAndFailuresStandBelow) {
  EXPECT_EQ(text(sample()),
            "  benchmark               each run  once  spread\n"
            "  Math\n"
            "    add\n"
            "      C++                 1,233.50    50       0\n"
            "      Python [2 threads]    999.50            10\n"
            "    mul\n"
            "      C++                  crashed\n"
            "  Empty\n"
            "    C++                    skipped\n"
            "\n"
            "Failed:\n"
            "  Math / mul / C++: ended by signal 11 (SIGSEGV)\n"
            "\n"
            "Skipped:\n"
            "  Empty / C++: no Python has torch\n"
            "\n"
            "4 benchmarks: 2 done, 1 failed, 1 skipped\n");
}

TEST(SuiteTextTest, TheOneLanguageOfASuiteIsNotSaid) {
  EXPECT_EQ(text({result({"Math", "add", "C++"}, {1000}), result({"hash", "C++"}, {2000})}),
            "  benchmark  each run  once  spread\n"
            "  Math\n"
            "    add            10\n"
            "  hash             20\n"
            "\n"
            "2 benchmarks: 2 done\n");
}

TEST(SuiteTextTest, AColumnOfTimesIsThereWhenOneWasTaken) {
  std::vector<std::optional<Measurement>> times(4);
  times[0] = measurement(12.34e-3);
  const std::string with = text(sample(), times);
  EXPECT_NE(with.find("wall time"), std::string::npos) << with;
  EXPECT_NE(with.find("12.34 ms"), std::string::npos) << with;
  EXPECT_EQ(text(sample()).find("wall time"), std::string::npos);
}

TEST(SuiteTextTest, MarkdownHasTheSameRowsAndReasons) {
  std::ostringstream out;
  make_suite_document(sample(), {}).render_markdown(out);
  EXPECT_NE(out.str().find("| &nbsp;&nbsp;&nbsp;&nbsp;C++ | 1,233.50 | 50 | 0 |\n"), std::string::npos) << out.str();
  EXPECT_NE(out.str().find("- Math / mul / C++: ended by signal 11 (SIGSEGV)"), std::string::npos) << out.str();
}

TEST(SuiteTextTest, JsonHasEveryResult) {
  const Json json = suite_to_json(sample());
  ASSERT_EQ(json["benchmarks"].size(), 4u);
  EXPECT_EQ(json["benchmarks"][0]["counts"], (Json{123400, 123400}));
  EXPECT_EQ(json["benchmarks"][0]["slope"], 1233.5);
  EXPECT_EQ(json["benchmarks"][2]["status"], "crashed");
}

TEST(SuiteTextTest, NotesAreSaidOnceWithTheNamesOfTheirResults) {
  std::vector<Result> all;
  for (const char* name : {"a", "b", "c", "d", "e"}) all.push_back(result({name}, {100}));
  for (Result& one : all) one.notes.push_back("no debug information");
  all[1].notes.push_back("may move");
  EXPECT_NE(text(all).find("\nNotes:\n"
                           "  a, b, c and 2 more: no debug information\n"
                           "  b: may move\n\n5 benchmarks"),
            std::string::npos)
      << text(all);
  std::ostringstream markdown;
  make_suite_document(all, {}).render_markdown(markdown);
  EXPECT_NE(markdown.str().find("\n- b: may move\n"), std::string::npos) << markdown.str();
  EXPECT_EQ(suite_to_json(all)["benchmarks"][1]["notes"], (Json{"no debug information", "may move"}));
}

TEST(WallTimeTextTest, MediansHaveTheFiguresThatMeanSomething) {
  EXPECT_EQ(wall_time_text(measurement(12.34e-3)), "12.34 ms");
  EXPECT_EQ(wall_time_text(Measurement(1, {1e-3, 2e-3, 3e-3, 4e-3, 5e-3}, {})), "3 ms") << "a wide spread";
}

TEST(WallTimeTextTest, AChangeIsSureWhenTheIntervalsDoNotTouch) {
  const WallTimeChange change = compare_wall_times(measurement(1e-6), measurement(2e-6));
  EXPECT_NEAR(change.ratio, 2, 1e-9);
  EXPECT_TRUE(change.sure);
  EXPECT_FALSE(compare_wall_times(measurement(1e-6), measurement(1e-6)).sure);
  EXPECT_FALSE(compare_wall_times(Measurement(1, {1.0}, {}), Measurement(1, {2.0}, {})).sure)
      << "one block is no interval";
}

std::string changes(const std::vector<WallTimePair>& pairs, bool all) {
  std::ostringstream out;
  make_wall_times_document(pairs, all).render_text(out, {});
  return out.str();
}

TEST(WallTimeTextTest, TheBiggestSureChangeComesFirstAndTheRestIsCounted) {
  const std::vector<WallTimePair> pairs = {{"same", measurement(1e-6), measurement(1e-6)},
                                           {"slower", measurement(1e-6), measurement(1.1e-6)},
                                           {"faster", measurement(1e-6), measurement(0.5e-6)}};
  const std::string shown = changes(pairs, false);
  EXPECT_LT(shown.find("-50.0 %  faster"), shown.find("+10.0 %  slower")) << shown;
  EXPECT_NE(shown.find("1 of 3 wall times can't be told apart"), std::string::npos) << shown;
  EXPECT_NE(changes(pairs, true).find("+0.0 % ?  same"), std::string::npos) << changes(pairs, true);
  EXPECT_EQ(changes({}, true), "");
}

TEST(WallTimeTextTest, AnotherProcessorIsSaid) {
  const std::vector<WallTimePair> pairs = {{"a", measurement(1e-6, Json{{"surroundings", {{"cpu_model", "old"}}}}),
                                            measurement(2e-6, Json{{"surroundings", {{"cpu_model", "new"}}}})}};
  EXPECT_NE(changes(pairs, false).find("timed on different processors (old against new)"), std::string::npos)
      << changes(pairs, false);
}

}  // namespace
}  // namespace icount
