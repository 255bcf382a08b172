#include "icount/callgrind/own_counter.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/own_program.h"
#include "icount/base/text.h"

namespace icount {

namespace fs = std::filesystem;

fs::path find_counter_folder(const fs::path& file) {
  fs::path above = file.parent_path();
  for (int levels = 0; !file.empty() && levels < 3; ++levels, above = above.parent_path())
    for (const char* place : {"tool/lib", "libexec/icount/valgrind"}) {
      std::error_code error;
      if (fs::is_regular_file(above / place / kCounterFile, error)) return above / place;
    }
  return {};
}

std::string why_counter_unusable(const fs::path& folder, const Valgrind& valgrind) {
  if (folder.empty())
    return "icount's own counter is not installed: icount was built without Valgrind's headers and static libraries, "
           "or for "
           "another processor; install them (Debian: valgrind; Fedora: valgrind-tools-devel) and build icount again";
  std::string version;
  try {
    version = trim(load_text(folder / kCounterVersionFile));
  } catch (const Error& error) {
    return fmt::format("icount's own counter is incomplete: {}; install icount again", error.what());
  }
  if (version != valgrind.version)
    return fmt::format("icount's own counter was built for Valgrind {}, and {} is {}; build icount with that one",
                       version, valgrind.path.string(), valgrind.version);
  const fs::path tool = folder / kCounterFile;
  if (::access(tool.c_str(), X_OK) == 0) return {};
  return fmt::format("icount's own counter cannot be run: {}: {}; install icount again", tool.string(),
                     errno_text(errno));
}

void choose_counter(std::string_view asked, std::string_view callgrinds, Valgrind& valgrind) {
  if (asked == "callgrind") return;
  const bool is_asked = asked == "own";
  if (!asked.empty() && !is_asked)
    throw Error(ErrorKind::kUsage,
                fmt::format("unknown counter '{}'; use own or callgrind", escape_for_terminal(asked)));
  if (!callgrinds.empty()) {
    if (!is_asked) return;
    throw Error(ErrorKind::kUsage,
                fmt::format("icount's own counter does not support {}; use --counter callgrind", callgrinds));
  }
  const fs::path folder = find_counter_folder(own_file());
  const std::string why = why_counter_unusable(folder, valgrind);
  if (why.empty())
    valgrind.counter_folder = folder;
  else if (is_asked)
    throw Error(ErrorKind::kTool, why + ", or use --counter callgrind");
}

}  // namespace icount
