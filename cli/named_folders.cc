#include "icount/cli/named_folders.h"

#include "icount/base/file.h"
#include "icount/harness/build_cache.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

/// The top of the checkout or worktree that `folder` is in, else `folder`.
fs::path source_folder(const fs::path& folder) {
  fs::path start = fs::absolute(folder).lexically_normal();
  if (!start.has_filename()) start = start.parent_path();  // "." is normalised to "FOLDER/"
  for (fs::path at = start; at.has_relative_path(); at = at.parent_path()) {
    std::error_code ignored;
    if (fs::exists(at / ".git", ignored)) return at;
  }
  return start;
}

/// The folder below which `path` lies and which CMake made for sources below one of `sources`; empty when there is
/// none.
fs::path build_folder(const fs::path& path, const std::vector<NamedFolder>& sources) {
  for (fs::path at = path.has_filename() ? path : path.parent_path(); at.has_relative_path(); at = at.parent_path()) {
    const fs::path cache = at / "CMakeCache.txt";
    std::error_code ignored;
    if (!fs::exists(cache, ignored)) continue;
    const std::string text = load_text(cache);
    for (const NamedFolder& source : sources) {
      const std::string home = "\nCMAKE_HOME_DIRECTORY:INTERNAL=" + source.path;
      const size_t found = text.find(home);
      if (found != std::string::npos && (text[found + home.size()] == '\n' || text[found + home.size()] == '/'))
        return at;
    }
    return {};
  }
  return {};
}

}  // namespace

std::vector<NamedFolder> probe_named_folders(const std::vector<fs::path>& starts, const std::vector<fs::path>& used,
                                             const Environment& environment) {
  std::vector<NamedFolder> folders;
  for (const fs::path& start : starts) folders.push_back({source_folder(start).string(), "<source>"});
  const std::vector<NamedFolder> sources = folders;
  for (const fs::path& path : used)
    if (const fs::path build = build_folder(fs::absolute(path).lexically_normal(), sources); !build.empty())
      folders.push_back({build.string(), "<build>"});
  folders.push_back({(default_cache_dir(environment) / "entries").string(), "<cache>", 1});
  return folders;
}

}  // namespace icount
