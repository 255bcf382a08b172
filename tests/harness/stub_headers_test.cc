// Each header of the stub compiles by itself: it includes what it uses, whatever stands before it.
#include <gtest/gtest.h>

#include <filesystem>

#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/harness/stub_source.h"
#include "support/places.h"

namespace icount {
namespace {

TEST(StubHeadersTest, EachCompilesAlone) {
  if (find_program("g++").empty()) GTEST_SKIP() << "no g++ in PATH";
  std::vector<std::string> argv = {"g++", "-std=c++20", "-fsyntax-only", "-w", "-x", "c++"};
  for (const std::string& name : stub_headers())
    argv.push_back((std::filesystem::path(source_dir()) / "harness/stubs" / name).string());
  const ProcessOutcome outcome = run_process({.argv = argv, .time_limit = Seconds(300)});
  EXPECT_TRUE(outcome.ok()) << outcome.errors;
}

TEST(StubHeadersTest, AHeaderStandsBehindThoseThatItIncludesAndOnce) {
  const std::string text = make_stub_text("stub_main.h");
  const size_t line = text.find("#line 1 \"stub_line.h\""), job = text.find("#line 1 \"stub_job.h\"");
  ASSERT_NE(line, std::string::npos);
  EXPECT_LT(line, job);
  EXPECT_LT(job, text.find("#line 1 \"stub_server.h\""));
  EXPECT_EQ(text.find("#line 1 \"stub_line.h\"", line + 1), std::string::npos);
  EXPECT_EQ(text.find("#include \"stub_"), std::string::npos);
}

}  // namespace
}  // namespace icount
