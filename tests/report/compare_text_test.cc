#include <gtest/gtest.h>

#include "icount/report/compare_text.h"

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

Measurement timed(double seconds, std::string row, std::string column, Json metadata = nullptr) {
  std::vector<double> times(8, seconds);
  times[0] *= 1.001;
  return Measurement(1, std::move(times),
                     {.stmt = "s", .label = "L<1>", .sub_label = std::move(row), .description = std::move(column)},
                     std::move(metadata));
}

// Head is faster with more instructions in row a: time and counts disagree there.
const std::vector<Measurement> kResults{timed(2e-3, "a", "base", {{"instructions_per_run", 1000}}),
                                        timed(1e-3, "a", "head", {{"instructions_per_run", 1500.25}}),
                                        timed(1e-3, "b|c", "base")};

struct Table {
  CompareTable table = make_compare_tables(kResults, CompareMode::kMended).at(0);
  RatioTable ratios = make_ratios(table, 0);
  std::vector<ExtraColumn> extras() const {
    std::vector<ExtraColumn> columns = make_ratio_columns(table, ratios);
    for (ExtraColumn& column : make_count_columns(table, &ratios)) columns.push_back(std::move(column));
    return columns;
  }
};

TEST(CompareFormsTest, TextHasRatiosAndCountsBesideTheTimes) {
  Table t;
  EXPECT_EQ(render_compare_table(t.table, {}, t.extras()),
            "[------------------------------------------------- L<1> "
            "------------------------------------------------]\n"
            "           |  base  |  head  |          head / base          |  instructions, base  |  "
            "instructions, head\n"
            "1 threads: "
            "----------------------------------------------------------------------------------------------\n"
            "      a    |  2.0   |  1.0   |  0.500 [0.500, 0.500] faster  |        1,000         |     "
            "1,500.25 (!)   \n"
            "      b|c  |  1.0   |        |                               |                      |           "
            "         \n"
            "\n"
            "Times are in milliseconds (ms).\n"
            "Ratios are of medians, with a 95 % bootstrap interval.\n"
            "(!) Instructions and time moved in opposite directions.\n");
}

TEST(CompareFormsTest, AllocationsHaveColumnsWhereSomethingAllocates) {
  const auto titles = [](int base, int head) {
    const std::vector<Measurement> results{
        timed(2e-3, "a", "base", {{"instructions_per_run", 1000}, {"allocations_per_run", base}}),
        timed(1e-3, "a", "head", {{"instructions_per_run", 1000}, {"allocations_per_run", head}})};
    std::vector<std::string> all;
    for (const ExtraColumn& column :
         make_count_columns(make_compare_tables(results, CompareMode::kMended).at(0), nullptr))
      all.push_back(column.title + " = " + column.cells.at(0));
    return all;
  };
  EXPECT_EQ(titles(0, 3), (std::vector<std::string>{"instructions, base = 1,000", "instructions, head = 1,000",
                                                    "allocations, base = 0", "allocations, head = 3"}));
  EXPECT_EQ(titles(0, 0).size(), 2u);
}

TEST(CompareFormsTest, MarkdownSurvivesAnyName) {
  Table t;
  EXPECT_EQ(render_compare_markdown(t.table, {}, t.extras()),
            "### L&lt;1&gt;\n"
            "\n"
            "|  | base | head | head / base | instructions, base | instructions, head |\n"
            "|---|---:|---:|---:|---:|---:|\n"
            "| a | 2.0 | **1.0** | 0.500 \\[0.500, 0.500\\] faster | 1,000 | 1,500.25 (\\!) |\n"
            "| b\\|c | **1.0** |  |  |  |  |\n"
            "\n"
            "Times are in milliseconds (ms).\n"
            "\n"
            "Ratios are of medians, with a 95 % bootstrap interval.\n"
            "\n"
            "(\\!) Instructions and time moved in opposite directions.\n");
}

TEST(CompareFormsTest, HtmlEscapesAndRanks) {
  Table t;
  EXPECT_EQ(render_compare_html(t.table, {}),
            "<section class=\"compare\">\n"
            "<table>\n"
            "<caption>L&lt;1&gt;</caption>\n"
            "<thead><tr><th></th><th>base</th><th>head</th></tr></thead>\n"
            "<tbody>\n"
            "<tr><th>a</th><td class=\"bad\">2.0</td><td class=\"best\">1.0</td></tr>\n"
            "<tr><th>b|c</th><td class=\"best\">1.0</td><td></td></tr>\n"
            "</tbody>\n"
            "</table>\n"
            "<p>Times are in milliseconds (ms).</p>\n"
            "</section>\n");
}

TEST(CompareFormsTest, APageHasStylesForEveryRankAndLoadsNothing) {
  const std::string page = make_compare_page("<section></section>\n");
  EXPECT_EQ(page.find("<!DOCTYPE html>\n"), 0u);
  EXPECT_NE(page.find("<meta charset=\"utf-8\">"), std::string::npos);
  for (const char* rank : {".best", ".good", ".bad", ".worst"}) EXPECT_NE(page.find(rank), std::string::npos) << rank;
  EXPECT_EQ(page.find("http"), std::string::npos);
  EXPECT_TRUE(page.ends_with("<body>\n<section></section>\n</body>\n</html>\n"));
}

TEST(CompareFormsTest, CsvHasOneLinePerCellInSeconds) {
  Table t;
  EXPECT_EQ(compare_csv_header(true) + render_compare_csv(t.table, &t.ratios),
            "label,threads,env,row,column,median,mean,p25,p75,blocks,significant_figures,warning,"
            "instructions_per_run,ratio,"
            "ratio_low,ratio_high,verdict\n"
            "L<1>,1,,a,base,0.002,0.0020002500000000003,0.002,0.002,8,4,no,1000,,,,\n"
            "L<1>,1,,a,head,0.001,0.0010001250000000001,0.001,0.001,8,4,no,1500.25,0.5,0.5,0.5,faster\n"
            "L<1>,1,,b|c,base,0.001,0.0010001250000000001,0.001,0.001,8,4,no,,,,,\n");
}

/// Spreadsheets split at semicolons too, in whose eyes our quotes do not hold a cell together, and know wide signs.
TEST(CompareFormsTest, NoCellOfACsvIsAFormulaHoweverItIsSplit) {
  const auto row_cell = [](std::string name) {
    const std::vector<Measurement> results{timed(1e-3, std::move(name), "c")};
    const auto tables = make_compare_tables(results, CompareMode::kMended);
    const std::string line = render_compare_csv(tables.at(0));
    return line.substr(std::string("L<1>,1,,").size(), line.find(",c,") - std::string("L<1>,1,,").size());
  };
  EXPECT_EQ(row_cell("=a"), "'=a");
  EXPECT_EQ(row_cell("a;=b; +c"), "a;'=b;' +c");
  EXPECT_EQ(row_cell("a;\"=b"), "\"a;'\"\"=b\"");
  EXPECT_EQ(row_cell("\uff1da"), "'\uff1da");
  EXPECT_EQ(row_cell("\uff0ba"), "'\uff0ba");
  EXPECT_EQ(row_cell("\uff0da"), "'\uff0da");
  EXPECT_EQ(row_cell("\uff20a"), "'\uff20a");
  EXPECT_EQ(row_cell("\u00a0\u200b=a"), "'\u00a0\u200b=a");
  EXPECT_EQ(row_cell("a\n=b"), "\"a\n'=b\"");
  EXPECT_EQ(row_cell("a;b=c;operator=(int)"), "a;b=c;operator=(int)");
}

}  // namespace
}  // namespace icount
