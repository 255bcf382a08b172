// What a program starts is counted with it: by every way to start something, each instruction once.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "icount/base/file.h"
#include "icount/base/program_paths.h"
#include "icount/base/scratch_dir.h"
#include "icount/callgrind/installed_valgrind.h"
#include "icount/stats/fingerprint.h"
#include "icount/timer/count_program.h"
#include "timer/collect_fixture.h"

namespace icount {
namespace {

constexpr const char* kSource = R"(
#define _GNU_SOURCE
#include <grp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
extern char** environ;
static volatile long sum;
__attribute__((noinline)) void parent_loop(long n) { for (long i = 0; i < n; ++i) sum += i; }
__attribute__((noinline)) void child_loop(long n) { for (long i = 0; i < n; ++i) sum += i; }
static void wait_all(void) { while (wait(0) > 0) {} }
static char** arguments;
static int clone_child(void* unused) { child_loop(1000); (void)unused; return 0; }
static void* in_thread(void* unused) {
  char* leaf[] = {arguments[0], "leaf", 0};
  pid_t pid;
  parent_loop(100000);
  if (!strcmp(arguments[1], "thread-spawn")) posix_spawn(&pid, leaf[0], 0, 0, leaf, environ);
  if (!strcmp(arguments[1], "thread-system") && system("true") != 0) exit(1);
  if (!strcmp(arguments[1], "thread-fork") && fork() == 0) { child_loop(1000); _exit(0); }
  if (!strcmp(arguments[1], "thread-clone")) clone(clone_child, malloc(65536) + 65536, SIGCHLD, 0);
  wait_all();
  return unused;
}
int main(int argc, char** argv) {
  const char* mode = argv[1];
  char* leaf[] = {argv[0], "leaf", 0};
  if (!strcmp(mode, "leaf")) { child_loop(1000); return 0; }
  parent_loop(1000000);
  if (!strcmp(mode, "fork")) {
    if (fork() == 0) { child_loop(1000); exit(3); }
  } else if (!strcmp(mode, "levels")) {
    for (int level = 0; level < 3; ++level) {
      if (fork() != 0) { wait_all(); _exit(0); }
      child_loop(1000);
    }
  } else if (!strcmp(mode, "exec")) {
    if (fork() == 0) { child_loop(500); execv(argv[0], leaf); }
  } else if (!strcmp(mode, "vfork")) {
    if (vfork() == 0) { execv(argv[0], leaf); _exit(1); }
  } else if (!strcmp(mode, "spawn")) {
    pid_t pid; posix_spawn(&pid, argv[0], 0, 0, leaf, environ);
  } else if (!strcmp(mode, "twice")) {
    char* again[] = {argv[0], "becomes", 0};
    if (fork() == 0) execv(argv[0], again);
  } else if (!strcmp(mode, "becomes")) {
    execv(argv[0], leaf);
  } else if (!strcmp(mode, "killed")) {
    if (fork() == 0) { child_loop(1000); kill(getpid(), SIGTERM); }
    pid_t paused = fork();
    if (paused == 0) { for (;;) pause(); }
    kill(paused, SIGKILL);
  } else if (!strcmp(mode, "killed-later")) {
    int ready[2]; char byte;
    if (pipe(ready) != 0) return 1;
    pid_t forked = fork();
    if (forked == 0) {
      child_loop(1000);
      if (fork() == 0) _exit(0);
      wait(0);
      child_loop(2000);
      if (write(ready[1], "x", 1) != 1) return 1;
      for (;;) pause();
    }
    if (read(ready[0], &byte, 1) != 1) return 1;
    kill(forked, SIGKILL);
  } else if (!strcmp(mode, "daemon")) {
    if (fork() == 0) { if (fork() == 0) { setsid(); close(0); close(1); close(2); sleep(3); } _exit(0); }
  } else if (!strncmp(mode, "thread", 6)) {
    pthread_t thread;
    arguments = argv;
    if (pthread_create(&thread, 0, in_thread, 0) != 0 || pthread_join(thread, 0) != 0) return 1;
  } else if (!strcmp(mode, "drops")) {
    if (fork() == 0) {
      child_loop(1000);
      if (setgroups(0, 0) != 0 || setgid(65534) != 0 || setuid(65534) != 0) return 1;
      child_loop(10);
      exit(0);
    }
  } else if (!strcmp(mode, "many")) {
    for (int i = 0; i < 3; ++i) if (fork() == 0) { child_loop(1000 * (i + 1)); _exit(0); }
  }
  wait_all();
  parent_loop(10);
  return 0;
}
)";

class ProgramChildrenTest : public testing::Test {
 protected:
  /// The program is compiled once for all tests.
  static void SetUpTestSuite() {
    if (find_program("valgrind").empty() || find_program("gcc").empty()) return;
    folder_ = new ScratchDir;
    save_file(folder_->path() / "p.c", kSource);
    ProcessSpec compiler;
    compiler.argv = {"gcc", "-O1", "-g", "-pthread", "-o", program(), (folder_->path() / "p.c").string()};
    ASSERT_TRUE(run_process(compiler).ok());
    const CostGraph leaf = count({program(), "leaf"}).graph;
    leaf_total_ = leaf.totals.at(0);
    leaf_loop_ = self_of(leaf, "child_loop");
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }
  void SetUp() override {
    ICOUNT_NEEDS("valgrind");
    ICOUNT_NEEDS("gcc");
  }

  static std::string program() { return (folder_->path() / "p").string(); }

  static ProgramCount count(const std::vector<std::string>& argv, bool children = true, std::string counter = "") {
    ProgramCountOptions options;
    options.environment = current_environment();
    options.environment.set(kCounterVariable, std::move(counter));
    options.follow_children = children;
    ProgramCount result = count_program(argv, options);
    int64_t sum = 0;
    for (const CountedProcess& process : result.processes)
      if (!process.graph.events.empty()) sum += process.graph.totals.at(0);
    EXPECT_EQ(result.graph.totals.at(0), children ? sum : result.processes[0].graph.totals.at(0));
    return result;
  }
  static ProgramCount count_mode(const std::string& mode) { return count({program(), mode}); }
  static bool has_own_counter() { return !find_counter_folder(own_file()).empty(); }
  static ProgramCount count_mode_by_callgrind(const std::string& mode) {
    return count({program(), mode}, true, "callgrind");
  }

  static int64_t self_of(const CostGraph& graph, std::string_view name) {
    int64_t self = 0;
    for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
      if (graph.name(f) == name) self += graph.self_of(f, 0);
    return self;
  }

  /// What the loops cost: 5 instructions a turn with one compiler, another number with the next.
  static int64_t loop_cost(int64_t turns) { return leaf_loop_ / 1000 * turns; }
  static void expect_near(int64_t value, int64_t wanted) { EXPECT_NEAR(value, wanted, 0.01 * wanted + 100); }

  inline static ScratchDir* folder_ = nullptr;
  inline static int64_t leaf_total_ = 0, leaf_loop_ = 0;
};

TEST_F(ProgramChildrenTest, AForkedChildIsCountedFromItsForkOn) {
  const ProgramCount counted = count_mode("fork");
  ASSERT_EQ(counted.processes.size(), 2u);
  expect_near(self_of(counted.graph, "parent_loop"), loop_cost(1000010));
  expect_near(self_of(counted.graph, "child_loop"), loop_cost(1000));
  EXPECT_EQ(self_of(counted.processes[1].graph, "parent_loop"), 0);
  EXPECT_LT(counted.processes[1].graph.totals.at(0), loop_cost(1000) + 5000);
  EXPECT_EQ(counted.processes[1].status, "exit status 3");
  EXPECT_EQ(counted.processes[1].parent, 0);
  EXPECT_TRUE(counted.outcome.ok()) << "the parent's exit status decides";
  // What was active at the fork has its whole inclusive cost, though Callgrind wrote a part there.
  const CostGraph& graph = counted.processes[0].graph;
  int64_t into_main = 0;
  for (size_t e = 0; e < graph.edges.size(); ++e)
    if (graph.name(graph.edges[e].callee) == "main") into_main += graph.inclusive_of(e, 0);
  EXPECT_GT(into_main, loop_cost(1000010));
  EXPECT_LE(into_main, graph.totals.at(0));
}

TEST_F(ProgramChildrenTest, EveryLevelOfForksHasItsOwnPart) {
  const ProgramCount counted = count_mode("levels");
  ASSERT_EQ(counted.processes.size(), 4u);
  expect_near(self_of(counted.graph, "parent_loop"), loop_cost(1000010));
  expect_near(self_of(counted.graph, "child_loop"), loop_cost(3000));
  for (int i = 1; i < 4; ++i) {
    EXPECT_EQ(counted.processes[i].parent, i - 1);
    expect_near(self_of(counted.processes[i].graph, "child_loop"), loop_cost(1000));
  }
}

TEST_F(ProgramChildrenTest, WhateverWayItIsStartedTheOtherProgramIsCounted) {
  for (const char* mode : {"exec", "vfork", "spawn", "twice"}) {
    const ProgramCount counted = count_mode(mode);
    ASSERT_EQ(counted.processes.size(), 2u) << mode;
    const CountedProcess& child = counted.processes[1];
    EXPECT_EQ(child.argv, (std::vector<std::string>{program(), "leaf"})) << mode;
    EXPECT_EQ(child.status, "done") << mode;
    EXPECT_EQ(child.not_counted, "") << mode;
    EXPECT_GT(child.graph.totals.at(0), leaf_total_) << mode << ": with the piece between fork and exec";
    const bool twice = std::string_view(mode) == "twice", own_loop = std::string_view(mode) == "exec";
    expect_near(self_of(child.graph, "child_loop"), loop_cost(own_loop ? 1500 : 1000));
    expect_near(self_of(counted.graph, "parent_loop"), loop_cost(twice ? 2000010 : 1000010));
  }
}

TEST_F(ProgramChildrenTest, WhatAThreadStartsIsCountedFromItsStartOn) {
  for (const std::string mode : {"thread-spawn", "thread-system", "thread-fork"}) {
    const ProgramCount counted = count_mode(mode);
    ASSERT_GE(counted.processes.size(), 2u) << mode;
    EXPECT_EQ(counted.processes[1].not_counted, "") << mode;
    EXPECT_EQ(self_of(counted.processes[1].graph, "parent_loop"), 0) << mode << ": what the parent did, again";
    expect_near(self_of(counted.graph, "parent_loop"), loop_cost(1100010));
  }
}

TEST_F(ProgramChildrenTest, ACopyWhoseParentWroteNothingForItIsNamed) {
  if (has_own_counter()) {  // counts from the fork on, whoever makes it
    const ProgramCount own = count_mode("thread-clone");
    ASSERT_EQ(own.processes.size(), 2u);
    EXPECT_EQ(own.processes[1].not_counted, "");
    expect_near(self_of(own.graph, "parent_loop"), loop_cost(1100010));
  }
  const ProgramCount counted = count_mode_by_callgrind("thread-clone");
  ASSERT_EQ(counted.processes.size(), 2u);
  EXPECT_NE(counted.processes[1].not_counted.find("without the C library"), std::string::npos);
  expect_near(self_of(counted.graph, "parent_loop"), loop_cost(1100010));
}

TEST_F(ProgramChildrenTest, AChildThatDropsItsPrivilegesIsNamedAndTheRestIsCounted) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root's rights";
  const ProgramCount counted = count_mode("drops");
  ASSERT_EQ(counted.processes.size(), 2u);
  EXPECT_NE(counted.processes[1].not_counted.find("changes its user"), std::string::npos)
      << counted.processes[1].not_counted;
  EXPECT_NE(counted.fingerprint.find(kUncountedFact), nullptr);
  expect_near(self_of(counted.graph, "parent_loop"), loop_cost(1000010));
}

TEST_F(ProgramChildrenTest, AProgramThatBecomesAnotherIsBoth) {
  const ProgramCount counted = count_mode("becomes");
  ASSERT_EQ(counted.processes.size(), 1u);
  expect_near(self_of(counted.graph, "parent_loop"), loop_cost(1000000));
  expect_near(self_of(counted.graph, "child_loop"), loop_cost(1000));
}

TEST_F(ProgramChildrenTest, AShellAndAScriptAreTheirCommandsToo) {
  const ProgramCount shell = count({"sh", "-c", program() + " leaf; " + program() + " fork; true"});
  ASSERT_EQ(shell.processes.size(), 4u);
  EXPECT_EQ(shell.processes[1].argv.back(), "leaf");
  EXPECT_EQ(shell.processes[3].parent, 2);
  expect_near(self_of(shell.graph, "child_loop"), loop_cost(2000));
  const auto script = folder_->path() / "script";
  save_file(script, "#!/bin/sh\nset -e\n" + program() + " leaf\nexec " + program() + " leaf\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const ProgramCount scripted = count({script.string()});
  EXPECT_EQ(scripted.processes.size(), 2u);
  expect_near(self_of(scripted.graph, "child_loop"), loop_cost(2000));
}

TEST_F(ProgramChildrenTest, OrderAndCountsAreTheSameInEveryRun) {
  const ProgramCount a = count_mode("many"), b = count_mode("many");
  ASSERT_EQ(a.processes.size(), 4u);
  ASSERT_EQ(b.processes.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(a.processes[i].graph.totals, b.processes[i].graph.totals);
    if (i > 0) expect_near(self_of(a.processes[i].graph, "child_loop"), loop_cost(1000 * static_cast<int64_t>(i)));
  }
}

TEST_F(ProgramChildrenTest, AChildThatIsKilledIsNamedAndADaemonIsNotWaitedFor) {
  const ProgramCount killed = count_mode("killed");
  ASSERT_EQ(killed.processes.size(), 3u);
  EXPECT_EQ(killed.processes[1].status, "killed by signal 15 (SIGTERM)");
  expect_near(self_of(killed.processes[1].graph, "child_loop"), loop_cost(1000));
  EXPECT_EQ(killed.processes[2].status, "killed by signal 9 (SIGKILL)");
  EXPECT_FALSE(killed.processes[2].not_counted.empty());
  EXPECT_TRUE(killed.outcome.ok());
  if (has_own_counter()) {
    const ProgramCount lost = count_mode("killed-later");
    ASSERT_EQ(lost.processes.size(), 3u);
    EXPECT_EQ(lost.processes[1].not_counted, "it ended before its profile was written");
    EXPECT_NE(lost.fingerprint.find(kUncountedFact), nullptr);
  }
  // What it did up to its own fork Callgrind dumped then; the rest is missing.
  const ProgramCount later = count_mode_by_callgrind("killed-later");
  ASSERT_EQ(later.processes.size(), 3u);
  EXPECT_EQ(later.processes[1].not_counted, "it was killed before its last part was written");
  expect_near(self_of(later.processes[1].graph, "child_loop"), loop_cost(1000));
  EXPECT_NE(later.fingerprint.find(kUncountedFact), nullptr);
  const ProgramCount daemon = count_mode("daemon");
  ASSERT_EQ(daemon.processes.size(), 3u);
  EXPECT_EQ(daemon.processes[2].status, "outlived the program");
  EXPECT_TRUE(std::any_of(daemon.notes.begin(), daemon.notes.end(), [](const std::string& note) {
    return note.find("it outlived the program") != std::string::npos;
  }));
}

TEST_F(ProgramChildrenTest, WithoutChildrenTheCountIsTheProgramsAndSaysThatThereWereSome) {
  const ProgramCount all = count({"sh", "-c", program() + " leaf; true"});
  const ProgramCount alone = count({"sh", "-c", program() + " leaf; true"}, false);
  EXPECT_EQ(alone.graph.totals, all.processes[0].graph.totals);
  ASSERT_FALSE(alone.notes.empty());
  EXPECT_NE(alone.notes[0].find("it started 1 more process"), std::string::npos) << alone.notes[0];
  EXPECT_FALSE(comparable(alone.fingerprint, all.fingerprint).comparable());
}

TEST_F(ProgramChildrenTest, ASetuidProgramIsNamed) {
  const auto setuid = folder_->path() / "setuid";
  std::filesystem::copy_file(program(), setuid);
  std::filesystem::permissions(setuid, std::filesystem::perms::owner_all | std::filesystem::perms::set_uid);
  const ProgramCount counted = count({"sh", "-c", setuid.string() + " leaf; true"});
  EXPECT_TRUE(std::any_of(counted.notes.begin(), counted.notes.end(), [&](const std::string& note) {
    return note.find(setuid.string() + " is setuid") != std::string::npos;
  }));
}

TEST_F(ProgramChildrenTest, WhatStartsOthersIsCountedEachTime) {
  ProgramCountOptions options;
  options.environment = current_environment();
  options.cache_dir = folder_->path() / "cache";
  const ProgramCount first = count_program({program(), "exec"}, options);
  const ProgramCount second = count_program({program(), "exec"}, options);
  EXPECT_FALSE(first.from_cache);
  EXPECT_FALSE(second.from_cache) << "what the other program looks at is not known";
  ASSERT_EQ(second.processes.size(), 2u);
  EXPECT_EQ(first.graph.totals, second.graph.totals);
}

}  // namespace
}  // namespace icount
