// Another commit of a repository in a folder of its own, so that it can be built and measured while the user's checkout
// stays as it is. Used by gate --base-ref and bisect.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"

namespace icount {

/// Runs git in `folder` and gives its trimmed output; Error{kUsage} "git WORDS in FOLDER: ..." when it fails.
std::string git_output(const std::filesystem::path& folder, const std::vector<std::string>& words);

/// Full hash of a commit; Error{kUsage} that names the reference when there is none.
std::string resolve_commit(const std::filesystem::path& folder, const std::string& reference);

/// A detached worktree below the system's temporary folder; gone, with git's record of it, when this object dies.
class GitWorktree {
 public:
  /// `inside`: any folder of the repository.
  GitWorktree(const std::filesystem::path& inside, const std::string& reference);
  GitWorktree(const GitWorktree&) = delete;
  ~GitWorktree();

  const std::filesystem::path& path() const { return path_; }
  void checkout(const std::string& commit);

 private:
  ScratchDir scratch_;
  std::filesystem::path repository_;
  std::filesystem::path path_;
};

/// Runs `command` with /bin/sh in `folder` with ICOUNT_OUT set to `out`; output goes where ours goes (stdout to
/// stderr).
ProcessOutcome run_user_command(const std::vector<std::string>& argv, const std::filesystem::path& folder,
                                const std::filesystem::path& out, const std::function<bool()>& cancelled);

}  // namespace icount
