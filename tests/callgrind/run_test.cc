// The command line of Callgrind, and a run with a stand-in for it: a shell script that goes on as a program called
// callgrind-fake, as Valgrind goes on as its tool, and does there what the test says.
#include <gtest/gtest.h>

#include <algorithm>

#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/callgrind/command.h"
#include "icount/callgrind/run.h"
#include "support/error_of.h"

namespace icount {
namespace {

bool has(const std::vector<std::string>& argv, std::string_view option) {
  return std::find(argv.begin(), argv.end(), option) != argv.end();
}

TEST(CallgrindCommandTest, WhatIsAskedForIsSaidAndTheRestSwitchedOff) {
  const Valgrind valgrind{"/v", "3.19.0", false};
  CallgrindOptions options;
  options.out_file = "/t/cg.%p";
  const auto plain = make_callgrind_command(valgrind, options);
  EXPECT_EQ(plain.front(), "/v");
  for (const char* option :
       {"--command-line-only=yes", "--tool=callgrind", "--dump-line=yes", "--dump-instr=yes", "--instr-atstart=yes",
        "--collect-atstart=yes", "--trace-children=no", "--callgrind-out-file=/t/cg.%p"})
    EXPECT_TRUE(has(plain, option)) << option;
  EXPECT_FALSE(has(plain, "--collect-jumps=yes"));
  for (const std::string& option : plain) EXPECT_FALSE(option.starts_with("--separate-callers")) << option;
  options.instrument_at_start = options.collect_at_start = false;
  options.follow_children = options.collect_jumps = true;
  options.callers = 1;
  options.extra = {"--a", "--b"};
  const auto all = make_callgrind_command(valgrind, options);
  for (const char* option : {"--instr-atstart=no", "--collect-atstart=no", "--trace-children=yes",
                             "--collect-jumps=yes", "--separate-callers=1"})
    EXPECT_TRUE(has(all, option)) << option;
  ASSERT_EQ(all.size(), plain.size() + 4);
  EXPECT_EQ(all[all.size() - 2], "--a");
  EXPECT_EQ(all.back(), "--b");
}

constexpr const char* kLauncher =
    "#!/bin/sh\nfor word in \"$@\"; do case \"$word\" in --callgrind-out-file=*) out=${word#*=} ;; --log-file=*) "
    "log=${word#*=} ;; esac; done\nexport out log\nexec \"${0%/*}/callgrind-fake\" -c 'out=${out%??}$$; "
    "log=${log%??}$$; printf \"%s\\n\" \"$@\" > \"$ARGS\"; eval \"$WORK\"' fake \"$@\"\n";

constexpr const char* kProfile =
    "version: 1\ncreator: callgrind-3.19.0\npart: 1\ndesc: Trigger: Program termination\nevents: Ir\nfn=f\n1 "
    "7\ntotals: 7\n";

class RunTest : public testing::Test {
 protected:
  RunTest() {
    std::filesystem::copy_file("/bin/sh", tools_.path() / "callgrind-fake");
    save_file(tools_.path() / "valgrind", kLauncher);
    std::filesystem::permissions(tools_.path() / "valgrind", std::filesystem::perms::owner_all);
  }
  /// A run of `spec` in which the tool does `work`, in words of the shell that start no program.
  CallgrindRun run(const std::string& work, CallgrindRunSpec spec = {}) {
    const ScratchDir folder;
    if (spec.argv.empty()) spec.argv = {"sh", "x"};
    spec.environment = {"PATH=/usr/bin:/bin", "ARGS=" + args().string(), "WORK=" + work,
                        std::string("PROFILE=") + kProfile};
    return run_callgrind(spec, {tools_.path() / "valgrind", "3.19.0", false}, folder.path(), ParseOptions());
  }
  std::filesystem::path args() const { return tools_.path() / "args"; }

  ScratchDir tools_;
};

TEST_F(RunTest, TheProfileOfTheProgramIsRead) {
  CallgrindRunSpec spec;
  spec.options = {"--fair-sched=yes"};
  spec.within = {"f(char*)"};
  spec.own_functions = {"clone"};
  spec.collect_jumps = spec.separate_threads = true;
  const CallgrindRun found = run("printf %s \"$PROFILE\" > \"$out\"; exit 3", spec);
  EXPECT_EQ(found.outcome.exit_code, 3);
  ASSERT_EQ(found.processes.size(), 1u);
  ASSERT_EQ(found.processes[0].programs.size(), 1u);
  EXPECT_EQ(found.processes[0].programs[0].parts.at(0).totals, std::vector<int64_t>{7});
  EXPECT_EQ(found.processes[0].code, 3);
  const std::string text = load_text(args());
  const std::vector<std::string_view> lines = split_lines(text);
  const std::vector<std::string> words(lines.begin(), lines.end());
  for (const char* option : {"-v", "--combine-dumps=yes", "--dump-before=fork", "--dump-before=execve",
                             "--dump-before=f(char*", "--dump-after=?(char*", "--fair-sched=yes",
                             "--separate-threads=yes", "--collect-jumps=yes", "--trace-children=yes"})
    EXPECT_TRUE(has(words, option)) << option;
  EXPECT_FALSE(has(words, "--dump-before=clone")) << "the program's own";
  EXPECT_EQ(std::count(words.begin(), words.end(), "-v"), 2) << "requests are logged with two";
  ASSERT_GT(words.size(), 2u);
  EXPECT_TRUE(words[words.size() - 2].starts_with('/')) << "a program that was found in PATH";
  EXPECT_EQ(words.back(), "x");
}

TEST_F(RunTest, AProgramIsNamedAsItWasUnlessItRunsElsewhere) {
  const auto named = [&](const std::filesystem::path& working_dir) {
    CallgrindRunSpec spec;
    spec.argv = {"/bin/../bin/sh"};
    spec.working_dir = working_dir;
    run("exit 0", spec);
    const std::string text = load_text(args());
    return std::string(split_lines(text).back());
  };
  EXPECT_EQ(named({}), "/bin/../bin/sh");
  EXPECT_TRUE(named("/").starts_with('/'));
}

TEST_F(RunTest, WhatNeverRanIsAnErrorInValgrindsWords) {
  const std::string said = "valgrind: ./p: Permission denied";
  const std::string work = "printf \"%s\\n\" \"" + said + "\" \"" + said + "\" other \"valgrind: no\" >&2; exit ";
  EXPECT_EQ(error_of(ErrorKind::kTool, [&] { run(work + "126"); }),
            "cannot run sh under Valgrind: " + said + "; valgrind: no");
  const CallgrindRun other = run(work + "125");
  EXPECT_EQ(other.outcome.exit_code, 125) << "the program's own";
  EXPECT_TRUE(other.processes.empty());
  EXPECT_EQ(error_of(ErrorKind::kTool, [&] { run("echo \" plain \" >&2; exit 127"); }),
            "cannot run sh under Valgrind: plain");
}

TEST_F(RunTest, AnInstructionThatValgrindDoesNotKnowIsFound) {
  const std::string log =
      "printf \"vex: unhandled instruction bytes: 0x62 0x1\\n==$$== valgrind: Unrecognised instruction at address "
      "0x10.\\n\" > \"$log\"; ";
  const CallgrindRun killed = run(log + "kill -ILL $$");
  EXPECT_EQ(killed.outcome.signal, 4);
  ASSERT_TRUE(killed.unhandled_instruction);
  EXPECT_EQ(killed.unhandled_instruction->bytes, "0x62 0x1");
  EXPECT_FALSE(run(log + "exit 0").unhandled_instruction) << "the program went on";
  EXPECT_FALSE(run(log + "kill -SEGV $$").unhandled_instruction) << "it ended otherwise";
}

TEST_F(RunTest, WithoutAProgramNothingIsStarted) {
  const Valgrind valgrind{tools_.path() / "valgrind", "3.19.0", false};
  const auto error_with = [&](ErrorKind kind, const std::vector<std::string>& argv) {
    CallgrindRunSpec spec;
    spec.argv = argv;
    return error_of(kind, [&] { run_callgrind(spec, valgrind, tools_.path(), ParseOptions()); });
  };
  EXPECT_EQ(error_with(ErrorKind::kUsage, {}), "no program given");
  EXPECT_TRUE(error_with(ErrorKind::kTool, {"no/such/program"}).starts_with("cannot start no/such/program: "));
}

TEST(ForkedProfileTest, DoorsAreNamesOrBeginsOfNames) {
  for (const char* name : {"fork", "_Fork", "execve", "posix_spawn", "posix_spawn@@GLIBC_2.15", "posix_spawnp@"})
    EXPECT_TRUE(is_leaving_function(name)) << name;
  for (const char* name : {"", "for", "forks", "posix_spawnx", "posix_spawn_file_actions_init", "xclone", "*"})
    EXPECT_FALSE(is_leaving_function(name)) << name;
}

bool forks_at(int64_t block, const std::string& trigger) {
  Profile profile;
  for (const auto& [last, why] : {std::pair<int64_t, std::string>{10, "Client Request"}, {40, trigger}}) {
    profile.parts.emplace_back();
    profile.parts.back().last_block = last;
    profile.parts.back().trigger = why;
  }
  return has_fork_at(profile, block);
}

TEST(ForkedProfileTest, AForkIsWhereADumpWasWrittenAtADoor) {
  EXPECT_TRUE(forks_at(40, "--dump-before=fork"));
  EXPECT_FALSE(forks_at(39, "--dump-before=fork"));
  EXPECT_FALSE(forks_at(10, "--dump-before=fork")) << "another dump ended there";
  EXPECT_FALSE(forks_at(40, "--dump-after=fork"));
  EXPECT_FALSE(forks_at(40, "--dump-before=work"));
  EXPECT_FALSE(has_fork_at({}, 0));
}

}  // namespace
}  // namespace icount
