// Content-addressed store of what compilers made: objects, programs, precompiled headers. Keys are hashes of
// everything that decides the content, never time stamps. Safe for several processes at once; bounded in size.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "icount/harness/environment.h"

namespace icount {

/// ICOUNT_CACHE, else XDG_CACHE_HOME/icount, else HOME/.cache/icount; Error{kUsage} when none of them is set.
std::filesystem::path default_cache_dir(const Environment& environment);

class BuildCache {
 public:
  static constexpr int64_t kDefaultMaxBytes = int64_t{4} << 30;
  /// What nobody used for so long goes, however small the cache is.
  static constexpr std::chrono::hours kMostUnused{30 * 24};

  /// Makes the folder when it is missing. Error{kIo} naming it and ICOUNT_CACHE when that fails. While the object lives
  /// no other process evicts entries; its end evicts what was not used for kMostUnused, and what was used
  /// longest ago when the bound is passed.
  explicit BuildCache(std::filesystem::path root, int64_t max_bytes = kDefaultMaxBytes);
  ~BuildCache();
  BuildCache(const BuildCache&) = delete;
  BuildCache& operator=(const BuildCache&) = delete;

  /// The folder of an entry, marked as just used; nullopt when there is none. An entry that is not what was made any
  /// more (harness/cache_entry.h) is thrown away: there is none.
  std::optional<std::filesystem::path> find(std::string_view key);

  /// The entry of `key`; when there is none, `make` fills a fresh folder, which then becomes the entry as a whole or,
  /// when `make` throws or returns false, not at all (nullopt). Of two users that ask for one key at once, one makes,
  /// one waits.
  std::optional<std::filesystem::path> get(std::string_view key,
                                           const std::function<bool(const std::filesystem::path&)>& make);

  /// The same for what stands on more than its key: `make` also leaves a record of its sources (harness/reuse.h) in the
  /// file kSources. Of entries of this key, kMostVersions at most, the one whose sources are unchanged; else a new one.
  std::optional<std::filesystem::path> get_unchanged(std::string_view key,
                                                     const std::function<bool(const std::filesystem::path&)>& make);
  /// That entry, where there is one.
  std::optional<std::filesystem::path> find_unchanged(std::string_view key);
  static constexpr const char* kSources = "sources";
  static constexpr int kMostVersions = 4;

  /// Takes an entry out: what it was made of has changed.
  void drop(std::string_view key);

  struct Info {
    int64_t entries = 0;
    int64_t bytes = 0;
    int64_t max_bytes = 0;
  };
  Info info() const;
  /// Removes every entry and every model beside them; returns what was there. Entries in use by another process stay
  /// usable until it has opened them.
  Info clear();
  const std::filesystem::path& root() const { return root_; }

 private:
  std::filesystem::path entry_path(std::string_view key) const;
  std::string oldest_version(std::string_view key) const;
  bool is_intact(std::string_view key, const std::filesystem::path& path);
  void throw_away(const std::filesystem::path& path) const;
  void evict();

  std::filesystem::path root_;
  int64_t max_bytes_;
  int in_use_ = -1;  // descriptor of the lock that keeps others from evicting
  std::mutex mutex_;
  std::set<std::string> intact_;  // keys of entries that were looked into
};

// The folders of the build cache, whose programs are run: whoever may write them decides what we do.

/// Makes the folder for its user alone where there is none. Error{kIo} when it cannot be made, when it belongs to
/// another user (the superuser may use any, for containers mount the caches of others), and when every user may write
/// it: `may_be_sticky` allows that where each may change only what is his, as in /tmp.
void make_cache_folder(const std::filesystem::path& folder, bool may_be_sticky);

/// The folder of that name in the cache; both made and checked so.
std::filesystem::path make_folder_in_cache(const std::filesystem::path& cache, const char* name);

}  // namespace icount
