#include "icount/base/check.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace icount {

void fail_check(const char* file, int line, const char* condition, std::string_view why) {
  std::string text = std::string(file) + ":" + std::to_string(line) + ": icount bug: " + condition + ": ";
  text.append(why);
  text += '\n';
  // Straight to the descriptor: the process is about to abort and may hold any lock.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  std::abort();
}

}  // namespace icount
