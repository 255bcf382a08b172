// A suite: named definitions with the library they measure and the settings they ask for. load_suite
// (suite/definition_file.h) reads one from TOML; materialize_suite makes its benchmarks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "icount/base/json.h"
#include "icount/suite/definitions.h"
#include "icount/suite/expand.h"
#include "icount/verdict/gate_limit.h"
#include "icount/verdict/growth_limit.h"

namespace icount {

/// A CMake package and the targets of it to link: find_package(name COMPONENTS ...).
struct CmakePackage {
  std::string name;
  std::vector<std::string> components;
  std::vector<std::string> targets;
  bool operator==(const CmakePackage&) const = default;
};

/// What a suite measures besides LibTorch: the headers, sources and packages of the user's own library.
/// suite/library_flags.h finds the packages' flags; the harness compiles with them.
struct LibrarySpec {
  bool torch = true;                 ///< false: neither LibTorch's headers nor its libraries
  std::vector<std::string> headers;  ///< included by every C++ benchmark, "lib/vec.h" or "<lib/vec.h>"
  std::vector<std::filesystem::path> include_dirs;
  std::vector<std::filesystem::path> sources;  ///< compiled with the benchmarks
  std::string compiler;                        ///< program; empty: --compiler, CXX or c++
  std::string standard;                        ///< "c++17"; empty: C++20
  std::string build_type;                      ///< of CMake: Debug, Release, ...; empty: -O2 -DNDEBUG
  std::vector<std::string> flags;              ///< for the compiler, after those that standard and build_type mean
  std::vector<std::string> link_flags;         ///< for the link step, after everything else
  std::vector<std::string> pkg_config;         ///< pkg-config packages, "zlib" or "zlib >= 1.2"
  std::vector<CmakePackage> cmake_packages;
  bool operator==(const LibrarySpec&) const = default;
};

/// #include lines for the headers; one per header, in order.
std::string include_lines(const LibrarySpec& library);

/// What a suite file asks for; the command line overrides it.
struct RunSettings {
  std::optional<int64_t> number;   ///< runs per count
  std::optional<int64_t> repeats;  ///< counts per benchmark
  std::optional<double> timeout_s;
  std::optional<int64_t> retries;
  bool isolate = false;  ///< a program for each statement
};

/// A [limits] section or one of [[limits]]; an empty label: for the whole suite.
struct LimitsSection {
  Label label;
  Json value;  ///< as it is written
  Place place;
  GateLimit limit;  ///< what it means
};

/// Run once before programs are measured: /bin/sh -c COMMAND in FOLDER.
struct BuildStep {
  std::string command;
  std::filesystem::path folder;  ///< of the file that asks for it; empty: the working folder
};

/// A [[growth]] table: what is counted at several sizes, which take the place of {n} in its texts. Each size is a
/// benchmark of the suite, too; `icount growth` and the gate judge them together.
struct GrowthBenchmark {
  GrowthLimit limit;                 ///< with the label as its key
  TimerArgs statement;               ///< where there is neither command nor binary
  std::vector<std::string> tensors;  ///< of a statement: set-up text by size, mostly empty (suite/size_axis.h)
  std::vector<std::string> command;  ///< of a program, a name with a slash is a file relative to `folder`
  std::string input;                 ///< for the program's standard input, relative to `folder`; empty: an empty one
  std::filesystem::path folder;      ///< working folder of the program
  BenchBinary bench;                 ///< of a family of cases; an empty command: none
  std::vector<int64_t> sizes;        ///< three or more, ascending; of a family none: all that it has
};

/// A [[kernels]] table: a file whose GPU kernels `icount kernels` and the gate compare with those of another commit.
struct KernelsBenchmark {
  Label label;
  std::string file;              ///< relative to `folder`
  std::filesystem::path folder;  ///< of the suite file
  std::string place;             ///< "suite.toml:12"
  std::vector<std::string> architectures, flags, fail_on;
};

struct Suite {
  std::string name;
  int64_t version = 0;  ///< raised by its author when results stop being comparable
  std::string description;
  Definitions definitions;
  LibrarySpec library;
  RunSettings run;
  std::vector<BuildStep> build;
  /// Patterns of files that benchmarks read besides what their command lines name; nullopt: the suite does not say.
  std::optional<std::vector<std::filesystem::path>> inputs;
  std::vector<LimitsSection> limits;
  std::vector<GrowthBenchmark> growths;      ///< in the order of the files
  std::vector<KernelsBenchmark> kernels;     ///< likewise
  std::vector<std::filesystem::path> files;  ///< the suite's own and those it includes
};

/// The suite's limits for the gate: those of deeper sections after those of shallower ones, so that they win; else in
/// the order of the file, an included file's before its includer's.
std::vector<GateLimit> gate_limits(const Suite& suite);

/// materialize() with the library's headers in front of each C++ benchmark's global set-up. Error{kMalformed} as there.
std::vector<Benchmark> materialize_suite(const Suite& suite, const ExpandOptions& options = {});

/// The files that fit a shell pattern, "corpus/*.json", below `folder`, by name and, unless the pattern is absolute,
/// relative to `folder`.
std::vector<std::string> find_files(const std::string& pattern, const std::filesystem::path& folder);

}  // namespace icount
