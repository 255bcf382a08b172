// What icount tells the shell. One table: docs/exit_codes.md is generated from it and a test compares the two.
#pragma once

#include <array>
#include <string_view>

#include "icount/base/error.h"

namespace icount {

enum class ExitCode {
  kOk = 0,
  kFailure = 1,
  kUsage = 2,
  kOverLimit = 3,
  kCannotJudge = 125,  ///< the code that `git bisect run` skips a commit on
};

struct ExitCodeRow {
  ExitCode code;
  std::string_view name;
  std::string_view meaning;
};

inline constexpr std::array<ExitCodeRow, 5> kExitCodes = {{
    {ExitCode::kOk, "ok", "success"},
    {ExitCode::kFailure, "failure",
     "something failed: a file cannot be read or is damaged, a tool is missing, one of several statements failed (the "
     "others are still printed), or the counted program failed (its own exit code is shown)"},
    {ExitCode::kUsage, "usage", "invalid command line: an unknown command, option or event, or a value out of range"},
    {ExitCode::kOverLimit, "over a limit", "a limit is exceeded: `--fail-over`, or a limit of `icount gate`"},
    {ExitCode::kCannotJudge, "cannot be judged",
     "measured under different conditions, no event in common, or nothing to compare with; `git bisect run` skips such "
     "a commit"},
}};

/// The code for a failure that reached the top.
constexpr ExitCode exit_code_for(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return ExitCode::kUsage;
    case ErrorKind::kCannotJudge:
      return ExitCode::kCannotJudge;
    case ErrorKind::kIo:
    case ErrorKind::kMalformed:
    case ErrorKind::kTool:
      break;
  }
  return ExitCode::kFailure;
}

}  // namespace icount
