// What a saved result or measurement must look like, field by field; what only some runs have; what keeps a run from
// writing its file.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <fstream>

#include "icount/base/descriptor.h"
#include "icount/base/file.h"
#include "icount/base/json.h"
#include "icount/base/scratch_dir.h"
#include "icount/store/measurement_file.h"
#include "icount/store/result_file.h"
#include "support/error_of.h"
#include "support/small_graph.h"

namespace icount {
namespace {

const std::string kHeaderLine = R"({"schema":{"name":"icount-result","version":1}})"
                                "\n";

std::string refusal_of(const std::string& bytes) {
  return error_of(ErrorKind::kMalformed, [&] { parse_result_file(bytes, "r"); });
}

TEST(ResultFieldsTest, AFieldOfAnotherKindIsNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {R"([1])", "not a JSON object"},
      {R"({"status":1})", "field 'status' is not a string"},
      {R"({"label":"a"})", "field 'label' is not a list"},
      {R"({"label":[1]})", "field 'label' holds something other than a string"},
      {R"({"counts":1})", "field 'counts' is not a list"},
      {R"({"counts":[1.5]})", "field 'counts' is not a 64-bit integer"},
      {R"({"fixed":"1"})", "field 'fixed' is not a number"},
      {R"({"top":{}})", "field 'top' is not a list"},
      {R"({"top":[1]})", "not a JSON object"},
      {R"({"processes":1})", "field 'processes' is not a list"},
      {R"({"notes":null})", "field 'notes' is not a list"},
      {R"({"figures":[]})", "field 'figures' is not an object"},
      {R"({"figures":{"a":"b"}})", "field 'figures' is not a 64-bit integer"},
      {R"({"task":{"num_threads":0}})", "field 'num_threads' is out of range"},
      {R"({"task":{"num_threads":2147483648}})", "field 'num_threads' is out of range"},
      {R"({"task":{"program":"a"}})", "field 'program' is not a list"},
      {R"({"number_per_run":0})", "field 'number_per_run' is below 1"},
  };
  for (const auto& [record, what] : cases)
    EXPECT_EQ(refusal_of(kHeaderLine + record + "\n"), std::string("r:2: ") + what) << record;
}

TEST(ResultFieldsTest, TheHeaderSaysWhatItIs) {
  const auto refusal = [](const std::string& header) { return refusal_of(header + "\n"); };
  const std::string schema = R"("schema":{"name":"icount-result","version":1})";
  EXPECT_EQ(refusal(R"({"schema":{"name":"other","version":1}})"),
            "r:1: not a saved result of icount (no schema \"icount-result\")");
  EXPECT_EQ(refusal(R"({"schema":{"name":"icount-result","version":0}})"), "r:1: the schema has no version");
  EXPECT_EQ(refusal("{" + schema + R"(,"shard":{"plan":[[1]]}})"),
            "r:1: field 'plan' of the shard holds something other than [position, name]");
  EXPECT_EQ(refusal("{" + schema + R"(,"shard":{"plan":[[1,2]]}})"),
            "r:1: field 'plan' of the shard holds something other than [position, name]");
  EXPECT_EQ(refusal("{" + schema + R"(,"shard":{"plan":1}})"), "r:1: field 'plan' is not a list");
}

TEST(ResultFieldsTest, WhatOnlySomeRunsHaveComesBack) {
  ResultFile file;
  file.shard = ShardOf{2, 3, {{1, "a"}, {2, "b"}}};
  Result result;
  result.label = {"a"};
  result.counts = {7};
  result.entries = 4;
  result.figures = {{"branches", 5}, {"misses", 6}};
  result.python_calls = std::make_shared<const CostGraph>(small_graph());
  result.processes.resize(2);
  result.processes[1].graph = std::make_shared<const CostGraph>(small_graph());
  file.results = {result};
  const std::string text = result_file_text(file);
  const ResultFile back = parse_result_file(text, "r").file;
  EXPECT_EQ(result_file_text(back), text);
  ASSERT_TRUE(back.shard);
  EXPECT_EQ(back.shard->plan.at(1).name, "b");
  const Result& read = back.results.at(0);
  EXPECT_EQ(read.figures, result.figures);
  EXPECT_EQ(unpack_graph(read, "r"), nullptr);
  EXPECT_EQ(unpack_python_calls(read, "r")->totals, small_graph().totals);
  EXPECT_EQ(unpack_python_calls(result, "r"), result.python_calls) << "nothing was packed";
  EXPECT_EQ(unpack_graph(read.processes.at(0), "r"), nullptr);
  EXPECT_EQ(unpack_graph(read.processes.at(1), "r")->totals, small_graph().totals);
  EXPECT_EQ(unpack_graph(result.processes[1], "r"), result.processes[1].graph);
}

TEST(ResultFieldsTest, AMeasurementOfNothingAboveIsRefused) {
  for (const std::string key : {"\"none\"", "1"})
    EXPECT_EQ(refusal_of(kHeaderLine + "{\"measurement_of\":" + key + ",\"measurement\":{}}\n"),
              "r:2: a measurement of " + key + ", which has no result above");
  EXPECT_TRUE(parse_result_file(kHeaderLine + "  \n\n", "r").file.results.empty()) << "blank lines are none";
}

TEST(ResultFieldsTest, AFileThatCannotBeWrittenIsNamed) {
  const ScratchDir dir;
  using Existing = ResultAppender::Existing;
  const auto message = [](const std::filesystem::path& path, Existing existing) {
    return error_of([&] { ResultAppender(path, ResultFile(), existing); });
  };
  const std::string none = (dir.path() / "none" / "r").string(), mine = (dir.path() / "mine").string();
  EXPECT_EQ(message(none, Existing::kRefuse), none + ": cannot be opened for writing: No such file or directory");
  EXPECT_EQ(message("/dev/full", Existing::kReplace), "/dev/full: cannot be emptied: Invalid argument");
  std::ofstream(mine) << kHeaderLine;
  const Descriptor held = open_descriptor(mine, O_RDWR);
  ASSERT_EQ(::flock(held.get(), LOCK_EX), 0);
  for (const Existing existing : {Existing::kReplace, Existing::kResume})
    EXPECT_EQ(message(mine, existing), mine + ": another process is writing it");
  EXPECT_EQ(load_text(mine), kHeaderLine) << "it is as it was";
}

TEST(ResultFieldsTest, AFileWhoseHeaderWasCutOffIsBegunAnew) {
  const ScratchDir dir;
  const auto path = dir.path() / "r";
  std::ofstream(path) << kHeaderLine.substr(0, 20);
  { ResultAppender resumed(path, ResultFile(), ResultAppender::Existing::kResume); }
  EXPECT_EQ(parse_result_file(load_text(path), "r").good_bytes, load_text(path).size());
  EXPECT_TRUE(looks_like_result_file(load_text(path)));
}

TEST(MeasurementFieldsTest, AFieldOfAnotherKindIsNamed) {
  const auto header = [](const std::string& schema) {
    return error_of(ErrorKind::kMalformed, [&] { parse_measurement_file("{\"schema\":" + schema + "}\n", "m"); });
  };
  EXPECT_EQ(header(R"({"name":1,"version":1})"), "m:1: field 'name' is not a string");
  EXPECT_EQ(header(R"({"name":"icount-measurements","version":0})"),
            "m:1: version 0 of the format: there is none below 1");
  const auto refusal = [](const std::string& field, const Json& value) {
    Json json = to_json(Measurement(1, {0.5}, TaskSpec(), Json::object()));
    json[field] = value;
    return error_of(ErrorKind::kMalformed, [&] { parse_measurement(json, "m"); });
  };
  EXPECT_EQ(refusal("raw_times", "0.5"), "m: field 'raw_times' is not a list");
  EXPECT_EQ(refusal("raw_times", Json::array({0.5, "x"})), "m: time 1 is not a number");
}

TEST(MeasurementFieldsTest, ASavedResultGivesThoseThatItHas) {
  const ScratchDir dir;
  ResultFile file;
  file.results.resize(3);
  for (size_t i = 0; i < 3; ++i) file.results[i].label = {std::string(1, static_cast<char>('a' + i))};
  file.results[1].measurement = dump_json(to_json(Measurement(2, {0.5, 0.25}, TaskSpec(), Json::object())), -1);
  file.results[2].measurement = R"({"raw_times":[]})";
  save_result_file(dir.path() / "r", file);
  const LoadedMeasurements loaded = load_measurements(dir.path() / "r");
  ASSERT_EQ(loaded.measurements.size(), 1u);
  EXPECT_EQ(loaded.measurements[0].raw_times(), (std::vector<double>{0.5, 0.25}));
  ASSERT_EQ(loaded.warnings.size(), 1u);
  EXPECT_NE(loaded.warnings[0].find("r: measurement of 'c': no field 'task_spec'"), std::string::npos)
      << loaded.warnings[0];
}

}  // namespace
}  // namespace icount
