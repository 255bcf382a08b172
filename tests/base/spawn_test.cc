// Programs that cannot be started, or that stop listening, and what a watched one leaves where its log has no room.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>

#include "icount/base/process.h"
#include "icount/base/process_tree.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/spawn.h"
#include "support/error_of.h"
#include "support/few_descriptors.h"

namespace icount {
namespace {

ProcessOutcome in_shell(const std::string& script, ProcessSpec spec = {}) {
  spec.argv = {"sh", "-c", script};
  return run_process(spec);
}

TEST(SpawnFailuresTest, WhatCannotBeStartedIsNamed) {
  const ScratchDir dir;
  const std::string text = (dir.path() / "text").string();
  std::ofstream(text) << "\x7f"
                      << "no program";
  std::filesystem::permissions(text, std::filesystem::perms::owner_all);
  EXPECT_EQ(error_of(ErrorKind::kUsage, [] { spawn({}); }), "no program given");
  EXPECT_EQ(error_of(ErrorKind::kTool, [&] { spawn({.argv = {text}}); }),
            "cannot start " + text + ": Exec format error");
  EXPECT_EQ(error_of(ErrorKind::kTool, [] { spawn({.argv = {"true"}, .working_dir = "/no/such"}); }),
            "cannot enter /no/such: No such file or directory");
  EXPECT_EQ(error_of(ErrorKind::kIo,
                     [] {
                       spawn({.argv = {"true"}, .watch = TreeWatch{"/no/such/log", "x"}});
                     }),
            "cannot open /no/such/log: No such file or directory");
  EXPECT_EQ(error_of(ErrorKind::kIo,
                     [] {
                       const FewDescriptors few;
                       spawn({.argv = {"true"}});
                     }),
            "cannot make a pipe: Too many open files");
}

TEST(SpawnFailuresTest, AddressesAreTheSameOrItIsSaid) {
  ProcessSpec spec;
  spec.disable_aslr = true;
  const ProcessOutcome outcome = in_shell("cat /proc/self/personality", spec);
  EXPECT_EQ(outcome.output == "00040000\n", !outcome.aslr_refused) << outcome.output;
}

TEST(SpawnFailuresTest, AProgramThatReadsNoFurtherIsNotWaitedFor) {
  ProcessSpec spec;
  spec.input = std::string(1'000'000, 'x');
  const ProcessOutcome outcome = in_shell("exec <&-; sleep 0.1; echo done", spec);
  EXPECT_TRUE(outcome.ok());
  EXPECT_EQ(outcome.output, "done\n");
}

TEST(SpawnFailuresTest, EveryEndIsDescribed) {
  using End = ProcessOutcome::End;
  const auto text = [](End end, int exit_code, int signal, double wall) {
    ProcessOutcome outcome;
    outcome.end = end;
    outcome.exit_code = exit_code;
    outcome.signal = signal;
    outcome.wall = Seconds(wall);
    return describe_end(outcome);
  };
  EXPECT_EQ(text(End::kExited, 3, 0, 1), "exit status 3");
  EXPECT_EQ(text(End::kSignalled, 0, 11, 1), "killed by signal 11 (SIGSEGV)");
  EXPECT_EQ(text(End::kSignalled, 0, 63, 1), "killed by signal 63 (signal 63)");
  EXPECT_EQ(text(End::kTimedOut, 0, 0, 2.5), "did not finish within 2.5 s and was stopped");
  EXPECT_EQ(text(End::kCancelled, 0, 0, 1), "interrupted");
}

TEST(SpawnFailuresTest, AProgramWhoseLogHasNoRoomRunsToItsEnd) {
  ProcessSpec spec;
  spec.watch = TreeWatch{"/dev/full", "/no/such/prefix."};
  const ProcessOutcome outcome = in_shell("sh -c 'exit 3' || echo went on", spec);
  EXPECT_TRUE(outcome.ok());
  EXPECT_EQ(outcome.output, "went on\n");
}

TEST(SpawnFailuresTest, ThreadsAreNoProcesses) {
  const ScratchDir dir;
  ProcessSpec spec;
  spec.watch = TreeWatch{dir.path() / "events", (dir.path() / "out.").string()};
  const ProcessOutcome outcome = in_shell("seq 400000 | sort --parallel=4 -S 100M -R | wc -l", spec);
  ASSERT_EQ(outcome.output, "400000\n");
  std::ifstream log(dir.path() / "events");
  std::set<pid_t> begun, ended;
  for (const ProcessEvent& event : read_process_events(std::string(std::istreambuf_iterator<char>(log), {}))) {
    if (event.kind == ProcessEvent::Kind::kUnwatched) GTEST_SKIP() << "no tracing here";
    if (event.kind == ProcessEvent::Kind::kForked) begun.insert(event.value);
    if (event.kind == ProcessEvent::Kind::kEnded) ended.insert(event.pid);
  }
  EXPECT_EQ(begun.size(), 3u) << "seq, sort, wc";
  EXPECT_EQ(ended.size(), 4u) << "and the shell";
}

TEST(SpawnFailuresTest, ALogOfUnknownEventsIsMalformed) {
  constexpr size_t kHead = 7 * sizeof(int32_t);
  const auto log_of = [](int32_t kind, uint32_t program_size, uint32_t argv_size) {
    const int32_t words[] = {kind, 1, 0, 0, 0, static_cast<int32_t>(program_size), static_cast<int32_t>(argv_size)};
    std::string bytes(sizeof words, '\0');
    std::memcpy(bytes.data(), words, sizeof words);
    return bytes;
  };
  EXPECT_EQ(log_of(3, 0, 0).size(), kHead);
  EXPECT_EQ(read_process_events(log_of(3, 0, 0)).size(), 1u);
  EXPECT_EQ(read_process_events(log_of(3, 5, 5)).size(), 0u) << "cut off";
  for (const std::string& log : {log_of(-1, 0, 0), log_of(4, 0, 0), log_of(3, 1 << 17, 0), log_of(3, 0, 1 << 17)})
    EXPECT_EQ(error_of(ErrorKind::kMalformed, [&] { read_process_events(log); }),
              "the log of a process tree holds an event of no known kind");
}

/// From here on this process has no close_range, as under an older kernel.
bool refuse_close_range() {
  sock_filter steps[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                         BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 0, 1),
                         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
                         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog filter{std::size(steps), steps};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0 &&
         ::close_range(1'000'000, 1'000'000, 0) != 0;
}

bool is_open(int descriptor) { return ::fcntl(descriptor, F_GETFD) >= 0; }

/// In a child: opens many, keeps two of them, and ends with 0 if these are what is left; 2 where nothing can be
/// refused.
[[noreturn]] void keep_two_and_tell(int a, int b, bool refused) {
  if (refused && !refuse_close_range()) ::_exit(2);
  for (int i = 0; i < 300; ++i)
    if (::dup2(1, 3 + i) < 0) ::_exit(3);
  close_all_but(a, b);
  for (int number = 0; number < 400; ++number)
    if (is_open(number) != (number == a || number == b)) ::_exit(1);
  ::_exit(0);
}

int kept(int a, int b, bool refused) {
  const pid_t child = ::fork();
  if (child == 0) keep_two_and_tell(a, b, refused);
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(CloseDescriptorsTest, OnlyTheTwoStayOpen) {
  EXPECT_EQ(kept(7, 200, false), 0);
  EXPECT_EQ(kept(200, 199, false), 0);
  EXPECT_EQ(kept(0, 302, false), 0);
  EXPECT_EQ(kept(5, 5, false), 0);
}

TEST(CloseDescriptorsTest, AKernelWithoutCloseRangeDoesTheSame) {
  if (kept(7, 200, true) == 2) GTEST_SKIP() << "this system lets no process refuse calls";
  EXPECT_EQ(kept(7, 200, true), 0);
  EXPECT_EQ(kept(200, 199, true), 0);
  EXPECT_EQ(kept(0, 302, true), 0);
  EXPECT_EQ(kept(5, 5, true), 0);
}

}  // namespace
}  // namespace icount
