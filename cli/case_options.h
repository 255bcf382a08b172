// What `icount bench` and `icount tests` share: options of counting the cases of a binary, and the answer.
#pragma once

#include <string>

#include "icount/cli/write_document.h"
#include "icount/console/command_spec.h"
#include "icount/console/options.h"
#include "icount/report/results_text.h"
#include "icount/stats/result.h"
#include "icount/timer/count_bench.h"

namespace icount {

inline constexpr OptionSpec kCaseJumpsOption = {
    "no-jumps", "",
    "do not record jumps: a few percent faster, but what happens inside functions stays unknown to later diffs"};
inline constexpr OptionSpec kCasePinOption = {
    "release-pin", "NAME", "unpin one part of the environment: env, aslr, hash-seed, bind-now, aten, libc", true};
inline constexpr OptionSpec kHookCompilerOption = {"compiler", "PROGRAM",
                                                   "C++ compiler for the hooks (default: CXX, else c++)"};

struct CaseOptions {
  BenchOptions bench;
  OutputFormat format = OutputFormat::kText;
  ResultsView view;
  std::string out_file;
};

/// All that both commands have; the caller checks the line.
CaseOptions read_case_options(const ParsedOptions& parsed);

/// Prints what was counted, saves it where --out says, and says what failed.
ExitCode answer_cases(const CaseOptions& options, const BenchCount& count,
                      Document (*make_document)(const BenchCount&, const ResultsView&, size_t width),
                      CommandContext& context);

/// Counts the cases and answers.
ExitCode run_cases(CaseOptions options, Document (*make_document)(const BenchCount&, const ResultsView&, size_t width),
                   CommandContext& context);

}  // namespace icount
