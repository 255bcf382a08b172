#include "icount/harness/build_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <tuple>
#include <vector>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/hash.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/harness/reuse.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

// What an entry of the build cache must still be when it is used: the files that it was made of. A power cut, a full
// disk, a failing disk or a curious user leave entries that are half there; used, they are wrong programs and counts of
// something else.

constexpr const char* kList = "files";
constexpr std::string_view kFirstLine = "icount cache entry 1";

/// Raw bytes: what is packed stays so.
std::string describe_file(const fs::path& path) {
  return fmt::format("{} {}", content_hash(map_file(path).view()), fs::file_size(path));
}

void sync(const fs::path& path) {
  const Descriptor fd = open_descriptor(path, O_RDONLY);
  if (::fsync(fd.get()) != 0 && errno != EINVAL && errno != EROFS)
    throw Error(ErrorKind::kIo, fmt::format("{}: cannot write: {}", path.string(), errno_text(errno)));
}

/// Lists the folder's files, with length and hash, in a file of their own beside them, and has everything on the disk:
/// for the moment before the folder becomes an entry. Error{kIo} when that can't be done.
void seal_entry(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::path& file : files_below(folder))
    if (file.filename() != ".owner")
      files.push_back(file.lexically_relative(folder));  // of base/scratch_dir, gone by then
  std::sort(files.begin(), files.end());
  std::string list = std::string(kFirstLine) + "\n";
  for (const fs::path& file : files) {
    sync(folder / file);
    list += describe_file(folder / file) + " " + file.string() + "\n";
  }
  save_file(folder / kList, list + "end\n");
  sync(folder);
}

/// Whether every file of that list is there, with its length and content. Files that came later do not matter.
bool is_intact_entry(const fs::path& folder) {
  try {
    const std::string list = load_text(folder / kList);
    const auto lines = split_lines(list);
    if (lines.size() < 2 || lines.front() != kFirstLine || lines.back() != "end") return false;
    return std::all_of(lines.begin() + 1, lines.end() - 1, [&](std::string_view line) {
      const size_t name = line.find(' ', line.find(' ') + 1);
      return name != std::string_view::npos && describe_file(folder / line.substr(name + 1)) == line.substr(0, name);
    });
  } catch (const std::exception&) {  // a file that can't be read is not what it was
    return false;
  }
}

/// A file lock held for a scope; a file that can't be locked (a file system without locks) counts as locked.
class FileLock {
 public:
  FileLock(const fs::path& path, int operation) : fd_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    while (fd_ >= 0 && (failed_ = ::flock(fd_, operation) != 0) && errno == EINTR) {
    }
    busy_ = failed_ && errno == EWOULDBLOCK;
  }
  FileLock(const FileLock&) = delete;
  ~FileLock() {
    if (fd_ >= 0) ::close(fd_);
  }
  bool busy() const { return busy_; }

 private:
  int fd_;
  bool failed_ = false;
  bool busy_ = false;
};

int64_t folder_bytes(const fs::path& folder) {
  int64_t bytes = 0;
  try {
    for (const fs::path& file : files_below(folder)) {
      std::error_code gone;
      const auto size = fs::file_size(file, gone);
      if (!gone) bytes += static_cast<int64_t>(size);
    }
  } catch (const Error&) {  // another process clears, or there is no such folder
  }
  return bytes;
}

struct Entry {
  fs::path path;
  fs::file_time_type used;
  int64_t bytes = 0;
};

std::vector<Entry> list_entries(const fs::path& root) {
  std::vector<Entry> entries;
  for (const fs::path& entry : folder_entries(root / "entries")) {
    std::error_code gone;  // another process may be clearing
    const auto used = fs::last_write_time(entry, gone);
    if (!gone) entries.push_back({entry, used, folder_bytes(entry)});
  }
  return entries;
}

/// What lies below the root besides entries: models that a suite scripted, and the whole programs of versions that kept
/// them apart.
constexpr const char* kBesideEntries[] = {"models", "programs"};

/// A model or an entry each.
int64_t count_files_beside(const fs::path& folder) {
  int64_t count = 0;
  std::error_code error;
  const fs::path entries = fs::is_directory(folder / "entries", error) ? folder / "entries" : folder;
  for (const fs::path& entry : folder_entries(entries)) count += entry.extension() != ".sum";
  return count;
}

void touch(const fs::path& path) { ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0); }

}  // namespace

fs::path default_cache_dir(const Environment& environment) {
  if (const auto own = environment.get("ICOUNT_CACHE"); own && !own->empty()) return *own;
  // A relative one is to be ignored, says the XDG Base Directory Specification.
  if (const auto xdg = environment.get("XDG_CACHE_HOME"); xdg && xdg->starts_with('/'))
    return fs::path(*xdg) / "icount";
  if (const auto home = environment.get("HOME"); home && !home->empty()) return fs::path(*home) / ".cache/icount";
  throw Error(ErrorKind::kUsage,
              "no folder for the build cache: neither HOME nor XDG_CACHE_HOME is set; set ICOUNT_CACHE to a folder");
}

BuildCache::BuildCache(fs::path root, int64_t max_bytes) : root_(std::move(root)), max_bytes_(max_bytes) {
  root_ = fs::absolute(root_);
  if (!root_.has_filename()) root_ = root_.parent_path();  // of "cache/"
  make_cache_folder(root_, true);
  for (const char* folder : {"entries", "locks", "new"}) make_cache_folder(root_ / folder, false);
  in_use_ = ::open((root_ / "locks/in_use").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  while (in_use_ >= 0 && ::flock(in_use_, LOCK_SH) != 0 && errno == EINTR) {
  }
}

BuildCache::~BuildCache() {
  ignore_failures([&] { evict(); });  // whoever uses the cache next evicts
  if (in_use_ >= 0) ::close(in_use_);
}

fs::path BuildCache::entry_path(std::string_view key) const { return root_ / "entries" / key; }

std::optional<fs::path> BuildCache::find(std::string_view key) {
  const fs::path path = entry_path(key);
  std::error_code error;
  if (!fs::is_directory(path, error)) return std::nullopt;
  if (!is_intact(key, path)) {
    drop(key);
    return std::nullopt;
  }
  touch(path);
  return path;
}

/// Looked into once for each key: entries never change.
bool BuildCache::is_intact(std::string_view key, const fs::path& path) {
  {
    const std::lock_guard lock(mutex_);
    if (intact_.contains(std::string(key))) return true;
  }
  if (!is_intact_entry(path)) return false;
  const std::lock_guard lock(mutex_);
  intact_.emplace(key);
  return true;
}

std::optional<fs::path> BuildCache::get(std::string_view key, const std::function<bool(const fs::path&)>& make) {
  if (auto there = find(key)) return there;
  const fs::path lock_path = root_ / "locks" / key;
  const FileLock lock(lock_path, LOCK_EX);
  if (auto there = find(key)) return there;  // made while we waited
  ScratchDir fresh("entry", root_ / "new");
  if (!make(fresh.path())) return std::nullopt;
  seal_entry(fresh.path());
  drop(key);  // what is no folder, or no entry
  const fs::path path = entry_path(key);
  std::error_code error = fresh.release_as(path);
  if (error && !is_intact(key, path))
    throw Error(ErrorKind::kIo, fmt::format("cannot keep a build in {}: {}", path.string(), error.message()));
  fs::remove(lock_path, error);
  return path;
}

namespace {

std::string version_key(std::string_view key, int version) { return fmt::format("{}-{}", key, version); }

bool holds(const fs::path& entry) {
  std::error_code error;
  return fs::exists(entry / BuildCache::kSources, error) &&
         ReuseRecord::parse(load_text(entry / BuildCache::kSources)).find_change().empty();
}

}  // namespace

std::optional<fs::path> BuildCache::find_unchanged(std::string_view key) {
  for (int version = 0; version < kMostVersions; ++version)
    if (const auto entry = find(version_key(key, version)); entry && holds(*entry)) return entry;
  return std::nullopt;
}

/// A free one, else the one that was used longest ago.
std::string BuildCache::oldest_version(std::string_view key) const {
  std::string oldest;
  auto used = fs::file_time_type::max();
  for (int version = 0; version < kMostVersions; ++version) {
    const std::string name = version_key(key, version);
    std::error_code missing;
    const auto time = fs::last_write_time(entry_path(name), missing);
    if (missing) return name;
    if (time >= used) continue;
    used = time;
    oldest = name;
  }
  return oldest;
}

std::optional<fs::path> BuildCache::get_unchanged(std::string_view key,
                                                  const std::function<bool(const fs::path&)>& make) {
  if (auto there = find_unchanged(key)) return there;
  const std::string version = oldest_version(key);
  drop(version);
  while (true) {
    bool made = false;
    const auto entry = get(version, [&](const fs::path& folder) { return made = true, make(folder); });
    if (!entry || made || holds(*entry)) return entry;
    drop(version);  // another process made it meanwhile, from something else
  }
}

void BuildCache::drop(std::string_view key) {
  const fs::path path = entry_path(key);
  {
    const std::lock_guard lock(mutex_);
    intact_.erase(std::string(key));
  }
  throw_away(path);
}

/// At once for everybody else; then the bytes go.
void BuildCache::throw_away(const fs::path& path) const {
  std::error_code error;
  if (!fs::exists(path, error)) return;
  const ScratchDir grave("entry", root_ / "new");
  fs::rename(path, grave.path() / "dropped", error);
}

BuildCache::Info BuildCache::info() const {
  Info info{0, 0, max_bytes_};
  for (const Entry& entry : list_entries(root_)) {
    ++info.entries;
    info.bytes += entry.bytes;
  }
  for (const char* folder : kBesideEntries) {
    info.entries += count_files_beside(root_ / folder);
    info.bytes += folder_bytes(root_ / folder);
  }
  return info;
}

BuildCache::Info BuildCache::clear() {
  const Info before = info();
  for (const Entry& entry : list_entries(root_)) drop(entry.path.filename().string());
  for (const char* folder : kBesideEntries) throw_away(root_ / folder);
  return before;
}

void BuildCache::evict() {
  auto entries = list_entries(root_);
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return std::tie(a.used, a.path) < std::tie(b.used, b.path); });
  int64_t bytes = 0;
  for (const Entry& entry : entries) bytes += entry.bytes;
  const auto oldest_kept = fs::file_time_type::clock::now() - kMostUnused;
  const auto has_to_go = [&](const Entry& entry) { return bytes > max_bytes_ || entry.used < oldest_kept; };
  if (entries.empty() || !has_to_go(entries.front())) return;
  // Called at the end of our own use. Only when nobody else works with entries: the exclusive lock is refused while
  // another user holds the shared one.
  if (in_use_ >= 0 && ::flock(in_use_, LOCK_EX | LOCK_NB) != 0) return;
  for (const Entry& entry : entries) {
    if (!has_to_go(entry)) break;
    drop(entry.path.filename().string());
    bytes -= entry.bytes;
  }
}

namespace {

[[noreturn]] void fail_to_make(const fs::path& folder, const std::string& reason) {
  throw Error(ErrorKind::kIo, fmt::format("cannot make the build cache {}: {}; set ICOUNT_CACHE to a writable folder",
                                          folder.string(), reason));
}

}  // namespace

void make_cache_folder(const fs::path& folder, bool may_be_sticky) {
  std::error_code error;
  if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), error);
  if (error) fail_to_make(folder, error.message());
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) fail_to_make(folder, errno_text(errno));
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) fail_to_make(folder, errno_text(errno));
  if (!S_ISDIR(status.st_mode)) fail_to_make(folder, errno_text(ENOTDIR));
  if (status.st_uid != ::geteuid() && ::geteuid() != 0)
    throw Error(ErrorKind::kIo,
                fmt::format("the build cache {} belongs to another user, whose programs would be run from it; set "
                            "ICOUNT_CACHE to a folder of your own",
                            folder.string()));
  if ((status.st_mode & S_IWOTH) == 0 || (may_be_sticky && (status.st_mode & S_ISVTX) != 0)) return;
  throw Error(ErrorKind::kIo,
              fmt::format("every user may write the build cache {} (mode {:04o}), from which programs are run; remove "
                          "it, or 'chmod o-w' it if nobody else used it, or set ICOUNT_CACHE to another folder",
                          folder.string(), status.st_mode & 07777));
}

fs::path make_folder_in_cache(const fs::path& cache, const char* name) {
  make_cache_folder(cache, true);
  make_cache_folder(cache / name, false);
  return cache / name;
}

}  // namespace icount
