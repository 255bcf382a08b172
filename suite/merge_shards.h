// The files of a run that was spread over machines (`--shard I/N`) as the file of one run: every planned benchmark
// exactly once, in the suite's order. After store/result_file.h; `icount suite merge` writes what comes.
#pragma once

#include <string>
#include <vector>

#include "icount/stats/result.h"

namespace icount {

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

/// Joins them. `out` stands for --out in the command line of the result. A benchmark of two files is taken once: from
/// the first that has its count. Error{kUsage} for no files or one that is no suite's; Error{kCannotJudge} for files of
/// different suites or plans, for results under different conditions (naming the fact and both files), and for a
/// benchmark whose counts differ between two files.
MergedShards merge_shards(std::vector<ShardFile> files, const std::string& out);

}  // namespace icount
