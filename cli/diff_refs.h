// Commits that are compared. `icount diff --base-ref A [--head-ref B]`: a program or a suite at two commits, built and
// measured in a worktree; head may be the working tree. gate/base_build.h does the work for a commit;
// cli/command_diff.cc compares. And those that saved profiles were built from, of diff and report.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "icount/console/command_spec.h"
#include "icount/console/options.h"
#include "icount/gate/mixture_count.h"
#include "icount/inputs/diff_side.h"
#include "icount/mine/attribution.h"
#include "icount/mine/compiler_decisions.h"

namespace icount {

struct DiffRefsOptions {
  std::string base_ref;
  std::string head_ref;              ///< empty: the working tree
  std::string build;                 ///< shell command run first, in the top folder; empty: none
  std::string suite;                 ///< a suite file; else
  std::string suite_from;            ///< the commit whose suite is measured on both sides; empty: each side's own
  std::string filter;                ///< of benchmarks, also of named sides; empty: all
  std::string bench;                 ///< a benchmark binary, `program` being its arguments; else
  std::vector<std::string> program;  ///< a command line; a relative program is that of the commit. With neither,
                                     ///< `build` writes a result to $ICOUNT_OUT
  double time_limit_s = 0;           ///< for programs; 0: none
  bool jumps = true;                 ///< record what happens inside functions
  bool source_counts = false;        ///< build both sides for coverage, too, by `coverage_build` or else `build`
  std::string coverage_build;
  bool remarks = false;     ///< build both sides once more, for what the compiler records of its decisions
  int64_t most_proofs = 0;  ///< builds of base and head with a part of the hunks
};

struct MeasuredRefs {
  DiffSides sides;
  CommitSources commits;  ///< what lies between them
  std::array<CompilerRecords, 2> records = {};
};

/// How the proofs count a program.
MixtureCounter::Count mixture_count(double time_limit_s, CommandContext& context);

/// Fills the proofs of `mine` (gate/hunk_proof.h), whose change is from `base_count` to `head_count` of a program.
void prove_refs(const DiffRefsOptions& options, const CommitSources& commits, int64_t base_count, int64_t head_count,
                CommandContext& context, Mine& mine);

/// Both sides. Error{kUsage} for an unknown commit and for a program that is named by an absolute path inside of the
/// repository; Error{kCannotJudge} when a build fails or a commit has no such program or suite; Error{kTool} when the
/// program fails.
MeasuredRefs measure_refs(const DiffRefsOptions& options, CommandContext& context);

inline constexpr OptionSpec kPatchOption = {
    "patch", "FILE",
    "the diff between BASE and HEAD: say which of its hunks are executed and what each did; sources are read from "
    "--repo or this folder"};
inline constexpr OptionSpec kCommitsOption = {
    "commits", "A..B", "the same with two commits of --repo or this repository, which BASE and HEAD were built from"};
inline constexpr OptionSpec kRepositoryOption = {
    "repo", "DIR", "with --patch or --commits: where the sources are (default: this folder)"};

struct CommitsBetween {
  std::string patch, base, head;  ///< all empty: not known
  std::string repository = ".";
};

CommitsBetween read_commits_between(const ParsedOptions& parsed);

/// Nothing where none are named. Errors as load_commit_sources and load_patch_sources.
std::optional<CommitSources> load_commits_between(const CommitsBetween& between);

/// What lies between the commits of runs that were stored; an empty `head` is the working tree. Nothing for one and the
/// same commit and where the repository around `inside` does not have both; what git fails at is a warning.
std::optional<CommitSources> find_commits_between(const std::filesystem::path& inside, const std::string& base,
                                                  const std::string& head, CommandContext& context);

}  // namespace icount
