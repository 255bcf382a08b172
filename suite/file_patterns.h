// Files that a suite file names by shell patterns: "corpus/*.json". Used where one is read (suite/definition_file) and
// where benchmarks are identified by what they read (suite/benchmark_identity).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace icount {

/// The files that fit `pattern` below `folder`, by name and, unless the pattern is absolute, relative to `folder`.
std::vector<std::string> find_files(const std::string& pattern, const std::filesystem::path& folder);

}  // namespace icount
