#include "icount/console/paths_option.h"

#include <algorithm>
#include <filesystem>

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

}  // namespace icount
