#include "icount/console/out_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "icount/base/error.h"

namespace icount {

namespace fs = std::filesystem;

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
