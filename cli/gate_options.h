// What `icount gate` was asked for: table, struct, and how one becomes the other. Used by cli/command_gate.cc; the
// options that say how a suite is measured are those of `suite run` (cli/suite_run_options.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "icount/cli/suite_run_options.h"
#include "icount/console/command_spec.h"
#include "icount/console/options.h"
#include "icount/gate/gate_base.h"

namespace icount {

struct GateOptions {
  std::string subject;          ///< SUITE or RESULT
  std::string expected, suite;  ///< files; empty: found by the subject
  bool no_expected = false;
  BaseOptions base;
  std::vector<std::string> limits;                      ///< every --limit as it was given
  std::vector<std::string> allowed;                     ///< kinds of --allow
  std::string markdown, html, junit, json, sarif, out;  ///< files; empty: not asked for
  std::string hostname;                                 ///< for JUnit; empty: the environment's
  bool annotations = false;
  SuiteRunOptions measuring;                 ///< how a SUITE is measured, without file and out
  std::vector<std::string> measuring_given;  ///< which options of it were given, without dashes

  /// Whether some benchmarks are left out on purpose.
  bool restricts() const { return measuring.plan.restricts() || !measuring.expand.torchscript; }
};

/// Stands for the reason in the command that the gate advises; `icount accept` refuses it.
inline constexpr const char* kReasonToWrite = "...";

std::span<const OptionSpec> gate_option_table();

/// Error{kUsage} with everything that is wrong, answers that could not be written included.
GateOptions read_gate_options(const ParsedOptions& parsed);

/// Every --limit as it was given; a malformed one becomes a problem of `parsed`.
std::vector<std::string> read_limit_options(const ParsedOptions& parsed);

}  // namespace icount
