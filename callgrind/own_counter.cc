#include "icount/callgrind/own_counter.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/own_program.h"
#include "icount/base/process.h"
#include "icount/base/text.h"

namespace icount {

namespace fs = std::filesystem;

fs::path find_counter_folder(const fs::path& program) {
  if (program.empty()) return {};
  const fs::path bin = program.parent_path();
  for (const fs::path& folder : {bin / "tool/lib", bin.parent_path() / "libexec/icount/valgrind"}) {
    std::error_code error;
    if (fs::is_regular_file(folder / kCounterFile, error)) return folder;
  }
  return {};
}

void choose_counter(std::string_view asked, Valgrind& valgrind) {
  if (asked.empty() || asked == "callgrind") return;
  if (asked != "own")
    throw Error(ErrorKind::kUsage, fmt::format("no counter '{}'; it is own or callgrind", escape_for_terminal(asked)));
  const fs::path folder = find_counter_folder(own_program());
  if (folder.empty())
    throw Error(ErrorKind::kTool,
                "icount's own counter is not here: it was built without Valgrind's headers and static libraries "
                "(Debian: valgrind; Fedora: valgrind-tools-devel), or for another processor; use --counter callgrind");
  const ProcessOutcome outcome = run_process({.argv = {"/usr/bin/env", fmt::format("VALGRIND_LIB={}", folder.string()),
                                                       valgrind.path.string(), "--tool=icount", "--version"},
                                              .time_limit = Seconds(20)});
  const auto version = outcome.ok() ? parse_valgrind_version(outcome.output) : std::nullopt;
  if (!version)
    throw Error(ErrorKind::kTool,
                fmt::format("{} does not start icount's own counter ({}): {}, \"{}\"; use --counter callgrind",
                            valgrind.path.string(), (folder / kCounterFile).string(), describe_end(outcome),
                            escape_for_terminal(trim(outcome.output + outcome.errors))));
  if (*version != valgrind.version)
    throw Error(ErrorKind::kTool, fmt::format("icount's own counter was built for Valgrind {}, and {} is {}; build "
                                              "icount with that one, or use --counter callgrind",
                                              *version, valgrind.path.string(), valgrind.version));
  valgrind.counter_folder = folder;
}

void check_own_counter(std::string_view what) {
  if (!what.empty())
    throw Error(ErrorKind::kUsage, fmt::format("icount's own counter does not have {}; use --counter callgrind", what));
}

}  // namespace icount
