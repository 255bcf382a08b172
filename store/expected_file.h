// Accepted values, kept as text in the repository beside the suite: what `icount accept` writes and the gate compares
// with. One line per benchmark, sorted, with a blank line between, so that branches that touch different benchmarks
// merge. Format: docs/gate.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "icount/stats/fingerprint.h"
#include "icount/verdict/gate_limit.h"

namespace icount {

/// Newest version of the format that this program reads. Version 2 added builds and spreads, version 3 marginal costs,
/// version 4 growths; a file is written as the oldest version that can hold it.
inline constexpr int kExpectedFormatVersion = 4;

/// One accepted number of one benchmark.
struct ExpectedValue {
  int64_t accepted = 0;        ///< what the next result is compared with
  int64_t reference = 0;       ///< the value when a person last accepted one; a refresh moves `accepted` only
  int64_t number_per_run = 1;  ///< runs in the counted region; another number is not comparable
  std::string conditions;      ///< name of the ExpectedFile::conditions it was counted under
  std::string why;             ///< of the person; may be empty
  int64_t spread = 0;          ///< largest less smallest of the accepted repeats
  bool marginal = false;  ///< not counts but what a further run costs times number_per_run (stats/iteration_slopes.h)
  bool operator==(const ExpectedValue&) const = default;
};

/// Key of a benchmark (stats/result.h, result_key) and which of its numbers.
using ExpectedKey = std::pair<std::string, Measure>;

/// How functions grew in benchmarks that differ in their size alone.
struct ExpectedGrowth {
  std::string event;
  std::map<std::string, double> powers;  ///< function -> power of its cost or its fastest loop, to one decimal
  bool operator==(const ExpectedGrowth&) const = default;
};

struct ExpectedFile {
  std::map<std::string, Fingerprint> conditions;  ///< name -> accepted_facts of what was counted; see conditions_name
  std::map<ExpectedKey, ExpectedValue> values;
  std::map<std::string, ExpectedGrowth> growths;  ///< by the benchmarks' key without the size
};

/// Of a result's facts those that are kept with its accepted values, in the order of their names: those that make two
/// counts incomparable when they differ, then those of its build (stats/flag_paths.h) and its unit, of class kNameOnly.
Fingerprint accepted_facts(const Fingerprint& fingerprint);
/// A short name that equal facts share: 8 hex digits.
std::string conditions_name(const Fingerprint& accepted);

/// Sorted by key, each value on a line of its own; conditions that no value uses are left out, and so are growths of
/// benchmarks without a value. Equal values give equal bytes.
std::string expected_file_text(const ExpectedFile& file);

/// Error{kMalformed} "NAME:LINE: ..." for another version, a line that is none, a benchmark with two lines, conditions
/// that are not there, git's conflict markers (said as such). What expected_file_text wrote comes back equal.
ExpectedFile parse_expected_file(std::string_view text, std::string_view name);

ExpectedFile load_expected_file(const std::filesystem::path& path);
/// All or nothing (base/file.h, save_file).
void save_expected_file(const std::filesystem::path& path, const ExpectedFile& file);

}  // namespace icount
