// Saved timings: what `icount time --out` writes and `icount compare` reads. One JSON object per line: a
// header with the schema, then one line per Measurement, so that a damaged line costs only itself. Doubles
// are lossless. Other tools' files are read by store/foreign_measurements.h; load_measurements knows them
// all. Format: docs/measurement_statistics.md.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/json.h"
#include "icount/stats/measurement.h"

namespace icount {

/// Newest version of the format that this program reads, and the one it writes.
inline constexpr int kMeasurementFormatVersion = 1;

struct LoadedMeasurements {
  std::vector<Measurement> measurements;
  std::vector<std::string> warnings;  ///< "NAME:LINE: ...": what was left out or is only half known
};

/// One measurement as an object: task_spec with its eight fields (absent ones null), number_per_run,
/// raw_times, metadata.
Json to_json(const Measurement& measurement);
/// What to_json wrote, equal to the last bit; Error{kMalformed} beginning with `place` for anything else.
Measurement parse_measurement(const Json& json, std::string_view place);

/// The bytes of a whole file.
std::string measurement_file_text(std::span<const Measurement> measurements);
/// Error{kMalformed} "NAME:1: ..." when the header is not that of a measurement file or is newer than this
/// program; a damaged line after it is a warning and the others are kept.
LoadedMeasurements parse_measurement_file(std::string_view bytes, std::string_view name);

/// All or nothing (base/file.h, save_file).
void save_measurements(const std::filesystem::path& path, std::span<const Measurement> measurements);
/// A measurement file, the measurements of a saved result (store/result_file.h), Google Benchmark's JSON or
/// hyperfine's. Error{kMalformed} for anything else, saying what is read.
LoadedMeasurements load_measurements(const std::filesystem::path& path);

}  // namespace icount
