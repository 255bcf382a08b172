#include "icount/base/process_tree.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <set>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "support/error_of.h"
#include "support/few_descriptors.h"
#include "support/other_process.h"

namespace icount {
namespace {

struct Watched {
  ProcessOutcome outcome;
  std::vector<ProcessEvent> events;
};

Watched watch(const std::string& script, const ScratchDir& folder, double limit_s = 60) {
  ProcessSpec spec;
  spec.argv = {"sh", "-c", script};
  spec.time_limit = Seconds(limit_s);
  spec.working_dir = folder.path();
  spec.watch = TreeWatch{folder.path() / "events", (folder.path() / "out.").string()};
  Watched watched;
  watched.outcome = run_process(spec);
  watched.events = read_process_events(load_text(folder.path() / "events"));
  return watched;
}

bool refused(const Watched& watched) {
  return !watched.events.empty() && watched.events[0].kind == ProcessEvent::Kind::kUnwatched;
}

/// Wait status by the last word of the command line that a process ended as.
std::map<std::string, int> ends_of(const Watched& watched) {
  std::map<pid_t, std::string> word;
  std::map<std::string, int> ends;
  for (const ProcessEvent& event : watched.events) {
    if (event.kind == ProcessEvent::Kind::kExecuted) word[event.pid] = event.argv.back();
    if (event.kind == ProcessEvent::Kind::kEnded) ends[word[event.pid]] = event.value;
  }
  return ends;
}

TEST(ProcessTreeTest, TellsWhoStartedWhatAndHowItEnded) {
  const ScratchDir folder;
  const Watched watched = watch("sh -c 'exit 3' one; sh -c 'kill -SEGV $$' two; (exec sleep 0.0); exit 5", folder);
  EXPECT_EQ(watched.outcome.exit_code, 5);
  if (refused(watched)) GTEST_SKIP() << "this system refuses to trace";
  const std::map<std::string, int> ends = ends_of(watched);
  EXPECT_EQ(WEXITSTATUS(ends.at("one")), 3);
  EXPECT_EQ(WTERMSIG(ends.at("two")), SIGSEGV);
  EXPECT_EQ(ends.at("0.0"), 0);
  std::map<pid_t, pid_t> maker;
  for (const ProcessEvent& event : watched.events) {
    if (event.kind == ProcessEvent::Kind::kForked) maker[event.value] = event.pid;
    if (event.pid != watched.events[0].pid) {
      EXPECT_TRUE(maker.contains(event.pid)) << "told of before it was made";
    }
  }
  EXPECT_EQ(maker.size(), 3u);
}

TEST(ProcessTreeTest, AForkTellsWhetherItsMakersFileHasGrownSinceTheLast) {
  const ScratchDir folder;
  const Watched watched =
      watch("(exit 0); echo a >>out.$$; (exit 0); (exit 0); echo b >>out.$$; (exit 0); exit 0", folder);
  if (refused(watched)) GTEST_SKIP() << "this system refuses to trace";
  std::vector<bool> written;
  for (const ProcessEvent& event : watched.events)
    if (event.kind == ProcessEvent::Kind::kForked) written.push_back(event.has_written);
  EXPECT_EQ(written, (std::vector<bool>{false, true, false, true}));
}

TEST(ProcessTreeTest, AFilePerProcessIsKeptFromTheNextProgramAndTheEnd) {
  const ScratchDir folder;
  const Watched watched = watch("echo a >out.$$; exec sh -c 'echo b >>out.$$; exec true'", folder);
  if (refused(watched)) GTEST_SKIP() << "this system refuses to trace";
  const std::string pid = std::to_string(watched.events[0].pid);
  EXPECT_EQ(load_text(folder.path() / ("out." + pid + ".1")), "a\n");
  EXPECT_EQ(load_text(folder.path() / ("out." + pid + ".2")), "b\n");
  EXPECT_EQ(watched.events.back().kept, 0);
}

TEST(ProcessTreeTest, InAPidNamespaceAProcessHasTheFileOfItsOwnNumber) {
  const ScratchDir folder;
  const Watched watched = watch(
      "unshare -Urpf sh -c 'echo inner >out.$$; exit 7'; code=$?; "
      "unshare -Urpf sh -c \"for i in 1 2 3 4; do sh -c 'echo inside >>out.\\$\\$; exit 0'; done\"; exit $code",
      folder);
  if (refused(watched)) GTEST_SKIP() << "this system refuses to trace";
  if (watched.outcome.exit_code != 7) GTEST_SKIP() << "no PID namespaces here";
  std::vector<std::string> kept;
  for (const ProcessEvent& event : watched.events) {
    EXPECT_FALSE(event.shares_file);
    if (event.kept != 0 && event.kind == ProcessEvent::Kind::kEnded)
      kept.push_back(
          load_text(folder.path() / ("out." + std::to_string(event.pid) + "." + std::to_string(event.kept))));
  }
  EXPECT_EQ(kept, (std::vector<std::string>{"inner\n", "inside\n", "inside\n", "inside\n", "inside\n"}));
}

TEST(ProcessTreeTest, TwoProcessesOfOneNumberHaveNoFile) {
  const ScratchDir folder;
  const Watched watched =
      watch("unshare -Urpf sh -c 'echo inner >out.$$; unshare -Urpf sh -c \"exit 0\"; exit 7'", folder);
  if (refused(watched)) GTEST_SKIP() << "this system refuses to trace";
  if (watched.outcome.exit_code != 7) GTEST_SKIP() << "no PID namespaces here";
  int sharing = 0;
  for (const ProcessEvent& event : watched.events) {
    sharing += event.kind == ProcessEvent::Kind::kEnded && event.shares_file;
    EXPECT_EQ(event.kept, 0) << "both are number 1";
  }
  EXPECT_EQ(sharing, 2);
}

TEST(ProcessTreeTest, ASignalADaemonAndAStoppedProcessAreAsWithoutAWatcher) {
  const ScratchDir folder;
  EXPECT_EQ(watch("kill -TERM $$", folder).outcome.signal, SIGTERM);
  const Watched left = watch("sleep 5 >/dev/null 2>&1 & exit 0", folder);
  EXPECT_TRUE(left.outcome.ok());
  EXPECT_LT(left.outcome.wall.count(), 4) << "what outlives the program is not waited for";
  const Watched stopped = watch("sh -c 'kill -STOP $$; exit 4' & sleep 0.3; kill -CONT $!; wait $!", folder);
  EXPECT_EQ(stopped.outcome.exit_code, 4);
}

/// A shell's words that start a process in a session of its own, which no signal but SIGKILL ends; its id is in `file`.
std::string start_stubborn(const std::string& file) {
  return "setsid sh -c \"trap '' TERM HUP; echo \\$\\$ >" + file + "; while true; do sleep 0.1; done\" & " +
         "while ! [ -s " + file + " ]; do sleep 0.05; done; ";
}

TEST(ProcessTreeTest, SignalsThatTheProgramSendsToItsGroupAreItsOwnAffair) {
  const ScratchDir folder;
  const Watched watched =
      watch("trap '' ALRM USR1 USR2 TERM; for s in ALRM USR1 USR2 TERM; do kill -$s 0; done; exit 7", folder);
  EXPECT_EQ(describe_end(watched.outcome), "exit status 7");
  if (refused(watched)) GTEST_SKIP() << "this system refuses to trace";
  EXPECT_EQ(watched.events.back().kind, ProcessEvent::Kind::kEnded);
  const Watched left = watch(start_stubborn("left") + "kill -TERM 0", folder);
  EXPECT_EQ(left.outcome.signal, SIGTERM);
  EXPECT_EQ(::kill(std::stoi(load_text(folder.path() / "left")), SIGKILL), 0) << "what a program leaves runs on";
}

TEST(ProcessTreeTest, TheTimeLimitEndsTheTree) {
  const ScratchDir folder;
  const Watched late = watch("sh -c 'while true; do sleep 0.1; done'; true", folder, 0.3);
  EXPECT_EQ(late.outcome.end, ProcessOutcome::End::kTimedOut);
  EXPECT_LT(late.outcome.wall.count(), 20);
}

TEST(ProcessTreeTest, TheTimeLimitEndsWhatHasASessionOfItsOwn) {
  const ScratchDir folder;
  for (const std::string program : {"wait", "trap '' TERM; while true; do sleep 0.1; done"}) {
    std::filesystem::remove(folder.path() / "id");
    const Watched late = watch(start_stubborn("id") + program, folder, 1);
    EXPECT_EQ(late.outcome.end, ProcessOutcome::End::kTimedOut);
    if (refused(late)) GTEST_SKIP() << "this system refuses to trace";
    EXPECT_TRUE(is_gone(wait_for_program(folder.path() / "id"))) << program;
  }
}

TEST(ProcessTreeTest, NothingOfItOutlivesAnOwnerThatIsKilled) {
  const ScratchDir folder;
  const pid_t owner = ::fork();
  if (owner == 0) {
    watch(start_stubborn("id") + "echo done >started; while true; do sleep 0.1; done", folder);
    ::_exit(0);
  }
  const pid_t stubborn = wait_for_program(folder.path() / "id");
  ASSERT_GT(stubborn, 0);
  ::kill(owner, SIGKILL);
  ::waitpid(owner, nullptr, 0);
  if (refused({{}, read_process_events(load_text(folder.path() / "events"))})) {
    ::kill(stubborn, SIGKILL);
    GTEST_SKIP() << "this system refuses to trace";
  }
  EXPECT_TRUE(is_gone(stubborn));
  ::kill(stubborn, SIGKILL);
}

TEST(ProcessTreeTest, InputReachesTheProgramAndItsEndToo) {
  const ScratchDir folder;
  ProcessSpec spec;
  spec.argv = {"sh", "-c", "wc -c"};
  spec.input = std::string(200000, 'i');
  spec.watch = TreeWatch{folder.path() / "events", (folder.path() / "out.").string()};
  EXPECT_EQ(run_process(spec).output, "200000\n");
  spec.argv = {"/no/such/program"};
  EXPECT_THROW(run_process(spec), Error);
  spec.argv = {"sh", "-c", "true"};
  spec.watch->events = "/no/such/folder/events";
  EXPECT_THROW(run_process(spec), Error);
}

TEST(ProcessTreeTest, FewDescriptorsAreEnoughOrAnError) {
  const ScratchDir folder;
  std::set<std::string> outcomes;
  for (rlim_t most = 4; most <= 40; ++most) {
    ProcessSpec spec;
    spec.argv = {"sh", "-c", "echo out; echo err >&2; exit 3"};
    spec.watch = TreeWatch{folder.path() / std::to_string(most), (folder.path() / "out.").string()};
    ProcessOutcome ended;
    std::string outcome = error_of([&] {
      const FewDescriptors few(most);
      ended = run_process(spec);
    });
    if (outcome == "no error") outcome = ended.output + ended.errors + describe_end(ended);
    const std::string number = std::to_string(most);
    if (const size_t at = outcome.rfind(number); outcome.starts_with("cannot open")) outcome.erase(at, number.size());
    outcomes.insert(outcome);
    if (outcome.ends_with("3")) {
      EXPECT_GE(read_process_events(load_text(folder.path() / number)).size(), 2u) << number;
    }
  }
  outcomes.erase("cannot open " + (folder.path() / "").string() + ": Too many open files");
  EXPECT_EQ(outcomes, (std::set<std::string>{"cannot make a pipe: Too many open files",
                                             "cannot start sh: Too many open files", "out\nerr\nexit status 3"}));
}

TEST(ProcessTreeTest, ALogThatIsCutOffIsReadAsFarAsItGoes) {
  const ScratchDir folder;
  watch("true", folder);
  const std::string bytes = load_text(folder.path() / "events");
  EXPECT_LT(read_process_events(bytes.substr(0, bytes.size() - 1)).size(), read_process_events(bytes).size());
  EXPECT_THROW(read_process_events(std::string(100, '\xff')), Error);
}

}  // namespace
}  // namespace icount
