// Which servers run: sockets that answer, sockets that nobody listens at any more.
#include "icount/harness/session_client.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "icount/base/scratch_dir.h"
#include "icount/base/unix_socket.h"

namespace icount {
namespace {

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
