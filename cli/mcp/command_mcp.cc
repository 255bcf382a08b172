// `icount mcp`: a server of the Model Context Protocol on standard input and output.
#include "icount/cli/commands.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/cli/cli.h"
#include "icount/cli/mcp/mcp_server.h"
#include "icount/cli/version_text.h"
#include "icount/console/options.h"

namespace icount {
namespace {

constexpr ExampleSpec kMcpExamples[] = {
    {"claude mcp add icount -- icount mcp", "let an assistant count, compare and explain"},
    {R"(echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | icount mcp)", "see the tools and their schemas"},
};

/// The protocol's own copies of standard input and output. What a tool starts reads nothing, and what it prints goes to
/// standard error: a counted program must not eat requests or write between answers.
class ProtocolStreams {
 public:
  ProtocolStreams() : in_(::fdopen(copy_of(STDIN_FILENO), "r")), out_(::fdopen(copy_of(STDOUT_FILENO), "w")) {
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (!in_ || !out_ || nothing < 0 || ::dup2(nothing, STDIN_FILENO) < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
      throw Error(ErrorKind::kIo, fmt::format("cannot redirect standard input and output: {}", errno_text(errno)));
    ::close(nothing);
  }
  ProtocolStreams(const ProtocolStreams&) = delete;
  ~ProtocolStreams() {
    ::fclose(in_);
    ::fclose(out_);
    ::free(line_);
  }

  /// The next line without its end; nullopt at the end of the input.
  std::optional<std::string> read_line() {
    ssize_t length = ::getline(&line_, &size_, in_);
    if (length < 0) return std::nullopt;
    if (length > 0 && line_[length - 1] == '\n') --length;
    return std::string(line_, static_cast<size_t>(length));
  }
  void write_line(const std::string& line) {
    const std::string whole = line + '\n';
    if (::fwrite(whole.data(), 1, whole.size(), out_) != whole.size() || ::fflush(out_) != 0)
      throw Error(ErrorKind::kIo, fmt::format("cannot write the answer: {}", errno_text(errno)));
  }

 private:
  static int copy_of(int fd) { return ::fcntl(fd, F_DUPFD_CLOEXEC, 3); }

  FILE* in_;
  FILE* out_;
  char* line_ = nullptr;
  size_t size_ = 0;
};

/// One command in this process, with its output kept.
CommandOutput run_command(const std::vector<std::string>& argv, const std::string& json_file,
                          const CommandContext& context) {
  std::ostringstream out, err;
  for (std::ostringstream* text : {&out, &err})
    text->exceptions(std::ios::badbit);  // memory that ends is an error, not a shorter text
  CommandContext inner{.out = out,
                       .err = err,
                       .terminal = {},
                       .error_terminal = {},
                       .environment = context.environment,
                       .cancelled = context.cancelled,
                       .arguments = argv,
                       .program = context.program};
  CommandOutput output;
  std::error_code ignored;
  if (!json_file.empty()) std::filesystem::remove(json_file, ignored);
  output.exit_code = static_cast<int>(run_icount(inner));
  output.json = json_file.empty() ? out.str() : std::filesystem::exists(json_file, ignored) ? load_text(json_file) : "";
  output.errors = err.str();
  return output;
}

ExitCode run_mcp(const ParsedOptions& parsed, CommandContext& context) {
  parsed.check();
  const ScratchDir scratch("icount-mcp");
  McpServer server(std::string(icount_version()), (scratch.path() / "output.json").string(),
                   [&](const std::vector<std::string>& argv, const std::string& json_file) {
                     return run_command(argv, json_file, context);
                   });
  ProtocolStreams streams;
  while (const auto line = streams.read_line()) {
    if (line->find_first_not_of(" \t\r") == std::string::npos) continue;
    if (const auto answer = server.answer(*line)) streams.write_line(*answer);
  }
  return ExitCode::kOk;
}

}  // namespace

const CommandSpec& mcp_command() {
  static const CommandSpec command = {
      .name = "mcp",
      .summary = "serve count, diff, gate, history and doctor to an assistant (Model Context Protocol)",
      .description =
          "Reads JSON-RPC requests, one per line, until standard input ends. Answers are short; each has a handle, and "
          "the tool "
          "`open` reads more of it. Nothing is sent anywhere else. The tools run commands that the caller names, with "
          "the "
          "caller's rights: docs/mcp.md.",
      .examples = kMcpExamples,
      .run = run_mcp,
  };
  return command;
}

}  // namespace icount
