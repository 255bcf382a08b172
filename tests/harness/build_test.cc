// Real compilers: what compiles, what does not and whom it costs, and that nothing is compiled twice.
#include "icount/harness/build.h"

#include <gtest/gtest.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/harness/compiler_messages.h"
#include "support/places.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

TimerArgs plain(std::string stmt, std::string global_setup = {}) {
  TimerArgs args;
  args.stmt = std::move(stmt);
  args.global_setup = std::move(global_setup);
  args.torch = false;
  return args;
}

class BuildTest : public testing::TestWithParam<const char*> {
 protected:
  /// Precompiled headers are shared by all tests; what a test builds itself goes to a cache of its own when it counts
  /// builds.
  BuildOutcome build(const std::vector<TimerArgs>& statements, const std::vector<std::string>& cxxflags = {}) {
    Toolchain toolchain;
    try {
      toolchain.compiler = probe_compiler({.compiler = GetParam()}, {});
    } catch (const Error&) {
      return {};
    }
    toolchain.cxxflags = cxxflags;
    BuildCache cache(test_cache());
    const auto plans = plan_stubs(statements);
    EXPECT_EQ(plans.size(), 1u);
    return build_stub(statements, plans[0], toolchain, cache);
  }
  void SetUp() override {
    if (find_program(GetParam()).empty()) GTEST_SKIP() << "no " << GetParam() << " here";
  }
};

TEST_P(BuildTest, UglyTextCompilesAndErrorsStayWithTheirStatement) {
  const BuildOutcome outcome = build({
      plain("auto s = std::string(\"\\n \\\\ \\\" \\101\"); icount::keep(s); // end \\"),
      plain("auto r = R\"x(\\ \" #define )x\"; icount::keep(r);\n#define TWO 2\nint i = TWO;"),
      plain("int a = 1;\nint b = ;\nint c = 2;"),
      plain("{"),
      plain("}"),
      plain("std::vector<int> v(TWO);"),
      plain("extern void nowhere(); nowhere();"),
      plain("/* never closed"),
      plain("std::vector<int> v(3); icount::keep(v);"),
  });
  EXPECT_EQ(outcome.statements, (std::vector<size_t>{0, 1, 8}));
  ASSERT_EQ(outcome.failures.size(), 6u);
  EXPECT_EQ(outcome.failures[0].statement, 2u);
  EXPECT_EQ(outcome.failures[0].error.rfind("stmt:2:9: expected", 0), 0u) << outcome.failures[0].error;
  EXPECT_NE(outcome.failures[1].error.find("braces"), std::string::npos) << outcome.failures[1].error;
  EXPECT_NE(outcome.failures[2].error.find("braces"), std::string::npos) << outcome.failures[2].error;
  EXPECT_EQ(outcome.failures[3].error.rfind("stmt:1:20: ", 0), 0u) << outcome.failures[3].error;
  EXPECT_EQ(outcome.failures[4].error.rfind("stmt:1: undefined", 0), 0u) << outcome.failures[4].error;
  EXPECT_NE(outcome.failures[4].error.find("nowhere()"), std::string::npos) << outcome.failures[4].error;
  EXPECT_EQ(outcome.failures[5].statement, 7u);
}

TEST_P(BuildTest, AGlobalSetupThatIsLeftOpenIsBlamedOnItself) {
  for (const char* open : {"namespace {", "namespace a {", "extern \"C\" {"}) {
    const BuildOutcome outcome = build({plain("int i = 1; icount::keep(i);", open), plain("int j = ;", open)});
    ASSERT_EQ(outcome.failures.size(), 2u) << open;
    for (const BuildFailure& failure : outcome.failures)
      EXPECT_EQ(failure.error.rfind("global_setup: unexpected end of the text", 0), 0u)
          << open << ": " << failure.error;
  }
  const BuildOutcome outcome = build({plain("int i = ; icount::keep(i);", "namespace a { int i; }")});
  ASSERT_EQ(outcome.failures.size(), 1u);
  EXPECT_EQ(outcome.failures[0].error.rfind("stmt:1:9: ", 0), 0u) << outcome.failures[0].error;
}

TEST_P(BuildTest, TheSameAgainCompilesNothing) {
  const std::vector<TimerArgs> statements = {plain("std::string s(9, 'x'); icount::keep(s);")};
  build(statements);
  const BuildOutcome again = build(statements);
  EXPECT_EQ(again.compiled, 0u);
  EXPECT_FALSE(again.executable.empty());
}

/// Makes a folder the working directory for a while.
class WorkingDir {
 public:
  explicit WorkingDir(const fs::path& path) : before_(fs::current_path()) { fs::current_path(path); }
  ~WorkingDir() { fs::current_path(before_); }

 private:
  fs::path before_;
};

TEST_P(BuildTest, QuotedHeadersComeFromIncludeFoldersBeforeTheWorkingDirectory) {
  const ScratchDir named, here;
  save_file(named.path() / "twice.h", "constexpr int kTwice = 1;\n");
  save_file(here.path() / "twice.h", "#error the one in the working directory\n");
  save_file(here.path() / "once.h", "constexpr int kOnce = 2;\n");
  const WorkingDir inside(here.path());
  const BuildOutcome outcome =
      build({plain("static_assert(kTwice + kOnce == 3); std::string s(9, 'x'); icount::keep(s);",
                   "#include \"twice.h\"\n#include \"once.h\"")},
            {"-I", named.path().string()});
  EXPECT_TRUE(outcome.failures.empty()) << outcome.failures[0].details;
}

TEST_P(BuildTest, AChangedHeaderOfTheUsersIsNoticed) {
  const ScratchDir folder;
  const fs::path header = folder.path() / "mine.h";
  const std::vector<TimerArgs> statements = {plain("int i = kMine; icount::keep(i);", "#include <mine.h>")};
  const std::vector<std::string> flags = {"-I" + folder.path().string()};
  save_file(header, "constexpr int kMine = 1;\n");
  EXPECT_EQ(build(statements, flags).compiled, 1u);
  EXPECT_EQ(build(statements, flags).compiled, 0u);
  save_file(header, "constexpr int kMine = 2;\n");
  EXPECT_EQ(build(statements, flags).compiled, 1u);
}

INSTANTIATE_TEST_SUITE_P(Compilers, BuildTest, testing::Values("clang++", "g++"), [](const auto& info) {
  return std::string(info.param, info.param[0] == 'g' ? 1 : 5) == "g" ? "gcc" : "clang";
});

TEST(CompilerErrorTest, TheUsersOwnPlaceComesFirst) {
  EXPECT_EQ(first_compiler_error("In file included from x.h:3:\nx.h:9:1: error: inner\nstmt:2:5: error: outer\n"),
            "stmt:2:5: outer");
  EXPECT_EQ(first_compiler_error("x.h:9:1: fatal error: no such file\n"), "x.h:9:1: no such file");
  EXPECT_EQ(first_compiler_error(""), "the compiler failed without a message");
  EXPECT_EQ(first_compiler_error("icount-after-global_setup:1:30: error: in it\nstmt:1:1: error: behind it\n")
                .rfind("global_setup: unexpected end of the text", 0),
            0u)
      << "what stands behind a set-up that does not end is not at fault";
  EXPECT_EQ(first_compiler_error("setup:2:8: error: use of undeclared identifier 'y'\n"
                                 "(void)(y); // TorchScript: z = x + y\n       ^\n"),
            "stmt: 'y' is not defined: the set-up (C++) has no such variable; the statement reads it in: z = x + y");
  EXPECT_EQ(first_compiler_error("ld.lld: error: undefined symbol: icount_stub_3::f()\n>>> referenced by stmt:4\n"),
            "stmt:4: undefined symbol: f()");
  EXPECT_EQ(
      first_compiler_error("/usr/bin/ld: /tmp/x.o: in function `f':\n/icount/stmt:7: undefined reference to `g()'\n"),
      "stmt:7: undefined reference to `g()'");
}

}  // namespace
}  // namespace icount
