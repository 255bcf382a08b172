#include "icount/console/shared_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "icount/base/error.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

std::string nearest_repository(fs::path folder) {
  std::error_code ignored;
  for (; folder.has_relative_path(); folder = folder.parent_path())
    if (fs::exists(folder / ".git", ignored)) return folder.string();
  return {};
}

}  // namespace

bool has_paths_option(const CommandSpec& command) {
  return std::any_of(command.options.begin(), command.options.end(),
                     [](const OptionSpec& option) { return option.name == kPathsOption.name; });
}

ReaderPaths probe_reader_paths(const ParsedOptions& parsed, const Environment& environment) {
  if (parsed.choice("paths", {"short", "full"}) != 0) return {};
  std::error_code error;
  const fs::path current = fs::current_path(error);
  ReaderPaths paths;
  if (!error && current.has_relative_path()) paths.current = current.string();
  paths.repository = nearest_repository(current);
  paths.home = environment.get("HOME").value_or("");
  while (paths.home.ends_with('/')) paths.home.pop_back();
  return paths;
}

namespace {

bool has_option(const CommandSpec& command, std::string_view name) {
  return std::any_of(command.options.begin(), command.options.end(),
                     [&](const OptionSpec& option) { return option.name == name; });
}

}  // namespace

bool has_valgrind_option(const CommandSpec& command) { return has_option(command, kValgrindOption.name); }
bool has_counter_option(const CommandSpec& command) { return has_option(command, kCounterOption.name); }

std::optional<std::string> why_not_writable(const std::string& path) {
  if (path.empty()) return std::nullopt;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return "is a folder";
  const fs::path folder = fs::absolute(path).parent_path();
  if (!fs::is_directory(folder, ignored)) return fmt::format("the folder {} does not exist", folder.string());
  const std::string asked = fs::exists(path, ignored) ? path : folder.string();
  if (::access(asked.c_str(), W_OK) != 0) return errno_text(errno);
  return std::nullopt;
}

void check_writable(const std::string& path) {
  if (const auto reason = why_not_writable(path)) throw Error(ErrorKind::kIo, fmt::format("{}: {}", path, *reason));
}

}  // namespace icount
