#include "icount/gate/git_worktree.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "icount/base/error.h"
#include "icount/base/hash.h"
#include "icount/base/ignore_failures.h"
#include "icount/base/text.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

/// Ours without what git sets in its hooks, which would send every command to the hook's repository.
std::vector<std::string> environment_without_git() {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text(*entry);
    const bool hook = text.starts_with("GIT_DIR=") || text.starts_with("GIT_WORK_TREE=") ||
                      text.starts_with("GIT_INDEX_FILE=") || text.starts_with("GIT_PREFIX=");
    if (!hook && !text.starts_with("ICOUNT_OUT=")) environment.emplace_back(text);
  }
  return environment;
}

ProcessOutcome run_git(const std::filesystem::path& folder, const std::vector<std::string>& words) {
  ProcessSpec spec;
  // The commits of a pull request are checked out here: nothing of the repository is run by that.
  spec.argv = {"git", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"};
  spec.argv.insert(spec.argv.end(), words.begin(), words.end());
  spec.working_dir = folder;
  spec.environment = environment_without_git();
  return run_process(spec);
}

}  // namespace

std::string git_output(const std::filesystem::path& folder, const std::vector<std::string>& words) {
  const ProcessOutcome outcome = run_git(folder, words);
  if (!outcome.ok())
    throw Error(ErrorKind::kUsage,
                fmt::format("git {} in {}: {}", fmt::join(words, " "), folder.empty() ? "." : folder.string(),
                            trim(outcome.errors).empty() ? describe_end(outcome) : std::string(trim(outcome.errors))));
  return std::string(trim(outcome.output));
}

std::string resolve_commit(const std::filesystem::path& folder, const std::string& reference) {
  const ProcessOutcome outcome =
      run_git(folder, {"rev-parse", "--verify", "--quiet", "--end-of-options", reference + "^{commit}"});
  if (outcome.ok()) return std::string(trim(outcome.output));
  git_output(folder, {"rev-parse", "--git-dir"});  // says it when this is no repository at all
  throw Error(
      ErrorKind::kUsage,
      fmt::format("no commit is called '{}' in this repository (a shallow clone has only the newest: fetch more)",
                  reference));
}

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

GitWorktree::GitWorktree(const fs::path& inside, const std::string& reference, const fs::path& home)
    : repository_(git_output(inside, {"rev-parse", "--show-toplevel"})) {
  const std::string commit = resolve_commit(inside, reference);
  take_slot(home);
  try {
    remove();
    git_output(repository_, {"worktree", "add", "--quiet", "--detach", path_.string(), commit});
  } catch (...) {
    ::close(lock_);
    throw;
  }
}

GitWorktree::~GitWorktree() {
  ignore_failures([&] { remove(); });  // git prunes a record whose folder is gone by itself later
  ::close(lock_);
}

void GitWorktree::take_slot(const fs::path& home) {
  const fs::path slots = fs::absolute(home) / content_hash(repository_.string()).substr(0, 16);
  for (int number = 0;; ++number) {
    const fs::path slot = slots / fmt::format("{}", number);
    std::error_code error;
    fs::create_directories(slot, error);
    if (error)
      throw Error(ErrorKind::kIo, fmt::format("cannot make a folder for another commit's files, {}: {}; set "
                                              "ICOUNT_CACHE to a folder that can be written",
                                              slot.string(), error.message()));
    lock_ = ::open((slot / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock_ < 0)
      throw Error(ErrorKind::kIo, fmt::format("cannot write {}: {}", (slot / "lock").string(), std::strerror(errno)));
    path_ = slot / "tree";
    // A file system without locks: as if it were free.
    if (::flock(lock_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    ::close(lock_);
  }
}

void GitWorktree::remove() {
  if (fs::exists(path_)) run_git(repository_, {"worktree", "remove", "--force", path_.string()});
  std::error_code ignored;
  fs::remove_all(path_, ignored);  // what git would not remove, so that prune sees it gone
  run_git(repository_, {"worktree", "prune"});
}

void GitWorktree::checkout(const std::string& commit) {
  git_output(path_, {"checkout", "--quiet", "--detach", commit});
}

ProcessOutcome run_user_command(const std::vector<std::string>& argv, const std::filesystem::path& folder,
                                const std::filesystem::path& out, const std::function<bool()>& cancelled) {
  ProcessSpec spec;
  spec.argv = {"/bin/sh", "-c", "exec 1>&2; exec \"$@\"", "icount"};
  spec.argv.insert(spec.argv.end(), argv.begin(), argv.end());
  spec.working_dir = folder;
  spec.environment = environment_without_git();
  spec.environment->push_back("ICOUNT_OUT=" + out.string());
  spec.inherit_output = true;
  spec.cancelled = cancelled;
  return run_process(spec);
}

}  // namespace icount
