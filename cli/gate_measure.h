// How the gate measures a suite now: through `suite run`, so that it is measured as any run is. Called by
// command_gate.cc.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "icount/console/command_spec.h"
#include "icount/stats/result.h"

namespace icount {

/// Options of `suite run` that the gate hands on; rows for its own table.
const std::vector<OptionSpec>& suite_run_pass_options();
/// Those that were given, as words.
std::vector<std::string> passed_words(const ParsedOptions& parsed);

/// Runs `suite run SUITE WORDS --out OUT` in this process; its table is not shown. Error{kTool} when it was
/// interrupted.
ResultFile measure_suite(const std::string& suite, const std::vector<std::string>& words,
                         const std::filesystem::path& out, CommandContext& context);

}  // namespace icount
