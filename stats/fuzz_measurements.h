// A fuzzer run's times as Measurements, for the tables of Compare: a row for each sample, a column for each statement.
// store/measurement_file.h calls this for files of `icount fuzz --time --out`.
#pragma once

#include <string_view>
#include <vector>

#include "icount/stats/fuzz_result.h"
#include "icount/stats/measurement.h"

namespace icount {

/// The median of each point as one block of one run: label "fuzz: SOURCE", sub_label the shape of the sample's tensors,
/// description the statement; set-ups and thread count are the run's; points without a time are left out. Error{kUsage}
/// beginning with `name` for a run that counted instructions, which have no place in a table of times.
std::vector<Measurement> fuzz_measurements(const FuzzResult& result, std::string_view name);

}  // namespace icount
