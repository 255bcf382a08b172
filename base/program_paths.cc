#include "icount/base/program_paths.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "icount/base/disk_room.h"
#include "icount/base/error.h"
#include "icount/base/text.h"

namespace icount {

std::vector<std::filesystem::path> possible_programs(std::string_view program) {
  if (program.find('/') != std::string_view::npos) return {program};
  std::vector<std::filesystem::path> paths;
  const char* path = std::getenv("PATH");
  for (const std::string_view folder : split(path ? path : "/usr/bin:/bin", ':'))
    paths.push_back(std::filesystem::path(folder.empty() ? "." : folder) / program);
  return paths;
}

std::string describe_missing_program(std::string_view program) {
  const bool has_folder = program.find('/') != std::string_view::npos;
  for (const std::filesystem::path& candidate : possible_programs(program)) {
    struct stat status;
    if (::stat(candidate.c_str(), &status) != 0) {
      if (has_folder && errno != ENOENT) return errno_text(errno);
      continue;
    }
    if (has_folder && S_ISDIR(status.st_mode)) return "it is a folder";
    if (!S_ISREG(status.st_mode)) continue;
    const std::string noexec = describe_noexec(candidate);
    return fmt::format("{} {}", has_folder ? "it" : candidate.string(),
                       noexec.empty() ? "is not executable; chmod +x makes it so" : noexec);
  }
  return has_folder ? "no such file" : "no such program; is it installed and in PATH?";
}

std::filesystem::path own_program() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

std::filesystem::path own_file() {
  Dl_info info{};
  std::error_code error;
  const bool is_found = dladdr(reinterpret_cast<const void*>(&own_file), &info) != 0 && info.dli_fname != nullptr;
  const std::filesystem::path file = is_found ? std::filesystem::canonical(info.dli_fname, error) : "";
  return file.extension() == ".so" ? file : own_program();
}

}  // namespace icount
