// What stands on the command line of `icount report`: results and profiles to explain, Fuzzer runs and timings to plot.
// Each file is recognised by its content. Built on inputs/diff_side.h.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "icount/console/command_spec.h"
#include "icount/inputs/diff_side.h"
#include "icount/stats/fuzz_result.h"
#include "icount/stats/measurement.h"

namespace icount {

struct ReportInput {
  std::vector<DiffSide> sides;                           ///< in the order given
  std::vector<std::pair<std::string, FuzzResult>> fuzz;  ///< with the file's name
  std::vector<Measurement> timings;                      ///< of timing files, and of results that have one
};

/// Reads (or measures, see DiffSide) everything. Warnings go to err; an Error names the file.
ReportInput load_report_input(const std::vector<std::string>& words, const DiffSideOptions& options,
                              CommandContext& context);

}  // namespace icount
