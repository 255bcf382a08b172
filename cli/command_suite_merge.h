// `icount suite merge`: the files of shards as one. The work is suite/shards.h's.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "icount/console/command_spec.h"

namespace icount {

/// Joins the files into `out` and says on context.err what is missing. kFailure when something is: `out` is written all
/// the same. Errors of merge_shards.
ExitCode merge_shard_files(const std::filesystem::path& out, const std::vector<std::string>& files,
                           CommandContext& context);

}  // namespace icount
