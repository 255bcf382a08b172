// A suite run spread over machines (`--shard I/N`): running its shards, each by the same script with its number, one
// after the other here, as jobs of Slurm, or by a command line of the user's; and joining the files that they leave.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "icount/stats/result.h"

namespace icount {

struct ShardRun {
  std::filesystem::path
      script;  ///< `/bin/sh SCRIPT INDEX` measures shard INDEX; as a job of a Slurm array without INDEX
  std::filesystem::path folder;  ///< logs go to shard-INDEX.log in it
  std::vector<int> indices;      ///< the shards to be run
  int count = 1;                 ///< of all shards
  std::function<bool()> cancelled;
  std::function<void(const std::string&)> say;
};

/// The script's text. `argv` is the command of a shard without --shard and --out, run in the folder `where`. A shard's
/// file, shard-INDEX.icount in `folder`, appears whole or not at all: a job that runs twice replaces it, one that is
/// killed leaves none. Of shard-INDEX.earlier, what an earlier run left, it keeps what has not changed (`--resume`).
std::string shard_script(const std::vector<std::string>& argv, const std::filesystem::path& where,
                         const std::filesystem::path& folder, int count);

void run_shards_here(const ShardRun& run);

/// An array of jobs, which Slurm runs again when a node is lost; returns when squeue knows none of them. When
/// `cancelled`, the jobs are cancelled. Error{kTool} when sbatch does not take them, or squeue does not answer for five
/// minutes: the job's number is in the message, and the jobs go on.
void run_shards_on_slurm(const ShardRun& run);

/// Every shard's command line, all at once, with {script}, {index}, {count} and {log} replaced. Error{kUsage} for a
/// template without {script} or {index}.
void run_shards_by_template(const ShardRun& run, const std::string& command_template);

/// One file of a shard, under its name for messages.
struct ShardFile {
  std::string name;
  ResultFile file;
};

struct MergedShards {
  ResultFile file;                   ///< as of one run; with its plan where something is missing
  std::vector<std::string> missing;  ///< names of planned benchmarks that no file holds, in the suite's order
  std::vector<std::string> notes;    ///< shards that came twice, or were made from different contents of a file
};

/// The files as one run's: every planned benchmark exactly once, in the suite's order. `out` stands for --out in the
/// command line of the result. A benchmark of two files is taken once: from the first that has its count. Error{kUsage}
/// for no files or one that is no suite's; Error{kCannotJudge} for files of different suites or plans, for results
/// under different conditions (naming the fact and both files), and for a benchmark whose counts differ between two
/// files.
MergedShards merge_shards(std::vector<ShardFile> files, const std::string& out);

}  // namespace icount
