// Proof of what hunks do: base is built and counted with each unit of hunks alone, and head without it. Used by
// `icount diff --prove`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "icount/console/command_spec.h"
#include "icount/gate/mixture_count.h"
#include "icount/mine/attribution.h"

namespace icount {

struct ProofBuild {
  std::string base, head;  ///< git's names of the commits; an empty head is the working tree
  std::string build;       ///< shell command, run in the worktree's top folder
  std::vector<std::string> program;
  double time_limit_s = 0;  ///< of a program; 0: ten times what the slower side takes
  int64_t most_builds = 0;
  int64_t base_count = 0, head_count = 0;
  MixtureCounter::Count count;
};

/// Fills `proof` of the units, those that the change is most of first, and `interaction`. A mixture that does not
/// build, runs much longer, or prints what neither base nor head prints is not counted: `why_not` says so.
void prove_units(const std::filesystem::path& inside, const ProofBuild& build, const CommitSources& commits,
                 const std::filesystem::path& worktrees, CommandContext& context, Mine& mine);

}  // namespace icount
