#include "icount/base/error.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <new>
#include <system_error>

namespace icount {

Error Error::with_context(std::string_view context) const {
  return Error(kind_, fmt::format("{}: {}", context, what()));
}

std::string reason_of(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return "not enough memory";
  const auto* of_files = dynamic_cast<const std::filesystem::filesystem_error*>(&error);
  if (of_files == nullptr) return error.what();
  if (!of_files->path1().empty()) return fmt::format("{}: {}", of_files->path1().string(), of_files->code().message());
  constexpr std::string_view kPrefix = "filesystem error: ";
  const std::string_view text = error.what();
  return std::string(text.starts_with(kPrefix) ? text.substr(kPrefix.size()) : text);
}

std::string errno_text(int error_number) { return std::generic_category().message(error_number); }

void fail_check(const char* file, int line, const char* condition, std::string_view why) {
  std::string text = std::string(file) + ":" + std::to_string(line) + ": icount bug: " + condition + ": ";
  text.append(why);
  text += '\n';
  // Straight to the descriptor: the process is about to abort and may hold any lock.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  std::abort();
}

}  // namespace icount
