#include "icount/report/compare_forms.h"

#include <gtest/gtest.h>

#include "icount/report/compare_text.h"

namespace icount {
namespace {

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
