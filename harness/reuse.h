// May this be reused? What an object, a program, a count, a result or a running server was made from, and whether that
// is still what would be used now. Whoever keeps something for later records its sources here and asks here before it
// uses it again: the build cache (harness/compile), programs that were counted (timer/known_runs), results that a suite
// takes over (suite/take_over, suite/shards), servers that stay warm (timer/warm_server). What cannot be
// asked again is recorded as unknown, and what stands on that is never reused. docs/decisions/0013 says why so.
#pragma once

#include <ctime>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace icount {

/// Every way in which what was made once can be something else when it is made again.
enum class ChangeSource {
  kFile,    ///< the content of a file, wherever it lies
  kAbsent,  ///< a path that was looked for and not there
  kFolder,  ///< the names in a folder
  kStatus,  ///< what stat and readlink say of a path: kind, mode, size, target, absent
  kUnknown  ///< what was used and can't be asked again, in words
};

/// The sources of one thing, sorted and each once. Paths become absolute.
class ReuseRecord {
 public:
  void add_file(const std::filesystem::path& path) { add(ChangeSource::kFile, path); }
  /// Of a path in a folder that isn't there either, that folder: one for all that were looked for in it.
  void add_absent(const std::filesystem::path& path);
  void add_folder(const std::filesystem::path& path) { add(ChangeSource::kFolder, path); }
  void add_status(const std::filesystem::path& path) { add(ChangeSource::kStatus, path); }
  void add_unknown(std::string why);
  void add_all(const ReuseRecord& other) { entries_.insert(other.entries_.begin(), other.entries_.end()); }
  void add(ChangeSource kind, const std::filesystem::path& path);
  /// Files that were written since then, as those may be that a compiler read a moment before, become unknown.
  void doubt_written_since(const timespec& time);

  /// Why what was made from these may not be used again, "changed: PATH", "new: PATH"; empty: it may.
  std::string find_change() const;
  /// Why it never may; empty: nothing is unknown.
  std::string unknown() const;
  /// The first file that `other` has, too, with another content; empty: none.
  std::string find_other_content(const ReuseRecord& other) const;
  bool contains(ChangeSource kind, const std::filesystem::path& path) const;

  /// Lines, as kept beside what was made.
  std::string to_text() const;
  /// The lines without what only says how the files were looked at: equal for equal sources, on every machine.
  std::string identity() const;
  /// The same without what was looked for in vain.
  std::string identity_of_what_is_there() const;
  /// Something of these lies in `folder`.
  bool has_below(const std::filesystem::path& folder) const;
  /// Lines that are none are unknown.
  static ReuseRecord parse(std::string_view text);

 private:
  struct Entry {
    ChangeSource kind;
    std::string path;                 ///< of kUnknown: why
    std::string identity, mark = {};  ///< of a file: its hash, and what stat said then
    auto key() const { return std::pair(kind, std::string_view(path)); }
    bool operator<(const Entry& other) const { return key() < other.key(); }
  };
  static std::string change_of(const Entry& entry);

  std::set<Entry> entries_;
};

/// The identity of a file's content (harness/elf_file.h: load_content_identity), "missing" where it can't be read. Each
/// is read once as long as stat says the same of it.
std::string content_identity(const std::filesystem::path& path);

/// By their texts, which may have "." and ".." in them.
bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder);

/// What a process that is started now has from us besides its environment, arguments and folder, and a program can ask
/// for: namespaces, root folder, user and groups, affinity, priority, umask, limits, capabilities, open
/// descriptors. Lines "NAME VALUE".
std::string process_surroundings();

// What files hold, each read once: what suite/take_over and timer/collect_callgrind say of the files that a
// count depends on.

class FileIdentities {
 public:
  /// load_content_identity (harness/elf_file.h) when it was first asked for; empty when the file cannot be read.
  const std::string& of(const std::filesystem::path& file);
  /// "IDENTITY PATH". Error{kIo} "PATH cannot be read": two files that cannot be read would look alike.
  std::string line(const std::filesystem::path& file);

 private:
  std::map<std::filesystem::path, std::string> known_;
};

}  // namespace icount
