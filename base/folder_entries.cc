#include "icount/base/folder_entries.h"

#include <dirent.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>

#include "icount/base/error.h"
#include "icount/base/text.h"

namespace icount {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

/// errno of what went wrong, else 0.
int read_folder(const std::filesystem::path& folder, std::vector<std::filesystem::path>& entries) {
  const std::unique_ptr<DIR, CloseFolder> opened(::opendir(folder.c_str()));
  if (!opened) return errno;
  while (true) {
    errno = 0;
    const dirent* const entry = ::readdir(opened.get());
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") entries.push_back(folder / name);
  }
  const int failure = errno;
  std::sort(entries.begin(), entries.end());
  return failure;
}

void add_files(const std::filesystem::path& folder, size_t most, std::vector<std::filesystem::path>& files) {
  for (const std::filesystem::path& entry : list_folder(folder)) {
    if (files.size() > most) return;
    std::error_code error;  // gone meanwhile, or a link that leads nowhere: no file
    const auto kind = std::filesystem::symlink_status(entry, error).type();
    if (kind == std::filesystem::file_type::directory)
      add_files(entry, most, files);
    else if (std::filesystem::is_regular_file(entry, error))
      files.push_back(entry);
  }
}

}  // namespace

std::vector<std::filesystem::path> list_folder(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> entries;
  if (const int failure = read_folder(folder, entries))
    throw Error(ErrorKind::kIo, fmt::format("{}: cannot be listed: {}", folder.string(), errno_text(failure)));
  return entries;
}

std::vector<std::filesystem::path> folder_entries(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> entries;
  read_folder(folder, entries);
  return entries;
}

std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder, size_t most) {
  std::vector<std::filesystem::path> files;
  add_files(folder, most, files);
  return files;
}

}  // namespace icount
