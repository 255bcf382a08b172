#include "icount/console/completions.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "icount/base/text.h"

namespace icount {
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
