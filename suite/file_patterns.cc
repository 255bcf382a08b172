#include "icount/suite/file_patterns.h"

#include <glob.h>

#include <algorithm>

namespace icount {

namespace fs = std::filesystem;

std::vector<std::string> find_files(const std::string& pattern, const fs::path& folder) {
  const std::string whole = (folder / pattern).string();
  glob_t found{};
  std::vector<std::string> files;
  if (::glob(whole.c_str(), GLOB_ERR, nullptr, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; ++i) {
      const fs::path file = found.gl_pathv[i];
      files.push_back(fs::path(pattern).is_absolute() || folder.empty() ? file.string()
                                                                        : file.lexically_relative(folder).string());
    }
  ::globfree(&found);
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace icount
