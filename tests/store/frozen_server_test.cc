// A PostgreSQL server that takes connections and then no longer answers: its machine still acknowledges what is sent,
// so only a limit of our own ends the wait. A thread plays the server; it speaks just enough of the protocol.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "icount/store/database.h"
#include "support/error_of.h"

/// SOCI 4.0 leaves libpq's connection behind where a session fails while it begins. Asked for by the leak sanitizer.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libsoci_postgresql"; }

namespace icount {
namespace {

using std::chrono::milliseconds;

constexpr int kNoLogin = -1;

std::string big_endian(uint32_t number) {
  const uint32_t network = htonl(number);
  return {reinterpret_cast<const char*>(&network), sizeof(network)};
}

std::string message(char kind, const std::string& body) {
  return kind + big_endian(static_cast<uint32_t>(body.size()) + 4) + body;
}

class FrozenServer {
 public:
  /// Answers so many statements of a connection, or not even the login.
  explicit FrozenServer(int answers) : answers_(answers), listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof(address);
    ::bind(listener_, reinterpret_cast<sockaddr*>(&address), length);
    ::listen(listener_, 8);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~FrozenServer() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    for (const int fd : connections_) ::close(fd);
    ::close(listener_);
  }
  StoreUrl url(const std::string& more = "") const {
    return parse_store_url("postgresql://u:p@127.0.0.1:" + std::to_string(port_) + "/db?sslmode=disable" + more);
  }

 private:
  void serve() {
    for (int fd; (fd = ::accept(listener_, nullptr, nullptr)) >= 0;) {
      connections_.push_back(fd);
      if (answers_ != kNoLogin) answer(fd);
    }
  }

  void answer(int fd) {
    uint32_t length = 0;
    if (!receive(fd, &length, sizeof(length)) || !pass_over(fd, ntohl(length) - 4)) return;
    send(fd, message('R', big_endian(0)) +
                 message('S', std::string("server_version\0"
                                          "15.0\0",
                                          20)) +
                 message('S', std::string("client_encoding\0UTF8\0", 21)) +
                 message('K', big_endian(1) + big_endian(1)) + message('Z', "I"));
    for (int left = answers_; left > 0; --left) {
      char kind = 0;
      if (!receive(fd, &kind, 1) || !receive(fd, &length, sizeof(length)) || !pass_over(fd, ntohl(length) - 4)) return;
      send(fd, message('C', std::string("SET\0", 4)) + message('Z', "I"));
    }
  }

  static bool receive(int fd, void* data, size_t size) { return ::recv(fd, data, size, MSG_WAITALL) == ssize_t(size); }
  static bool pass_over(int fd, size_t size) {
    std::string ignored(size, '\0');
    return receive(fd, ignored.data(), size);
  }
  static void send(int fd, const std::string& text) { ::send(fd, text.data(), text.size(), MSG_NOSIGNAL); }

  int answers_, listener_, port_ = 0;
  std::vector<int> connections_;
  std::thread thread_;
};

/// Runs `work`; what it throws when the server at `url` owes the answer to `asked`.
void expect_given_up(const StoreUrl& url, const std::string& limit, const std::string& asked,
                     const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(error_of(ErrorKind::kIo, work),
            url.text + ": no answer to " + asked + " from the server within " + limit +
                " s, so the connection was ended; the server may be frozen, overloaded or cut off. Check it and try "
                "again; `icount store runs` then shows whether a run that was being written is there. Where a "
                "statement needs longer, give the store's URL another limit: icount_timeout=SECONDS among its "
                "parameters");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(8)) << "not libpq's limit for connecting";
}

/// In the order of what icount asks: SOCI sets a parameter within the login, icount another one after it.
TEST(FrozenServerTest, AnAnswerIsWaitedForSoLong) {
  const DatabaseOptions options{.answer_wait = milliseconds(200)};
  const std::string asked[] = {"the login", "the login", "SET"};
  for (const int answers : {kNoLogin, 0, 1}) {
    const FrozenServer server(answers);
    const std::string probe = error_of([&] { Database(server.url(), options); });
    if (probe.find("cannot be loaded") != std::string::npos) GTEST_SKIP() << probe;
    expect_given_up(server.url(), "0.2", asked[answers + 1], [&] { Database(server.url(), options); });
  }
}

TEST(FrozenServerTest, AStatementIsGivenUpAndWhatFollowsFailsAtOnce) {
  const FrozenServer server(3);
  const DatabaseOptions options{.answer_wait = milliseconds(200)};
  std::optional<Database> database;
  const std::string opened = error_of([&] { database.emplace(server.url(), options); });
  if (opened.find("cannot be loaded") != std::string::npos) GTEST_SKIP() << opened;
  ASSERT_EQ(opened, "no error");
  std::this_thread::sleep_for(milliseconds(400));
  database->execute("SET search_path TO icount");  // idle time is no wait for an answer
  expect_given_up(server.url(), "0.2", "COMMIT", [&] { database->execute("COMMIT"); });
  EXPECT_NE(error_of([&] { database->execute("ROLLBACK"); }), "no error");
}

TEST(FrozenServerTest, AUrlSetsItsOwnLimit) {
  const FrozenServer server(2);
  const StoreUrl url = server.url("&icount_timeout=1");
  std::optional<Database> database;
  const std::string opened = error_of([&] { database.emplace(url, DatabaseOptions{}); });
  if (opened.find("cannot be loaded") != std::string::npos) GTEST_SKIP() << opened;
  ASSERT_EQ(opened, "no error") << "libpq does not get the parameter, which it would refuse";
  expect_given_up(url, "1", "COMMIT", [&] { database->execute("COMMIT"); });
}

}  // namespace
}  // namespace icount
