#include "icount/callgrind/installed_valgrind.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/program_paths.h"
#include "icount/base/text.h"

namespace icount {

std::optional<std::string> parse_valgrind_version(std::string_view output) {
  constexpr std::string_view kPrefix = "valgrind-";
  const std::string_view text = trim(output);
  if (!text.starts_with(kPrefix) || text.size() == kPrefix.size()) return std::nullopt;
  const std::string_view version = text.substr(kPrefix.size());
  if (version[0] < '0' || version[0] > '9' || version.find_first_of(" \n") != std::string_view::npos)
    return std::nullopt;
  return std::string(version);
}

Valgrind probe_valgrind(std::string_view program) {
  const auto path = find_program(program);
  if (path.empty())
    throw Error(ErrorKind::kTool, fmt::format("no {} found in PATH; install it: apt-get install valgrind", program));
  const ProcessOutcome outcome = run_process({.argv = {path.string(), "--version"}, .time_limit = Seconds(20)});
  const auto version = outcome.ok() ? parse_valgrind_version(outcome.output) : std::nullopt;
  if (!version)
    throw Error(ErrorKind::kTool,
                fmt::format("{} --version: {}, output \"{}\"; is it a working Valgrind?", path.string(),
                            describe_end(outcome), escape_for_terminal(trim(outcome.output + outcome.errors))));
  return {path, *version, false};
}

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
