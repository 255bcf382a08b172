// Another commit of a repository in a folder of its own, so that it can be built and measured while the user's checkout
// stays as it is. Used by gate --base-ref and bisect.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "icount/base/process.h"

namespace icount {

/// Runs git in `folder` and gives its trimmed output; Error{kUsage} "git WORDS in FOLDER: ..." when it fails.
std::string git_output(const std::filesystem::path& folder, const std::vector<std::string>& words);

/// The same with all of the output, as it is, whatever its size; `input` is given to git.
std::string git_bytes(const std::filesystem::path& folder, const std::vector<std::string>& words,
                      std::string input = {});

/// What the working tree whose top folder is `top` has and git neither knows nor ignores, relative to it: all but
/// nested repositories and what a build made. Of a new folder that was built in, the sources alone: a CMakeCache.txt
/// names the folder that it was made for.
std::vector<std::string> untracked_files(const std::filesystem::path& top);

/// Runs a `git diff` that compares with that working tree, in which `new_files` count as added; the index stays as it
/// is.
std::string diff_working_tree(const std::filesystem::path& top, const std::vector<std::string>& words,
                              const std::vector<std::string>& new_files);

/// Full hash of a commit; Error{kUsage} that names the reference when there is none.
std::string resolve_commit(const std::filesystem::path& folder, const std::string& reference);

/// The folder that `file` is in, "." for a bare name; of a file that only other commits have, the nearest that is
/// there.
std::filesystem::path folder_of(const std::filesystem::path& file);

/// Takes away the worktrees below `home`, and git's records of them, whose processes were killed, of every repository.
void sweep_worktrees(const std::filesystem::path& home);

/// A detached worktree; gone, with git's record of it, when this object dies. Its path is the same whenever the
/// repository has one, so that what was compiled in it before is found in the build cache again: compilers see it.
class GitWorktree {
 public:
  /// `inside`: any folder of the repository. The worktree is `home`/HASH/N/tree, HASH of the repository's path, N the
  /// first number that no other process uses. What killed processes left, there and elsewhere below `home`, is taken
  /// away first.
  GitWorktree(const std::filesystem::path& inside, const std::string& reference, const std::filesystem::path& home);
  GitWorktree(const GitWorktree&) = delete;
  ~GitWorktree();

  const std::filesystem::path& path() const { return path_; }
  /// What a build left there stays, but for changes of files that git knows.
  void checkout(const std::string& commit) const;
  /// "main (1a2b3c4d5e)": what the user called the commit that stands here, and its hash.
  std::string name(const std::string& reference) const;
  /// Removes a program that a build made in `folder`, so that a build that fails in silence does not leave it: one that
  /// git knows stays, and one that is no relative path.
  static void remove_built(const std::filesystem::path& folder, const std::filesystem::path& program);
  /// Brings here what the checkout that `inside` is in has changed since HEAD, untracked_files() with it.
  void apply_uncommitted(const std::filesystem::path& inside) const;

 private:
  void take_slot(const std::filesystem::path& home);

  std::filesystem::path repository_;
  std::filesystem::path path_;
  int lock_ = -1;  ///< descriptor of the lock on the slot
};

/// Runs `command` with /bin/sh in `folder` with ICOUNT_OUT set to `out`; output goes where ours goes (stdout to
/// stderr).
ProcessOutcome run_user_command(const std::vector<std::string>& argv, const std::filesystem::path& folder,
                                const std::filesystem::path& out, const std::function<bool()>& cancelled);

}  // namespace icount
