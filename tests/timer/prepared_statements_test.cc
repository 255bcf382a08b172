// Statements whose set-up and warm-up ran before they are counted: what a process that prepares one after another keeps
// must reach no count.
#include "icount/timer/collect_callgrind.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "timer/collect_fixture.h"

namespace icount {
namespace {

class PreparedStatementsTest : public testing::Test {
 protected:
  void SetUp() override { ICOUNT_NEEDS("valgrind"); }
};

TEST_F(PreparedStatementsTest, WarmingChangesNoCount) {
  std::vector<TimerArgs> statements;
  for (const char* stmt :
       {"std::map<int, int> m; for (int i = 0; i < 30; ++i) m[i] = i; icount::keep(m);",
        "kept.push_back(1); icount::keep(kept);", "std::ostringstream o; o << 3.25; icount::keep(o);",
        "static std::vector<int> s; s.push_back(1); icount::keep(s);",
        "char* p = new char[300000]; icount::keep(p); *p = 1; delete[] p;", "printf(\"%d\\n\", 3);"})
    statements.push_back(make_statement(stmt, "std::vector<int> kept(100);"));
  CollectOptions options = make_collect_options();
  const auto warm = collect_all(statements, options);
  options.warm = false;
  const auto cold = collect_all(statements, options);
  EXPECT_EQ(first_counts(warm), first_counts(cold));
  for (size_t i = 0; i < statements.size(); ++i) {
    EXPECT_TRUE(warm[i].prepared);
    EXPECT_FALSE(cold[i].prepared);
    EXPECT_GT(cold[i].setup_count, 0);
  }
}

// LibTorch's handler of forks gives its thread pool up: the first use after a fork makes another one.
TEST_F(PreparedStatementsTest, WhatAForkChangesIsChangedInTheSnapshotToo) {
  TimerArgs statement = make_statement(
      "std::map<int, int> m; for (int i = 0; i < runs; ++i) m[i] = i; icount::keep(m);",
      "static const bool installed = pthread_atfork(nullptr, nullptr, [] { ++forks; }) == 0; icount::keep(installed);"
      "const int runs = 10 * std::exchange(forks, 0);");
  statement.global_setup =
      "#include <pthread.h>\n#include <utility>\nint forks = 0;\nconst int early = pthread_atfork(nullptr, nullptr, [] "
      "{ ++forks; });";
  CollectOptions options = make_collect_options();
  const auto warm = collect_all({statement}, options);
  options.warm = false;
  const auto cold = collect_all({statement}, options);
  EXPECT_GT(cold[0].counts[0], 100 * 10 * 20) << "the handler ran";
  EXPECT_EQ(warm[0].counts, cold[0].counts);
}

// A process that prepares one statement after another keeps what the kernel knows of it: none may see what another
// one's set-up did there.
TEST_F(PreparedStatementsTest, WhatASetupChangesInTheKernelReachesNoNeighbour) {
  std::vector<TimerArgs> statements;
  const char* probe = "const std::string state = describe();";
  for (const char* setup : {"umask(0);", "chdir(\"/usr/share\");",
                            "sigset_t s; sigemptyset(&s); sigaddset(&s, SIGUSR1); "
                            "sigprocmask(SIG_BLOCK, &s, nullptr);",
                            "rlimit limit = {64, 64}; setrlimit(RLIMIT_NOFILE, &limit);",
                            "mmap(nullptr, 1 << 20, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);", ";"}) {
    statements.push_back(make_statement("icount::keep(1);", setup));
    statements.push_back(make_statement("for (char c : state) icount::keep(c);", probe));
  }
  for (TimerArgs& statement : statements)
    statement.global_setup =
        "#include <signal.h>\n#include <sys/mman.h>\n#include <sys/resource.h>\n#include <sys/stat.h>\n#include "
        "<unistd.h>\n#include <string>\n"
        "inline std::string describe() {\n"
        "  char folder[4096];\n  sigset_t blocked;\n  rlimit files;\n"
        "  std::string text = getcwd(folder, sizeof folder);\n"
        "  sigprocmask(SIG_BLOCK, nullptr, &blocked);\n  getrlimit(RLIMIT_NOFILE, &files);\n"
        "  if (sigismember(&blocked, SIGUSR1)) text += \"blocked\";\n"
        "  if (umask(022) == 0) text += \"mask\";\n"
        "  void* page = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);\n"
        "  return text + std::string(files.rlim_cur % 1000, 'x') + std::to_string((unsigned long)page);\n}";
  CollectOptions options = make_collect_options();
  options.jobs = 1;
  options.slope = false;
  const auto warm = collect_all(statements, options);
  options.warm = false;
  EXPECT_EQ(first_counts(warm), first_counts(collect_all(statements, options)));
  EXPECT_TRUE(warm.back().prepared);
}

TEST_F(PreparedStatementsTest, WhatCantBePreparedCostsItsNeighboursNothing) {
  const std::vector<const char*> bad = {"abort();",
                                        "fork();",
                                        "std::thread([] { while (true) sleep(1); }).detach();",
                                        "static int n = 0; if (++n > 3) _exit(0);",
                                        "while (true) icount::keep(first);",
                                        "open(\"/dev/null\", O_RDONLY);"};
  std::vector<TimerArgs> statements = {make_statement("std::vector<int> v(50, 1); icount::keep(v);")};
  for (const char* stmt : bad) statements.push_back(make_statement(stmt));
  statements.push_back(statements[0]);
  for (TimerArgs& statement : statements)
    statement.global_setup = "#include <fcntl.h>\n#include <thread>\n#include <unistd.h>\nint first = 0;";
  CollectOptions options = make_collect_options();
  options.time_limit = Seconds(5);  // for the one that never ends; the others need a fraction of it on an idle machine
  const auto warm = collect_callgrind(statements, options);
  options.warm = false;
  const auto cold = collect_callgrind(statements, options);
  for (size_t i = 0; i < statements.size(); ++i) {
    // Threads that nobody waits for are scheduled as it happens.
    if (statements[i].stmt.find("detach") == std::string::npos) {
      EXPECT_EQ(warm[i].counts, cold[i].counts) << statements[i].stmt;
      EXPECT_EQ(warm[i].error, cold[i].error) << statements[i].stmt;
    }
    EXPECT_EQ(warm[i].status, cold[i].status) << statements[i].stmt;
  }
  EXPECT_TRUE(warm.front().prepared);
  EXPECT_TRUE(warm.back().prepared);
  EXPECT_EQ(warm.front().counts, warm.back().counts);
}

TEST_F(PreparedStatementsTest, AThreadOfAGlobalSetUpIsNamed) {
  TimerArgs statement = make_statement("std::string s(100, 'x'); icount::keep(s);");
  statement.global_setup =
      "#include <thread>\n#include <unistd.h>\nstatic std::thread early([] { while (true) sleep(1); });";
  const auto results = collect_all({statement}, make_collect_options());
  ASSERT_EQ(results[0].notes.size(), 1u);
  EXPECT_NE(results[0].notes[0].find("a global set-up started 1 thread"), std::string::npos) << results[0].notes[0];
}

}  // namespace
}  // namespace icount
