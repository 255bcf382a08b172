// The history with real counts: three commits of a small program are counted and stored, in SQLite and in PostgreSQL,
// and any two of them are explained a while later, from the store alone.
#include <gtest/gtest.h>
#include <unistd.h>

#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "support/places.h"
#include "support/postgresql_server.h"

namespace icount {
namespace {

std::string source(int rounds, int calls) {
  return "static int work(int n) { volatile int s = 0; for (int i = 0; i < " + std::to_string(rounds) +
         "; ++i) s += n; return s; }\nint main(void) { int s = 0; for (int i = 0; i < " + std::to_string(calls) +
         "; ++i) s += work(i); return s == 1; }\n";
}

class HistoryEndToEnd : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* program : {"valgrind", "git", "cc"})
      if (find_program(program).empty()) GTEST_SKIP() << "no " << program << " on this machine";
    run("git init -q -b main . && git config user.email a@example.org && git config user.name A");
    commit(source(100, 1000), "the first");
    commit(source(100, 1500), "half as many calls again");
    commit(source(130, 1500), "work works more");
  }

  /// What a shell line prints, with icount in PATH; the test fails when it fails.
  std::string run(const std::string& line) {
    ProcessSpec spec;
    spec.argv = {"/bin/sh", "-c",
                 "PATH=\"" + binary_dir() + ":$PATH\" ICOUNT_CACHE=\"" + (dir_.path() / "cache").string() +
                     "\"; export PATH ICOUNT_CACHE; " + line};
    spec.working_dir = dir_.path();
    spec.time_limit = Seconds(1200);
    const ProcessOutcome outcome = run_process(spec);
    EXPECT_TRUE(outcome.ok()) << line << '\n' << describe_end(outcome) << '\n' << outcome.errors;
    return outcome.output;
  }

  void commit(const std::string& code, const std::string& subject) {
    save_file(dir_.path() / "calc.c", code);
    const std::string seconds = std::to_string(1700000000 + 100 * ++commits_);
    run("git add calc.c && GIT_COMMITTER_DATE='" + seconds + " +0000' git commit -q -m '" + subject +
        "' && cc -O1 -fno-inline -g -o calc calc.c && " + "icount count --out run" + std::to_string(commits_) +
        ".icount -- ./calc > log && icount store import run" + std::to_string(commits_) +
        ".icount --commit HEAD >> log");
  }

  static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

  /// The same story whatever the store is.
  void expect_story(const std::string& store) {
    const std::string calls = run("icount diff @HEAD~2 @HEAD~1 " + store);
    EXPECT_TRUE(has(calls, "the loop at calc.c:2 runs 1,500 times per entry, was 1,000")) << calls;
    const std::string work = run("icount diff @HEAD~1 @HEAD " + store);
    EXPECT_TRUE(has(work, "`work`")) << work;
    EXPECT_FALSE(has(work, "1,500 times")) << work;
    const std::string both = run("icount diff @HEAD~2 @main " + store);
    EXPECT_TRUE(has(both, "1,500 times per entry, was 1,000")) << both;
    const std::string history = run("icount history " + store);
    EXPECT_TRUE(has(history, "3 runs, 2 steps, noise exact")) << history;
    EXPECT_TRUE(has(history, "half as many calls again")) << history;
    EXPECT_TRUE(has(history, "2023-11-14 22:15")) << history;
  }

  ScratchDir dir_{"icount-story"};
  int commits_ = 0;
};

TEST_F(HistoryEndToEnd, AnyTwoCommitsAreExplained) {
  expect_story("");
  EXPECT_TRUE(std::filesystem::exists(dir_.path() / ".icount" / "history.sqlite"));
  EXPECT_EQ(run("git status --porcelain .icount"), "") << "it ignores itself";
  run("icount store check && icount store export @HEAD > copy.icount && cmp copy.icount run3.icount");
  if (const std::string missing = PostgresqlServer::missing(); !missing.empty()) GTEST_SKIP() << missing;
  const std::string url = PostgresqlServer::shared().new_database();
  run("icount store merge .icount/history.sqlite --store " + url);
  run("rm -r .icount run*.icount");
  expect_story("--store " + url);
  run("icount store check --store " + url);
}

}  // namespace
}  // namespace icount
