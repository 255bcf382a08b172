#include "icount/base/command_line.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "icount/base/error.h"

namespace icount {

std::string shell_quote(const std::vector<std::string>& argv) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  std::string out;
  for (const auto& word : argv) {
    if (!out.empty()) out += ' ';
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
      out += word;
      continue;
    }
    out += '\'';
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    out += '\'';
  }
  return out;
}

std::vector<std::string> split_command(std::string_view command) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  char quote = 0;
  for (size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    const bool escapes = c == '\\' && quote != '\'' && i + 1 < command.size() &&
                         (quote == 0 || std::string_view("\"\\$`\n").find(command[i + 1]) != std::string_view::npos);
    if (escapes && command[i + 1] == '\n') {
      ++i;  // a line that goes on
    } else if (escapes) {
      word = word.value_or("") + command[++i];
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        *word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      word = word.value_or("");
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (word) words.push_back(*std::exchange(word, std::nullopt));
    } else {
      word = word.value_or("") + c;
    }
  }
  if (quote != 0) throw Error(ErrorKind::kUsage, fmt::format("unclosed {} in command: {}", quote, command));
  if (word) words.push_back(*word);
  return words;
}

}  // namespace icount
