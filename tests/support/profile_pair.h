// Explanations of real profiles for tests: files of tests/testdata, and small programs of tests/testdata/programs that
// are compiled and run under Callgrind here and now.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "icount/explain/explain.h"

namespace icount {

/// The cost graph of a profile, with its lines. Gzip, xz and zstd are unpacked.
CostGraph load_graph(const std::filesystem::path& profile);

/// How one side is built and run.
struct BuildSpec {
  std::string source;                    ///< file name in tests/testdata/programs
  std::vector<std::string> flags;        ///< of gcc or g++
  std::vector<std::string> environment;  ///< NAME=VALUE beside PATH
  bool strip = false;
  std::string folder = "build";  ///< name of the folder in which the source is compiled
};

/// What is missing on this machine to build and count programs; empty when nothing is.
std::string missing_tools();

/// Compiles, runs under Callgrind and reads the profile.
CostGraph count_program(const BuildSpec& spec);

/// Names and text of a cause in one string, to search in.
std::string all_names(const Cause& cause);

}  // namespace icount
