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

/// Options of ordinary use, in whatever command has them.
constexpr std::string_view kOrdinary[] = {
    "stmt",  "setup",  "global-setup", "number",   "repeats",   "timeout", "torch",    "compiler", "cxxflag",
    "link",  "out",    "explain",      "top",      "format",    "label",   "filter",   "base-ref", "head-ref",
    "build", "limit",  "allow",        "markdown", "html",      "against", "baseline", "resume",   "suite",
    "bench", "events", "link-flag",    "json",     "functions", "all",     "fail-over"};

/// A table of more options is shown in part.
constexpr size_t kMostAtOnce = 30;

bool is_ordinary(const OptionSpec& option) {
  return std::find(std::begin(kOrdinary), std::end(kOrdinary), split(option.name, ',')[0]) != std::end(kOrdinary);
}

/// The headings with those of their options that `choose` takes.
template <typename Choose>
void add_options(std::string& out, const CommandSpec& command, size_t width, Choose choose) {
  std::string_view heading = "options", said;
  for (const OptionSpec& option : command.options) {
    if (option.name.empty()) heading = option.help;
    if (option.name.empty() || !choose(option, heading)) continue;
    if (said != heading) out += fmt::format("\n{}:\n", heading);
    said = heading;
    add_option(out, option, width);
  }
}

/// The names of the other options, by headings.
void add_further_names(std::string& out, const CommandSpec& command, size_t width) {
  out += fmt::format("\nfurther options (icount help {} WORD: those about WORD; icount help {} all):\n", command.name,
                     command.name);
  std::string_view heading = "options";
  std::string names;
  const auto add_line = [&] {
    if (!names.empty())
      for (const std::string& line : wrap(fmt::format("{}:{}", heading, names), width - 2)) out += "  " + line + "\n";
    names.clear();
  };
  for (const OptionSpec& option : command.options) {
    if (option.name.empty()) {
      add_line();
      heading = option.help;
    } else if (!is_ordinary(option)) {
      names += fmt::format(" --{}", split(option.name, ',')[0]);
    }
  }
  add_line();
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

std::string help_text(const CommandSpec& command, size_t width, std::string_view about) {
  if (width == 0) width = kUsualWidth;
  width = std::clamp<size_t>(width, 50, 120);
  std::string out;
  if (!about.empty() && about != "all") {
    add_options(out, command, width, [&](const OptionSpec& option, std::string_view heading) {
      return option.name.find(about) != std::string_view::npos || option.help.find(about) != std::string_view::npos ||
             heading.find(about) != std::string_view::npos;
    });
    return out;
  }
  out = fmt::format("icount {}: {}\n\nusage: {}\n", command.name, command.summary, usage_line(command));
  for (const std::string& paragraph : description_paragraphs(command)) {
    out += "\n";
    add_wrapped(out, paragraph, width);
  }
  const auto count = std::count_if(command.options.begin(), command.options.end(),
                                   [](const OptionSpec& option) { return !option.name.empty(); });
  const bool is_whole = about == "all" || static_cast<size_t>(count) <= kMostAtOnce;
  add_options(out, command, width,
              [&](const OptionSpec& option, std::string_view) { return is_whole || is_ordinary(option); });
  if (count == 0) out += "\noptions:\n";
  add_option(out, kHelpOption, width);
  if (!is_whole) add_further_names(out, command, width);
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
