// Saved timings: what `icount time --out` writes and `icount compare` reads. One JSON object per line: a header with
// the schema, then one line per Measurement, so that a damaged line costs only itself. Doubles are lossless.
// load_measurements knows other tools' files, too. Format: docs/measurement_statistics.md.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/json.h"
#include "icount/stats/callgrind_stats.h"
#include "icount/stats/measurement.h"
#include "icount/stats/result.h"

namespace icount {

/// An object with the eight fields; absent ones are null.
Json to_json(const TaskSpec& spec);

/// What to_json wrote; Error{kMalformed} beginning with `place` for anything else.
TaskSpec parse_task_spec(const Json& json, std::string_view place);

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

// Other tools' timings as Measurements: the JSON of Google Benchmark (--benchmark_out) and of hyperfine
// (--export-json).

/// Either format, told apart by content. The file's name becomes the description (a column of Compare),
/// benchmark or command the row. Error{kMalformed} for anything else.
LoadedMeasurements parse_foreign_measurements(std::string_view bytes, std::string_view name);

// Saved CallgrindStats of a program that uses icount as a library: the four tables and the task, lossless, as one JSON
// object. `icount count --out` saves results with their graphs instead (store/result_file.h).

/// Newest version of the format that this program reads, and the one it writes.
inline constexpr int kCallgrindStatsFormatVersion = 1;

/// The bytes of a whole file. The kept text of a profile is not written.
std::string callgrind_stats_text(const CallgrindStats& stats);

/// Error{kMalformed} beginning with `name` for anything but what callgrind_stats_text wrote, a newer version too.
CallgrindStats parse_callgrind_stats(std::string_view bytes, std::string_view name);

/// All or nothing (base/file.h, save_file).
void save_callgrind_stats(const std::filesystem::path& path, const CallgrindStats& stats);
CallgrindStats load_callgrind_stats(const std::filesystem::path& path);

/// The wall time that each result keeps as text, in order; nullopt where there is none. Error{kMalformed} for one that
/// is damaged.
std::vector<std::optional<Measurement>> load_times(std::span<const Result> results);

}  // namespace icount
