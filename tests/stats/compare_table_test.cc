// The model behind Compare where PyTorch's values (tests/goldens) say nothing: what is mended.
#include <gtest/gtest.h>

#include "icount/stats/compare.h"

namespace icount {
namespace {

struct Row {
  std::string name, description, stmt;
  double seconds = 1e-3;
  std::string setup;
  int num_threads = 1;
};
Measurement timed(const Row& row, Json metadata = nullptr) {
  TaskSpec spec{.stmt = row.stmt, .setup = row.setup, .sub_label = row.name, .description = row.description};
  spec.num_threads = row.num_threads;
  return Measurement(1, {row.seconds}, std::move(spec), std::move(metadata));
}
CompareTable table_of(const std::vector<Measurement>& results, CompareMode mode = CompareMode::kMended) {
  return make_compare_tables(results, mode).at(0);
}
using Cells = std::vector<std::optional<size_t>>;

TEST(CompareTableTest, OneCellTakesOneStatement) {
  const std::vector<Measurement> results = {timed({"r", "A", "x"}), timed({"r", "A", "y"}), timed({"r", "B", "y"}),
                                            timed({"r", "A", "z\nw"}), timed({"s", "B", "y"})};
  const CompareTable table = table_of(results);
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.rows[0].name, "r");
  EXPECT_EQ(table.rows[0].cells, (Cells{0, std::nullopt}));
  EXPECT_EQ(table.rows[1].name, "r [2]");
  EXPECT_EQ(table.rows[1].cells, (Cells{1, 2}));  // where its statement is
  EXPECT_EQ(table.rows[2].name, "r [3]");
  EXPECT_EQ(table.rows[3].cells, (Cells{std::nullopt, 4}));
  ASSERT_EQ(table.notes.size(), 1u);
  EXPECT_EQ(table.notes[0],
            "row 'r' holds 3 different statements in one column: 'r' is `x`, 'r [2]' is `y`, 'r [3]' is `z ...`");
  const CompareTable compatible = table_of(results, CompareMode::kCompatible);
  ASSERT_EQ(compatible.rows.size(), 2u);
  EXPECT_EQ(compatible.rows[0].cells, (Cells{3, 2}));  // the last one wins
  EXPECT_TRUE(compatible.notes.empty());
}

TEST(CompareTableTest, EqualStatementsAreToldApartByTheirSetUp) {
  const CompareTable table = table_of({timed({"r", "A", "x", 1, "int n;"}), timed({"r", "A", "x", 1, "int m;"})});
  ASSERT_EQ(table.notes.size(), 1u);
  EXPECT_EQ(table.notes[0],
            "row 'r' holds 2 different statements in one column: 'r' has the set-up `int n;`, 'r [2]' has the set-up "
            "`int m;`");
}

TEST(CompareTableTest, TheUnitIsOfTheSmallestMedianAboveZero) {
  EXPECT_EQ(table_of({timed({"r", "A", "x", 2}), timed({"r", "B", "x", 3e-6}), timed({"r", "C", "x", 4e-3})}).unit.name,
            "us");
  const CompareTable zero = table_of({timed({"r", "A", "x", 0}), timed({"r", "B", "x", 4e-3})});
  EXPECT_EQ(zero.unit.name, "ms");
  ASSERT_EQ(zero.notes.size(), 1u);
  EXPECT_EQ(zero.notes[0], "a median is zero or negative: the clock is too coarse or went backwards");
}

TEST(CompareTableTest, ABlockIsOfOneNumberOfThreads) {
  const CompareTable table =
      table_of({timed({"r", "A", "x", 1, "", 2}), timed({"r", "A", "x"}), timed({"s", "A", "y"})});
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0].num_threads, 1);
  EXPECT_EQ(table.rows[0].thread_block, 0u);
  EXPECT_FALSE(table.rows[1].opens_thread_block);
  EXPECT_EQ(table.rows[2].thread_block, 1u);
  EXPECT_TRUE(table.rows[2].opens_thread_block);
  EXPECT_TRUE(table.notes.empty());
}

TEST(CompareTableTest, InstructionsAreThoseOfTheLastReplicateThatHasThem) {
  const Json some = {{"instructions_per_run", 5.0}}, others = {{"instructions_per_run", "many"}};
  const CompareTable table =
      table_of({timed({"r", "A", "x"}, {{"instructions_per_run", 4}}), timed({"r", "A", "x"}, some),
                timed({"r", "A", "x"}, others), timed({"r", "B", "x"}, Json::array({1}))});
  ASSERT_EQ(table.instructions.size(), 2u);
  EXPECT_EQ(table.instructions[0], 5.0);
  EXPECT_EQ(table.instructions[1], std::nullopt);
}

}  // namespace
}  // namespace icount
