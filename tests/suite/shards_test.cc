// Shards that a shell script plays: one after the other, all at once by a command line, and as jobs of a Slurm that
// three scripts stand for. The threads that start them run under the thread sanitizer (scripts/check-all threads).
#include "icount/suite/shards.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/suite/suite_record.h"
#include "support/error_of.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

class ShardRunnerTest : public testing::Test {
 protected:
  void make_program(const std::string& name, const std::string& text) const {
    std::ofstream(dir_.path() / name) << "#!/bin/sh\n" << text << "\n";
    fs::permissions(dir_.path() / name, fs::perms::owner_all);
  }

  /// A run of `script` whose shards are `indices`.
  ShardRun run_of(std::vector<int> indices, const std::string& script) {
    make_program("shard.sh", script);
    ShardRun run{.script = dir_.path() / "shard.sh", .folder = dir_.path(), .indices = std::move(indices), .count = 9};
    run.cancelled = [this] { return cancelled_.load(); };
    run.say = [this](const std::string& line) { said_ += line + "\n"; };
    return run;
  }

  std::string log(int index) const { return load_text(dir_.path() / ("shard-" + std::to_string(index) + ".log")); }
  std::string path(const std::string& name) const { return (dir_.path() / name).string(); }

  const ScratchDir dir_;
  std::atomic<bool> cancelled_ = false;
  std::string said_;
};

TEST_F(ShardRunnerTest, OneAfterTheOtherHere) {
  run_shards_here(run_of({1, 2, 5}, "echo shard $1; echo of it >&2; [ $1 != 2 ]"));
  EXPECT_EQ(said_, "shard 1/9\nshard 2/9\nshard 2/9: exit status 1; see " + path("shard-2.log") + "\nshard 5/9\n");
  for (const int index : {1, 2, 5}) EXPECT_EQ(log(index), "shard " + std::to_string(index) + "\nof it\n");
}

TEST_F(ShardRunnerTest, AllAtOnceByACommandLine) {
  std::vector<int> indices;
  for (int i = 1; i <= 8; ++i) indices.push_back(i);
  // Each waits for all the others: one after the other they would never end.
  const ShardRun run = run_of(indices,
                              "touch \"$2.$1\"; n=0; while [ $(ls \"$2\".? | wc -l) -lt 8 ] && [ $n -lt 600 ]; do "
                              "sleep 0.1; n=$((n+1)); done; echo $1 of $3; [ $n -lt 600 ] && [ $1 != 3 ]");
  run_shards_by_template(run, "sh {script} {index} " + path("here") + " {count} # {log}");
  EXPECT_EQ(said_, "shard 3/9: exit status 1; see " + path("shard-3.log") + "\n");
  for (const int index : indices) EXPECT_EQ(log(index), std::to_string(index) + " of 9\n");
}

TEST_F(ShardRunnerTest, OnesThatCannotBeLoggedAreToldAndTheOthersRun) {
  ShardRun run = run_of({1, 2}, "echo $1");
  fs::create_directories(dir_.path() / "shard-1.log");
  run_shards_by_template(run, "sh {script} {index}");
  EXPECT_EQ(said_, "shard 1/9: " + path("shard-1.log") + ": is a folder, cannot write a file there; see " +
                       path("shard-1.log") + "\n");
  EXPECT_EQ(log(2), "2\n");
}

TEST_F(ShardRunnerTest, ACommandLineWithoutTheScriptOrTheIndexIsRefused) {
  const ShardRun run = run_of({1}, "exit 0");
  expect_usage([&] { run_shards_by_template(run, "sh {script}"); },
               "--runner 'sh {script}': {index} is missing; the form is 'ssh node{index} sh {script} {index}'");
  expect_usage([&] { run_shards_by_template(run, "sh {index}"); },
               "--runner 'sh {index}': {script} is missing; the form is 'ssh node{index} sh {script} {index}'");
}

TEST_F(ShardRunnerTest, AnInterruptEndsThemAll) {
  const ShardRun run = run_of({1, 2, 3}, "touch \"$2.$1\"; sleep 60");
  ShardRun interrupted = run;
  interrupted.cancelled = [&] {
    return fs::exists(path("here.1")) && fs::exists(path("here.2")) && fs::exists(path("here.3"));
  };
  run_shards_by_template(interrupted, "exec sh {script} {index} " + path("here"));
  for (const int index : {1, 2, 3})
    EXPECT_NE(said_.find("shard " + std::to_string(index) + "/9: interrupted"), std::string::npos) << said_;
  said_.clear();
  cancelled_ = true;
  run_shards_here(run);
  EXPECT_EQ(said_, "") << "none is begun";
}

TEST_F(ShardRunnerTest, JobsOfSlurmAreWaitedForUntilTheQueueKnowsNone) {
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", (dir_.path().string() + ":" + before).c_str(), 1);
  make_program("sbatch", "echo \"$@\" > " + path("given") + "; echo '41;cluster'");
  make_program("squeue", "if [ -f " + path("asked") + " ]; then echo 'slurm: Invalid job id' >&2; exit 1; fi; touch " +
                             path("asked") + "; echo 41");
  make_program("scancel", "echo \"$@\" > " + path("ended"));
  const ShardRun run = run_of({2, 4}, "exit 0");
  run_shards_on_slurm(run);
  EXPECT_EQ(said_, "job 41 with shards 2,4 is in Slurm's queue\n");
  EXPECT_EQ(load_text(path("given")), "--parsable --requeue --job-name=icount --array=2,4 --output=" +
                                          path("shard-%a.log") + " " + path("shard.sh") + "\n");
  EXPECT_FALSE(fs::exists(path("ended")));
  cancelled_ = true;
  run_shards_on_slurm(run);
  EXPECT_EQ(load_text(path("ended")), "41\n");
  make_program("sbatch", "echo 'no such partition' >&2; exit 1");
  EXPECT_EQ(error_of(ErrorKind::kTool, [&] { run_shards_on_slurm(run); }),
            "sbatch refused the jobs: exit status 1: no such partition");
  ::setenv("PATH", before.c_str(), 1);
}

TEST_F(ShardRunnerTest, AScriptLeavesAWholeFileOrNone) {
  make_program("measure", "[ \"$2\" = 3/9 ] && exit 2; echo \"$@\" >> \"$4\"; [ \"$2\" != 2/9 ]");
  const std::string text = shard_script({path("measure")}, dir_.path(), dir_.path(), 9);
  make_program("whole.sh", text);
  for (const int index : {1, 3}) save_file(path("shard-" + std::to_string(index) + ".earlier"), "earlier\n");
  ShardRun run = run_of({1, 2, 3}, "exec sh " + path("whole.sh") + " $1");
  run_shards_here(run);
  EXPECT_TRUE(fs::exists(path("shard-1.icount")));
  EXPECT_TRUE(fs::exists(path("shard-2.icount"))) << "exit status 1: benchmarks that failed are results, too";
  EXPECT_FALSE(fs::exists(path("shard-3.icount")));
  EXPECT_EQ(load_text(path("shard-1.icount")).find("earlier\n--shard 1/9"), 0u) << "it is gone on with";
  EXPECT_EQ(load_text(path("shard-3.earlier")), "earlier\n");
  for (const auto& entry : fs::directory_iterator(dir_.path())) EXPECT_NE(entry.path().extension(), ".part");
}

// Files of shards that become one; the whole path is tests/shards.

ShardFile shard(const std::string& name, int64_t index, const std::string& language) {
  ShardFile shard{name, {}};
  shard.file.fingerprint.set(kSuiteFact, "s, version 0, 2 benchmarks, md5 x", FactClass::kNameOnly);
  shard.file.shard = ShardOf{index, 2, {{0, "a"}, {1, "b"}}};
  Result result;
  result.label = {index == 1 ? "a" : "b"};
  result.task.language = language;
  result.counts = {1};
  result.extra = record_text({result.label[0], index - 1, 0});
  result.fingerprint.set("valgrind", "3.19.0", FactClass::kRefuse);
  shard.file.results = {result};
  return shard;
}

Fingerprint& facts(ShardFile& shard) { return shard.file.results[0].fingerprint; }

TEST(MergeShardsTest, ProgramsDifferInWhatIsTheirOwn) {
  ShardFile one = shard("1", 1, "program"), two = shard("2", 2, "program");
  facts(one).set("environment", "A=1", FactClass::kRefuse);
  facts(one).set("compiler", "GCC 12", FactClass::kNameOnly);
  facts(two).set("compiler", "GCC 13", FactClass::kNameOnly);
  facts(two).set("within", "main", FactClass::kRefuse);
  EXPECT_EQ(merge_shards({one, two}, "out").file.results.size(), 2u);
}

TEST(MergeShardsTest, StatementsDifferInTheirUnit) {
  ShardFile one = shard("1", 1, "c++"), two = shard("2", 2, "c++");
  facts(one).set(kUnitFact, "its own", FactClass::kNameOnly);
  facts(two).set(kUnitFact, "shared with other statements", FactClass::kNameOnly);
  EXPECT_EQ(merge_shards({one, two}, "out").file.results.size(), 2u);
}

TEST(MergeShardsTest, ConditionsOfTheRunAreTheSame) {
  for (const char* language : {"program", "c++"}) {
    ShardFile one = shard("1", 1, language), two = shard("2", 2, language);
    facts(two).set("valgrind", "3.22.0", FactClass::kRefuse);
    EXPECT_NE(error_of([&] {
                merge_shards({one, two}, "out");
              }).find("1 and 2 were measured under different conditions"),
              std::string::npos);
  }
}

TEST(MergeShardsTest, AHeaderThatWasEditedBetweenTwoShardsIsNamed) {
  const auto made_from = [](ShardFile file, const std::string& content) {
    const CodeIdentity code{{{"statement", "x"}}, {"file " + content + " - /own.h", "absent - - /" + file.name}, ""};
    file.file.results[0].extra = record_text({"key", 0, 0, "", code});
    return file;
  };
  const ShardFile one = made_from(shard("1", 1, "c++"), "a"), two = made_from(shard("2", 2, "c++"), "a");
  EXPECT_EQ(merge_shards({one, two}, "out").notes, std::vector<std::string>());
  EXPECT_EQ(
      merge_shards({one, made_from(two, "b")}, "out").notes,
      std::vector<std::string>({"1 and 2 were made from different contents of /own.h: measure one of them again"}));
}

TEST(MergeShardsTest, StatementsAreCompiledAlike) {
  ShardFile one = shard("1", 1, "c++"), two = shard("2", 2, "c++");
  facts(one).set("compiler", "clang 14", FactClass::kNameOnly);
  facts(two).set("compiler", "clang 15", FactClass::kNameOnly);
  EXPECT_NE(error_of([&] { merge_shards({one, two}, "out"); }).find("compiler"), std::string::npos);
}

}  // namespace
}  // namespace icount
