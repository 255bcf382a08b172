#include "icount/gate/git_worktree.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <set>
#include <utility>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/hash.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/callgraph/name_parts.h"
#include "icount/inputs/git_commit.h"
#include "icount/mine/source_lexer.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRepository = "repository";  // beside the slots: whose they are
constexpr std::array<std::string_view, 4> kBuilt = {
    "\x7f"
    "ELF",
    "!<arch>\n", "adcg", "oncg"};

/// Ours without what git sets in its hooks, which would send every command to the hook's repository.
std::vector<std::string> environment_without_git(const fs::path& index = {}) {
  std::vector<std::string> environment;
  if (!index.empty()) environment.push_back("GIT_INDEX_FILE=" + index.string());
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text(*entry);
    const bool hook = text.starts_with("GIT_DIR=") || text.starts_with("GIT_WORK_TREE=") ||
                      text.starts_with("GIT_INDEX_FILE=") || text.starts_with("GIT_PREFIX=");
    if (!hook && !text.starts_with("ICOUNT_OUT=")) environment.emplace_back(text);
  }
  return environment;
}

ProcessOutcome run_git(const std::filesystem::path& folder, const std::vector<std::string>& words,
                       ProcessSpec spec = {}) {
  // The commits of a pull request are checked out here: nothing of the repository is run by that.
  spec.argv = {"git", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"};
  spec.argv.insert(spec.argv.end(), words.begin(), words.end());
  spec.working_dir = folder;
  if (!spec.environment) spec.environment = environment_without_git();
  return run_process(spec);
}

std::string ask_git(const fs::path& folder, const std::vector<std::string>& words, ProcessSpec spec) {
  spec.max_output_bytes = size_t{1} << 30;
  ProcessOutcome outcome = run_git(folder, words, std::move(spec));
  if (!outcome.ok())
    throw Error(ErrorKind::kUsage,
                fmt::format("git {} in {}: {}", fmt::join(words, " "), folder.empty() ? "." : folder.string(),
                            trim(outcome.errors).empty() ? describe_end(outcome) : std::string(trim(outcome.errors))));
  return std::move(outcome.output);
}

/// An object, archive or program, or gcc's notes and counts of coverage: another build makes its own.
bool is_built(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::array<char, 8> start{};
  in.read(start.data(), start.size());
  const std::string_view bytes(start.data(), start.size());
  return std::any_of(kBuilt.begin(), kBuilt.end(), [&](std::string_view one) { return bytes.starts_with(one); });
}

/// The lock on a slot's folder; -1 where another process has it. Where there are no locks every slot seems free.
int lock_slot(const fs::path& slot) {
  const int lock = ::open((slot / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0)
    throw Error(ErrorKind::kIo, fmt::format("cannot write {}: {}", (slot / "lock").string(), errno_text(errno)));
  if (::flock(lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return lock;
  ::close(lock);
  return -1;
}

/// There while a slot has a worktree, or a killed process's rest of one.
fs::path mark_of(const fs::path& slot) { return slot / "used"; }

/// The worktree and git's record of it, also one that git was killed in the middle of making: it is locked.
void take_away(const fs::path& repository, const fs::path& slot) {
  const fs::path tree = slot / kTreeFolder;
  ignore_failures([&] {  // a repository may be gone
    run_git(repository, {"worktree", "unlock", tree.string()});
    if (fs::exists(tree)) run_git(repository, {"worktree", "remove", "--force", "--force", tree.string()});
  });
  std::error_code error;
  fs::remove_all(tree, error);  // what git would not remove, so that prune sees it gone
  ignore_failures([&] { run_git(repository, {"worktree", "prune"}); });
  if (!error) fs::remove(mark_of(slot), error);
}

void sweep_slot(const fs::path& repository, const fs::path& slot) {
  if (!fs::exists(slot / kTreeFolder) && !fs::exists(mark_of(slot))) return;
  const Descriptor lock(::open((slot / "lock").c_str(), O_RDWR | O_CLOEXEC));
  if (lock.get() >= 0 && ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) take_away(repository, slot);
}

/// Of a repository's slots, those without an owner. Where there are no locks none is known to have none.
void sweep_slots(const fs::path& slots, const fs::path& repository) {
  for (const fs::path& slot : folder_entries(slots))
    if (fs::exists(slot / "lock")) ignore_failures([&] { sweep_slot(repository, slot); });
}

}  // namespace

std::string git_bytes(const std::filesystem::path& folder, const std::vector<std::string>& words, std::string input) {
  ProcessSpec spec;
  spec.input = std::move(input);
  return ask_git(folder, words, std::move(spec));
}

std::string git_output(const std::filesystem::path& folder, const std::vector<std::string>& words) {
  return std::string(trim(git_bytes(folder, words)));
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

void sweep_worktrees(const fs::path& home) {
  for (const fs::path& slots : folder_entries(fs::absolute(home)))
    if (fs::exists(slots / kRepository)) ignore_failures([&] { sweep_slots(slots, load_text(slots / kRepository)); });
}

fs::path folder_of(const fs::path& file) {
  const fs::path folder = file.parent_path();
  if (folder.empty()) return ".";
  std::error_code error;
  return fs::is_directory(folder, error) ? folder : folder_of(folder);
}

GitWorktree::GitWorktree(const fs::path& inside, const std::string& reference, const fs::path& home)
    : repository_(git_output(inside, {"rev-parse", "--show-toplevel"})) {
  const std::string commit = resolve_commit(inside, reference);
  take_slot(home);
  try {
    take_away(repository_, path_.parent_path());
    sweep_worktrees(home);
    save_file(mark_of(path_.parent_path()), "");
    git_output(repository_, {"worktree", "add", "--quiet", "--detach", path_.string(), commit});
  } catch (...) {
    ::close(lock_);
    throw;
  }
}

GitWorktree::~GitWorktree() {
  ignore_failures([&] { take_away(repository_, path_.parent_path()); });  // whoever comes next does it
  ::close(lock_);
}

void GitWorktree::take_slot(const fs::path& home) {
  const fs::path slots = fs::absolute(home) / content_hash(repository_.string()).substr(0, 16);
  for (int number = 0; lock_ < 0; ++number) {
    const fs::path slot = slots / fmt::format("{}", number);
    std::error_code error;
    fs::create_directories(slot, error);
    if (error)
      throw Error(ErrorKind::kIo, fmt::format("cannot make a folder for another commit's files, {}: {}; set "
                                              "ICOUNT_CACHE to a writable folder",
                                              slot.string(), error.message()));
    lock_ = lock_slot(slot);
    path_ = slot / kTreeFolder;
  }
  save_file(slots / kRepository, repository_.string());
}

std::vector<std::string> untracked_files(const fs::path& top) {
  const std::string paths = git_bytes(top, {"ls-files", "-z", "--others", "--exclude-standard"}),
                    whole = git_bytes(top, {"ls-files", "-z", "--others", "--exclude-standard", "--directory"});
  std::set<std::string_view> folders, built_folders;
  for (const std::string_view path : split(whole, '\0'))
    if (path.ends_with('/')) folders.insert(path);
  std::vector<std::pair<std::string_view, std::string_view>> files;  // and the new folder that it is in
  for (const std::string_view path : split(paths, '\0')) {
    if (path.empty() || path.ends_with('/')) continue;
    const auto folder = std::find_if(folders.begin(), folders.end(), [&](auto one) { return path.starts_with(one); });
    const std::string_view in = folder == folders.end() ? std::string_view() : *folder;
    const bool is_product = is_built(top / path);
    const bool is_configured = base_of_path(path) == "CMakeCache.txt" || base_of_path(path) == "build.ninja";
    if ((is_product && !in.empty()) || is_configured) built_folders.insert(in);
    if (!is_product) files.emplace_back(path, in);
  }
  std::vector<std::string> brought;
  for (const auto& [path, in] : files)
    if (!built_folders.contains(in) || language_of(path)) brought.emplace_back(path);
  return brought;
}

std::string diff_working_tree(const fs::path& top, const std::vector<std::string>& words,
                              const std::vector<std::string>& new_files) {
  if (new_files.empty()) return git_bytes(top, words);
  const ScratchDir scratch("icount-index");
  const fs::path index = scratch.path() / "index", theirs = top / git_output(top, {"rev-parse", "--git-path", "index"});
  if (fs::exists(theirs)) fs::copy_file(theirs, index);
  ProcessSpec adding;
  adding.environment = environment_without_git(index);
  for (const std::string& file : new_files) adding.input += file + '\0';
  ask_git(top, {"--literal-pathspecs", "add", "--intent-to-add", "--pathspec-from-file=-", "--pathspec-file-nul"},
          std::move(adding));
  ProcessSpec asking;
  asking.environment = environment_without_git(index);
  return ask_git(top, words, std::move(asking));
}

void GitWorktree::apply_uncommitted(const fs::path& inside) const {
  const fs::path top = git_output(inside, {"rev-parse", "--show-toplevel"});
  const std::string changes = git_bytes(top, {"diff", "--binary", "--no-ext-diff", "--no-textconv", "HEAD"});
  if (!changes.empty()) git_bytes(path_, {"apply", "--whitespace=nowarn", "-"}, changes);
  for (const std::string& file : untracked_files(top)) {
    fs::create_directories((path_ / file).parent_path());
    fs::copy(top / file, path_ / file, fs::copy_options::copy_symlinks);
  }
}

std::string GitWorktree::name(const std::string& reference) const {
  constexpr size_t kShortHash = 10;
  return fmt::format("{} ({})", reference, resolve_commit(path_, "HEAD").substr(0, kShortHash));
}

void GitWorktree::checkout(const std::string& commit) const {
  git_output(path_, {"checkout", "--quiet", "--force", "--detach", commit});
}

void GitWorktree::remove_built(const fs::path& folder, const fs::path& program) {
  if (program.is_absolute() || !program.has_parent_path() || !fs::exists(folder / program)) return;
  if (git_output(folder, {"ls-files", "--", program.string()}).empty()) fs::remove(folder / program);
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
