// `icount manual` and `icount completions`: the tables of the commands as manual pages and as completions of shells.
#include "icount/cli/commands.h"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/cli/version_text.h"
#include "icount/console/help.h"
#include "icount/console/options.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr OptionSpec kManualOptions[] = {
    {"out", "DIR", "write every page below DIR/man1 and the completions of all shells beside it"},
};
constexpr ExampleSpec kManualExamples[] = {
    {"icount manual diff | man -l -", "read the page of one command"},
    {"icount manual --out share", "write all pages and completions"},
};
constexpr ExampleSpec kCompletionsExamples[] = {
    {"source <(icount completions bash)", "complete commands and options in this shell"},
    {"icount completions fish > ~/.config/fish/completions/icount.fish", "keep them"},
};

std::string join_words(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

void save_all(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder / "man1", error);
  if (error)
    throw Error(ErrorKind::kIo, fmt::format("cannot create {}: {}", (folder / "man1").string(), error.message()));
  save_file(folder / "man1/icount.1", overview_man_page(all_commands(), icount_version()));
  for (const CommandSpec* command : all_commands())
    save_file(folder / "man1" / (man_page_name(*command) + ".1"), command_man_page(*command, icount_version()));
  save_file(folder / "icount.bash", bash_completions(all_commands()));
  save_file(folder / "_icount", zsh_completions(all_commands()));
  save_file(folder / "icount.fish", fish_completions(all_commands()));
}

ExitCode run_manual(const ParsedOptions& parsed, CommandContext& context) {
  const std::string name = join_words(parsed.arguments());
  const CommandSpec* found = nullptr;
  for (const CommandSpec* command : all_commands())
    if (command->name == name) found = command;
  if (!found && !name.empty()) parsed.problem(fmt::format("no command '{}'; 'icount help' lists the commands", name));
  if (!name.empty() && parsed.has("out")) parsed.problem("--out writes all pages: leave the command out");
  parsed.check();
  if (parsed.has("out"))
    save_all(parsed.text("out"));
  else
    context.out << (found ? command_man_page(*found, icount_version())
                          : overview_man_page(all_commands(), icount_version()));
  return ExitCode::kOk;
}

ExitCode run_completions(const ParsedOptions& parsed, CommandContext& context) {
  const std::string shell = parsed.arguments().empty() ? std::string() : parsed.arguments()[0];
  if (shell != "bash" && shell != "zsh" && shell != "fish")
    parsed.problem(fmt::format("no completions for '{}'; use bash, zsh or fish", shell));
  parsed.check();
  context.out << (shell == "bash"  ? bash_completions(all_commands())
                  : shell == "zsh" ? zsh_completions(all_commands())
                                   : fish_completions(all_commands()));
  return ExitCode::kOk;
}

}  // namespace

const CommandSpec& manual_command() {
  static const CommandSpec command = {
      .name = "manual",
      .summary = "print a manual page, or write all of them",
      .arguments = "[COMMAND]",
      .description = "The pages are for man(1) and hold what --help prints. An installed icount has them.",
      .options = kManualOptions,
      .examples = kManualExamples,
      .max_arguments = 2,
      .run = run_manual,
  };
  return command;
}

const CommandSpec& completions_command() {
  static const CommandSpec command = {
      .name = "completions",
      .summary = "print a shell's completions of commands, options and their values",
      .arguments = "bash|zsh|fish",
      .description = "A script for the shell. An installed icount has all three.",
      .examples = kCompletionsExamples,
      .min_arguments = 1,
      .max_arguments = 1,
      .run = run_completions,
  };
  return command;
}

}  // namespace icount
