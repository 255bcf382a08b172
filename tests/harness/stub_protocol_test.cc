#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "icount/base/error.h"
#include "icount/harness/stub_protocol.h"
#include "icount/harness/stubs/stub_reports.h"

namespace icount {
namespace {

TEST(StubProtocolTest, WordsSurviveEscaping) {
  std::string all;
  for (int byte = 1; byte < 256; ++byte) all += static_cast<char>(byte);
  const std::string word = escape_word(all);
  EXPECT_EQ(word.find_first_of(" \n\r\t"), std::string::npos);
  const StubReply reply = parse_reply("ended 1 note=" + word);
  EXPECT_EQ(reply.keys.at("note"), all);
}

TEST(StubProtocolTest, DamagedEscapesAreAFailure) {
  for (const char* line : {"ended 1 note=\\", "ended 1 note=\\x4", "ended 1 note=\\xZZ", "ended 1 note=\\n"}) {
    try {
      parse_reply(line);
      ADD_FAILURE() << line;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("damaged line"), std::string::npos);
    }
  }
}

TEST(StubProtocolTest, HelloIsReadAndOtherVersionsAreRefused) {
  const StubHello hello = parse_hello(
      "hello icount-stub 1 pid=7 benchmarks=95 language=c++ valgrind=1 features=then,wall cpu=avx,avx2 new=1");
  EXPECT_EQ(hello.pid, 7);
  EXPECT_EQ(hello.benchmarks, 95);
  EXPECT_TRUE(hello.valgrind);
  EXPECT_TRUE(hello.has("then"));
  EXPECT_FALSE(hello.has("warm"));
  EXPECT_EQ(hello.cpu, "avx,avx2");
  try {
    parse_hello("hello icount-stub 2 pid=7");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "the stub speaks version 2 of the protocol, this icount version 1; build the stub again");
  }
  EXPECT_THROW(parse_hello("Segmentation fault"), Error);
}

TEST(StubProtocolTest, JobLinesSayWhatIsNotDefault) {
  StubJob job;
  job.id = 3;
  job.mode = JobMode::kCallgrind;
  job.number = 100;
  job.limit_seconds = 2.5;
  EXPECT_EQ(make_job_line(job), "job 3 benchmark=0 mode=callgrind number=100 threads=1 limit=2.500");
  job.benchmark = kEmptyBenchmark;
  job.then = 200;
  job.warmup = 0;
  job.align = false;
  EXPECT_EQ(make_job_line(job),
            "job 3 benchmark=empty mode=callgrind number=100 threads=1 limit=2.500 warmup=0 align=0 then=200");
  job.mode = JobMode::kToggle;
  job.repeats = 4;
  job.then = 0;
  EXPECT_EQ(make_job_line(job),
            "job 3 benchmark=empty mode=toggle number=100 threads=1 limit=2.500 warmup=0 align=0 repeats=4");
}

TEST(StubProtocolTest, EndsAreReadAndDescribed) {
  const JobOutcome outcome =
      parse_ended(parse_reply("ended 4 pid=12 status=threw note=std::runtime_error:\\x20no\\x0dline\\x20two "
                              "phase=region output_bytes=3 output=a\\x0ab"));
  EXPECT_EQ(outcome.id, 4);
  EXPECT_EQ(outcome.status, JobStatus::kThrew);
  EXPECT_EQ(outcome.output, "a\nb");
  EXPECT_EQ(describe_job_end(outcome, 60), "threw std::runtime_error: no in the measured region");
  EXPECT_EQ(describe_job_end(parse_ended(parse_reply("ended 4 status=signal signal=11 phase=setup")), 60),
            "ended by signal 11 (SIGSEGV) in the set-up");
  EXPECT_EQ(describe_job_end(parse_ended(parse_reply("ended 4 status=exited code=0 phase=warmup")), 60),
            "called exit with status 0 in the warm-up");
  EXPECT_EQ(describe_job_end(parse_ended(parse_reply("ended 4 status=timeout signal=15 phase=region")), 2.5),
            "did not finish within 2.5 s and was stopped in the measured region; --timeout sets the limit");
  EXPECT_THROW(parse_ended(parse_reply("ended 4 status=odd")), Error);
}

TEST(StubProtocolTest, AFunctionIsReadAndADamagedLineIsNone) {
  const CompiledFunction function =
      parse_function(parse_reply("function 3 4a10\\x203\\x20an\\x5cx20app\\x5cx3d1/app.py\\x20f.\\x5cx3clocals>.g"));
  EXPECT_EQ(function.address, 0x4a10u);
  EXPECT_EQ(function.line, 3);
  EXPECT_EQ(function.file, "an app=1/app.py");
  EXPECT_EQ(function.name, "f.<locals>.g");
  for (const char* damaged : {"function 3", "function 3 4a10", "function 3 4a10\\x203\\x20f\\x20\\x5cxzz"})
    EXPECT_EQ(parse_function(parse_reply(damaged)).name, "") << damaged;
}

}  // namespace
}  // namespace icount

// What the server takes from a child's report pipe, whatever is written to it.
namespace {

using icount_stub::Reports;

/// In pieces of `size` bytes, as a pipe gives them.
std::vector<std::string> feed(Reports& reports, const std::string& text, size_t size = 4096) {
  std::vector<std::string> objects;
  for (size_t at = 0; at < text.size(); at += size) {
    const std::string piece = text.substr(at, size);
    reports.take(piece.data(), static_cast<int>(piece.size()), [&](const char* line) { objects.push_back(line); });
  }
  return objects;
}

TEST(StubReportsTest, NoAmountOfReportsHidesTheLast) {
  for (const size_t piece : {1, 7, 4096}) {
    Reports reports;
    reports.clear();
    std::string text;
    for (int i = 0; i < 3000; ++i) text += "phase warmup\nobject 0123 /lib/a.so\n";
    text += "multi_threaded\nphase region\nseconds 1.5\nprepared\ndone\n";
    EXPECT_EQ(feed(reports, text, piece).size(), 3000u);
    EXPECT_TRUE(reports.done);
    EXPECT_TRUE(reports.prepared);
    EXPECT_TRUE(reports.multi_threaded);
    EXPECT_STREQ(reports.phase, "region");
    EXPECT_STREQ(reports.seconds, "1.5");
    EXPECT_EQ(reports.stray_bytes(), 0);
  }
}

TEST(StubReportsTest, ObjectsAndFunctionsArePassedOnAsTheyAre) {
  Reports reports;
  reports.clear();
  const std::vector<std::string> lines = {"object 0123 /lib/a.so", "function 4a10 3 app.py f"};
  EXPECT_EQ(feed(reports, lines[0] + "\n" + lines[1] + "\ndone\n", 5), lines);
  EXPECT_EQ(reports.stray_bytes(), 0);
}

TEST(StubReportsTest, WhatIsNoReportIsCounted) {
  Reports reports;
  reports.clear();
  const std::string lines =
      "junk\n" + std::string(20000, 'x') + "\n" + std::string("do\0ne\n", 6) + "phase " + std::string(100, 'p') + "\n";
  feed(reports, lines + "done\nrest", 3);
  EXPECT_TRUE(reports.done);
  EXPECT_STREQ(reports.phase, "");
  EXPECT_EQ(reports.stray_bytes(), static_cast<int64_t>(lines.size()) + 4);
}

TEST(StubReportsTest, ALostEndIsNoEnd) {
  Reports reports;
  reports.clear();
  feed(reports, "junk without an enddone\n");
  EXPECT_FALSE(reports.done);
  EXPECT_EQ(reports.stray_bytes(), 24);
}

TEST(StubReportsTest, TheForkIsSaidBeforeTheException) {
  Reports reports;
  reports.clear();
  feed(reports, "forked one\nthrew two\n");
  EXPECT_TRUE(reports.forked);
  EXPECT_STREQ(reports.note, "one");
}

}  // namespace
