#include "icount/cli/cli.h"

#include <fmt/format.h>

#include <array>
#include <new>
#include <ostream>
#include <sstream>
#include <system_error>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/callgrind/installed_valgrind.h"
#include "icount/cli/commands.h"
#include "icount/cli/version_text.h"
#include "icount/console/help.h"
#include "icount/console/options.h"
#include "icount/console/shared_options.h"
#include "icount/inputs/shown_arguments.h"

namespace icount {
namespace {

using Words = std::vector<std::string>;

void say(CommandContext& context, std::string_view text, Tone tone) {
  constexpr size_t kMostLines = 12;  // a compiler's message may have hundreds
  const auto lines = split_lines(text);
  for (size_t i = 0; i < lines.size() && i < kMostLines; ++i)
    context.err << paint("icount:", tone, context.error_terminal.style) << ' ' << escape_for_terminal(lines[i]) << '\n';
  if (lines.size() > kMostLines) context.err << "icount: ... and " << lines.size() - kMostLines << " more lines\n";
}

/// The command that the first two words name, or the first one; null for none. Takes its words away.
const CommandSpec* take_command(Words& words) {
  for (const size_t count : {size_t{2}, size_t{1}}) {
    if (words.size() < count) continue;
    const std::string name = count == 2 ? words[0] + " " + words[1] : words[0];
    for (const CommandSpec* command : all_commands()) {
      if (command->name != name) continue;
      words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count));
      return command;
    }
  }
  return nullptr;
}

/// Commands whose name begins with `word` as a word of its own: "suite" has "suite run" and "suite list".
std::vector<const CommandSpec*> subcommands_of(std::string_view word) {
  std::vector<const CommandSpec*> found;
  for (const CommandSpec* command : all_commands())
    if (command->name.starts_with(std::string(word) + " ")) found.push_back(command);
  return found;
}

[[noreturn]] void fail_unknown_command(const Words& words) {
  std::vector<std::string> names;
  for (const CommandSpec* command : all_commands()) names.emplace_back(command->name);
  if (!subcommands_of(words[0]).empty()) {
    std::vector<std::string_view> kinds;
    for (const CommandSpec* command : subcommands_of(words[0]))
      kinds.push_back(command->name.substr(words[0].size() + 1));
    throw Error(ErrorKind::kUsage, fmt::format("'{}' needs one of: {}", words[0], fmt::join(kinds, ", ")));
  }
  if (words[0].find('/') != std::string_view::npos)
    throw Error(ErrorKind::kUsage,
                fmt::format("'{}' is {}: icount count -- {}", words[0],
                            find_program(words[0]).empty() ? "neither a command nor a program here; to count a program"
                                                           : "a program, not a command; to count it",
                            shell_quote({words.begin(), words.end()})));
  for (const std::string_view part : {"serve", "mcp", "kernels"})  // known, or they would not come here
    if (words[0] == part)
      throw Error(
          ErrorKind::kUsage,
          fmt::format("'{}' is not in this build of icount: configure it with -DICOUNT_PARTS='serve;mcp;kernels'",
                      part));
  const std::string near = nearest_word(words[0], names);
  throw Error(ErrorKind::kUsage, fmt::format("unknown command '{}'; {}", words[0],
                                             near.empty() ? std::string("'icount help' lists the commands")
                                                          : fmt::format("did you mean '{}'?", near)));
}

ExitCode show_help(Words words, CommandContext& context) {
  if (words.empty()) {
    context.out << overview_text(command_groups());
    return ExitCode::kOk;
  }
  const Words asked = words;
  if (const CommandSpec* command = take_command(words)) {
    const std::string about = fmt::format("{}", fmt::join(words, " "));
    const std::string text = help_text(*command, context.terminal.style.width, about);
    if (text.empty())
      throw Error(ErrorKind::kUsage, fmt::format("no option of '{}' is about '{}'", command->name, about));
    context.out << text;
    return ExitCode::kOk;
  }
  const auto several = subcommands_of(asked[0]);
  if (several.empty() || asked.size() > 1) fail_unknown_command(asked);
  const std::string title = "icount " + asked[0];
  const std::array group = {CommandGroup{title, several}};
  context.out << overview_text(group);
  return ExitCode::kOk;
}

/// Runs the command and prints what it wrote with the reader's own folders shortened (--paths).
ExitCode run_with_short_paths(const CommandSpec& command, const ParsedOptions& options, CommandContext& context) {
  const ReaderPaths paths = probe_reader_paths(options, context.environment);
  std::ostringstream written;
  written.exceptions(std::ios::badbit);  // memory that ends is an error, not a shorter text
  CommandContext inner{
      written,           context.err,       context.terminal, context.error_terminal, context.environment,
      context.cancelled, context.arguments, context.program};
  try {
    const ExitCode code = command.run(options, inner);
    context.out << paths.shorten(written.view());
    return code;
  } catch (...) {
    context.out << paths.shorten(written.view());
    throw;
  }
}

ExitCode dispatch(CommandContext& context) {
  Words words = context.arguments;
  if (words.empty()) {
    context.err << overview_text(command_groups());
    return ExitCode::kUsage;
  }
  if (words[0] == "--version" || words[0] == "version") {
    context.out << probe_version_text(context.environment);
    return ExitCode::kOk;
  }
  if (words[0] == "help" || words[0] == "--help" || words[0] == "-h")
    return show_help({words.begin() + 1, words.end()}, context);
  const Words asked = words;
  const CommandSpec* command = take_command(words);
  if (!command) fail_unknown_command(asked);
  const ParsedOptions options = parse_options(*command, words);
  if (options.help()) {
    context.out << help_text(*command, context.terminal.style.width);
    return ExitCode::kOk;
  }
  if (has_valgrind_option(*command) && options.has("valgrind"))
    context.environment.set(kValgrindVariable, options.text("valgrind"));
  if (has_counter_option(*command) && options.has("counter"))
    context.environment.set(kCounterVariable, options.text("counter"));
  return has_paths_option(*command) ? run_with_short_paths(*command, options, context) : command->run(options, context);
}

}  // namespace

ExitCode run_icount(CommandContext& context) {
  ExitCode code = ExitCode::kFailure;
  try {
    code = dispatch(context);
  } catch (const Error& error) {
    say(context, hide_arguments(error.what(), context.arguments), Tone::kWorse);
    code = exit_code_for(error.kind());
  } catch (const std::bad_alloc&) {
    say(context, "not enough memory for this input", Tone::kWorse);
  } catch (const std::system_error& error) {  // the current folder is gone, and the like: what and why are in it
    say(context, reason_of(error), Tone::kWorse);
  } catch (const std::exception& error) {
    say(context, fmt::format("unexpected failure: {}", error.what()), Tone::kWorse);
  }
  context.out.flush();
  return code;
}

}  // namespace icount
