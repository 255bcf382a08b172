// A hundred statements with ten saboteurs among them: ninety right counts, ten right messages.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <map>

#include "icount/base/scratch_dir.h"
#include "timer/collect_fixture.h"

namespace icount {
namespace {

struct Saboteur {
  std::string stmt;
  CollectStatus status;
  std::string message;  // part of it
};

std::vector<Saboteur> make_saboteurs() {
  return {
      {"auto y = ;", CollectStatus::kCompileError, "stmt:1:10: "},
      {"throw std::runtime_error(\"\\n no luck\");", CollectStatus::kThrew, "threw std::runtime_error: no luck"},
      {"abort();", CollectStatus::kCrashed, "SIGABRT"},
      {"static int runs = 0; if (++runs > 15) exit(0); icount::keep(runs);", CollectStatus::kExited,
       "called exit with status 0 in the measured region"},
      {"while (true) asm volatile(\"\");", CollectStatus::kTimedOut, "did not finish within 3 s"},
      {"sleep(1000);", CollectStatus::kTimedOut, "did not finish within 3 s"},
      {"fork(); fork();", CollectStatus::kForked, "makes further processes"},
      {"struct R { static int deep(int n) { volatile char big[4096]; big[n & 7] = 1; return n < 0 ? 0 : deep(n + 1) + "
       "big[0]; } }; "
       "int n = 1; icount::keep(n); icount::keep(R::deep(n));",
       CollectStatus::kCrashed, "SIGSEGV"},
      {"asm volatile(\".byte 0x62,0xf1,0x7d,0x48,0xef,0xc0\" ::: \"xmm0\");", CollectStatus::kUnhandledInstruction,
       "`vpxord %zmm0, %zmm0, %zmm0` in stmt"},
      {"for (int i = 0; i < 10000; ++i) printf(\"%099d\\n\", i); fflush(stdout); throw 3;", CollectStatus::kThrew,
       "threw int"},
  };
}

TEST(SaboteursTest, CostOnlyThemselves) {
  ICOUNT_NEEDS("valgrind");
  std::vector<TimerArgs> statements;
  std::map<size_t, Saboteur> saboteurs;
  for (const Saboteur& saboteur : make_saboteurs()) {
    saboteurs[statements.size() + 4] = saboteur;
    for (int i = 0; i < 10; ++i)
      statements.push_back(make_statement(i == 4 ? saboteur.stmt : "std::vector<int> v(50, 1); icount::keep(v);"));
  }
  for (TimerArgs& statement : statements) statement.global_setup = "#include <unistd.h>";
  CollectOptions options = make_collect_options();
  options.time_limit = Seconds(3);
  options.number = 20;
  const auto results = collect_callgrind(statements, options);
  ASSERT_EQ(results.size(), 100u);
  for (const CollectResult& result : results) {
    if (const auto at = saboteurs.find(result.index); at != saboteurs.end()) {
      EXPECT_EQ(to_text(result.status), to_text(at->second.status)) << at->second.stmt << ": " << result.error;
      EXPECT_NE(result.error.find(at->second.message), std::string::npos) << at->second.stmt << ": " << result.error;
      EXPECT_EQ(result.error.find('\n'), std::string::npos);
      EXPECT_TRUE(result.counts.empty());
    } else {
      ASSERT_EQ(result.counts.size(), 1u) << result.index << ": " << result.error;
      EXPECT_EQ(result.counts[0], results[0].counts[0]);
    }
  }
  EXPECT_NE(results[94].details.find("0009999"), std::string::npos) << "the tail of a megabyte of output is kept";
}

TEST(SaboteursTest, AKilledServerIsStartedAgainForTheOthers) {
  ICOUNT_NEEDS("valgrind");
  std::vector<TimerArgs> statements(5, make_statement("std::vector<int> v(50, 1); icount::keep(v);"));
  statements[2].stmt = "kill(getppid(), SIGKILL); sleep(1);";
  for (TimerArgs& statement : statements) statement.global_setup = "#include <unistd.h>\n#include <signal.h>";
  const auto results = collect_callgrind(statements, make_collect_options());
  for (const CollectResult& result : results) {
    if (result.index == 2) {
      EXPECT_EQ(result.status, CollectStatus::kServerLost);
      EXPECT_NE(result.error.find("SIGKILL"), std::string::npos) << result.error;
    } else {
      EXPECT_EQ(result.status, CollectStatus::kDone) << result.index << ": " << result.error;
    }
  }
}

TEST(SaboteursTest, ADamagedLineOfTheProtocolCostsItsStatementAlone) {
  ICOUNT_NEEDS("valgrind");
  std::vector<TimerArgs> statements(4, make_statement("std::vector<int> v(50, 1); icount::keep(v);"));
  statements[1].stmt =
      "std::string path = \"/proc/\" + std::to_string(getppid()) + \"/fd/4\"; int f = open(path.c_str(), O_WRONLY); "
      "int n = write(f, \"ended 1 \\\\x status=done\\n\", 22); icount::keep(n); close(f);";
  for (TimerArgs& statement : statements)
    statement.global_setup = "#include <fcntl.h>\n#include <unistd.h>\n#include <string>";
  const auto results = collect_callgrind(statements, make_collect_options());
  ASSERT_EQ(results.size(), 4u);
  for (const CollectResult& result : results) {
    if (result.index == 1) {
      EXPECT_EQ(result.status, CollectStatus::kServerLost) << result.error;
      EXPECT_NE(result.error.find("damaged line"), std::string::npos) << result.error;
    } else {
      EXPECT_EQ(result.status, CollectStatus::kDone) << result.index << ": " << result.error;
    }
  }
}

/// Raw system calls go past fork and its hooks.
TEST(SaboteursTest, ProcessesMadeByRawSystemCallsAreFoundAndEnded) {
  ICOUNT_NEEDS("valgrind");
  const ScratchDir dir;
  // The statement goes on once the other process has said its number, however long that takes: as a link's target,
  // which is there whole or not at all, whichever of the statement's processes is ended meanwhile.
  const auto leave = [&](const std::string& name, const std::string& instead) {
    const std::string file = (dir.path() / name).string();
    return "if (syscall(SYS_fork) == 0) { syscall(SYS_setsid); " + instead +
           " char number[16]; sprintf(number, \"%d\", (int)syscall(SYS_getpid)); symlink(number, \"" + file +
           "\"); while (true) pause(); } struct stat said; while (lstat(\"" + file + "\", &said) != 0) usleep(1000);";
  };
  std::vector<TimerArgs> statements(6, make_statement("std::vector<int> v(50, 1); icount::keep(v);"));
  statements[1].stmt = leave("child", "");
  statements[2].stmt = leave("grandchild", "if (syscall(SYS_fork) != 0) syscall(SYS_exit, 0);");
  statements[3].stmt = leave("crashed", "") + " abort();";
  statements[4].stmt = leave("threw", "") + " throw 1;";
  for (TimerArgs& statement : statements)
    statement.global_setup =
        "#include <stdio.h>\n#include <stdlib.h>\n#include <sys/stat.h>\n#include <sys/syscall.h>\n#include "
        "<unistd.h>\n#include <vector>";
  CollectOptions options = make_collect_options();
  options.number = 1;
  const auto results = collect_callgrind(statements, options);
  ASSERT_EQ(results.size(), 6u);
  EXPECT_EQ(to_text(results[1].status), "forked") << results[1].error;
  EXPECT_EQ(to_text(results[2].status), "forked") << results[2].error;
  EXPECT_EQ(to_text(results[3].status), "crashed") << results[3].error;
  EXPECT_EQ(to_text(results[4].status), "threw") << results[4].error;
  EXPECT_EQ(results[0].counts, results[5].counts);
  for (const char* name : {"child", "grandchild", "crashed", "threw"}) {
    ASSERT_TRUE(std::filesystem::is_symlink(dir.path() / name)) << name << " never ran";
    const int pid = std::stoi(std::filesystem::read_symlink(dir.path() / name).string());
    EXPECT_NE(::kill(pid, 0), 0) << name << " is left: " << pid;
  }
}

}  // namespace
}  // namespace icount
