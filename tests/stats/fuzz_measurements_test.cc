#include "icount/stats/fuzz_measurements.h"

#include <gtest/gtest.h>

#include "icount/base/file.h"
#include "icount/base/json.h"
#include "icount/base/scratch_dir.h"
#include "icount/stats/compare.h"
#include "icount/stats/fuzz_result_json.h"
#include "support/error_of.h"

namespace icount {
namespace {

FuzzResult example() {
  FuzzResult result;
  result.stmt = "x + x";
  result.against = "x * x";
  result.source = "mine";
  result.unit = FuzzUnit::kSeconds;
  for (int64_t i = 0; i < 2; ++i) {
    FuzzPoint point{
        .sample = i, .elements = 4, .shape = "x 4 float32", .params = Json::object(), .cost = {}, .against = {}};
    point.cost = {1e-6 * static_cast<double>(i + 1), "done", ""};
    point.against = FuzzCost{i == 0 ? std::optional(3e-6) : std::nullopt, i == 0 ? "done" : "threw", ""};
    result.points.push_back(point);
  }
  return result;
}

TEST(FuzzMeasurementsTest, ARowForEachSampleAndAColumnForEachStatement) {
  const std::vector<Measurement> measurements = fuzz_measurements(example(), "f");
  ASSERT_EQ(measurements.size(), 3u);  // one statement failed on one sample
  const std::vector<CompareTable> tables = make_compare_tables(measurements, CompareMode::kMended);
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].label, "fuzz: mine");
  EXPECT_EQ(tables[0].columns, (std::vector<std::string>{"x + x", "x * x"}));
  ASSERT_EQ(tables[0].rows.size(), 2u);
  EXPECT_EQ(tables[0].rows[1].name, "1: x 4 float32");
  EXPECT_EQ(tables[0].cell(0, 1)->median(), 3e-6);
  EXPECT_EQ(tables[0].cell(1, 1), nullptr);
}

/// As a file of it says.
std::vector<Measurement> of_both(const FuzzResult& one, const FuzzResult& other) {
  std::vector<Measurement> all;
  for (const FuzzResult& result : {one, other}) {
    const FuzzResult read = fuzz_result_from_json(parse_json(dump_json(fuzz_result_to_json(result)), "f"), "f");
    for (Measurement& measurement : fuzz_measurements(read, "f")) all.push_back(std::move(measurement));
  }
  return all;
}

TEST(FuzzMeasurementsTest, ThreadCountsAreGroupsOfRows) {
  FuzzResult four = example();
  four.num_threads = 4;
  const auto tables = make_compare_tables(of_both(example(), four), CompareMode::kMended);
  ASSERT_EQ(tables.size(), 1u);
  ASSERT_EQ(tables[0].rows.size(), 4u);
  EXPECT_EQ(tables[0].rows[1].num_threads, 1);
  EXPECT_EQ(tables[0].rows[2].num_threads, 4);
  EXPECT_TRUE(tables[0].rows[2].opens_thread_block);
  EXPECT_EQ(tables[0].cell(2, 0)->raw_times().size(), 1u);
}

TEST(FuzzMeasurementsTest, OtherSetUpsAreOtherRows) {
  FuzzResult other = example();
  other.setup = "auto w = x;";
  const auto tables = make_compare_tables(of_both(example(), other), CompareMode::kMended);
  ASSERT_EQ(tables[0].rows.size(), 4u);
  EXPECT_EQ(tables[0].rows[1].name, "0: x 4 float32 [2]");
  EXPECT_EQ(
      tables[0].notes.at(0),
      "row '0: x 4 float32' holds 2 different statements in one column: '0: x 4 float32' has the set-up ``, '0: x "
      "4 float32 [2]' has the set-up `auto w = x;`");
  other = example();
  other.global_setup = "#include <cmath>";
  EXPECT_EQ(
      make_compare_tables(of_both(example(), other), CompareMode::kMended)[0].notes.at(0),
      "row '0: x 4 float32' holds 2 different statements in one column: '0: x 4 float32' has the global set-up ``, "
      "'0: x 4 float32 [2]' has the global set-up `#include <cmath>`");
}

TEST(FuzzMeasurementsTest, CountsAreRefused) {
  FuzzResult counts = example();
  counts.unit = FuzzUnit::kInstructions;
  EXPECT_EQ(error_of([&] { fuzz_measurements(counts, "f.json"); }),
            "f.json: this run counted instructions, and tables show times; measure them with icount fuzz --time");
}

TEST(FuzzMeasurementsTest, ASavedRunIsKnownByItsBeginning) {
  EXPECT_TRUE(looks_like_fuzz_result(dump_json(fuzz_result_to_json(example()))));
  EXPECT_FALSE(looks_like_fuzz_result("{\"schema\": {\"name\": \"icount-measurements\"}}"));
}

}  // namespace
}  // namespace icount
