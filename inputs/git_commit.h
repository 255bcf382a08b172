// What git says about revisions, so that a stored run knows its commit, and where that comes from. The only place of
// the store's commands that runs git.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "icount/harness/environment.h"
#include "icount/store/history.h"
#include "icount/store/run_order.h"

namespace icount {

/// Hash, parents, time and subject of `revision` ("HEAD", "main~2", a tag) in the repository around `folder`; nullopt
/// when there is no git, no repository or no such commit.
std::optional<CommitInfo> probe_commit(const std::string& revision, const std::filesystem::path& folder);

/// The branch checked out in `folder`; empty when there is none (a detached HEAD, no repository).
std::string probe_branch(const std::filesystem::path& folder);

/// The branch of each of `commits`, all of `range` ("A..B"): the default branch where the commit is one of its own, the
/// merged ones not counted, else B if that is a branch, else the one checked out, else the first by name; empty: none.
std::map<std::string, std::string> probe_branches(const std::vector<std::string>& commits, const std::string& range,
                                                  const std::filesystem::path& folder);

/// What the runs tell, and of the commits between them the repository around `folder`, where it has those commits.
Ancestry load_ancestry(const std::vector<RunInfo>& runs, const std::filesystem::path& folder);

/// Below the folder of worktrees each FOLDER/tree is one (gate/git_worktree).
inline constexpr const char* kWorktreesFolder = "worktrees";
inline constexpr const char* kTreeFolder = "tree";

/// The folder of worktrees in the user's cache, made and checked as harness/build_cache.h says.
std::filesystem::path make_worktrees_folder(const Environment& environment);

}  // namespace icount
