// StubPlan -> programs: compiles the units (several at once), links, and finds the statements that don't compile so
// that each costs only itself. Everything is kept in the build cache. Reads harness/stub_source.h, toolchain.h,
// build_cache.h.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "icount/harness/build_cache.h"
#include "icount/harness/stub_source.h"
#include "icount/harness/toolchain.h"

namespace icount {

/// A statement that could not be built.
struct BuildFailure {
  size_t statement = 0;
  std::string error;    ///< one line: "stmt:1:14: use of undeclared identifier 'z'"
  std::string details;  ///< the compiler's whole message
};

/// A program and the statements in it; statement i is its benchmark i.
struct BuildOutcome {
  std::filesystem::path executable;  ///< empty when no statement was left
  std::string key;                   ///< of the program in the cache
  std::vector<size_t> statements;
  std::vector<BuildFailure> failures;
  size_t compiled = 0;  ///< units that were really compiled, the rest came from the cache
  std::map<size_t, std::filesystem::path> objects = {};  ///< of each statement, the object of its unit
};

struct BuildOptions {
  int jobs = 2;
  /// Said before slow steps: "building the precompiled header of LibTorch 2.13.0 (...)".
  std::function<void(const std::string&)> on_progress;
  std::function<bool()> cancelled;
};

/// Builds one plan. A statement's failure is a value; Error{kTool} when the compiler itself fails (the fixed parts do
/// not compile, no linker), Error{kTool} "interrupted" when cancelled.
BuildOutcome build_stub(std::span<const TimerArgs> statements, const StubPlan& plan, const Toolchain& toolchain,
                        BuildCache& cache, const BuildOptions& options = {});

/// The program of a server without statements, for one that loads them later (docs/server.md). Error{kTool} when it
/// does not build.
std::filesystem::path build_server_program(const Toolchain& toolchain, BuildCache& cache,
                                           const BuildOptions& options = {});

}  // namespace icount
