#include "icount/callgrind/carried_valgrind.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/own_program.h"

namespace icount {

namespace fs = std::filesystem;

fs::path find_carried_valgrind(const fs::path& program) {
  if (program.empty()) return {};
  std::error_code error;
  const fs::path file = program.parent_path().parent_path() / "libexec/icount/valgrind/valgrind";
  return fs::is_regular_file(file, error) ? file : fs::path();
}

Valgrind choose_valgrind(std::string_view asked) {
  if (asked == "system") return probe_valgrind("valgrind");
  if (!asked.empty() && asked != "carried") return probe_valgrind(asked);
  const fs::path program = own_program();
  const fs::path carried = find_carried_valgrind(program);
  if (carried.empty()) {
    if (asked.empty()) return probe_valgrind("valgrind");
    throw Error(ErrorKind::kTool,
                fmt::format("{} carries no Valgrind along (looked for libexec/icount/valgrind/valgrind "
                            "beside its bin/); use --valgrind system",
                            program.string()));
  }
  // The loader takes the name of a preloaded library to end there.
  if (carried.string().find_first_of(" :") != std::string::npos)
    throw Error(
        ErrorKind::kTool,
        fmt::format("the Valgrind in {} cannot count there: the folder's name has a blank or a colon; install icount "
                    "in another folder, or use --valgrind system",
                    carried.parent_path().string()));
  Valgrind valgrind = probe_valgrind(carried.string());
  valgrind.is_carried = true;
  return valgrind;
}

}  // namespace icount
