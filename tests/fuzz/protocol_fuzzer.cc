// libFuzzer target of what servers of icount are told: the lines between clients, a server that stays warm and its
// stub; JSON-RPC of an assistant; addresses that a browser asks for. Nothing but an answer may come of any line.
#include <string>

#include "fuzz/fuzz_input.h"
#include "icount/base/error.h"
#include "icount/base/json.h"
#include "icount/base/text.h"
#include "icount/cli/mcp/mcp_server.h"
#include "icount/cli/serve/http_server.h"
#include "icount/harness/session_spec.h"

namespace {

using namespace icount;

/// Lines of two clients ('1', '2'), of the stub ('s'), and the end of a client ('x').
void check_jobs(std::string_view text) {
  SessionJobs jobs;
  size_t handed_on = 0, ended = 0;
  for (std::string_view line : split_lines(text)) {
    const char who = line.empty() ? '1' : line.front();
    line.remove_prefix(line.empty() ? 0 : 1);
    if (who == 'x') {
      jobs.forget(1);
    } else if (who == 's') {
      const auto answer = accepted([&] { return jobs.take_reply(std::string(line)); });
      if (!answer || !*answer) continue;
      ended += (*answer)->ended;
      ICOUNT_CHECK((*answer)->client == -1 || (*answer)->client == 1 || (*answer)->client == 2,
                   "an answer for somebody unknown");
    } else if (const auto sent = jobs.take_request(who == '2' ? 2 : 1, line)) {
      handed_on += sent->starts_with("job ");
    }
    while (jobs.next_waiting()) ++handed_on;
  }
  ICOUNT_CHECK(jobs.in_flight() + ended == handed_on, "a job was lost or counted twice");
}

void check_spec(std::string_view text) {
  const auto spec = accepted([&] { return parse_session_spec(text); });
  if (!spec) return;
  const std::string written = session_spec_to_text(*spec);
  ICOUNT_CHECK(session_spec_to_text(parse_session_spec(written)) == written, "reading again changed a server's spec");
}

void check_assistant(std::string_view text) {
  McpServer server("0", "", [](const auto&, const std::string&) { return CommandOutput{0, "{\"kind\":\"x\"}", ""}; });
  for (const std::string_view line : split_lines(text))
    if (const auto answer = server.answer(line)) {
      ICOUNT_CHECK(answer->find('\n') == std::string::npos, "an answer is one line");
      ICOUNT_CHECK(parse_json(*answer, "answer").at("jsonrpc") == "2.0", "an answer is JSON-RPC");
    }
}

void check_address(std::string_view text) {
  is_loopback_host(text);
  const auto target = parse_http_target(text);
  if (!target) return;
  for (const auto& [name, value] : target->query) {
    const auto again = parse_http_target("/?" + escape_for_query(name) + "=" + escape_for_query(value));
    ICOUNT_CHECK(again && again->query == (HttpTarget{.path = "/", .query = {{name, value}}}.query),
                 "a query changed on its way");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = as_text(data, size);
  check_jobs(text);
  check_spec(text);
  check_assistant(text);
  check_address(text);
  return 0;
}
