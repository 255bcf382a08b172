// What a command of icount is: one row of data (name, help, options, examples) and one function. Parsing, --help, the
// manual and the list of commands all come from the row. To add a command:
//   1. cli/command_NAME.h declares `const CommandSpec& NAME_command();`, cli/command_NAME.cc holds its option table, a
//      struct NameOptions, a function that fills it from ParsedOptions, and the run function (command_show.cc is the
//      model);
//   2. add it to the list in cli/commands.cc, in the order of the help;
//   3. add tests/cli/*.test scenarios.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/error.h"
#include "icount/console/terminal.h"
#include "icount/harness/environment.h"

namespace icount {

// What icount tells the shell. One table: docs/exit_codes.md is generated from it and a test compares the two.

enum class ExitCode {
  kOk = 0,
  kFailure = 1,
  kUsage = 2,
  kOverLimit = 3,
  kCannotJudge = 125,  ///< the code that `git bisect run` skips a commit on
};

struct ExitCodeRow {
  ExitCode code;
  std::string_view name;
  std::string_view meaning;
};

inline constexpr std::array<ExitCodeRow, 5> kExitCodes = {{
    {ExitCode::kOk, "ok", "success"},
    {ExitCode::kFailure, "failure",
     "something failed: a file cannot be read or is damaged, a tool is missing, one of several statements failed (the "
     "others are still printed), or the counted program failed (its own exit code is shown)"},
    {ExitCode::kUsage, "usage", "invalid command line: an unknown command, option or event, or a value out of range"},
    {ExitCode::kOverLimit, "over a limit", "a limit is exceeded: `--fail-over`, or a limit of `icount gate`"},
    {ExitCode::kCannotJudge, "cannot be judged",
     "measured under different conditions, no event in common, or nothing to compare with; `git bisect run` skips such "
     "a commit"},
}};

/// The code for a failure that reached the top.
constexpr ExitCode exit_code_for(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return ExitCode::kUsage;
    case ErrorKind::kCannotJudge:
      return ExitCode::kCannotJudge;
    case ErrorKind::kIo:
    case ErrorKind::kMalformed:
    case ErrorKind::kTool:
      break;
  }
  return ExitCode::kFailure;
}

class ParsedOptions;

/// One option. `value` is what its argument is called in the help; empty: a switch without argument.
struct OptionSpec {
  std::string_view name;  ///< long name without dashes; "out,o" adds the short form -o. Empty: `help` is a heading
  std::string_view value;
  std::string_view help;
  bool repeated = false;           ///< may be given several times
  std::string_view implicit = {};  ///< the value when the option is given without one; a value then needs "="
};

/// One example: the command line and what it is good for.
struct ExampleSpec {
  std::string_view command;
  std::string_view purpose;
};

/// The world as a command may see it.
struct CommandContext {
  std::ostream& out;
  std::ostream& err;
  Terminal terminal;        ///< of out
  Terminal error_terminal;  ///< of err
  Environment environment;
  std::function<bool()> cancelled;     ///< Ctrl-C was pressed; hand it to everything that starts processes
  std::vector<std::string> arguments;  ///< the whole command line after "icount", for the record in results
  std::filesystem::path program = {};  ///< icount itself, to start servers with; empty: none is started

  /// One line for people on err, with the program's name in front: remarks that leave the result valid.
  void warn(std::string_view text) const;
};

struct CommandSpec {
  std::string_view name;         ///< "show"; a command with a subcommand has both words, "suite run"
  std::string_view summary;      ///< one line for the list of commands
  std::string_view arguments;    ///< "FILE", "BASE HEAD", "[-- PROGRAM ARGS...]"; empty: none
  std::string_view description;  ///< paragraphs, separated by empty lines; wrapped when shown
  std::span<const OptionSpec> options;
  std::span<const ExampleSpec> examples;
  size_t min_arguments = 0;
  size_t max_arguments = 0;
  bool takes_program = false;  ///< everything after "--" is a program and its arguments
  ExitCode (*run)(const ParsedOptions& options, CommandContext& context) = nullptr;
};

/// Commands that the overview shows together.
struct CommandGroup {
  std::string_view title;
  std::span<const CommandSpec* const> commands;
};

/// Every option has this one; not part of the tables.
inline constexpr OptionSpec kHelpOption = {"help,h", "", "show this help"};

}  // namespace icount
