#include "icount/console/help.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/text.h"
#include "icount/report/text_style.h"

namespace icount {
namespace {

constexpr size_t kUsualWidth = 100;
constexpr size_t kHelpColumn = 28;

void add_wrapped(std::string& out, std::string_view text, size_t width) {
  for (const std::string& line : wrap(text, width)) out += line + "\n";
}

void add_option(std::string& out, const OptionSpec& option, size_t width) {
  if (option.name.empty()) {
    out += "\n" + std::string(option.help) + ":\n";
    return;
  }
  std::string title = "  " + option_title(option);
  std::string help(option.help);
  if (option.repeated) help += " (may be repeated)";
  if (title.size() + 2 > kHelpColumn) {
    out += title + "\n";
    title.clear();
  }
  for (const std::string& line : wrap(help, width - kHelpColumn)) {
    title.resize(kHelpColumn, ' ');
    out += title + line + "\n";
    title.clear();
  }
}

}  // namespace

std::string option_title(const OptionSpec& option) {
  const auto names = split(option.name, ',');
  std::string title = "--" + std::string(names[0]);
  if (names.size() > 1) title += ", -" + std::string(names[1]);
  if (!option.implicit.empty()) return title + "[=" + std::string(option.value) + "]";
  if (!option.value.empty()) title += " " + std::string(option.value);
  return title;
}

std::string usage_line(const CommandSpec& command) {
  std::string line = "icount " + std::string(command.name);
  if (!command.options.empty()) line += " [options]";
  if (!command.arguments.empty()) line += " " + std::string(command.arguments);
  return line;
}

std::vector<std::string> description_paragraphs(const CommandSpec& command) {
  std::vector<std::string> out(1);
  for (std::string_view line : split_lines(command.description)) {
    line = trim(line);
    if (line.empty()) {
      out.emplace_back();
      continue;
    }
    if (!out.back().empty()) out.back() += ' ';
    out.back() += line;
  }
  std::erase(out, "");
  return out;
}

std::string overview_text(std::span<const CommandGroup> groups) {
  std::string out =
      "icount counts the instructions that a program executes and explains, exactly, why two counts differ.\n\nusage: "
      "icount COMMAND [options] [arguments]\n";
  size_t widest = 0;
  for (const CommandGroup& group : groups)
    for (const CommandSpec* command : group.commands) widest = std::max(widest, command->name.size());
  for (const CommandGroup& group : groups) {
    out += fmt::format("\n{}\n", group.title);
    for (const CommandSpec* command : group.commands)
      out += fmt::format("  {:{}}   {}\n", command->name, widest, command->summary);
  }
  out +=
      "\n  icount help COMMAND   what a command does, its options, examples\n  icount --version      the version of "
      "icount\n\nCounts are in Ir, \"instructions read\": instructions that the CPU executed. docs/glossary.md has the "
      "other terms.\nOn a terminal, lines are wrapped at its width; in a pipe or a file at COLUMNS, if that is set.\n";
  return out;
}

std::string help_text(const CommandSpec& command, size_t width) {
  if (width == 0) width = kUsualWidth;
  width = std::clamp<size_t>(width, 50, 120);
  std::string out = fmt::format("icount {}: {}\n\nusage: {}\n", command.name, command.summary, usage_line(command));
  for (const std::string& paragraph : description_paragraphs(command)) {
    out += "\n";
    add_wrapped(out, paragraph, width);
  }
  if (command.options.empty() || !command.options.front().name.empty()) out += "\noptions:\n";
  for (const OptionSpec& option : command.options) add_option(out, option, width);
  add_option(out, kHelpOption, width);
  if (!command.examples.empty()) out += "\nexamples:\n";
  for (const ExampleSpec& example : command.examples)
    out += fmt::format("  {}\n      {}\n", example.command, example.purpose);
  return out;
}

std::string exit_codes_page() {
  std::string page =
      "# Exit codes\n\nEvery command uses these exit codes. (Generated from console/exit_code.h.)\n\n| code | name | "
      "when |\n|---|---|---|\n";
  for (const ExitCodeRow& row : kExitCodes)
    page += fmt::format("| {} | {} | {} |\n", static_cast<int>(row.code), row.name, row.meaning);
  page +=
      "\nAfter Ctrl-C icount ends its child processes, removes its temporary folders, and exits by that signal (a "
      "shell shows 130). A reader that closes the pipe early (`icount show x | head`) is not a failure.\n";
  return page;
}

}  // namespace icount
