// The protocol of `icount mcp`: a server whose commands are values, and the schemas of its tools as a snapshot.
#include <gtest/gtest.h>

#include "icount/cli/mcp/mcp_server.h"
#include "icount/cli/mcp/mcp_tools.h"
#include "support/golden.h"

namespace icount {
namespace {

constexpr const char* kDiff = R"({"base":{"name":"a","total":10},"head":{"name":"b","total":17},"delta":7,
 "causes":[{"delta":7,"text":"f does more"},{"delta":1,"text":"c1"},{"delta":1,"text":"c2"},{"delta":1,"text":"c3"},
 {"delta":1,"text":"c4"},{"delta":-4,"text":"c5"}]})";

class McpTest : public testing::Test {
 protected:
  Json ask(const std::string& line) {
    const auto answer = server_.answer(line);
    return answer ? parse_json(*answer, "answer") : Json();
  }
  Json call(const std::string& tool, const Json& arguments) {
    return ask(dump_json({{"jsonrpc", "2.0"},
                          {"id", 1},
                          {"method", "tools/call"},
                          {"params", {{"name", tool}, {"arguments", arguments}}}},
                         -1));
  }

  CommandOutput output_{0, kDiff, ""};
  std::vector<std::string> argv_;
  McpServer server_{"0.1.0", "out.json", [this](const std::vector<std::string>& argv, const std::string&) {
                      argv_ = argv;
                      return output_;
                    }};
};

TEST_F(McpTest, TheSchemasAreTheRecordedOnes) {
  EXPECT_EQ(differs_from_golden("mcp_tools.json", dump_json(tools_list()) + "\n"), "");
}

TEST_F(McpTest, AVersionIsAgreedOn) {
  const Json answer = ask(
      R"({"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{}}})");
  EXPECT_EQ(answer["id"], "a");
  EXPECT_EQ(answer["result"]["protocolVersion"], "2024-11-05");
  EXPECT_EQ(answer["result"]["serverInfo"]["name"], "icount");
  EXPECT_EQ(server_.answer(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"), std::nullopt);
  EXPECT_EQ(ask(R"({"jsonrpc":"2.0","id":2,"method":"ping"})")["result"], Json::object());
}

TEST_F(McpTest, MalformedRequestsHaveTheirCodes) {
  const std::pair<const char*, int> cases[] = {
      {"{", -32700},
      {"\xff", -32700},
      {"[]", -32600},
      {"7", -32600},
      {R"({"id":1,"method":"ping"})", -32600},
      {R"({"jsonrpc":"2.0","id":{},"method":"ping"})", -32600},
      {R"({"jsonrpc":"2.0","id":1,"method":5})", -32600},
      {R"({"jsonrpc":"2.0","id":1,"method":"resources/list"})", -32601},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})", -32602},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}})", -32602},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open","arguments":{}}})", -32602},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"diff","arguments":{"base":5}}})", -32602},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","arguments":{"x":"y"}}})", -32602},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","arguments":[]}})", -32602},
  };
  for (const auto& [line, code] : cases) EXPECT_EQ(ask(line)["error"]["code"], code) << line;
  EXPECT_EQ(ask(R"({"jsonrpc":"2.0","id":2,"method":"ping"})")["id"], 2) << "and it goes on";
}

TEST_F(McpTest, AnAnswerIsShortAndItsHandleOpensTheRest) {
  const Json result = call("diff", {{"base", "a.out"}, {"head", "-b"}})["result"];
  EXPECT_EQ(argv_, (std::vector<std::string>{"diff", "--format=json", "a.out", "./-b"}));
  EXPECT_EQ(result["isError"], false);
  const std::string text = result["content"][0]["text"];
  EXPECT_EQ(text.find("change +7 Ir: 10 -> 17\n+7  f does more\n"), 0u) << text;
  EXPECT_NE(text.find("1 more causes\nhandle r1"), std::string::npos) << text;
  const Json opened = call("open", {{"handle", "r1"}, {"pointer", "/causes"}, {"offset", 5}})["result"];
  EXPECT_EQ(opened["structuredContent"]["size"], 6);
  EXPECT_EQ(opened["structuredContent"]["entries"][0]["text"], "c5");
  EXPECT_EQ(call("open", {{"handle", "r9"}})["error"]["code"], -32602);
  EXPECT_EQ(call("open", {{"handle", "r1"}, {"pointer", "/none"}})["error"]["code"], -32602);
  EXPECT_EQ(call("open", {{"handle", "r1"}, {"pointer", "causes"}})["error"]["code"], -32602);
}

TEST_F(McpTest, ACommandThatFailsIsAnErrorOfTheToolAndARefusalIsNot) {
  output_ = {1, "", "icount: no such file"};
  const Json failed = call("diff", {{"base", "a"}, {"head", "b"}})["result"];
  EXPECT_EQ(failed["isError"], true);
  EXPECT_NE(failed["content"][0]["text"].get<std::string>().find("no such file"), std::string::npos);
  output_ = {3, R"({"verdict":"refusal","compared":2,"changed":1,"findings":[{"text":"b grew"}]})", ""};
  const Json refused = call("gate", {{"suite", "s.toml"}, {"base_ref", "main"}})["result"];
  EXPECT_EQ(refused["isError"], false);
  EXPECT_EQ(argv_, (std::vector<std::string>{"gate", "--json=out.json", "--base-ref=main", "s.toml"}));
}

TEST_F(McpTest, AStatementIsNoOption) {
  call("count", {{"stmt", {"--x;"}}, {"torch", false}});
  EXPECT_EQ(argv_, (std::vector<std::string>{"count", "--format=json", "--stmt=--x;", "--no-torch"}));
  call("count", {{"program", {"./a", "-v"}}});
  EXPECT_EQ(argv_, (std::vector<std::string>{"count", "--format=json", "--", "./a", "-v"}));
  EXPECT_EQ(call("count", Json::object())["error"]["code"], -32602);
}

}  // namespace
}  // namespace icount
