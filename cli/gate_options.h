// What `icount gate` was asked for: table, struct, and how one becomes the other. Used by cli/command_gate.cc; the
// options that say how a suite is measured are those of `suite run` (cli/gate_measure.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "icount/console/command_spec.h"
#include "icount/console/options.h"
#include "icount/gate/gate_base.h"

namespace icount {

struct GateOptions {
  std::string subject;          ///< SUITE or RESULT
  std::string expected, suite;  ///< files; empty: found by the subject
  bool no_expected = false;
  BaseOptions base;
  std::vector<std::string> limits;                ///< every --limit as it was given
  std::vector<std::string> allowed;               ///< "new", "vanished"
  std::string markdown, junit, json, sarif, out;  ///< files; empty: not asked for
  bool annotations = false;
  std::vector<std::string> suite_words;  ///< what is passed on to `suite run`
  bool partial = false;                  ///< these leave benchmarks out
};

std::span<const OptionSpec> gate_option_table();

/// Error{kUsage} with everything that is wrong, answers that could not be written included.
GateOptions read_gate_options(const ParsedOptions& parsed);

}  // namespace icount
