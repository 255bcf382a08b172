#include "icount/console/help.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/text.h"
#include "icount/report/text_style.h"

namespace icount {
namespace {

/// "--out, -o FILE", as the help and the manual name an option.
std::string option_title(const OptionSpec& option) {
  const auto names = split(option.name, ',');
  std::string title = "--" + std::string(names[0]);
  if (names.size() > 1) title += ", -" + std::string(names[1]);
  if (!option.implicit.empty()) return title + "[=" + std::string(option.value) + "]";
  if (!option.value.empty()) title += " " + std::string(option.value);
  return title;
}

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

/// "icount suite run [options] FILE".
std::string usage_line(const CommandSpec& command) {
  std::string line = "icount " + std::string(command.name);
  if (!command.options.empty()) line += " [options]";
  if (!command.arguments.empty()) line += " " + std::string(command.arguments);
  return line;
}

/// The paragraphs of the description, each in one line.
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

}  // namespace

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
      "other terms.\nPages named docs/ are in share/doc/icount where icount is installed.\nOn a terminal, lines are "
      "wrapped at its width; in a pipe or a file at COLUMNS, if that is set.\n";
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
      "# Exit codes\n\nEvery command uses these exit codes. (Generated from console/command_spec.h.)\n\n| code | name "
      "| "
      "when |\n|---|---|---|\n";
  for (const ExitCodeRow& row : kExitCodes)
    page += fmt::format("| {} | {} | {} |\n", static_cast<int>(row.code), row.name, row.meaning);
  page +=
      "\nAfter Ctrl-C icount ends its child processes, removes its temporary folders, and exits by that signal (a "
      "shell shows 130). A reader that closes the pipe early (`icount show x | head`) is not a failure.\n";
  return page;
}

namespace {

/// Text as troff prints it: a backslash and a hyphen mean what they are, and no line begins a request.
std::string escape_troff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += std::string("\\&") + c;
    else
      out += c;
  }
  return out;
}

std::string header(std::string_view name, std::string_view summary, std::string_view version) {
  std::string upper(name);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return fmt::format(".TH \"{}\" 1 \"\" \"icount {}\" \"icount\"\n.SH NAME\n{} \\- {}\n", escape_troff(upper),
                     escape_troff(version), escape_troff(name), escape_troff(summary));
}

void add_options(std::string& page, const CommandSpec& command) {
  page += ".SH OPTIONS\n";
  for (const OptionSpec& option : command.options) {
    if (option.name.empty())
      page += fmt::format(".SS {}\n", escape_troff(option.help));
    else
      page += fmt::format(".TP\n.B {}\n{}{}\n", escape_troff(option_title(option)), escape_troff(option.help),
                          option.repeated ? " (may be repeated)" : "");
  }
  page += fmt::format(".TP\n.B {}\n{}\n", escape_troff(option_title(kHelpOption)), escape_troff(kHelpOption.help));
}

}  // namespace

std::string man_page_name(const CommandSpec& command) {
  std::string name = "icount-" + std::string(command.name);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string overview_man_page(std::span<const CommandSpec* const> commands, std::string_view version) {
  std::string page =
      header("icount", "count the instructions that a program executes, and explain differences", version);
  page += ".SH SYNOPSIS\n.B icount\n.I COMMAND\n[options] [arguments]\n.SH DESCRIPTION\n";
  page += escape_troff(
      "icount runs programs and statements under Valgrind. Counts are in Ir, \"instructions read\": the "
      "number of instructions that the CPU executed.\n");
  page += ".SH COMMANDS\n";
  for (const CommandSpec* command : commands)
    page += fmt::format(".TP\n.BR {} (1)\n{}\n", escape_troff(man_page_name(*command)), escape_troff(command->summary));
  page += ".SH EXIT STATUS\n";
  for (const ExitCodeRow& row : kExitCodes)
    page += fmt::format(".TP\n.B {}\n{}\n", static_cast<int>(row.code), escape_troff(row.meaning));
  return page;
}

std::string command_man_page(const CommandSpec& command, std::string_view version) {
  std::string page = header(man_page_name(command), command.summary, version);
  page += ".SH SYNOPSIS\n" + escape_troff(usage_line(command)) + "\n.SH DESCRIPTION\n";
  bool first = true;
  for (const std::string& paragraph : description_paragraphs(command)) {
    page += (first ? "" : ".PP\n") + escape_troff(paragraph) + "\n";
    first = false;
  }
  add_options(page, command);
  if (!command.examples.empty()) page += ".SH EXAMPLES\n";
  for (const ExampleSpec& example : command.examples)
    page += fmt::format(".PP\n{}:\n.PP\n.nf\n.RS\n{}\n.RE\n.fi\n", escape_troff(example.purpose),
                        escape_troff(example.command));
  page += ".SH SEE ALSO\n.BR icount (1)\n";
  return page;
}

namespace {

std::string long_name(const OptionSpec& option) { return std::string(split(option.name, ',')[0]); }

/// "o" of "out,o"; empty for none.
std::string short_name(const OptionSpec& option) {
  const auto names = split(option.name, ',');
  return names.size() > 1 ? std::string(names[1]) : std::string();
}

/// The words of "text|json"; none for "FILE" or "N|all", whose value is not one of a list.
std::vector<std::string> choices(const OptionSpec& option) {
  std::vector<std::string> words;
  if (option.value.find('|') == std::string_view::npos) return words;
  for (const std::string_view word : split(option.value, '|')) {
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
    if (!plain) return {};
    words.emplace_back(word);
  }
  return words;
}

/// The value of options that name a commit, and the command that lists those with names.
constexpr std::string_view kCommit = "COMMIT", kCommits = "git for-each-ref --format='%(refname:short)' 2>/dev/null";

bool takes_word(const OptionSpec& option) { return !option.value.empty() && option.implicit.empty(); }

std::vector<OptionSpec> options_of(const CommandSpec& command) {
  std::vector<OptionSpec> options;
  for (const OptionSpec& option : command.options)
    if (!option.name.empty()) options.push_back(option);
  options.push_back(kHelpOption);
  return options;
}

/// What may follow `first` as a second word: "run" and "list" for "suite". Each word once, in the order of the table.
std::vector<std::string> second_words(std::span<const CommandSpec* const> commands, std::string_view first) {
  std::vector<std::string> words;
  for (const CommandSpec* command : commands) {
    const auto parts = split(command->name, ' ');
    if (parts.size() == 2 && parts[0] == first) words.emplace_back(parts[1]);
  }
  return words;
}

std::vector<std::string> first_words(std::span<const CommandSpec* const> commands) {
  std::vector<std::string> words;
  for (const CommandSpec* command : commands) {
    const std::string word(split(command->name, ' ')[0]);
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  }
  words.emplace_back("help");
  return words;
}

/// The first words that need a second one.
std::vector<std::string> groups(std::span<const CommandSpec* const> commands) {
  std::vector<std::string> found;
  for (const std::string& word : first_words(commands))
    if (!second_words(commands, word).empty()) found.push_back(word);
  return found;
}

/// One "COMMAND OPTION) words ;;" for each option with a list of values, for a `case` of bash and zsh.
std::string value_cases(std::span<const CommandSpec* const> commands) {
  std::string out;
  for (const CommandSpec* command : commands)
    for (const OptionSpec& option : options_of(*command))
      if (const auto words = choices(option); !words.empty())
        out += fmt::format("    '{} --{}') values='{}' ;;\n", command->name, long_name(option), fmt::join(words, " "));
      else if (option.value == kCommit)
        out += fmt::format("    '{} --{}') values=$({}) ;;\n", command->name, long_name(option), kCommits);
  return out;
}

std::string option_cases(std::span<const CommandSpec* const> commands) {
  std::string out;
  for (const CommandSpec* command : commands) {
    std::vector<std::string> names;
    for (const OptionSpec& option : options_of(*command)) names.push_back("--" + long_name(option));
    out += fmt::format("    '{}') options='{}' ;;\n", command->name, fmt::join(names, " "));
  }
  return out;
}

std::string second_word_cases(std::span<const CommandSpec* const> commands) {
  std::string out;
  for (const std::string& group : groups(commands))
    out += fmt::format("    '{}') seconds='{}' ;;\n", group, fmt::join(second_words(commands, group), " "));
  out += fmt::format("    help) seconds='{}' ;;\n", fmt::join(first_words(commands), " "));
  return out;
}

/// The part that bash and zsh share: from the words so far (array `words`, first index `first`, the one that is being
/// written at `current`) to `values`, `options`, `seconds` and `commands`. Files after "--", where a program stands.
std::string shared_function(std::span<const CommandSpec* const> commands) {
  return "_icount_table() {\n  commands='" + fmt::format("{}", fmt::join(first_words(commands), " ")) +
         "' options='' values='' seconds=''\n  case \"$1\" in\n" + second_word_cases(commands) +
         "  esac\n  local command=\"$1\"\n  case \" $seconds \" in *\" $2 \"*) command=\"$1 $2\" ;; esac\n  case "
         "\"$command\" in\n" +
         option_cases(commands) + "  esac\n  case \"$command $3\" in\n" + value_cases(commands) + "  esac\n}\n";
}

/// Text within single quotes of fish.
std::string fish_quote(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

}  // namespace

std::string bash_completions(std::span<const CommandSpec* const> commands) {
  return "# Completions of icount for bash, from its own tables: icount completions bash\n" +
         shared_function(commands) + R"(_icount() {
  local commands options values seconds i word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    [ "${COMP_WORDS[i]}" = -- ] && { compopt -o default; return; }
  done
  _icount_table "${COMP_WORDS[1]}" "${COMP_WORDS[2]}" "$before"
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "$commands" -- "$word"))
  elif ((COMP_CWORD == 2)) && [ -n "$seconds" ] && [[ $word != -* ]]; then
    COMPREPLY=($(compgen -W "$seconds" -- "$word"))
  elif [ -n "$values" ]; then
    COMPREPLY=($(compgen -W "$values" -- "$word"))
  elif [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  else
    compopt -o default
  fi
}
complete -F _icount icount
)";
}

std::string zsh_completions(std::span<const CommandSpec* const> commands) {
  return "#compdef icount\n# Completions of icount for zsh, from its own tables: icount completions zsh\n" +
         shared_function(commands) + R"(_icount() {
  local commands options values seconds i
  for ((i = 2; i < CURRENT; i++)); do
    [[ ${words[i]} == -- ]] && { _files; return; }
  done
  _icount_table "${words[2]}" "${words[3]}" "${words[CURRENT - 1]}"
  if ((CURRENT == 2)); then
    compadd -- ${=commands}
  elif ((CURRENT == 3)) && [[ -n $seconds && ${words[CURRENT]} != -* ]]; then
    compadd -- ${=seconds}
  elif [[ -n $values ]]; then
    compadd -- ${=values}
  elif [[ ${words[CURRENT]} == -* ]]; then
    compadd -- ${=options}
  else
    _files
  fi
}
if [[ ${funcstack[1]} == _icount ]]; then _icount "$@"; else compdef _icount icount; fi
)";
}

std::string fish_completions(std::span<const CommandSpec* const> commands) {
  std::string out = "# Completions of icount for fish, from its own tables: icount completions fish\n";
  const std::string firsts = fmt::format("{}", fmt::join(first_words(commands), " "));
  for (const std::string& word : first_words(commands)) {
    std::string_view summary = "commands";
    for (const CommandSpec* command : commands)
      if (command->name == word) summary = command->summary;
    if (word == "help") summary = "what a command does, its options, examples";
    out += fmt::format("complete -c icount -n 'not __fish_seen_subcommand_from {}' -f -a {} -d {}\n", firsts, word,
                       fish_quote(summary));
  }
  out += fmt::format("complete -c icount -n '__fish_seen_subcommand_from help' -f -a '{}'\n", firsts);
  for (const CommandSpec* command : commands) {
    const auto parts = split(command->name, ' ');
    std::string seen = fmt::format("__fish_seen_subcommand_from {}", parts[0]);
    if (parts.size() == 2) {
      out += fmt::format("complete -c icount -n '{}; and not __fish_seen_subcommand_from {}' -f -a {} -d {}\n", seen,
                         fmt::join(second_words(commands, parts[0]), " "), parts[1], fish_quote(command->summary));
      seen += fmt::format("; and __fish_seen_subcommand_from {}", parts[1]);
    }
    for (const OptionSpec& option : options_of(*command)) {
      out += fmt::format("complete -c icount -n '{}' -l {}", seen, long_name(option));
      if (!short_name(option).empty()) out += " -s " + short_name(option);
      if (takes_word(option)) out += " -r";
      if (const auto words = choices(option); !words.empty()) out += fmt::format(" -f -a '{}'", fmt::join(words, " "));
      if (option.value == kCommit) out += " -f -a " + fish_quote(fmt::format("({})", kCommits));
      out += fmt::format(" -d {}\n", fish_quote(option.help));
    }
  }
  return out;
}

}  // namespace icount
