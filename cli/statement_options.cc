#include "icount/cli/statement_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/cli/statement_file.h"
#include "icount/harness/globals.h"
#include "icount/harness/statement_needs.h"

namespace icount {
namespace {

std::string checked_text(const ParsedOptions& parsed, std::string_view name) {
  std::string text = parsed.text(name);
  if (text.find('\0') != std::string::npos) parsed.problem(fmt::format("--{} holds a NUL byte", name));
  return text;
}

std::vector<GlobalValue> read_globals(const ParsedOptions& parsed) {
  std::vector<GlobalValue> globals;
  for (const std::string& text : parsed.texts("global")) {
    try {
      std::vector<GlobalValue> with_it = globals;
      with_it.push_back(parse_global(text));
      check_globals(with_it);
      globals = std::move(with_it);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kUsage) throw;
      parsed.problem(fmt::format("--global: {}", error.what()));
    }
  }
  return globals;
}

}  // namespace

std::vector<TimerArgs> read_statement_texts(const ParsedOptions& parsed, Language language) {
  TimerArgs common;
  common.setup = checked_text(parsed, "setup");
  common.global_setup = checked_text(parsed, "global-setup");
  common.language = language;
  common.backward = parsed.text("backward");
  common.torch = !parsed.has("no-torch");
  common.globals = read_globals(parsed);
  std::vector<TimerArgs> statements;
  for (const std::string& stmt : parsed.texts("stmt")) {
    if (stmt.find_first_not_of(" \t\r\n") == std::string::npos) parsed.problem("--stmt: an empty statement");
    statements.push_back(common);
    statements.back().stmt = stmt;
  }
  if (parsed.has("file")) {
    const std::string file = parsed.text("file");
    for (LabelledStatement& labelled : parse_statement_file(load_file(file).view(), file)) {
      statements.push_back(common);
      statements.back().stmt = std::move(labelled.stmt);
      statements.back().label = std::move(labelled.label);
      if (!labelled.setup.empty()) statements.back().setup += (common.setup.empty() ? "" : "\n") + labelled.setup;
    }
  }
  return statements;
}

Language read_language(const ParsedOptions& parsed) {
  try {
    if (parsed.has("language")) return parse_language(parsed.text("language"));
  } catch (const Error& error) {
    parsed.problem(fmt::format("--language: {}", error.what()));
  }
  return Language::kCpp;
}

void warn_of_missing_folders(const ParsedOptions& parsed, const char* link_option, CommandContext& context) {
  std::error_code ignored;
  for (const char* option : {"cxxflag", link_option})
    for (const std::string& flag : parsed.texts(option))
      for (const std::string_view word : {"-I", "-L", "-isystem", "-iquote", "-idirafter"}) {
        if (!flag.starts_with(word) || flag.size() == word.size()) continue;
        const std::string folder(trim(std::string_view(flag).substr(word.size())));
        if (!folder.empty() && !folder.starts_with('=') && !std::filesystem::is_directory(folder, ignored))
          context.warn(fmt::format("--{}={}: there is no such folder", option, flag));
      }
}

std::vector<int64_t> read_thread_counts(const ParsedOptions& parsed, const std::vector<TimerArgs>& statements) {
  std::vector<int64_t> threads = parsed.integers("num-threads", 1, 1024);
  if (threads.empty()) return {1};
  if (std::all_of(threads.begin(), threads.end(), [](int64_t count) { return count == 1; })) return threads;
  std::vector<std::string> flags = parsed.texts("cxxflag");
  for (const std::string& flag : parsed.texts("link")) flags.push_back(flag);
  for (const TimerArgs& statement : statements)
    if (!may_use_threads(statement, flags)) {
      parsed.problem(fmt::format("--num-threads: '{}' has no threads whose number could be set: {}", statement.stmt,
                                 describe_no_threads(statement.language)));
      break;
    }
  return threads;
}

}  // namespace icount
