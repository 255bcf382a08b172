#include "icount/harness/reuse.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/hash.h"
#include "icount/base/text.h"
#include "icount/harness/elf_file.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> kKindNames = {"file", "absent", "folder", "status", "unknown"};
constexpr std::string_view kNoMark = "-";

/// What tells one content of a file from another without reading it. A file that was written a moment ago may be
/// written again within the same tick of its file system's clock: that one has no mark and is read each time.
std::string mark_of(const std::string& path) {
  constexpr std::time_t kTick = 2;
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || std::time(nullptr) - status.st_ctim.tv_sec < kTick)
    return std::string(kNoMark);
  return fmt::format("{}.{}.{}.{}.{}.{}.{}", status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec);
}

bool exists(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

std::string identity_of_folder(const std::string& path) {
  try {
    std::string names;
    for (const fs::path& entry : list_folder(path)) names += entry.filename().string() + '\0';
    return content_hash(names);
  } catch (const Error&) {
    return "missing";
  }
}

std::string identity_of_status(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return "missing";
  std::string text = fmt::format("{} {} {}", status.st_mode, status.st_uid, status.st_gid);
  if (S_ISREG(status.st_mode)) text += fmt::format(" {}", status.st_size);
  if (!S_ISLNK(status.st_mode)) return content_hash(text);
  std::error_code error;
  text += " " + fs::read_symlink(path, error).string();
  if (::stat(path.c_str(), &status) == 0) text += fmt::format(" {} {}", status.st_mode, status.st_size);
  return content_hash(text);
}

std::string identity_of(ChangeSource kind, const std::string& path) {
  switch (kind) {
    case ChangeSource::kFile:
      return content_identity(path);
    case ChangeSource::kFolder:
      return identity_of_folder(path);
    case ChangeSource::kStatus:
      return identity_of_status(path);
    case ChangeSource::kAbsent:
    case ChangeSource::kUnknown:
      break;
  }
  return "-";
}

/// Of a path that is not there, its first part that is not.
fs::path first_missing(const fs::path& path) {
  fs::path so_far;
  for (const fs::path& part : path) {
    so_far /= part;
    struct stat status {};
    if (::stat(so_far.c_str(), &status) != 0) return so_far;
  }
  return path;
}

}  // namespace

std::string content_identity(const fs::path& path) {
  static std::mutex mutex;
  static std::map<std::string, std::pair<std::string, std::string>> known;  // path -> mark, identity
  const std::string mark = mark_of(path.string());
  {
    const std::lock_guard lock(mutex);
    const auto at = known.find(path.string());
    if (mark != kNoMark && at != known.end() && at->second.first == mark) return at->second.second;
  }
  std::string identity = load_content_identity(path);
  if (identity.empty()) return "missing";
  if (mark == kNoMark) return identity;
  const std::lock_guard lock(mutex);
  known[path.string()] = {mark, identity};
  return identity;
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const std::string text = path.lexically_normal().string();
  const std::string base = folder.lexically_normal().string() + "/";
  return text.starts_with(base);
}

void ReuseRecord::add(ChangeSource kind, const fs::path& path) {
  // Not lexically normal: behind a link "..", is another folder.
  const std::string whole = fs::absolute(path).string();
  if (whole.find('\n') != std::string::npos) return add_unknown("a path has a line feed in it");
  Entry entry{kind, whole, ""};
  if (entries_.contains(entry)) return;
  if (kind == ChangeSource::kFile) entry.mark = mark_of(whole);
  entry.identity = identity_of(kind, whole);
  entries_.insert(std::move(entry));
}

void ReuseRecord::add_absent(const fs::path& path) { add(ChangeSource::kAbsent, first_missing(fs::absolute(path))); }

void ReuseRecord::add_unknown(std::string why) {
  for (char& c : why)
    if (c == '\n') c = ' ';
  entries_.insert({ChangeSource::kUnknown, std::move(why), "-"});
}

void ReuseRecord::doubt_written_since(const timespec& time) {
  constexpr int64_t kNanoseconds = 1'000'000'000, kClockTick = 10'000'000;  // of file systems: coarser than ours
  const auto nanoseconds = [&](const timespec& of) { return of.tv_sec * kNanoseconds + of.tv_nsec; };
  std::string written;
  for (const Entry& entry : entries_) {
    struct stat status {};
    if (entry.kind == ChangeSource::kFile && ::stat(entry.path.c_str(), &status) == 0 &&
        nanoseconds(status.st_ctim) + kClockTick >= nanoseconds(time))
      written = entry.path;
  }
  if (!written.empty()) add_unknown(written + " was written while it was read");
}

bool ReuseRecord::contains(ChangeSource kind, const fs::path& path) const {
  return entries_.contains({kind, path.string(), ""});
}

std::string ReuseRecord::change_of(const Entry& entry) {
  switch (entry.kind) {
    case ChangeSource::kUnknown:
      return entry.path;
    case ChangeSource::kAbsent:
      return exists(entry.path) ? "new: " + entry.path : std::string();
    case ChangeSource::kFile:
      if (entry.mark != kNoMark && !entry.mark.empty() && entry.mark == mark_of(entry.path)) return {};
      break;
    case ChangeSource::kFolder:
    case ChangeSource::kStatus:
      break;
  }
  return identity_of(entry.kind, entry.path) == entry.identity ? std::string() : "changed: " + entry.path;
}

std::string ReuseRecord::find_change() const {
  for (const Entry& entry : entries_)
    if (std::string change = change_of(entry); !change.empty()) return change;
  return {};
}

std::string ReuseRecord::unknown() const {
  for (const Entry& entry : entries_)
    if (entry.kind == ChangeSource::kUnknown) return entry.path;
  return {};
}

std::string ReuseRecord::find_other_content(const ReuseRecord& other) const {
  for (const Entry& entry : entries_) {
    const auto found = other.entries_.find(entry);
    if (entry.kind == ChangeSource::kFile && found != other.entries_.end() && found->identity != entry.identity)
      return entry.path;
  }
  return {};
}

std::string ReuseRecord::to_text() const {
  std::string text;
  for (const Entry& entry : entries_)
    text += fmt::format("{} {} {} {}\n", kKindNames[static_cast<size_t>(entry.kind)], entry.identity,
                        entry.mark.empty() ? kNoMark : entry.mark, entry.path);
  return text;
}

std::string ReuseRecord::identity() const {
  std::string text;
  for (const Entry& entry : entries_)
    text += fmt::format("{} {} {}\n", kKindNames[static_cast<size_t>(entry.kind)], entry.identity, entry.path);
  return text;
}

std::string ReuseRecord::identity_of_what_is_there() const {
  ReuseRecord there;
  for (const Entry& entry : entries_)
    if (entry.kind != ChangeSource::kAbsent) there.entries_.insert(entry);
  return there.identity();
}

bool ReuseRecord::has_below(const fs::path& folder) const {
  return std::any_of(entries_.begin(), entries_.end(), [base = fs::absolute(folder)](const Entry& entry) {
    return (entry.kind == ChangeSource::kFile || entry.kind == ChangeSource::kStatus) && is_below(entry.path, base);
  });
}

ReuseRecord ReuseRecord::parse(std::string_view text) {
  ReuseRecord record;
  for (const std::string_view line : split_lines(text)) {
    std::array<std::string_view, 3> words;
    size_t at = 0;
    for (std::string_view& word : words) {
      const size_t blank = line.find(' ', at);
      word = line.substr(std::min(at, line.size()), blank == std::string_view::npos ? blank : blank - at);
      at = blank == std::string_view::npos ? line.size() : blank + 1;
    }
    const auto kind = std::find(kKindNames.begin(), kKindNames.end(), words[0]);
    if (kind == kKindNames.end() || at >= line.size())
      record.add_unknown(fmt::format("its record has a malformed line: {}", line));
    else
      record.entries_.insert(record.entries_.end(),  // where it belongs, as it was written in order
                             {static_cast<ChangeSource>(kind - kKindNames.begin()), std::string(line.substr(at)),
                              std::string(words[1]), std::string(words[2])});
  }
  return record;
}

std::string process_surroundings() {
  std::string text;
  const auto add = [&text](std::string_view name, const std::string& value) {
    text += fmt::format("{} {}\n", name, value);
  };
  for (const char* space : {"cgroup", "ipc", "mnt", "net", "pid_for_children", "time_for_children", "user", "uts"}) {
    std::error_code error;
    add(space, fs::read_symlink(fs::path("/proc/self/ns") / space, error).string());
  }
  struct stat root {};
  if (::stat("/", &root) == 0) add("root", fmt::format("{} {}", root.st_dev, root.st_ino));
  add("priority", fmt::format("{}", ::getpriority(PRIO_PROCESS, 0)));
  for (int which = 0; which < RLIMIT_NLIMITS; ++which) {
    struct rlimit limit {};
    if (::getrlimit(static_cast<__rlimit_resource_t>(which), &limit) == 0)
      add("limit", fmt::format("{} {} {}", which, limit.rlim_cur, limit.rlim_max));
  }
  // Signals are not among them: whoever is started has their defaults (base/spawn).
  const std::string all = load_text("/proc/thread-self/status");
  for (const std::string_view line : split_lines(all))
    for (const char* name : {"Umask:", "Uid:", "Gid:", "Groups:", "Cpus_allowed:", "Mems_allowed:", "CapInh:",
                             "CapPrm:", "CapEff:", "CapBnd:", "CapAmb:", "NoNewPrivs:", "Seccomp:"})
      if (line.starts_with(name)) text += std::string(line) + "\n";
  for (const fs::path& entry : folder_entries("/proc/self/fd")) {
    const int fd = std::atoi(entry.filename().c_str());
    const int flags = ::fcntl(fd, F_GETFD);
    if (fd <= STDERR_FILENO || flags < 0 || (flags & FD_CLOEXEC) != 0) continue;
    std::error_code error;
    const std::string target = fs::read_symlink(entry, error).string();
    add("descriptor", fmt::format("{} {}", fd, target.substr(0, target.find(":["))));  // each pipe has a number
  }
  return text;
}

const std::string& FileIdentities::of(const std::filesystem::path& file) {
  const auto [at, is_new] = known_.try_emplace(file);
  if (is_new) at->second = load_content_identity(file);
  return at->second;
}

std::string FileIdentities::line(const std::filesystem::path& file) {
  const std::string& identity = of(file);
  if (identity.empty()) {
    load_regular_file(file);  // says why
    throw Error(ErrorKind::kIo, fmt::format("{} cannot be read", file.string()));
  }
  return identity + " " + file.string();
}

}  // namespace icount
