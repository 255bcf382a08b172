// Other tools' timings as Measurements: the JSON of Google Benchmark (--benchmark_out) and of hyperfine
// (--export-json). store/measurement_file.h calls this for files that are not icount's own.
#pragma once

#include <string_view>

#include "icount/store/measurement_file.h"

namespace icount {

/// Either format, told apart by content. The file's name becomes the description (a column of Compare),
/// benchmark or command the row. Error{kMalformed} for anything else.
LoadedMeasurements parse_foreign_measurements(std::string_view bytes, std::string_view name);

/// Repetitions of one benchmark and thread count are the blocks of one Measurement, real time, labelled with
/// the program's name. Where only aggregates were written, the median row is its one block, and a warning
/// says so. Runs with errors are left out with a warning.
LoadedMeasurements parse_google_benchmark(const Json& json, std::string_view name);

/// One Measurement per command with its times as blocks of one run; parameters go to the metadata.
LoadedMeasurements parse_hyperfine(const Json& json, std::string_view name);

}  // namespace icount
