// A server that stays warm: its counts are those of a start for the statement alone; what it can't have is counted so,
// and says why; nothing that ends badly costs more than itself. Statements of plain C++, whose server starts quickly;
// LibTorch's at the end.
#include "icount/timer/warm_server.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/unix_socket.h"
#include "icount/harness/build.h"
#include "icount/harness/session_client.h"
#include "icount/harness/stub_client.h"
#include "icount/timer/statement_source.h"
#include "icount/timer/timer.h"
#include "support/places.h"
#include "timer/collect_fixture.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

/// True once `holds` does, within a minute.
bool soon(const std::function<bool()>& holds) {
  for (int i = 0; i < 600; ++i) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

class WarmServerTest : public testing::Test {
 protected:
  void SetUp() override {
    ICOUNT_NEEDS("valgrind");
    cold_ = make_collect_options();
    cold_.number = 10;
    cold_.environment.set("XDG_RUNTIME_DIR", runtime_.path().string());
    warm_ = cold_;
    warm_.server.use = SessionUse::kStart;
    warm_.server.start_command = {binary_dir() + "/icount", "server", "run"};
    warm_.server.plain = true;
  }
  void TearDown() override {
    for (const SessionStatus& server : servers()) EXPECT_TRUE(stop_session(server.socket));
    EXPECT_TRUE(servers().empty());
    EXPECT_TRUE(list_session_sockets(folder()).empty());
  }

  fs::path folder() const { return runtime_.path() / "icount"; }
  std::vector<SessionStatus> servers() const { return find_sessions(folder()).running; }

  /// One statement in the running server, which is started when there is none.
  CollectResult count(const TimerArgs& statement, const CollectOptions& options) const {
    return collect_callgrind(std::span(&statement, 1), options).at(0);
  }
  CollectResult count(const TimerArgs& statement) const { return count(statement, warm_); }
  /// The program of a server of plain C++ that holds no statement.
  std::string build_plain_server() const {
    BuildCache cache(warm_.cache_dir);
    const Toolchain toolchain = find_toolchain(warm_.toolchain, false, warm_.environment);
    return build_server_program(toolchain, cache, {}).string();
  }
  /// A server of statements without a library, with `working_dir` as its folder.
  SessionSpec plain_session(const fs::path& working_dir) const {
    SessionSpec spec;
    spec.key = "0123456789abcdef";
    spec.socket = session_socket(folder(), spec.key);
    spec.program = {build_plain_server()};
    spec.launcher = {find_program("valgrind").string(), "-q", "--tool=callgrind", "--instr-atstart=no",
                     "--callgrind-out-file=/dev/null"};
    spec.environment = {"PATH=/usr/bin:/bin"};
    spec.working_dir = working_dir;
    return spec;
  }
  static std::string note_of(const CollectResult& result) {
    for (const std::string& note : result.notes)
      if (note.starts_with("counted in a process of its own")) return note;
    return "";
  }

  ScratchDir runtime_;
  CollectOptions cold_, warm_;
};

std::vector<TimerArgs> make_statements() {
  std::vector<TimerArgs> statements = {
      make_statement("asm volatile(\".rept 100\\n nop\\n .endr\");"),
      make_statement("std::string t = s + \"and more of it\"; icount::keep(t);", "std::string s(100, 'x');"),
      make_statement("std::vector<int> v; for (int i = 0; i < 100; ++i) v.push_back(i); icount::keep(v);"),
      make_statement("std::map<std::string, int> m; m[\"a\"] = 1; m[\"b\"] = 2; icount::keep(m);"),
      make_statement("void* p = malloc(n); icount::keep(p); free(p);", "size_t n = 200000; icount::keep(n);"),
      make_statement("icount::keep(strlen(s.c_str()));", "std::string s(1000, 'x');"),
      make_statement("std::ostringstream o; o << 3.25 << s; icount::keep(o.str());", "std::string s = \"text\";"),
      make_statement("icount::keep(twice(n));", "int n = 4; icount::keep(n);"),
      make_statement("std::shared_ptr<int> p = std::make_shared<int>(3); icount::keep(p);"),
      make_statement("auto f = std::function<int(int)>([&](int x) { return x + n; }); icount::keep(f(3));",
                     "int n = 4;"),
  };
  statements[7].global_setup = "struct S { int x; };\ntemplate <typename T> T twice(T x) { return x + x; }";
  return statements;
}

TEST_F(WarmServerTest, CountsAreThoseOfAColdStart) {
  const std::vector<TimerArgs> statements = make_statements();
  cold_.slope = warm_.slope = true;
  const std::vector<CollectResult> cold = collect_all(statements, cold_);
  for (int round = 0; round < 2; ++round) {
    const std::vector<CollectResult> warm = collect_all(statements, warm_);
    for (size_t i = 0; i < statements.size(); ++i) {
      EXPECT_EQ(warm[i].counts, cold[i].counts) << statements[i].stmt;
      EXPECT_EQ(warm[i].slope->double_count, cold[i].slope->double_count) << statements[i].stmt;
      EXPECT_EQ(warm[i].graph.functions.size(), cold[i].graph.functions.size()) << statements[i].stmt;
      EXPECT_EQ(note_of(warm[i]), "") << statements[i].stmt;
      EXPECT_EQ(to_json(warm[i].fingerprint), to_json(cold[i].fingerprint)) << statements[i].stmt;
    }
  }
  const std::vector<SessionStatus> running = servers();
  ASSERT_EQ(running.size(), 1u);
  EXPECT_GE(running[0].counted, 20);
  EXPECT_GT(running[0].memory_bytes, 1 << 20);
  struct stat status {};
  ASSERT_EQ(::stat(running[0].socket.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(WarmServerTest, WhatALaterProgramCannotHaveIsCountedColdAndSaysWhy) {
  struct Case {
    TimerArgs statement;
    std::string why;
  };
  std::vector<Case> cases = {
      {make_statement("icount::keep(++calls);"), "thread-local variables"},
      {make_statement("icount::keep(table.size());"), "its global set-up allocates memory before main"},
      {make_statement("int* p = new int(3); icount::keep(p); delete p;"), "it defines _Znwm, which a library uses"},
      {make_statement("try { throw std::runtime_error(\"x\"); } catch (const std::exception& e) { icount::keep(e); }"),
       "an exception"},
      {make_statement("try { icount::keep(std::stoi(s)); } catch (const std::exception&) { }",
                      "std::string s = \"x\";"),
       "an exception"},
  };
  cases[0].statement.global_setup = "thread_local int calls = 0;";
  cases[1].statement.global_setup = "#include <vector>\nstatic std::vector<int> table(100000);";
  cases[2].statement.global_setup =
      "#include <cstdlib>\n#include <new>\nvoid* operator new(size_t n) { return malloc(n); }\n"
      "void operator delete(void* p) noexcept { free(p); }\nvoid operator delete(void* p, size_t) noexcept { free(p); "
      "}";
  for (const Case& one : cases) {
    const CollectResult warm = count(one.statement), cold = count(one.statement, cold_);
    EXPECT_EQ(warm.status, CollectStatus::kDone) << one.statement.stmt << warm.error;
    EXPECT_EQ(warm.counts, cold.counts) << one.statement.stmt;
    EXPECT_NE(note_of(warm).find(one.why), std::string::npos) << one.statement.stmt << ": " << note_of(warm);
  }
  EXPECT_EQ(servers().size(), 1u) << "the server goes on";
}

TEST_F(WarmServerTest, AStatementThatEndsBadlyCostsItsOwnForkAlone) {
  warm_.time_limit = Seconds(3);
  const std::vector<std::pair<std::string, CollectStatus>> cases = {
      {"*(volatile int*)nullptr = 1;", CollectStatus::kCrashed},
      {"for (;;) asm volatile(\"\");", CollectStatus::kTimedOut},
      {"exit(0);", CollectStatus::kExited},
      {"throw std::runtime_error(\"no\");", CollectStatus::kThrew},
      {"if (fork() == 0) _exit(0);", CollectStatus::kForked}};
  count(make_statement("asm volatile(\"nop\");"));
  const auto before = servers();
  ASSERT_EQ(before.size(), 1u);
  for (const auto& [stmt, status] : cases) EXPECT_EQ(count(make_statement(stmt)).status, status) << stmt;
  EXPECT_EQ(note_of(count(make_statement("asm volatile(\"nop; nop\");"))), "");
  const auto after = servers();
  ASSERT_EQ(after.size(), 1u);
  EXPECT_EQ(after[0].pid, before[0].pid);
}

TEST_F(WarmServerTest, AServerThatIsKilledInTheMiddleIsReplacedByAColdStart) {
  count(make_statement("asm volatile(\"nop\");"));
  ASSERT_EQ(servers().size(), 1u);
  std::thread killer([&] {
    soon([&] {
      const auto running = servers();
      return !running.empty() && running[0].in_flight > 0 && ::kill(static_cast<pid_t>(running[0].pid), SIGKILL) == 0;
    });
  });
  const TimerArgs statement = make_statement("for (volatile int i = 0; i < 3000000; i = i + 1) { }");
  const CollectResult result = count(statement);
  killer.join();
  EXPECT_EQ(result.status, CollectStatus::kDone) << result.error;
  EXPECT_NE(note_of(result).find("the server was lost in the middle of the count"), std::string::npos)
      << note_of(result);
  const RunningSessions left = find_sessions(folder());
  EXPECT_TRUE(left.running.empty());
  ASSERT_EQ(left.stale.size(), 1u);
  for (const fs::path& socket : left.stale) remove_stale_session(socket);
  EXPECT_TRUE(fs::is_empty(folder()));
}

TEST_F(WarmServerTest, AServerThatIsGoneBeforeAStatementIsAskedForIsReplacedByAColdStart) {
  const std::vector<TimerArgs> statements = {make_statement("asm volatile(\"nop\");"),
                                             make_statement("asm volatile(\"nop\\n nop\");")};
  warm_.jobs = 1;
  warm_.on_result = [&](const CollectResult& result) {
    const auto running = servers();
    if (result.index > 0 || running.empty()) return;
    ::kill(static_cast<pid_t>(running[0].pid), SIGKILL);
    soon([&] { return servers().empty(); });
  };
  const std::vector<CollectResult> results = collect_all(statements, warm_);
  for (const CollectResult& result : results) EXPECT_EQ(result.status, CollectStatus::kDone) << result.error;
  EXPECT_NE(note_of(results[1]).find("the server was lost"), std::string::npos) << note_of(results[1]);
  for (const fs::path& socket : find_sessions(folder()).stale) remove_stale_session(socket);
}

TEST_F(WarmServerTest, AClientThatIsKilledLeavesNothingInFlight) {
  count(make_statement("asm volatile(\"nop\");"));
  const pid_t client = ::fork();
  if (client == 0) {
    count(make_statement("for (;;) asm volatile(\"\");"));
    ::_exit(0);
  }
  EXPECT_TRUE(soon([&] { return servers().at(0).in_flight > 0; }));
  ::kill(client, SIGKILL);
  int status = 0;
  ::waitpid(client, &status, 0);
  EXPECT_TRUE(soon([&] { return servers().at(0).in_flight == 0; }));
  EXPECT_EQ(note_of(count(make_statement("asm volatile(\"nop; nop\");"))), "") << "the server goes on";
}

TEST_F(WarmServerTest, ClientsAtOnceGetTheirOwnCounts) {
  const std::vector<TimerArgs> statements = make_statements();
  const std::vector<int64_t> cold = first_counts(collect_all(statements, cold_));
  std::vector<std::thread> clients;
  std::vector<std::vector<int64_t>> counts(3);
  for (size_t c = 0; c < counts.size(); ++c)
    clients.emplace_back([&, c] { counts[c] = first_counts(collect_callgrind(statements, warm_)); });
  for (std::thread& client : clients) client.join();
  for (const auto& warm : counts) EXPECT_EQ(warm, cold);
  EXPECT_EQ(servers().size(), 1u) << "one for each key";
}

TEST_F(WarmServerTest, ThereAreThreeAtMostAndTheOldestEnds) {
  std::vector<std::string> keys;
  for (int i = 0; i < 4; ++i) {
    CollectOptions options = warm_;
    options.pins.released = {Pin::kEnvironment};
    options.environment.set("WHICH", std::to_string(i));
    count(make_statement("asm volatile(\"nop\");"), options);
    for (const SessionStatus& server : servers())
      if (std::find(keys.begin(), keys.end(), server.key) == keys.end()) keys.push_back(server.key);
  }
  ASSERT_EQ(keys.size(), 4u);
  EXPECT_TRUE(soon([&] { return servers().size() == 3; }));
  for (const SessionStatus& server : servers()) EXPECT_NE(server.key, keys[0]);
}

TEST_F(WarmServerTest, ItEndsWhenItIsNotUsedOrWhenItsFilesChange) {
  warm_.server.idle_seconds = 0.5;
  count(make_statement("asm volatile(\"nop\");"));
  EXPECT_TRUE(soon([&] { return servers().empty(); })) << "idle";
  warm_.server.idle_seconds = 300;
  const ScratchDir scratch;
  const fs::path copy = scratch.path() / "icount";
  fs::copy_file(binary_dir() + "/icount", copy);
  warm_.server.start_command[0] = copy.string();
  count(make_statement("asm volatile(\"nop\");"));
  ASSERT_EQ(servers().size(), 1u);
  save_file(scratch.path() / "new", load_text(copy) + "another one");
  fs::rename(scratch.path() / "new", copy);
  EXPECT_TRUE(soon([&] { return servers().empty(); })) << "its binary changed";
}

TEST_F(WarmServerTest, AServerOfAnotherVersionOrNoneAtAllIsNotUsed) {
  count(make_statement("asm volatile(\"nop\");"));
  const fs::path socket = servers().at(0).socket;
  ASSERT_TRUE(stop_session(socket));
  const int listening = listen_at(socket);
  std::thread other([&] {
    for (const char* answer : {"session 2 pid=1 folder=/tmp\n", "what?\n", "\n"}) {
      int fd = -1;
      soon([&] { return (fd = accept_from(listening)) >= 0; });
      ::send(fd, answer, strlen(answer), MSG_NOSIGNAL);
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      ::close(fd);
    }
  });
  warm_.server.use = SessionUse::kFind;
  const CollectResult newer = count(make_statement("asm volatile(\"nop\");"));
  EXPECT_NE(note_of(newer).find("the server speaks version 2 of the protocol, this icount version 1"),
            std::string::npos)
      << note_of(newer);
  const CollectResult nonsense = count(make_statement("asm volatile(\"nop\");"));
  EXPECT_EQ(nonsense.counts, newer.counts);
  EXPECT_NE(note_of(nonsense), "");
  EXPECT_EQ(count(make_statement("asm volatile(\"nop\");")).counts, newer.counts);
  other.join();
  ::close(listening);
  ::unlink(socket.c_str());
}

TEST_F(WarmServerTest, ASocketOfSomebodyElseIsNotUsed) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make one";
  count(make_statement("asm volatile(\"nop\");"));
  const fs::path socket = servers().at(0).socket;
  ASSERT_EQ(::chown(socket.c_str(), 12345, 12345), 0);
  const CollectResult result = count(make_statement("asm volatile(\"nop\");"));
  EXPECT_EQ(result.status, CollectStatus::kDone);
  EXPECT_NE(note_of(result).find("belongs to user 12345"), std::string::npos) << note_of(result);
  ASSERT_EQ(::chown(socket.c_str(), 0, 0), 0);
}

TEST_F(WarmServerTest, ARuntimeFolderThatCannotBeWrittenIsSaid) {
  warm_.environment.set("XDG_RUNTIME_DIR", "/proc/self");
  bool says_start = false;
  warm_.on_progress = [&](const CollectProgress& progress) {
    says_start |= progress.stage == CollectProgress::Stage::kServer && progress.text.find("starting") == 0;
  };
  const CollectResult result = count(make_statement("asm volatile(\"nop\");"));
  EXPECT_EQ(result.status, CollectStatus::kDone);
  EXPECT_NE(note_of(result).find("could not start: cannot make the folder /proc/self/icount"), std::string::npos)
      << note_of(result);
  EXPECT_FALSE(says_start) << "none is started";
}

/// One full of files, as a quota or a small disk leaves it: room for the folder and so many files in it.
TEST_F(WarmServerTest, AFullRuntimeFolderIsSaidAndNothingIsLeftInIt) {
  if (::geteuid() != 0 || ::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr))
    GTEST_SKIP() << "needs the right to mount";
  for (const int files : {1, 2}) {
    const ScratchDir small;
    const std::string room = "size=64k,nr_inodes=" + std::to_string(1 + files);
    ASSERT_EQ(::mount("tmpfs", small.path().c_str(), "tmpfs", 0, room.c_str()), 0);
    warm_.environment.set("XDG_RUNTIME_DIR", small.path().string());
    const CollectResult result = count(make_statement("asm volatile(\"nop\");"));
    EXPECT_EQ(result.status, CollectStatus::kDone);
    EXPECT_NE(note_of(result).find("No space left on device"), std::string::npos) << note_of(result);
    EXPECT_TRUE(fs::is_empty(small.path() / "icount")) << files;
    ::umount2(small.path().c_str(), MNT_DETACH);
  }
}

TEST_F(WarmServerTest, ASetUpThatComesBeforeTheLibrariesIsCountedCold) {
  TimerArgs statement = make_statement("icount::keep(early);");
  statement.global_setup =
      "static int early;\nstatic void set_early(int, char**, char**) { early = 4; }\n"
      "__attribute__((section(\".preinit_array\"), used)) static void (*const first)(int, char**, char**) = set_early;";
  const CollectResult warm = count(statement), cold = count(statement, cold_);
  EXPECT_EQ(warm.counts, cold.counts);
  EXPECT_NE(note_of(warm).find("its global set-up has to run before that of the libraries"), std::string::npos)
      << note_of(warm);
}

TEST_F(WarmServerTest, TheTimerFindsARunningServer) {
  const TimerArgs statement = make_statement("std::vector<int> v(50, 1); icount::keep(v);");
  const int64_t cold = count(statement, cold_).counts.at(0);
  warm_.keep_insides = true;  // as `icount count` does; the Timer and fuzz need no jumps
  count(statement);
  const int64_t before = servers().at(0).counted;
  StubTimingOptions options;
  options.toolchain = warm_.toolchain;
  options.environment = warm_.environment;
  options.cache_dir = warm_.cache_dir;
  options.server = warm_.server;
  options.server->use = SessionUse::kFind;
  const auto stats =
      StatementSource(statement, options).collect({.stmt = statement.stmt}, {.number = 10, .repeats = 2});
  ASSERT_EQ(stats.size(), 2u);
  for (const CallgrindStats& one : stats) EXPECT_EQ(one.counts(), cold);
  EXPECT_GE(servers().at(0).counted, before + 2);
}

TEST_F(WarmServerTest, ItEndsWhenOneOfItsFilesChanges) {
  const ScratchDir scratch;
  const fs::path watched = scratch.path() / "libtorch_cpu.so";
  for (const bool removed : {false, true}) {
    save_file(watched, "a library");
    SessionSpec spec = plain_session(scratch.path());
    spec.watched = {watched};
    start_session(warm_.server.start_command, spec);
    const auto connection = connect_session(spec.socket, Seconds(300), {});
    ASSERT_TRUE(connection.has_value());
    ::close(connection->descriptor);
    ASSERT_EQ(servers().size(), 1u);
    removed ? fs::remove(watched), void() : save_file(watched, "another library");
    EXPECT_TRUE(soon([&] { return servers().empty(); })) << removed;
  }
}

/// A job of the empty statement, and the second part of its profile once it has ended.
fs::path count_nothing(StubClient& client, const fs::path& folder) {
  StubJob job;
  static int64_t id = 0;
  job.id = ++id;
  job.mode = JobMode::kCallgrind;
  job.benchmark = kEmptyBenchmark;
  job.number = 1;
  client.submit(job);
  const JobOutcome outcome = client.wait_ended(Seconds(60));
  EXPECT_EQ(outcome.status, JobStatus::kDone);
  return folder / ("cg." + std::to_string(outcome.pid) + ".2");
}

TEST_F(WarmServerTest, ItsFolderStaysUntilItsClientsHaveReadTheirProfiles) {
  const ScratchDir scratch;
  SessionSpec spec = plain_session(scratch.path());
  spec.launcher.back() = "--callgrind-out-file=" + std::string(kSessionFolder) + "/cg.%p";
  start_session(warm_.server.start_command, spec);
  const auto connection = connect_session(spec.socket, Seconds(300), {});
  ASSERT_TRUE(connection.has_value());
  {
    StubClient client(*connection, {});
    const fs::path profile = count_nothing(client, connection->folder);
    EXPECT_TRUE(stop_session(spec.socket));
    EXPECT_TRUE(servers().empty());
    std::this_thread::sleep_for(std::chrono::milliseconds(500));  // a server that waits for nobody is gone by then
    EXPECT_TRUE(fs::exists(profile)) << "the server has ended, the client has not read it";
  }
  EXPECT_TRUE(soon([&] { return !fs::exists(connection->folder); }));
}

TEST_F(WarmServerTest, AClientThatAsksForMoreOfAnEndingServerKeepsWhatItHas) {
  const ScratchDir scratch;
  SessionSpec spec = plain_session(scratch.path());
  spec.launcher.back() = "--callgrind-out-file=" + std::string(kSessionFolder) + "/cg.%p";
  spec.watched = {scratch.path() / "library.so"};
  save_file(spec.watched[0], "a library");
  start_session(warm_.server.start_command, spec);
  const auto busy = connect_session(spec.socket, Seconds(300), {}),
             asking = connect_session(spec.socket, Seconds(300), {});
  ASSERT_TRUE(busy.has_value() && asking.has_value());
  auto holding = std::make_unique<StubClient>(*busy, std::function<bool()>());
  StubJob endless;
  endless.benchmark = kEmptyBenchmark;
  endless.number = int64_t{1} << 60;
  holding->submit(endless);
  {
    StubClient client(*asking, {});
    const fs::path profile = count_nothing(client, asking->folder);
    save_file(spec.watched[0], "another library");
    EXPECT_TRUE(soon([&] {
      try {
        count_nothing(client, asking->folder);
        return false;
      } catch (const StubServerLost&) {
        return true;
      }
    }));
    EXPECT_TRUE(fs::exists(profile));
  }
  holding.reset();
  EXPECT_TRUE(soon([&] { return !fs::exists(asking->folder); }));
}

TEST_F(WarmServerTest, ItIsNotUsedOnceAModuleOfItsProgramHasChanged) {
  const ScratchDir scratch;
  const fs::path module = scratch.path() / "functional.py", folder_of_modules = scratch.path() / "package";
  save_file(module, "one");
  fs::create_directory(folder_of_modules);
  const std::function<void()> edits[] = {[&] { save_file(module, "two"); },
                                         [&] { save_file(folder_of_modules / "shadows.py", ""); }};
  for (size_t i = 0; i < std::size(edits); ++i) {
    SessionSpec spec = plain_session(scratch.path());
    spec.list_watched = {"/bin/sh", "-c",
                         "echo something else; echo icount $PWD/functional.py; echo icount $PWD/package"};
    start_session(warm_.server.start_command, spec);
    const auto connection = connect_session(spec.socket, Seconds(300), {});
    ASSERT_TRUE(connection.has_value());
    ::close(connection->descriptor);
    const auto again = connect_session(spec.socket, Seconds(300), {});
    ASSERT_TRUE(again.has_value()) << "unchanged";
    ::close(again->descriptor);
    edits[i]();
    EXPECT_FALSE(connect_session(spec.socket, Seconds(300), {}).has_value()) << i;
    EXPECT_TRUE(soon([&] { return servers().empty(); })) << i;
  }
}

/// A LibTorch statement here and one in the running server; scripts/check-all compares the whole standard set.
TEST_F(WarmServerTest, LibTorchCountsTheSame) {
  const std::vector<TimerArgs> statements = {make_statement(
      "auto y = (x * 2).sum(); y.backward();", "auto x = torch::ones({4}, torch::requires_grad());", true)};
  const std::vector<std::string> roots = libtorch_roots();
  if (roots.empty()) GTEST_SKIP() << "no LibTorch here";
  cold_.toolchain.torch_dir = warm_.toolchain.torch_dir = roots.front();
  const std::vector<CollectResult> cold = collect_all(statements, cold_), warm = collect_all(statements, warm_);
  EXPECT_EQ(warm[0].counts, cold[0].counts);
  EXPECT_EQ(note_of(warm[0]), "");
}

}  // namespace
}  // namespace icount
