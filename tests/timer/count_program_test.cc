#include "icount/timer/count_program.h"

#include <gtest/gtest.h>

#include <set>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "timer/collect_fixture.h"

namespace icount {
namespace {

class CountProgramTest : public testing::Test {
 protected:
  void SetUp() override { ICOUNT_NEEDS("valgrind"); }
  ProgramCountOptions options() {
    ProgramCountOptions options;
    options.environment = current_environment();
    return options;
  }
};

TEST_F(CountProgramTest, CountsAWholeProgramTheSameTwice) {
  const auto a = count_program({"true"}, options());
  const auto b = count_program({"true"}, options());
  EXPECT_TRUE(a.outcome.ok());
  EXPECT_GT(a.graph.totals.at(0), 10000);
  EXPECT_EQ(a.graph.totals, b.graph.totals);
  EXPECT_TRUE(comparable(a.fingerprint, b.fingerprint).comparable());
}

TEST_F(CountProgramTest, TheFolderIsNotInTheCount) {
  const ScratchDir scratch;
  const auto before = std::filesystem::current_path();
  std::set<std::vector<int64_t>> counts;
  // One character more moves every string behind it; string routines take another way where one begins at a multiple of
  // four.
  for (const std::string folder : {"a", "ab", "abc", "abcd"}) {
    std::filesystem::create_directory(scratch.path() / folder);
    std::filesystem::current_path(scratch.path() / folder);
    std::filesystem::copy_file(find_program("true"), "program");
    counts.insert(count_program({"./program"}, options()).graph.totals);
  }
  std::filesystem::current_path(before);
  EXPECT_EQ(counts.size(), 1u);
}

TEST_F(CountProgramTest, AFailingProgramIsAValue) {
  const auto result = count_program({"sh", "-c", "exit 3"}, options());
  EXPECT_EQ(result.outcome.exit_code, 3);
  EXPECT_GT(result.graph.totals.at(0), 0);
}

TEST_F(CountProgramTest, AProgramThatNeverEndsIsStopped) {
  ProgramCountOptions limited = options();
  limited.time_limit = Seconds(1);
  try {
    count_program({"sleep", "100"}, limited);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kTool);
    EXPECT_EQ(std::string(error.what()).rfind("cannot count sleep 100: did not finish within", 0), 0u) << error.what();
  }
}

TEST_F(CountProgramTest, WhatIsNoProgramIsSaid) {
  EXPECT_THROW(count_program({"/no/such/program"}, options()), Error);
  EXPECT_THROW(count_program({}, options()), Error);
}

TEST_F(CountProgramTest, TheCacheAnswersUntilTheProgramChanges) {
  const ScratchDir folder;
  ProgramCountOptions cached = options();
  cached.cache_dir = folder.path() / "cache";
  const auto program = folder.path() / "program";
  std::filesystem::copy_file(find_program("true"), program);
  const auto first = count_program({program.string()}, cached);
  const auto second = count_program({program.string()}, cached);
  EXPECT_FALSE(first.from_cache);
  EXPECT_TRUE(second.from_cache);
  EXPECT_EQ(first.graph.totals, second.graph.totals);
  EXPECT_EQ(to_json(first.fingerprint), to_json(second.fingerprint));
  std::filesystem::copy_file(find_program("false"), program, std::filesystem::copy_options::overwrite_existing);
  EXPECT_FALSE(count_program({program.string()}, cached).from_cache);
}

TEST_F(CountProgramTest, TheCacheAnswersUntilWhatTheProgramReadsChanges) {
  const ScratchDir folder;
  ProgramCountOptions cached = options();
  cached.cache_dir = folder.path() / "cache";
  const std::string file = (folder.path() / "data").string();
  save_file(file, "one line\n");
  const std::vector<std::string> argv = {"wc", file, (folder.path() / "absent").string()};
  const auto first = count_program(argv, cached);
  EXPECT_EQ(first.sources.unknown(), "");
  EXPECT_TRUE(first.sources.contains(ChangeSource::kFile, file));
  const auto program = folder.path() / "program";
  std::filesystem::copy_file(find_program("wc"), program);
  const std::vector<std::string> good = {program.string(), file};
  EXPECT_FALSE(count_program(good, cached).from_cache);
  EXPECT_TRUE(count_program(good, cached).from_cache);
  save_file(file, "three lines\n\n\n");
  EXPECT_FALSE(count_program(good, cached).from_cache);
  EXPECT_TRUE(count_program(good, cached).from_cache);
}

}  // namespace
}  // namespace icount
