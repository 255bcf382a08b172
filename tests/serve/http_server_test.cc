#include "icount/cli/serve/http_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "icount/base/error.h"

namespace icount {
namespace {

TEST(HttpTargetTest, TakenApart) {
  const auto target = parse_http_target("/report?base=1&head=a%20%2Fb+c&base=2&empty");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->path, "/report");
  EXPECT_EQ(target->query,
            (std::map<std::string, std::string, std::less<>>{{"base", "1"}, {"head", "a /b c"}, {"empty", ""}}));
  EXPECT_TRUE(parse_http_target("/")->query.empty());
}

TEST(HttpTargetTest, WhatIsNone) {
  for (const char* text : {"", "report", "http://elsewhere/", "/%", "/%4", "/a?b=%zz"})
    EXPECT_FALSE(parse_http_target(text)) << text;
}

TEST(HttpTargetTest, AnyTextSurvivesAQuery) {
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  EXPECT_EQ(parse_http_target("/?k=" + escape_for_query(all))->query.at("k"), all);
}

TEST(HttpTargetTest, EscapesAreWholeBytes) {
  EXPECT_EQ(parse_http_target("/%41%2f%C3%a9")->path, "/A/\u00e9");
  for (const char* target : {"/%", "/%4", "/%4x", "/%x4", "/?a=%4", "/?%zz=1"})
    EXPECT_FALSE(parse_http_target(target)) << target;
  EXPECT_EQ(parse_http_target("/?a&b=")->query,
            (std::map<std::string, std::string, std::less<>>{{"a", ""}, {"b", ""}}));
}

TEST(LoopbackHostTest, OnlyThisMachine) {
  for (const char* host : {"127.0.0.1", "127.0.0.1:8080", "localhost", "localhost:1"})
    EXPECT_TRUE(is_loopback_host(host)) << host;
  for (const char* host : {"", "example.org", "example.org:80", "127.0.0.1.example.org", "localhost.example.org:80"})
    EXPECT_FALSE(is_loopback_host(host)) << host;
}

/// A server in a thread of its own, and what it says to a request.
class HttpServerTest : public testing::Test {
 protected:
  ~HttpServerTest() override {
    stopped_ = true;
    thread_.join();
  }

  std::string ask(const std::string& request, bool says_no_more = false) const {
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(server_.port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::send(fd, request.data(), request.size(), 0), static_cast<ssize_t>(request.size()));
    if (says_no_more) ::shutdown(fd, SHUT_WR);
    std::string answer;
    char buffer[4096];
    for (ssize_t got; (got = ::recv(fd, buffer, sizeof buffer, 0)) > 0;)
      answer.append(buffer, static_cast<size_t>(got));
    ::close(fd);
    return answer;
  }

  std::atomic<bool> stopped_ = false;
  HttpServer server_{0, [](const HttpTarget& target) -> HttpAnswer {
                       if (target.path == "/broken") throw std::runtime_error("it broke");
                       return {.body = "page " + target.path};
                     }};
  std::thread thread_{[this] { server_.run([this] { return stopped_.load(); }); }};
};

TEST_F(HttpServerTest, AnswersGet) {
  const std::string answer = ask("GET /x?y=1 HTTP/1.1\r\nHost: localhost:80\r\n\r\n");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n")) << answer;
  EXPECT_TRUE(answer.ends_with("\r\n\r\npage /x")) << answer;
  const std::string head = ask("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_TRUE(head.starts_with("HTTP/1.1 200")) << head;
  EXPECT_TRUE(head.ends_with("\r\n\r\n")) << head;
}

TEST_F(HttpServerTest, RefusesOtherNamesOtherMethodsAndNoise) {
  EXPECT_TRUE(ask("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n").starts_with("HTTP/1.1 403"));
  EXPECT_TRUE(ask("GET / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 403"));
  EXPECT_TRUE(ask("DELETE / HTTP/1.1\r\nHost: localhost\r\n\r\n").starts_with("HTTP/1.1 405"));
  EXPECT_TRUE(ask("no request\r\n\r\n").starts_with("HTTP/1.1 400"));
  EXPECT_TRUE(
      ask("GET /" + std::string(100'000, 'x') + " HTTP/1.1\r\nHost: localhost\r\n\r\n").starts_with("HTTP/1.1 400"));
  EXPECT_TRUE(ask("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").starts_with("HTTP/1.1 200")) << "and goes on";
}

TEST_F(HttpServerTest, AnAddressThatIsNoneIsRefused) {
  EXPECT_NE(ask("GET x HTTP/1.1\r\nHost: localhost\r\n\r\n").find("the address cannot be read"), std::string::npos);
}

TEST_F(HttpServerTest, WhoLeavesWithoutAWordGetsNoAnswer) {
  EXPECT_EQ(ask("", true), "");
  EXPECT_TRUE(ask("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").starts_with("HTTP/1.1 200")) << "and it goes on";
}

TEST_F(HttpServerTest, AnExceptionIsAnAnswer) {
  const std::string answer = ask("GET /broken HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 500")) << answer;
  EXPECT_NE(answer.find("it broke"), std::string::npos);
}

TEST_F(HttpServerTest, ATakenPortIsSaid) {
  EXPECT_THROW(HttpServer(server_.port(), [](const HttpTarget&) { return HttpAnswer{}; }), Error);
}

}  // namespace
}  // namespace icount
