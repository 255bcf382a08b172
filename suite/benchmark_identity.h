// What decides the count of a suite's benchmark, hashed: its own text, how it is measured, what it is built with, the
// program, its libraries and the files that it reads. `suite run --out` keeps that with each result (suite/batch),
// --skip-unchanged and --resume ask whether it is still so (suite/take_over). What cannot be known is said, never
// guessed.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "icount/harness/elf_file.h"
#include "icount/harness/reuse.h"
#include "icount/stats/result.h"
#include "icount/suite/code_identity.h"
#include "icount/suite/expand.h"
#include "icount/timer/collect_callgrind.h"

namespace icount {

/// How a run measures.
struct IdentityOptions {
  CollectOptions collect;
  bool memory = false;
  bool keep_graphs = true;
  std::string tools;                          ///< the versions of icount and Valgrind
  std::vector<std::filesystem::path> inputs;  ///< what the benchmarks read besides what their command lines name
};

/// What is another one now than when a result was measured.
struct CodeChange {
  std::string changed;  ///< "changed: statement", "new: PATH"; empty: nothing of what is known
  std::string unknown;  ///< why not all of it can be known
  bool none() const { return changed.empty() && unknown.empty(); }
};

class BenchmarkIdentities {
 public:
  /// Error{kUsage} for an input that does not exist, Error{kIo} for one that cannot be read.
  explicit BenchmarkIdentities(IdentityOptions options);

  /// All that is known before the benchmark is measured; without files. Each file is read once, when it is first asked
  /// for: ask before the benchmark runs.
  CodeIdentity of(const Benchmark& benchmark);

  /// The same with what measuring showed: the `files` that it looked at, processes that it started.
  CodeIdentity of_measured(const Benchmark& benchmark, const Result& result, const StatementFiles& files);

  CodeChange change_since(const CodeIdentity& base, const Benchmark& benchmark);

 private:
  std::string unknown_of(const Benchmark& benchmark);
  std::string conditions_of(const Benchmark& benchmark) const;
  std::string python_build();
  std::string statement_build(const TimerArgs& args);
  std::string program_text(const std::vector<std::string>& command, const std::filesystem::path& folder,
                           const std::vector<std::string>& environment, CodeIdentity& identity);
  const NeededLibraries& needed(const std::filesystem::path& program, const std::vector<std::string>& environment);

  IdentityOptions options_;
  std::string processor_;
  std::string inputs_;
  FileIdentities files_;
  std::map<std::string, NeededLibraries> needed_;
  std::map<std::string, std::string> builds_;
};

}  // namespace icount
