// Where servers are found, who may use them, and when: environment, folder, description.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/unix_socket.h"
#include "icount/harness/session_client.h"
#include "icount/harness/session_spec.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

Environment with(const std::vector<std::string>& block) { return Environment(block); }

std::string failure_of(const fs::path& folder) {
  try {
    make_session_folder(folder);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(SessionSpecTest, TheEnvironmentDecidesWhetherAServerIsUsed) {
  EXPECT_EQ(session_use(with({})), SessionUse::kStart);
  EXPECT_EQ(session_use(with({"ICOUNT_SERVER=find"})), SessionUse::kFind);
  EXPECT_EQ(session_use(with({"ICOUNT_SERVER=off"})), SessionUse::kOff);
  EXPECT_EQ(session_use(with({"CI=true"})), SessionUse::kOff) << "a job of CI leaves no process behind";
  EXPECT_EQ(session_use(with({"CI=false"})), SessionUse::kStart);
  EXPECT_EQ(session_use(with({"CI=true", "ICOUNT_SERVER=on"})), SessionUse::kStart);
  EXPECT_THROW(session_use(with({"ICOUNT_SERVER=yes"})), Error);
}

TEST(SessionSpecTest, TheIdleTimeIsANumberOfSeconds) {
  EXPECT_EQ(session_idle_seconds(with({})), 300);
  EXPECT_EQ(session_idle_seconds(with({"ICOUNT_SERVER_IDLE=1.5"})), 1.5);
  for (const char* word : {"0", "-1", "soon", "5m", "nan"})
    EXPECT_THROW(session_idle_seconds(with({std::string("ICOUNT_SERVER_IDLE=") + word})), Error) << word;
}

TEST(SessionSpecTest, SocketsLieInTheRuntimeFolderElseInTheCache) {
  EXPECT_EQ(session_folder(with({"XDG_RUNTIME_DIR=/run/user/1"}), "/c"), "/run/user/1/icount");
  EXPECT_EQ(session_folder(with({}), "/c"), "/c/run");
  EXPECT_EQ(session_folder(with({"XDG_RUNTIME_DIR=relative"}), "/c"), "/c/run");
}

TEST(SessionSpecTest, TheFolderIsTheUsersAlone) {
  const ScratchDir scratch;
  const fs::path folder = scratch.path() / "a/run";
  EXPECT_EQ(failure_of(folder), "");
  struct stat status {};
  ASSERT_EQ(::stat(folder.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  EXPECT_EQ(failure_of(folder), "") << "it may be there";
  ::chmod(folder.c_str(), 0755);
  EXPECT_NE(failure_of(folder).find("is open to others (mode 0755); chmod 700 it"), std::string::npos);
  save_file(scratch.path() / "file", "");
  EXPECT_NE(failure_of(scratch.path() / "file").find("is not a folder"), std::string::npos);
  EXPECT_NE(failure_of("/proc/self/run").find("cannot make the folder /proc/self/run"), std::string::npos);
  if (::geteuid() != 0) return;
  const fs::path others = scratch.path() / "others";
  fs::create_directory(others);
  ::chmod(others.c_str(), 0700);
  ASSERT_EQ(::chown(others.c_str(), 12345, 12345), 0);
  EXPECT_NE(failure_of(others).find("belongs to user 12345, not to this one"), std::string::npos);
}

TEST(SessionSpecTest, ADescriptionComesBackAsItWas) {
  SessionSpec spec;
  spec.key = "0123456789abcdef";
  spec.description = "LibTorch 2.13.0, \"x\"";
  spec.socket = "/run/a.socket";
  spec.launcher = {"valgrind", "--callgrind-out-file=@FOLDER@/cg.%p"};
  spec.program = {"/stub", "a b"};
  spec.environment = {"A=1", "B=\n"};
  spec.working_dir = "/";
  spec.disable_aslr = true;
  spec.watched = {"/x", "/y"};
  spec.idle_seconds = 2.5;
  const SessionSpec again = parse_session_spec(session_spec_to_text(spec));
  EXPECT_EQ(session_spec_to_text(again), session_spec_to_text(spec));
  EXPECT_EQ(again.environment, spec.environment);
  EXPECT_EQ(again.watched, spec.watched);
  for (const char* text : {"", "{}", "[]", "{\"key\": 3}"}) EXPECT_THROW(parse_session_spec(text), Error) << text;
}

// Several clients of one server: each hears of its own jobs, under its own numbers.

TEST(SessionJobsTest, NumbersAreTheServersOutsideAndTheClientsInside) {
  SessionJobs jobs;
  EXPECT_EQ(jobs.take_request(0, "job 7 benchmark=0 number=5"), "job 1 benchmark=0 number=5");
  EXPECT_EQ(jobs.take_request(1, "job 7 benchmark=3"), "job 2 benchmark=3");
  const auto began = jobs.take_reply("began 2 pid=55");
  ASSERT_TRUE(began);
  EXPECT_EQ(began->client, 1);
  EXPECT_EQ(began->line, "began 7 pid=55");
  EXPECT_FALSE(began->ended);
  const auto object = jobs.take_reply("object 1 abcd /lib/x.so");
  ASSERT_TRUE(object);
  EXPECT_EQ(object->client, 0);
  EXPECT_EQ(object->line, "object 7 abcd /lib/x.so");
  const auto ended = jobs.take_reply("ended 2 pid=55 status=done phase=end output_bytes=0 output=");
  ASSERT_TRUE(ended);
  EXPECT_TRUE(ended->ended && ended->done);
  EXPECT_EQ(ended->pid, 55);
  EXPECT_EQ(jobs.in_flight(), 1u);
  EXPECT_FALSE(jobs.take_reply("ended 2 pid=55 status=done")) << "it is over";
}

TEST(SessionJobsTest, ACancelConcernsTheClientsOwnJob) {
  SessionJobs jobs;
  jobs.take_request(0, "job 1 benchmark=0");
  EXPECT_EQ(jobs.take_request(0, "cancel 1"), "cancel 1");
  EXPECT_FALSE(jobs.take_request(1, "cancel 1"));
}

TEST(SessionJobsTest, ARefusalEndsAJob) {
  SessionJobs jobs;
  jobs.take_request(0, "job 1 benchmark=9");
  const auto refused = jobs.take_reply("error job\\x201:\\x20no\\x20such\\x20benchmark");
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->client, 0);
  EXPECT_TRUE(refused->ended);
  EXPECT_FALSE(refused->done);
  EXPECT_TRUE(jobs.is_idle());
}

TEST(SessionJobsTest, TooManyWaitForTheirTurnInOrder) {
  SessionJobs jobs;
  int taken = 0;
  while (jobs.take_request(0, "job 1 benchmark=0")) ++taken;
  EXPECT_EQ(taken, 48);
  EXPECT_FALSE(jobs.take_request(1, "job 4 benchmark=1"));
  EXPECT_FALSE(jobs.next_waiting());
  jobs.take_reply("ended 3 pid=1 status=done");
  EXPECT_EQ(jobs.next_waiting(), "job 49 benchmark=0") << "the one that was refused first";
  jobs.take_reply("ended 4 pid=1 status=done");
  EXPECT_EQ(jobs.next_waiting(), "job 50 benchmark=1");
}

TEST(SessionJobsTest, AClientThatIsGoneIsForgotten) {
  SessionJobs jobs;
  jobs.take_request(0, "job 1 benchmark=0");
  jobs.take_request(1, "job 1 benchmark=0");
  EXPECT_EQ(jobs.forget(0), std::vector<std::string>{"cancel 1"});
  const auto ended = jobs.take_reply("ended 1 pid=9 status=cancelled");
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->client, -1);
  EXPECT_EQ(ended->pid, 9) << "what it wrote is removed";
}

TEST(SessionJobsTest, NonsenseIsNoRequest) {
  SessionJobs jobs;
  for (const char* line : {"", "job", "job x", "quit", "prepare 1 2", "session 1 benchmark=0", "start", "job  1"})
    EXPECT_FALSE(jobs.take_request(0, line)) << line;
  for (const char* line : {"", "ended", "ended x", "hello icount-stub 1", "error job\\x20x:"})
    EXPECT_FALSE(jobs.take_reply(line)) << line;
}

TEST(SessionJobsTest, TheEmptyRegionIsNoStatement) {
  SessionJobs jobs;
  jobs.take_request(1, "job 5 benchmark=empty mode=callgrind");
  jobs.take_request(1, "job 6 benchmark=0 mode=callgrind");
  const auto empty = jobs.take_reply("ended 1 pid=55 status=done");
  const auto statement = jobs.take_reply("ended 2 pid=56 status=done");
  ASSERT_TRUE(empty && statement);
  EXPECT_TRUE(empty->ended && !empty->done);
  EXPECT_TRUE(statement->ended && statement->done);
}

// Which servers run: sockets that answer, sockets that nobody listens at any more.

/// Waits for a connection and closes it without an answer; false where the socket ended.
bool refuse_one(int listening) {
  pollfd ready{listening, POLLIN, 0};
  ::poll(&ready, 1, -1);
  const int fd = accept_from(listening);
  if (fd >= 0) ::close(fd);
  return fd >= 0;
}

/// Takes so many connections and is gone, as a process that the kernel is ending.
void take_and_end(int listening, int connections) {
  for (int i = 0; i < connections; ++i) refuse_one(listening);
  ::close(listening);
}

TEST(SessionClientTest, AServerThatEndsWhileItIsAskedLeavesASocket) {
  const ScratchDir folder;
  const std::filesystem::path socket = folder.path() / "abcd.socket";
  const int listening = listen_at(socket);
  ASSERT_GE(listening, 0);
  std::thread ending(take_and_end, listening, 2);  // the first question, and what looks whether somebody listens
  const RunningSessions sessions = find_sessions(folder.path());
  ending.join();
  EXPECT_TRUE(sessions.running.empty());
  EXPECT_EQ(sessions.stale, std::vector<std::filesystem::path>{socket});
}

TEST(SessionClientTest, ASocketThatNobodyListensAtIsStale) {
  const ScratchDir folder;
  const std::filesystem::path socket = folder.path() / "abcd.socket";
  ::close(listen_at(socket));
  EXPECT_EQ(find_sessions(folder.path()).stale.size(), 1u);
}

TEST(SessionClientTest, OneThatEndsEveryConnectionIsNobodysToRemove) {
  const ScratchDir folder;
  const std::filesystem::path socket = folder.path() / "abcd.socket";
  const int listening = listen_at(socket);
  std::thread refusing([&] {
    while (refuse_one(listening)) continue;
  });
  const RunningSessions sessions = find_sessions(folder.path());
  ::shutdown(listening, SHUT_RDWR);
  refusing.join();
  ::close(listening);
  EXPECT_TRUE(sessions.running.empty());
  EXPECT_TRUE(sessions.stale.empty());
}

}  // namespace
}  // namespace icount
