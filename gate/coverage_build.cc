#include "icount/gate/coverage_build.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/program_paths.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/gate/base_build.h"
#include "icount/gate/git_worktree.h"
#include "icount/inputs/compiler_records.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFlags = "-O0 -g --coverage -fprofile-abs-path";
constexpr const char* kRecordFlag = "-fsave-optimization-record";

/// Programs called as compilers are, in `folder`, that give the real ones the flags: whatever builds finds them in
/// PATH, and the last of several -O counts.
void make_compilers(const fs::path& folder, std::string_view flags) {
  for (const char* const name : {"cc", "c++", "gcc", "g++", "gcc-10", "g++-10", "gcc-11", "g++-11", "gcc-12", "g++-12",
                                 "gcc-13", "g++-13", "gcc-14", "g++-14", "clang", "clang++"})
    for (const fs::path& real : possible_programs(name)) {
      std::error_code error;
      if (!fs::is_regular_file(real, error)) continue;
      save_file(folder / name, fmt::format("#!/bin/sh\nexec {} \"$@\" {}\n", shell_quote({real.string()}), flags));
      fs::permissions(folder / name, fs::perms::owner_all);
      break;
    }
}

/// What the compiler left for gcov below a folder.
std::vector<std::string> counter_files(const fs::path& folder) {
  std::vector<std::string> files;
  for (const fs::path& file : files_below(folder))
    if (file.extension() == ".gcda") files.push_back(file.string());
  return files;
}

SourceCounts read_counters(const fs::path& tree, const std::string& name) {
  const std::vector<std::string> files = counter_files(tree);
  if (files.empty())
    throw Error(ErrorKind::kCannotJudge,
                fmt::format("--source-counts at {}: the program left no counts of lines: was it compiled by gcc, with "
                            "the compiler that PATH has? --coverage-build CMD compiles it with {}",
                            name, kFlags));
  constexpr size_t kFilesAtOnce = 100;
  const std::vector<std::string> roots{tree.string()};
  SourceCounts counts;
  for (size_t first = 0; first < files.size(); first += kFilesAtOnce) {
    ProcessSpec spec;
    spec.argv = {"gcov", "--json-format", "--stdout", "--branch-probabilities"};
    spec.argv.insert(spec.argv.end(), files.begin() + static_cast<std::ptrdiff_t>(first),
                     files.begin() + static_cast<std::ptrdiff_t>(std::min(first + kFilesAtOnce, files.size())));
    spec.working_dir = tree;
    spec.max_output_bytes = size_t{1} << 30;
    const ProcessOutcome outcome = run_process(spec);
    if (!outcome.ok())
      throw Error(ErrorKind::kTool,
                  fmt::format("gcov at {}: {}: {}", name, describe_end(outcome), trim(outcome.errors)));
    for (const std::string_view line : split_lines(outcome.output))
      if (line.starts_with('{')) add_gcov_json(line, roots, counts);
  }
  return counts;
}

/// `build` with the compilers of a folder in front of all others. A cache of compilers would leave their files out.
std::string build_by(const fs::path& compilers, const std::string& build) {
  return fmt::format("PATH={}:$PATH CCACHE_DISABLE=1; export PATH CCACHE_DISABLE; {}",
                     shell_quote({compilers.string()}), build);
}

}  // namespace

CompilerRecords record_decisions(const fs::path& inside, const std::string& reference, const std::string& build,
                                 const fs::path& worktrees, const CommandContext& context) {
  const std::string name = reference.empty() ? "working tree" : reference;
  const GitWorktree tree(inside, reference.empty() ? "HEAD" : reference, worktrees);
  if (reference.empty()) tree.apply_uncommitted(inside);
  const ScratchDir compilers("icount-records");
  make_compilers(compilers.path(), kRecordFlag);
  run_build_command(build_by(compilers.path(), build), tree.path(), compilers.path() / "none.icount",
                    name + " for the compiler's records", context);
  CompilerRecords records = load_compiler_records(tree.path());
  if (records.inlining.empty() && records.loops.empty())
    throw Error(ErrorKind::kCannotJudge,
                fmt::format("--remarks at {}: the build left no optimization records: was it compiled, with "
                            "optimisation, by a gcc or clang that PATH has?",
                            name));
  return records;
}

SourceCounts count_source_lines(const fs::path& inside, const CoverageBuild& build, const fs::path& worktrees,
                                const CommandContext& context) {
  const std::string name = build.reference.empty() ? "working tree" : build.reference;
  const GitWorktree tree(inside, build.reference.empty() ? "HEAD" : build.reference, worktrees);
  if (build.reference.empty()) tree.apply_uncommitted(inside);
  const ScratchDir compilers("icount-coverage");
  if (!build.has_flags) make_compilers(compilers.path(), kFlags);
  const std::string command = build.has_flags ? build.build : build_by(compilers.path(), build.build);
  run_build_command(command, tree.path(), compilers.path() / "none.icount", name + " for coverage", context);
  const fs::path folder = tree.path() / git_output(inside, {"rev-parse", "--show-prefix"});
  ProcessSpec spec;
  spec.argv = build.program;
  if (const fs::path program = build.program[0]; program.is_relative() && program.has_parent_path())
    spec.argv[0] = (folder / program).string();
  spec.working_dir = folder;
  spec.time_limit = Seconds(build.time_limit_s);
  spec.disable_aslr = true;
  spec.cancelled = context.cancelled;
  const ProcessOutcome outcome = run_process(spec);
  if (!outcome.ok())
    throw Error(ErrorKind::kCannotJudge,
                fmt::format("--source-counts at {}: {}: {}", name, shell_quote(build.program), describe_end(outcome)));
  return read_counters(tree.path(), name);
}

}  // namespace icount
