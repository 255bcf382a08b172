#include "icount/cli/version_text.h"

#include <fmt/format.h>

#include "build_commit.h"
#include "icount/base/error.h"
#include "icount/callgrind/installed_valgrind.h"

namespace icount {

std::string_view icount_version() { return ICOUNT_VERSION; }

std::string_view icount_commit() { return ICOUNT_COMMIT; }

std::string probe_version_text(const Environment& environment) {
  std::string text = fmt::format("icount {}", icount_version());
  if (!icount_commit().empty()) text += fmt::format(" (commit {})", icount_commit());
  try {
    const Valgrind valgrind = choose_valgrind(environment.get(kValgrindVariable).value_or(""));
    text += fmt::format("\nValgrind {}{} ({})\n", valgrind.version, valgrind.is_carried ? ", carried along" : "",
                        valgrind.path.string());
  } catch (const Error& error) {
    text += fmt::format("\nno Valgrind: {}\n", error.what());
  }
  return text;
}

}  // namespace icount
