// What a disk holds after a loss of power, of changes that recorded_writes.c recorded. Writes of a file that no sync of
// it separates may reach the disk in any order, in part, or not at all; what was synced stays.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace icount {

/// What is lost of what was not synced.
enum class Lost {
  kNothing,
  kData,
  kNamesToo,    ///< and names whose folder was not synced
  kHalves,      ///< the second half of each file that never was synced, and of each write to the others
  kLastAlone,   ///< of each file all writes but the last, which leaves holes of zeros
  kBytes,       ///< the files have their lengths, and zeros where they were written
  kHalfWrites,  ///< the second half of each write
  kSomeWrites,  ///< of all files writes drawn by chance, a third of them in part
  kSomeAndNames
};

std::vector<Lost> all_ways();
std::string_view name_of(Lost lost);

struct Change {
  char kind;
  int64_t offset = 0;
  std::string path, second, bytes;
};

std::vector<Change> parse_changes(std::string_view log);

/// Files as they are in memory, and what of them a disk would have. A file is known by where it began, or by its first
/// sync where a compiler wrote it.
class Disk {
 public:
  explicit Disk(const std::filesystem::path& folder);
  void apply(const Change& change);
  /// Makes `folder` anew; `seed` draws the writes that arrive.
  void save(const std::filesystem::path& folder, Lost lost, uint64_t seed) const;

 private:
  struct File {
    std::string now, synced;
    std::vector<Change> unsynced;  ///< since the last sync: writes and cuts
    unsigned mode = 0;
  };
  using Names = std::map<std::string, int>;

  int add(std::string bytes);
  void sync(const Change& change);
  void sync_names(const std::string& folder);
  void rename_folder(const Change& change);
  void create(const Change& change, Names::iterator found);

  std::filesystem::path folder_;
  std::vector<File> files_;
  std::vector<std::pair<std::string, std::string>> renamed_folders_;
  Names names_, synced_names_;
};

}  // namespace icount
