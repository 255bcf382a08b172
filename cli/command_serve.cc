// icount serve: the history in a browser, on loopback.
#include "icount/cli/commands.h"

#include <fmt/format.h>

#include <ostream>

#include "icount/base/text.h"
#include "icount/cli/served_history.h"
#include "icount/console/options.h"

namespace icount {
namespace {

constexpr OptionSpec kServeOptions[] = {
    {"port", "N", "where to listen on 127.0.0.1; 0 takes a free port (default 0)"},
    {"last", "N", "only the newest N runs; 0 for all (default 200)"},
};

constexpr ExampleSpec kServeExamples[] = {
    {"icount serve", "the nearest .icount/history.sqlite"},
    {"icount serve results --port 8080", "every result file of a folder, as runs in the order of their times"},
};

constexpr int64_t kDefaultRuns = 200;
constexpr int64_t kMostRuns = 1'000'000'000;
constexpr int64_t kMostPort = 65535;

ExitCode run_serve(const ParsedOptions& parsed, CommandContext& context) {
  const auto port = static_cast<uint16_t>(parsed.integer("port", 0, 0, kMostPort));
  const auto newest = static_cast<size_t>(parsed.integer("last", kDefaultRuns, 0, kMostRuns));
  parsed.check();
  ServedStore store(parsed.arguments().empty() ? "" : parsed.arguments()[0], newest, context);
  HttpServer server(port, [&](const HttpTarget& target) { return store.answer(target); });
  context.out << fmt::format("{} at http://127.0.0.1:{}/ until Ctrl-C\n", escape_for_terminal(store.name()),
                             server.port())
              << std::flush;
  server.run(context.cancelled);
  return ExitCode::kOk;
}

}  // namespace

const CommandSpec& serve_command() {
  static const CommandSpec command = {
      .name = "serve",
      .summary = "show the history in a browser: runs, benchmarks, and any two runs explained",
      .arguments = "[DIR|STORE]",
      .description =
          "STORE is a history (default: ICOUNT_STORE, else the nearest .icount/history.sqlite); reload a page to "
          "see runs that were stored meanwhile. Of a folder, every result file in it is a run. Pages are "
          "made "
          "when they are asked for: all runs and benchmarks, one benchmark run by run, and the report of any run or "
          "any "
          "two, which is the page that `icount report` writes.\n\nOnly this machine is answered (127.0.0.1), and "
          "nothing "
          "can be changed.",
      .options = kServeOptions,
      .examples = kServeExamples,
      .max_arguments = 1,
      .run = run_serve,
  };
  return command;
}

}  // namespace icount
