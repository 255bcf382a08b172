#include "icount/base/own_program.h"

#include <system_error>

namespace icount {

std::filesystem::path own_program() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

}  // namespace icount
