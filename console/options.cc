#include "icount/console/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <charconv>
#include <cmath>

#include "icount/base/error.h"
#include "icount/base/text.h"

namespace icount {
namespace {

namespace po = boost::program_options;

std::string_view long_name(const OptionSpec& option) { return option.name.substr(0, option.name.find(',')); }

po::options_description boost_table(const CommandSpec& command) {
  po::options_description table;
  const auto add = [&](const OptionSpec& option) {
    const std::string name(option.name);
    if (option.value.empty())
      table.add_options()(name.c_str(), "");
    else
      table.add_options()(name.c_str(), po::value<std::vector<std::string>>()->composing(), "");
  };
  for (const OptionSpec& option : command.options)
    if (!option.name.empty()) add(option);
  add(kHelpOption);
  return table;
}

/// "--colorize" becomes "--colorize=columnwise" where the table has a value for that; Boost would take the next word.
void spell_out_implicit_values(const CommandSpec& command, std::vector<std::string>& words) {
  for (const OptionSpec& option : command.options)
    for (std::string& word : words)
      if (!option.implicit.empty() && word == "--" + std::string(long_name(option)))
        word += "=" + std::string(option.implicit);
}

/// One pass of Boost over the words. Boost gives up at the first option without its value, so the caller takes that
/// word away and tries again until every problem is known.
std::optional<po::parsed_options> try_parse(const po::options_description& table, std::vector<std::string>& words,
                                            std::vector<std::string>& problems) {
  const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
  try {
    return po::command_line_parser(words).options(table).style(style).allow_unregistered().run();
  } catch (const po::invalid_syntax& error) {
    const std::string name = error.get_option_name();
    const std::string plain = name.substr(std::min(name.find_first_not_of('-'), name.size()));
    const bool takes_none = error.kind() == po::invalid_syntax::extra_parameter;
    // The one that the error is about: the same option may stand elsewhere, with its value.
    const auto at = std::find_if(words.begin(), words.end(), [&](const std::string& word) {
      const std::string_view text = std::string_view(word).substr(0, word.find('='));
      const bool is_named = text == "--" + plain || text == "-" + plain ||
                            (text.size() > 1 && text[0] == '-' && text[1] == plain[0] && text[1] != '-');
      if (text.size() < word.size()) return is_named && (takes_none || word.back() == '=');
      return is_named && !takes_none && &word == &words.back();
    });
    problems.push_back(takes_none ? fmt::format("option '--{}' takes no value", plain)
                                  : fmt::format("option '--{}' needs a value", plain));
    if (at == words.end()) throw Error(ErrorKind::kUsage, problems.back());
    words.erase(at);
  }
  return std::nullopt;
}

/// Other names of one and the same option, taken where the table has the second alone.
constexpr std::pair<std::string_view, std::string_view> kSynonyms[] = {
    {"--output", "--out"}, {"--link", "--link-flag"}, {"--link-flag", "--link"}};

void replace_synonyms(const CommandSpec& command, std::vector<std::string>& words) {
  const auto has = [&](std::string_view name) {
    return std::any_of(command.options.begin(), command.options.end(),
                       [&](const OptionSpec& option) { return long_name(option) == name.substr(2); });
  };
  for (const auto& [other, name] : kSynonyms)
    for (std::string& word : words)
      if (std::string_view(word).substr(0, word.find('=')) == other && has(name) && !has(other))
        word.replace(0, other.size(), name);
}

/// What other tools or commands call an option that a command may have.
constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"--threshold", "--fail-over"},
    {"--threshold", "--limit"},
    {"--fail-over", "--limit"},
    {"--limit", "--fail-over"},
    {"-I", "--cxxflag"},
    {"-D", "--cxxflag"},
    {"-l", "--link"},
    {"-L", "--link"},
    {"-l", "--link-flag"},
    {"-L", "--link-flag"},
};

std::string unknown_option(std::string_view word, const CommandSpec& command) {
  const bool is_short = !word.starts_with("--");
  const std::string_view name = is_short ? word : word.substr(0, word.find('='));
  if (name == "--html") return "unknown option '--html'; `icount report` writes a page of HTML";
  if (name == "-q" || name == "--quiet")
    return fmt::format("unknown option '{}'; progress goes to standard error: 2>/dev/null hides it", name);
  std::vector<std::string> known = {"--help"};
  for (const OptionSpec& option : command.options)
    if (!option.name.empty()) known.push_back("--" + std::string(long_name(option)));
  std::string near;
  for (const auto& [other, option] : kOtherNames)
    if (near.empty() && other == (is_short ? name.substr(0, 2) : name) &&
        std::find(known.begin(), known.end(), option) != known.end())
      near = std::string(option) + (is_short ? "=" + std::string(word) : "");
  if (near.empty()) near = nearest_word(name, known);
  return fmt::format("unknown option '{}'{}", name, near.empty() ? std::string() : "; did you mean '" + near + "'?");
}

}  // namespace

ParsedOptions parse_options(const CommandSpec& command, const std::vector<std::string>& words) {
  ParsedOptions parsed;
  parsed.command_ = command.name;
  std::vector<std::string> own = words;
  if (const auto dashes = std::find(own.begin(), own.end(), "--"); dashes != own.end()) {
    if (command.takes_program)
      parsed.program_.assign(dashes + 1, own.end());
    else
      parsed.arguments_.assign(dashes + 1, own.end());
    own.erase(dashes, own.end());
  }
  replace_synonyms(command, own);
  spell_out_implicit_values(command, own);
  const po::options_description table = boost_table(command);
  std::optional<po::parsed_options> found;
  while (!(found = try_parse(table, own, parsed.problems_))) {
  }
  for (const OptionSpec& option : command.options)
    if (!option.name.empty()) parsed.values_[std::string(long_name(option))];

  std::vector<std::string> arguments;
  for (const po::option& option : found->options) {
    if (option.unregistered) {
      parsed.has_unknown_ = true;
      parsed.problem(
          unknown_option(option.original_tokens.empty() ? option.string_key : option.original_tokens[0], command));
    } else if (option.position_key >= 0) {
      arguments.insert(arguments.end(), option.value.begin(), option.value.end());
    } else if (option.string_key == "help") {
      parsed.help_ = true;
    } else {
      parsed.given_[option.string_key] = true;
      auto& values = parsed.values_[option.string_key];
      values.insert(values.end(), option.value.begin(), option.value.end());
    }
  }
  parsed.arguments_.insert(parsed.arguments_.begin(), arguments.begin(), arguments.end());
  for (const OptionSpec& option : command.options)
    if (!option.repeated && !option.name.empty() && parsed.values_[std::string(long_name(option))].size() > 1)
      parsed.problem(fmt::format("option '--{}' is given twice", long_name(option)));
  // The word after an unknown option may be its value; complaining about it too would only confuse.
  if (!parsed.has_unknown_) parsed.check_argument_count(command);
  return parsed;
}

void ParsedOptions::check_argument_count(const CommandSpec& command) {
  if (arguments_.size() < command.min_arguments)
    problem(arguments_.empty() ? fmt::format("{} missing", command.arguments)
                               : fmt::format("{} needed, but only '{}' given", command.arguments, arguments_.front()));
  if (arguments_.size() > command.max_arguments) {
    const std::string& first = arguments_[command.max_arguments];
    problem(command.takes_program
                ? fmt::format("unexpected argument '{}'; put a program to count after --: icount {} -- {} ...", first,
                              command.name, first)
                : fmt::format("unexpected argument '{}'", first));
  }
}

const std::vector<std::string>& ParsedOptions::values(std::string_view name) const {
  const auto found = values_.find(name);
  ICOUNT_CHECK(found != values_.end(), "option is not in the command's table: " + std::string(name));
  return found->second;
}

bool ParsedOptions::has(std::string_view name) const {
  values(name);
  return given_.contains(name);
}

std::string ParsedOptions::text(std::string_view name, std::string_view otherwise) const {
  const auto& all = values(name);
  return all.empty() ? std::string(otherwise) : all.back();
}

std::vector<std::string> ParsedOptions::texts(std::string_view name) const { return values(name); }

int64_t ParsedOptions::integer(std::string_view name, int64_t otherwise, int64_t least, int64_t most) const {
  const auto& all = values(name);
  if (all.empty()) return otherwise;
  const std::optional<int64_t> value = parse_int64(all.back());
  if (value && *value >= least && *value <= most) return *value;
  problem(fmt::format("--{} {}: not a whole number between {} and {}", name, all.back(), with_thousands(least),
                      with_thousands(most)));
  return otherwise;
}

std::vector<int64_t> ParsedOptions::integers(std::string_view name, int64_t least, int64_t most) const {
  std::vector<int64_t> numbers;
  for (const std::string& text : values(name)) {
    for (std::string_view piece : split(text, ',')) {
      const std::optional<int64_t> value = parse_int64(trim(piece));
      if (!value || *value < least || *value > most) {
        problem(fmt::format("--{} {}: '{}' is not a whole number between {} and {}", name, text, piece,
                            with_thousands(least), with_thousands(most)));
        break;
      }
      numbers.push_back(*value);
    }
  }
  return numbers;
}

double ParsedOptions::seconds(std::string_view name, double otherwise) const {
  const auto& all = values(name);
  if (all.empty()) return otherwise;
  const std::string_view text = all.back();
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(end, text.data() + text.size());
  const double factor = unit.empty() || unit == "s" ? 1
                        : unit == "ms"              ? 1e-3
                        : unit == "m"               ? 60
                        : unit == "h"               ? 3600
                                                    : 0;
  if (status == std::errc() && factor > 0 && value >= 0 && std::isfinite(value)) return value * factor;
  problem(fmt::format("--{} {}: not a time like 90, 1.5s, 500ms or 2m", name, text));
  return otherwise;
}

size_t ParsedOptions::choice(std::string_view name, std::initializer_list<std::string_view> choices) const {
  const auto& all = values(name);
  if (all.empty()) return 0;
  const auto found = std::find(choices.begin(), choices.end(), all.back());
  if (found != choices.end()) return static_cast<size_t>(found - choices.begin());
  problem(fmt::format("--{} {}: must be one of {}", name, all.back(), fmt::join(choices, ", ")));
  return 0;
}

void ParsedOptions::excludes(std::string_view one, std::string_view other) const {
  if (has(one) && has(other)) problem(fmt::format("--{} and --{} cannot be combined", one, other));
}

void ParsedOptions::check() const {
  if (problems_.empty()) return;
  throw Error(ErrorKind::kUsage, fmt::format("{}\nsee 'icount {} --help'", fmt::join(problems_, "\n"), command_));
}

}  // namespace icount
