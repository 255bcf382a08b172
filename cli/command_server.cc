// `icount server status`, `stop` and `run`: the servers that stay warm between commands (docs/server.md).
#include "icount/cli/commands.h"

#include <fmt/format.h>

#include <iostream>
#include <iterator>
#include <ostream>

#include "icount/base/json.h"
#include "icount/base/text.h"
#include "icount/console/options.h"
#include "icount/harness/build_cache.h"
#include "icount/harness/session_client.h"
#include "icount/harness/session_process.h"
#include "icount/report/document.h"

namespace icount {
namespace {

constexpr OptionSpec kServerOptions[] = {
    {"format", "text|json", "form of the output (default text)"},
};

constexpr ExampleSpec kStatusExamples[] = {
    {"icount server status", "the servers that run, with their age and memory"},
};
constexpr ExampleSpec kStopExamples[] = {
    {"icount server stop", "end every server"},
    {"icount server stop 3f2a", "end the server whose key begins so"},
};

constexpr ExampleSpec kRunExamples[] = {
    {"icount server run < server.json", "what `icount count` does when no server runs"},
};

std::filesystem::path folder_of(const CommandContext& context) {
  return session_folder(context.environment, default_cache_dir(context.environment));
}

/// "42 s", "3 min", "2 h".
std::string age_text(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.0f} h", seconds / 3600);
}

Json to_json(const SessionStatus& status) {
  return {{"key", status.key},
          {"description", status.description},
          {"pid", status.pid},
          {"age_s", status.age_s},
          {"idle_s", status.idle_s},
          {"idle_limit_s", status.idle_limit_s},
          {"memory_bytes", status.memory_bytes},
          {"counted", status.counted},
          {"in_flight", status.in_flight},
          {"socket", status.socket.string()}};
}

Json document(std::span<const SessionStatus> servers) {
  Json json;
  json["schema"] = {{"name", "icount-server"}, {"version", 1}};
  json["servers"] = Json::array();
  for (const SessionStatus& server : servers) json["servers"].push_back(to_json(server));
  return json;
}

void render(std::ostream& out, std::span<const SessionStatus> servers, const TextStyle& style) {
  Table table({{"key", Align::kLeft},
               {"age", Align::kRight},
               {"memory", Align::kRight},
               {"counted", Align::kRight},
               {"ends in", Align::kRight},
               {"server", Align::kLeft}});
  for (const SessionStatus& server : servers)
    table.add_row({{server.key},
                   {age_text(server.age_s)},
                   {fmt::format("{} MB", server.memory_bytes >> 20)},
                   {fmt::format("{}", server.counted)},
                   {server.in_flight > 0 ? "counting" : age_text(std::max(0.0, server.idle_limit_s - server.idle_s))},
                   {fmt::format("{} (pid {})", escape_for_terminal(server.description), server.pid)}});
  table.render_text(out, style);
}

ExitCode run_status(const ParsedOptions& parsed, CommandContext& context) {
  const bool as_json = parsed.choice("format", {"text", "json"}) == 1;
  parsed.check();
  const RunningSessions sessions = find_sessions(folder_of(context));
  if (as_json) {
    Json json = document(sessions.running);
    json["stale_sockets"] = sessions.stale.size();
    context.out << dump_json(json) << '\n';
    return ExitCode::kOk;
  }
  if (sessions.running.empty())
    context.out << "no server runs\n";
  else
    render(context.out, sessions.running, context.terminal.style);
  if (!sessions.stale.empty())
    context.out << counted(sessions.stale.size(), "socket") << " of servers that were killed; 'icount doctor' removes "
                << (sessions.stale.size() == 1 ? "it\n" : "them\n");
  return ExitCode::kOk;
}

ExitCode run_stop(const ParsedOptions& parsed, CommandContext& context) {
  const bool as_json = parsed.choice("format", {"text", "json"}) == 1;
  const std::string key = parsed.arguments().empty() ? std::string() : parsed.arguments()[0];
  parsed.check();
  std::vector<SessionStatus> stopped;
  bool all = true;
  for (const SessionStatus& server : find_sessions(folder_of(context)).running) {
    if (!server.key.starts_with(key)) continue;
    if (stop_session(server.socket)) {
      stopped.push_back(server);
    } else {
      all = false;
      context.warn(fmt::format("the server {} (pid {}) did not end", server.key, server.pid));
    }
  }
  if (as_json)
    context.out << dump_json(document(stopped)) << '\n';
  else if (stopped.empty() && all)
    context.out << (key.empty() ? "no server runs\n"
                                : fmt::format("no server has a key that begins with {}\n", escape_for_terminal(key)));
  else
    for (const SessionStatus& server : stopped)
      context.out << fmt::format("stopped {} ({}, {} counted)\n", server.key, escape_for_terminal(server.description),
                                 counted(static_cast<size_t>(server.counted), "statement"));
  return all && (key.empty() || !stopped.empty()) ? ExitCode::kOk : ExitCode::kFailure;
}

ExitCode run_server(const ParsedOptions& parsed, CommandContext&) {
  parsed.check();
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  start_session_server(parse_session_spec(text));
  return ExitCode::kOk;
}

}  // namespace

const CommandSpec& server_status_command() {
  static const CommandSpec spec = {
      .name = "server status",
      .summary = "list the servers that stay warm between commands",
      .description =
          "A count of LibTorch or Python statements leaves its server running, so that the next one needs no start. "
          "Shows the key of each server (a hash of LibTorch, Valgrind, the pins, the environment and icount's "
          "version), "
          "its age, its memory, how many statements it counted and when it ends by itself. docs/server.md explains "
          "servers.",
      .options = kServerOptions,
      .examples = kStatusExamples,
      .run = run_status,
  };
  return spec;
}

const CommandSpec& server_stop_command() {
  static const CommandSpec spec = {
      .name = "server stop",
      .summary = "end the servers that stay warm between commands",
      .arguments = "[KEY]",
      .description =
          "Ends every server of this user, or those whose key begins with KEY. What a server has in flight is "
          "cancelled; the command that asked for it counts in a process of its own. The exit code is 1 when a server "
          "did not end, or none has such a key.",
      .options = kServerOptions,
      .examples = kStopExamples,
      .max_arguments = 1,
      .run = run_stop,
  };
  return spec;
}

const CommandSpec& server_run_command() {
  static const CommandSpec spec = {
      .name = "server run",
      .summary = "become a server (other commands start it so)",
      .description =
          "Reads the description of a server from standard input, as `icount count` writes it, and starts the server "
          "in "
          "a session of its own. You need not call it: `icount count` starts a server when it needs one.",
      .examples = kRunExamples,
      .run = run_server,
  };
  return spec;
}

}  // namespace icount
