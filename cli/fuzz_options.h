// What `icount fuzz` was asked for: table, struct, and how one becomes the other. Used by cli/command_fuzz.cc.
#pragma once

#include <span>
#include <string>

#include "icount/console/command_spec.h"
#include "icount/console/options.h"
#include "icount/report/fuzz_text.h"
#include "icount/suite/fuzz_run.h"

namespace icount {

/// What is done with the samples.
enum class FuzzEmit { kMeasure, kJson, kCpp, kPython };

struct FuzzOptions {
  FuzzRunOptions run;  ///< known points, memory limit and the callbacks are set by the command
  FuzzEmit emit = FuzzEmit::kMeasure;
  FuzzTextOptions text;
  bool json = false;
  std::string out, resume;  ///< files; empty: not asked for
};

std::span<const OptionSpec> fuzz_option_table();

/// Error{kUsage} with everything that is wrong; Error{kIo} or {kMalformed} for the file of --op.
FuzzOptions read_fuzz_options(const ParsedOptions& parsed, const CommandContext& context);

}  // namespace icount
