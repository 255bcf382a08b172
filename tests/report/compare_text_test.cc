#include "icount/report/compare_text.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

// Four blocks around `seconds`, as in PyTorch's own examples.
Measurement timed(double seconds, TaskSpec spec) {
  return Measurement(1, {seconds, 1.01 * seconds, 0.99 * seconds, seconds}, std::move(spec));
}

TaskSpec spec(std::string stmt, std::optional<std::string> sub_label, std::optional<std::string> description) {
  return {
      .stmt = std::move(stmt), .label = "L", .sub_label = std::move(sub_label), .description = std::move(description)};
}

TEST(CompareTextTest, PrintsPyTorchsTable) {
  Compare compare({timed(1e-6, spec("s", "a", "c1")), timed(1234.5e-6, spec("s", "a", "c2")),
                   timed(7.3e-6, spec("s", "bb", "c1"))});
  EXPECT_EQ(render_compare(compare),
            "[----------- L -----------]\n"
            "          |   c1  |    c2  \n"
            "1 threads: ----------------\n"
            "      a   |  1.0  |  1234.5\n"
            "      bb  |  7.3  |        \n"
            "\n"
            "Times are in microseconds (us).\n");
}

TEST(CompareTextTest, GivesCollidingStatementsRowsOfTheirOwn) {
  Compare compare({timed(1e-6, spec("x + y", "a", "c1")), timed(2e-6, spec("x * y", "a", "c1")),
                   timed(3e-6, spec("x * y", "a", "c2")), timed(4e-6, spec("x + y", "a", "c2"))});
  EXPECT_EQ(render_compare(compare),
            "[----------- L -----------]\n"
            "             |   c1  |   c2\n"
            "1 threads: ----------------\n"
            "      a      |  1.0  |  4.0\n"
            "      a [2]  |  2.0  |  3.0\n"
            "\n"
            "Times are in microseconds (us).\n"
            "Note: row 'a' holds 2 different statements in one column: 'a' is `x + y`, 'a [2]' is `x * y`.\n");
}

TEST(CompareTextTest, KeepsStatementsOfDifferentColumnsInOneRow) {
  Compare compare(
      {timed(1e-6, spec("mul_sum(x, y)", "64x64", "mul+sum")), timed(2e-6, spec("bmm(x, y)", "64x64", "bmm"))});
  EXPECT_EQ(render_compare(compare),
            "[------------- L -------------]\n"
            "             |  mul+sum  |  bmm\n"
            "1 threads: --------------------\n"
            "      64x64  |    1.0    |  2.0\n"
            "\n"
            "Times are in microseconds (us).\n");
}

TEST(CompareTextTest, ShowsNamesOfSeveralLinesOnSeveralRows) {
  Compare compare(
      {timed(1e-6, spec("auto y = x;\ny.sum();", std::nullopt, "c")), timed(2e-6, spec("z", std::nullopt, "c"))});
  EXPECT_EQ(render_compare(compare),
            "[---------- L ----------]\n                   |   c \n1 threads: --------------\n      auto y = x;  |  "
            "1.0\n      y.sum();\n      z            |  2.0\n\nTimes are in microseconds (us).\nNote: multi-line names "
            "take several rows; their figures are on the first.\n");
}

TEST(CompareTextTest, WidensTheTableToItsLabel) {
  TaskSpec wide = spec("s", "a", "c");
  wide.label = "a label that is much wider";
  EXPECT_EQ(render_compare(Compare({timed(1e-6, wide)})),
            "[ a label that is much wider ]\n"
            "                        |   c \n"
            "1 threads: -------------------\n"
            "      a                 |  1.0\n"
            "\n"
            "Times are in microseconds (us).\n"
            "Note: widened to hold its label.\n");
}

TEST(CompareTextTest, NamesAbsentDescriptionsAndEnvs) {
  TaskSpec with_env = spec("s", "a", "c");
  with_env.env = "main";
  EXPECT_EQ(render_compare(Compare({timed(1e-6, spec("s", "a", std::nullopt)), timed(1e-6, with_env)})),
            "[------------------ L -------------------]\n"
            "               |  (no description)  |   c \n"
            "1 threads: -------------------------------\n"
            "  (no env)  a  |        1.0         |     \n"
            "  (main)    a  |                    |  1.0\n"
            "\n"
            "Times are in microseconds (us).\n"
            "Note: results without a description are in the column '(no description)'.\n"
            "Note: results without an env are marked '(no env)'.\n");
}

TEST(CompareTextTest, ShowsPicosecondsBelowOneNanosecond) {
  EXPECT_EQ(render_compare(Compare({timed(3e-10, spec("s", "a", "c"))})),
            "[------ L ------]\n"
            "         |    c  \n"
            "1 threads: ------\n"
            "      a  |  300.0\n"
            "\n"
            "Times are in picoseconds (ps).\n"
            "Note: the smallest median is below 1 ns, so times are in picoseconds.\n");
}

TEST(CompareTextTest, LeavesOutResultsWithoutTimesAndSaysSo) {
  EXPECT_EQ(render_compare(Compare({Measurement(1, {}, spec("s", "a", "c")), timed(1e-6, spec("s", "b", "c"))})),
            "[----- L -----]\n         |   c \n1 threads: ----\n      b  |  1.0\n\nTimes are in microseconds "
            "(us).\nNote: left out because it has no times: row 'a', column 'c'.\n");
  EXPECT_EQ(render_compare(Compare()), "");
}

TEST(CompareTextTest, ColoursAgainstTheBestOfColumnOrRow) {
  Compare compare(
      {timed(1e-3, spec("s", "a", "c1")), timed(6e-3, spec("s", "b", "c1")), timed(1.05e-3, spec("s", "b", "c2"))});
  compare.colorize(Colorize::kRowwise);
  std::string text = render_compare(compare);
  EXPECT_NE(text.find("\33[31m\33[1m6.0\33[0m\33[0m"), std::string::npos) << text;
  compare.colorize(Colorize::kColumnwise);
  text = render_compare(compare);
  EXPECT_NE(text.find("\33[92m\33[1m1.0\33[0m\33[0m"), std::string::npos) << text;
}

}  // namespace
}  // namespace icount
