// Where the gate finds its files: the suite that a result is of, the accepted values beside it, and the limits of both
// the suite file and the command line. Shared by command_gate.cc, command_accept.cc and command_bisect.cc.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "icount/base/problems.h"
#include "icount/stats/result.h"
#include "icount/suite/suite_spec.h"
#include "icount/verdict/gate_limit.h"
#include "icount/verdict/growth_limit.h"

namespace icount {

struct MeasuredFile {
  ResultFile file;
  std::string small_collection = {};  ///< of a profile, as LoadedProfile has it
  bool is_profile = false;            ///< one result without a fingerprint, named by the profile's command line
  std::vector<std::string> warnings;  ///< what was left out
};

/// A saved result; timings (`icount time --out` and what `icount compare` reads) become results with wall time alone; a
/// callgrind.out file becomes one result. Error{kMalformed} for anything else.
MeasuredFile load_measured(const std::string& path);

/// Whether the file is one of those, not a suite: it begins as JSON or a profile does.
bool is_measured(const std::string& path);

/// The suite file that measured the results, as it was given then; empty when they are of no suite.
std::string suite_of(const ResultFile& file);

/// Where each benchmark of a suite file is defined, by result_key.
std::map<std::string, Place> load_benchmark_places(const std::string& suite);

/// "dir/suite.toml" -> "dir/suite.expected".
std::filesystem::path expected_beside(const std::filesystem::path& suite);

/// Where the accepted values of results are kept unless the user says otherwise: beside their suite; for tests of no
/// suite tests.expected in the working folder; empty for others.
std::filesystem::path usual_expected(const ResultFile& file, const std::string& suite);

/// Defaults, the suite's (an empty path: none), the command line's. Error{kUsage} for an option that is no limit.
LimitSet collect_limits(const std::string& suite, const std::vector<std::string>& limit_options);

/// Of the suite's [[growth]] tables.
std::vector<GrowthLimit> growth_limits(const Suite& suite);

/// The suite whose limits count for a result: `option` when given ("none": no suite), else what the result says.
/// Error{kUsage} when that file is not here, so that no limit is lost in silence.
std::string suite_for_limits(const ResultFile& file, const std::string& option, const std::string& result_name);

}  // namespace icount
