// A build cache as it was: what came to it afterwards is removed, so that every run of a command finds the same.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace icount {

class KeptEntries {
 public:
  KeptEntries() = default;
  explicit KeptEntries(const std::filesystem::path& cache) : folder_(cache / "entries") { kept_ = names(); }

  void restore() const {
    if (folder_.empty()) return;
    for (const std::string& name : names())
      if (!kept_.contains(name)) std::filesystem::remove_all(folder_ / name);
  }

 private:
  std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) names.insert(entry.path().filename());
    return names;
  }
  std::filesystem::path folder_;
  std::set<std::string> kept_;
};

/// Files of the entries, how long they are and since when.
inline auto list_entry_files(const std::filesystem::path& cache) {
  std::map<std::string, std::pair<uintmax_t, std::filesystem::file_time_type>> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(cache / "entries"))
    if (entry.is_regular_file()) files[entry.path().string()] = {entry.file_size(), entry.last_write_time()};
  return files;
}

}  // namespace icount
