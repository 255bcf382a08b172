#include "icount/suite/work_order.h"

#include "icount/suite/suite_record.h"
#include "support/error_of.h"

namespace icount {
namespace {

Result result(const std::string& key, int64_t position, std::vector<int64_t> counts) {
  Result made;
  made.label = {key};
  made.counts = std::move(counts);
  made.extra = record_text({key, position, 1700000000 + position});
  return made;
}

TEST(PytorchCiTest, AWholeSuiteKeepsItsVersion) {
  std::vector<Result> results = {result("k0", 0, {1, 2}), result("k1", 1, {3, 4})};
  results[1].measurement = R"({"number_per_run": 10, "raw_times": [1.0, 2.0]})";
  std::string md5 = keys_md5(std::vector<std::string>{"k0", "k1"});
  PytorchCi ci = make_pytorch_ci(results, 3, md5, 100, 200);
  EXPECT_TRUE(ci.warnings.empty());
  EXPECT_EQ(ci.json.dump(),
            "{\"version\":3,\"md5\":\"" + md5 +
                "\",\"start_time\":100,\"end_time\":200,\"values\":{\"k0\":{\"times\":[],\"counts\":[1,2]},"
                "\"k1\":{\"times\":[0.1,0.2],\"counts\":[3,4]}}}");
}

TEST(PytorchCiTest, AMeasurementFromElsewhereIsRefusedByName) {
  std::vector<Result> results = {result("k0", 0, {1, 2})};
  results[0].measurement = R"({"number_per_run": "10", "raw_times": [1.0]})";
  EXPECT_EQ(error_of([&] { make_pytorch_ci(results, 3, "", 0, 0); }),
            "measurement of k0: field 'number_per_run' is not a 64-bit integer");
  results[0].measurement = R"({"number_per_run": 10, "raw_times": [1.0, "2"]})";
  EXPECT_EQ(error_of([&] { make_pytorch_ci(results, 3, "", 0, 0); }), "measurement of k0: time 1 is not a number");
}

TEST(PytorchCiTest, AMissingBenchmarkMakesItVersionMinusOne) {
  std::vector<Result> results = {result("k0", 0, {1}), result("k1", 1, {})};
  results[1].status = "crashed";
  results[1].error = "ended by signal 11";
  PytorchCi ci = make_pytorch_ci(results, 0, "0123", 0, 0);
  EXPECT_EQ(ci.json["version"], -1);
  EXPECT_EQ(ci.json["values"].size(), 1u);
  ASSERT_EQ(ci.warnings.size(), 2u);
  EXPECT_EQ(ci.warnings[0], "k1 is left out: ended by signal 11");
  EXPECT_EQ(ci.warnings[1], "version -1: not the whole suite has counts (keys here: 1, md5 " +
                                keys_md5(std::vector<std::string>{"k0"}) + ", the suite's is 0123)");
}

TEST(SuiteRecordTest, IdentityRoundTrips) {
  SuiteIdentity identity{"my, odd suite, version 2", 7, 181, "abc"};
  SuiteIdentity back = parse_suite_identity(to_text(identity));
  EXPECT_EQ(back.name, identity.name);
  EXPECT_EQ(back.version, 7);
  EXPECT_EQ(back.benchmarks, 181u);
  EXPECT_EQ(back.md5, "abc");
  EXPECT_EQ(parse_suite_identity("anything else").md5, "");
}

TEST(SuiteRecordTest, ResultsSortByTheSuitesOrderAndStrangersStayLast) {
  std::vector<Result> results = {result("b", 2, {}), Result{}, result("a", 1, {})};
  sort_by_position(results);
  EXPECT_EQ(results[0].label, std::vector<std::string>{"a"});
  EXPECT_EQ(results[1].label, std::vector<std::string>{"b"});
  EXPECT_TRUE(parse_record(results[2].extra).key.empty());
  EXPECT_TRUE(parse_record("[1]").key.empty());
}

}  // namespace
}  // namespace icount
