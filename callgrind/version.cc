#include "icount/callgrind/version.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
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

}  // namespace icount
