#include "icount/base/own_program.h"

#include <dlfcn.h>

#include <system_error>

namespace icount {

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
