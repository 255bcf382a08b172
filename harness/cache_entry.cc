#include "icount/harness/cache_entry.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include "icount/base/descriptor.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/folder_entries.h"
#include "icount/base/hash.h"
#include "icount/base/text.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr const char* kList = "files";
constexpr std::string_view kFirstLine = "icount cache entry 1";

/// Raw bytes: what is packed stays so.
std::string describe_file(const fs::path& path) {
  return fmt::format("{} {}", content_hash(map_file(path).view()), fs::file_size(path));
}

void sync(const fs::path& path) {
  const Descriptor fd = open_descriptor(path, O_RDONLY);
  if (::fsync(fd.get()) != 0 && errno != EINVAL && errno != EROFS)
    throw Error(ErrorKind::kIo, fmt::format("{}: cannot write: {}", path.string(), errno_text(errno)));
}

}  // namespace

void seal_entry(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::path& file : files_below(folder))
    if (file.filename() != ".owner")
      files.push_back(file.lexically_relative(folder));  // of base/scratch_dir, gone by then
  std::sort(files.begin(), files.end());
  std::string list = std::string(kFirstLine) + "\n";
  for (const fs::path& file : files) {
    sync(folder / file);
    list += describe_file(folder / file) + " " + file.string() + "\n";
  }
  save_file(folder / kList, list + "end\n");
  sync(folder);
}

bool is_intact_entry(const fs::path& folder) {
  try {
    const std::string list = load_text(folder / kList);
    const auto lines = split_lines(list);
    if (lines.size() < 2 || lines.front() != kFirstLine || lines.back() != "end") return false;
    return std::all_of(lines.begin() + 1, lines.end() - 1, [&](std::string_view line) {
      const size_t name = line.find(' ', line.find(' ') + 1);
      return name != std::string_view::npos && describe_file(folder / line.substr(name + 1)) == line.substr(0, name);
    });
  } catch (const std::exception&) {  // a file that can't be read is not what it was
    return false;
  }
}

}  // namespace icount
