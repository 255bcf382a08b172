#include "icount/base/scratch_dir.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "icount/base/error.h"

namespace icount {

ScratchDir::ScratchDir(std::string_view prefix, std::filesystem::path root) {
  if (root.empty()) root = std::filesystem::temp_directory_path();
  std::string pattern = (root / fmt::format("{}.XXXXXX", prefix)).string();
  if (!::mkdtemp(pattern.data()))
    throw Error(ErrorKind::kIo, fmt::format("cannot make a temporary folder in {}: {}; set TMPDIR to a writable folder",
                                            root.string(), errno_text(errno)));
  path_ = pattern;
}

ScratchDir::ScratchDir(ScratchDir&& other) noexcept : path_(std::exchange(other.path_, {})) {}

ScratchDir& ScratchDir::operator=(ScratchDir&& other) noexcept {
  if (this != &other) {
    remove();
    path_ = std::exchange(other.path_, {});
  }
  return *this;
}

ScratchDir::~ScratchDir() { remove(); }

std::filesystem::path ScratchDir::release() { return std::exchange(path_, {}); }

void ScratchDir::remove() {
  if (path_.empty()) return;
  std::error_code ignored;  // a folder that cannot be removed must not turn a result into a failure
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace icount
