#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/json.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/store/cost_graph_blob.h"
#include "icount/store/measurement_file.h"
#include "icount/store/result_file.h"
#include "support/error_of.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

Result sample_result(std::string name) {
  Result result;
  result.label = {"Math", std::move(name)};
  result.task.stmt = "auto y = x * w;";
  result.task.setup = "auto x = 1;";
  result.number_per_run = 100;
  result.counts = {1000, 1010};
  result.fixed = 12.5;
  result.slope = 9.875;
  result.top = {{"hash", 600, 600}};
  result.notes = {"ASLR could not be switched off"};
  result.measurement = R"({"median":0.5})";
  result.fingerprint.set("torch", "2.13", FactClass::kNameOnly);
  result.graph = std::make_shared<const CostGraph>(small_graph());
  return result;
}

ResultFile sample_file() {
  ResultFile file;
  file.command = "icount count --stmt 'auto y = x * w;'";
  file.fingerprint.set("valgrind", "3.19.0", FactClass::kRefuse);
  file.results = {sample_result("mul"), sample_result("add")};
  Result failed;
  failed.label = {"broken"};
  failed.status = "compile-error";
  failed.error = "stmt:1:3: expected ';'";
  file.results.push_back(failed);
  return file;
}

std::string message_of(std::string_view bytes) {
  return error_of([&] { parse_result_file(bytes, "r.icount"); });
}

TEST(ResultFileTest, EverythingComesBack) {
  const ResultFile file = sample_file();
  const LoadedResults loaded = parse_result_file(result_file_text(file), "r.icount");
  EXPECT_TRUE(loaded.warnings.empty());
  EXPECT_EQ(loaded.file.command, file.command);
  EXPECT_EQ(to_json(loaded.file.fingerprint), to_json(file.fingerprint));
  ASSERT_EQ(loaded.file.results.size(), 3u);
  const Result& result = loaded.file.results[0];
  const Result& original = file.results[0];
  EXPECT_EQ(result.label, original.label);
  EXPECT_EQ(result.task, original.task);
  EXPECT_EQ(result.counts, original.counts);
  EXPECT_EQ(result.number_per_run, 100);
  EXPECT_EQ(result.fixed, 12.5);
  EXPECT_EQ(result.slope, 9.875);
  EXPECT_EQ(result.top, original.top);
  EXPECT_EQ(result.notes, original.notes);
  EXPECT_EQ(result.measurement, original.measurement);
  EXPECT_EQ(*full_fingerprint(loaded.file, result).find("torch"), "2.13");
  EXPECT_EQ(unpack_graph(result, "r.icount")->totals, (std::vector<int64_t>{1000, 100}));
  EXPECT_EQ(loaded.file.results[2].status, "compile-error");
  EXPECT_EQ(loaded.file.results[2].error, "stmt:1:3: expected ';'");
  EXPECT_EQ(unpack_graph(loaded.file.results[2], "r.icount"), nullptr);
}

CallStacks sample_stacks() {
  CallStacks stacks;
  const auto s = [&](std::string_view text) { return stacks.strings.intern(text); };
  stacks.events = {"Ir", "Dr"};
  stacks.totals = {60, 6};
  stacks.callers = 8;
  stacks.frames = {{s("main"), s("m.cc"), s("/bin/p"), kNoFrame, FrameKind::kFunction},
                   {s("leaf'2"), s("l.cc"), s("/bin/p"), 0, FrameKind::kFunction},
                   {s(kind_text(FrameKind::kJoined)), kEmptyString, kEmptyString, 0, FrameKind::kJoined}};
  stacks.self = {10, 1, 20, 2, 30, 3};
  return stacks;
}

TEST(ResultFileTest, CallStacksComeBack) {
  ResultFile file = sample_file();
  file.results[0].stacks = std::make_shared<const CallStacks>(sample_stacks());
  const LoadedResults loaded = parse_result_file(result_file_text(file), "r.icount");
  EXPECT_EQ(unpack_stacks(loaded.file.results[1], "r.icount"), nullptr);
  const auto stacks = unpack_stacks(loaded.file.results[0], "r.icount");
  ASSERT_TRUE(stacks);
  const CallStacks original = sample_stacks();
  EXPECT_EQ(stacks->events, original.events);
  EXPECT_EQ(stacks->totals, original.totals);
  EXPECT_EQ(stacks->self, original.self);
  EXPECT_EQ(stacks->callers, 8);
  ASSERT_EQ(stacks->frames.size(), 3u);
  for (uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(stacks->name(i), original.name(i));
    EXPECT_EQ(stacks->strings.view(stacks->frames[i].object), original.strings.view(original.frames[i].object));
    EXPECT_EQ(stacks->frames[i].parent, original.frames[i].parent);
    EXPECT_EQ(stacks->frames[i].kind, original.frames[i].kind);
  }
  EXPECT_EQ(result_file_text(loaded.file), result_file_text(file));
}

TEST(ResultFileTest, DamagedCallStacksAreRefused) {
  const auto fails_with = [](const std::string& blob, const std::string& text) {
    Result result;
    result.label = {"x"};
    result.stacks_blob = blob;
    try {
      unpack_stacks(result, "r.icount");
      ADD_FAILURE() << "not refused";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  };
  fails_with("nonsense", "r.icount: call stacks of 'x': not packed call stacks");
  CallStacks wrong = sample_stacks();
  wrong.totals[0] = 61;
  fails_with(encode_call_stacks(wrong), "self costs of Ir add up to 60, the total is 61");
  wrong = sample_stacks();
  wrong.frames[1].parent = 1;
  fails_with(encode_call_stacks(wrong), "frame 1 stands before its caller");
  const std::string good = encode_call_stacks(sample_stacks());
  for (size_t cut = 0; cut < good.size(); ++cut) fails_with(good.substr(0, cut) + "!", "r.icount: call stacks of 'x'");
}

TEST(ResultFileTest, WhatWasReadIsWrittenTheSame) {
  const std::string text = result_file_text(sample_file());
  EXPECT_EQ(result_file_text(parse_result_file(text, "r.icount").file), text);
}

TEST(ResultFileTest, ACutOffLastLineCostsOnlyItself) {
  const std::string text = result_file_text(sample_file());
  const size_t last = text.rfind('\n', text.size() - 2) + 1;
  for (const size_t cut : {last + 1, text.size() - 2, text.size() - 1}) {
    const LoadedResults loaded = parse_result_file(text.substr(0, cut), "r.icount");
    EXPECT_EQ(loaded.file.results.size(), 2u);
    EXPECT_EQ(loaded.good_bytes, last);
    ASSERT_EQ(loaded.warnings.size(), 1u);
    EXPECT_EQ(loaded.warnings[0],
              "r.icount:4: the last line was cut off and is left out; the run did not end properly");
  }
}

TEST(ResultFileTest, FewerResultsThanPlannedIsSaid) {
  ResultFile file = sample_file();
  file.planned = 5;
  EXPECT_EQ(parse_result_file(result_file_text(file), "r.icount").warnings,
            std::vector<std::string>{"r.icount: holds 3 of 5 planned results; the run did not end properly"});
}

TEST(ResultFileTest, DamageIsNamedWithItsLine) {
  EXPECT_EQ(message_of(""), "r.icount: empty file, not a saved result");
  EXPECT_EQ(message_of("{\"a\":1}\n"), "r.icount:1: not a saved result of icount (no schema \"icount-result\")");
  EXPECT_EQ(message_of("{\"schema\":{\"name\":\"icount-result\",\"version\":2}}\n"),
            "r.icount:1: result format version 2 was written by a newer icount; this one reads up to 1");
  const std::string header = "{\"schema\":{\"name\":\"icount-result\",\"version\":1}}\n";
  EXPECT_EQ(message_of(header + "{\"label\":[\"a\"}\n"), "r.icount:2: record:1:14: not valid JSON");
  EXPECT_EQ(message_of(header + "{\"label\":[\"a\"],\"counts\":[18446744073709551615]}\n"),
            "r.icount:2: field 'counts' is not a 64-bit integer");
  EXPECT_EQ(message_of(header + "{\"label\":[\"a\"],\"number_per_run\":0}\n"),
            "r.icount:2: field 'number_per_run' is below 1");
  EXPECT_EQ(message_of(header + "{\"label\":[\"a\"],\"graph\":\"@\"}\n"), "r.icount:2: damaged base64 text");
  EXPECT_EQ(message_of(header + "{\"label\":[\"a\"]}\n{\"label\":[\"a\"]}\n"),
            "r.icount: two results share the name 'a'; give them labels that differ");
}

TEST(ResultFileTest, KnownByItsFirstBytes) {
  EXPECT_TRUE(looks_like_result_file(result_file_text(sample_file())));
  EXPECT_FALSE(looks_like_result_file("# callgrind format\n"));
  EXPECT_FALSE(looks_like_result_file("{\"benchmarks\": []}"));
  EXPECT_FALSE(looks_like_result_file(""));
}

TEST(ResultAppenderTest, ResumesAfterTheLastWholeLine) {
  const ScratchDir dir;
  const auto path = dir.path() / "r.icount";
  const ResultFile file = sample_file();
  {
    ResultAppender out(path, file, ResultAppender::Existing::kRefuse);
    out.append(file.results[0]);
    out.append(file.results[1]);
  }
  save_file(path, load_text(path) + "{\"label\":[\"half");
  {
    ResultAppender out(path, file, ResultAppender::Existing::kResume);
    EXPECT_EQ(out.resumed().results.size(), 2u);
    out.append(file.results[2]);
  }
  EXPECT_EQ(load_text(path), result_file_text(file));
}

TEST(ResultAppenderTest, AMeasurementThatComesLaterBelongsToItsResult) {
  const ScratchDir dir;
  const auto path = dir.path() / "r.icount";
  ResultFile file = sample_file();
  {
    ResultAppender out(path, file, ResultAppender::Existing::kRefuse);
    out.append(file.results[1]);
    out.append(file.results[2]);
    out.append_measurement(result_key(file.results[1]), R"({"raw_times":[0.5]})");
  }
  const ResultFile loaded = load_result_file(path).file;
  ASSERT_EQ(loaded.results.size(), 2u);
  EXPECT_EQ(loaded.results[0].measurement, R"({"raw_times":[0.5]})");
  EXPECT_EQ(loaded.results[1].measurement, "");
  EXPECT_EQ(message_of(load_text(path) + "{\"measurement_of\":\"nobody\",\"measurement\":{}}\n"),
            "r.icount:5: a measurement of \"nobody\", which has no result above");
}

TEST(ResultAppenderTest, NothingOfTheUsersIsOverwrittenUnasked) {
  const ScratchDir dir;
  const auto path = dir.path() / "r.icount";
  save_file(path, "mine");
  EXPECT_THROW(ResultAppender(path, {}, ResultAppender::Existing::kRefuse), Error);
  EXPECT_EQ(load_text(path), "mine");
}

TEST(ResultAppenderTest, AnotherValgrindIsNotResumed) {
  const ScratchDir dir;
  const auto path = dir.path() / "r.icount";
  ResultFile file = sample_file();
  { ResultAppender out(path, file, ResultAppender::Existing::kRefuse); }
  file.fingerprint.set("valgrind", "3.22.0", FactClass::kRefuse);
  try {
    ResultAppender out(path, file, ResultAppender::Existing::kResume);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kCannotJudge);
    EXPECT_EQ(
        error.what(),
        path.string() +
            ": cannot be resumed: it was measured under different conditions: valgrind differs: 3.19.0 against 3.22.0");
  }
}

TEST(ResultAppenderTest, AKilledWriterLosesAtMostItsLine) {
  const ScratchDir dir;
  const auto path = dir.path() / "r.icount";
  const ResultFile file = sample_file();
  const pid_t child = ::fork();
  if (child == 0) {
    ResultAppender out(path, file, ResultAppender::Existing::kReplace);
    out.append(file.results[0]);
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(load_result_file(path).file.results.size(), 1u);
}

TEST(ResultAppenderTest, AFullDiskIsAnError) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full here";
  EXPECT_THROW(ResultAppender("/dev/full", {}, ResultAppender::Existing::kReplace), Error);
}

TEST(ResultFileTest, ProcessesOfAProgramSurvive) {
  ResultFile file = sample_file();
  Result& program = file.results[0];
  program.task.program = {"sh", "-c", "./prog"};
  program.counts = {30, 31};
  program.processes.resize(2);
  program.processes[0] = {"sh", {"sh", "-c", "./prog"}, 0, "done", {10, 10}, program.graph, {}};
  program.processes[1] = {"prog", {"./prog"}, 1, "exit status 3", {20, 21}, program.graph, {}};
  const Result loaded = parse_result_file(result_file_text(file), "f").file.results.at(0);
  ASSERT_EQ(loaded.processes.size(), 2u);
  EXPECT_EQ(process_keys(loaded), (std::vector<std::string>{"sh", "prog"}));
  EXPECT_EQ(loaded.processes[1].argv, (std::vector<std::string>{"./prog"}));
  EXPECT_EQ(loaded.processes[1].order, 1);
  EXPECT_EQ(loaded.processes[1].status, "exit status 3");
  EXPECT_EQ(loaded.processes[1].counts, (std::vector<int64_t>{20, 21}));
  EXPECT_EQ(unpack_graph(loaded.processes[1], "f")->totals, program.graph->totals);
  EXPECT_TRUE(parse_result_file(result_file_text(sample_file()), "f").file.results.at(0).processes.empty());
}

// What a saved result or measurement must look like, field by field; what only some runs have; what keeps a run from
// writing its file.

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
