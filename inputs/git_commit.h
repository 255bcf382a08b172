// What git says about a revision, so that a stored run knows its commit. The only place of the store's commands that
// runs git.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "icount/store/history.h"

namespace icount {

/// Hash, parents, time and subject of `revision` ("HEAD", "main~2", a tag) in the repository around `folder`; nullopt
/// when there is no git, no repository or no such commit.
std::optional<CommitInfo> probe_commit(const std::string& revision, const std::filesystem::path& folder);

/// The branch checked out in `folder`; empty when there is none (a detached HEAD, no repository).
std::string probe_branch(const std::filesystem::path& folder);

}  // namespace icount
