// What decides the count of a suite's benchmark, hashed: its own text, how it is measured, what it is built with, the
// program, its libraries and the files that it reads; and what follows when it is still so. `suite run --out` keeps it
// with each result (suite/batch), --skip-unchanged and --resume take results over. What cannot be known is said, never
// guessed.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/harness/elf_file.h"
#include "icount/harness/reuse.h"
#include "icount/stats/result.h"
#include "icount/suite/expand.h"
#include "icount/suite/suite_record.h"
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

// Results of an earlier run stand for benchmarks of which nothing has changed that their counts depend on: those of a
// baseline (`suite run --skip-unchanged`), those of an interrupted run (--resume). Between suite/plan.h, which chooses
// benchmarks, and suite/batch.h, which measures the others.

/// Why -> the names of benchmarks.
using Reasons = std::map<std::string, std::vector<std::string>>;

struct TakenOver {
  std::vector<Result> results;  ///< as they go into the new file: marked, with the record of this run's suite
  std::vector<Benchmark> rest;  ///< to be measured, in their order
  Reasons reasons;              ///< why they are
};

/// `base` is the earlier run's file, `name` what it is called in results and messages. Wall times are not taken over:
/// they do not follow from the code.
TakenOver take_over(std::span<const Benchmark> benchmarks, const ResultFile& base, const std::string& name,
                    BenchmarkIdentities& identities);

/// One line for people: "12 benchmarks are taken over from main.icount, unchanged; measuring 2: ...".
std::string describe(const TakenOver& taken, const std::string& name);

struct Resumed {
  std::vector<Result> results;  ///< those that stay
  Reasons changed;              ///< why others do not
  Reasons unknown;              ///< why it cannot be known of results whether they should; they have a note
};

/// Of the `results` of an interrupted run those whose benchmarks have not changed. Somebody asked to go on with that
/// run, so results stay of which not everything can be known; what is known has not changed. Failures do not stay.
Resumed resume_results(std::span<const Benchmark> benchmarks, std::vector<Result> results,
                       BenchmarkIdentities& identities);

/// "2: sort / C++ (changed: statement); parse (sh is an interpreter)", with `which` behind the number.
std::string describe(const Reasons& reasons, std::string_view which = {});

}  // namespace icount
