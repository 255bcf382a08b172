#include "faults/recorded_disk.h"

#include <algorithm>
#include <random>

#include "icount/base/file.h"
#include "icount/base/text.h"

namespace icount {

namespace fs = std::filesystem;

namespace {

void change_bytes(std::string& bytes, const Change& change) {
  if (change.kind == 't') bytes.resize(static_cast<size_t>(change.offset));
  if (change.kind != 'w') return;
  const auto at = static_cast<size_t>(change.offset);
  if (bytes.size() < at + change.bytes.size()) bytes.resize(at + change.bytes.size());
  bytes.replace(at, change.bytes.size(), change.bytes);
}

Change part_of(Change change, size_t bytes) {
  change.bytes.resize(std::min(bytes, change.bytes.size()));
  return change;
}

/// What reaches the disk of a file that has `synced` there.
std::string arrived(const std::string& synced, const std::string& now, const std::vector<Change>& unsynced, Lost lost,
                    std::mt19937_64& chance) {
  if (lost == Lost::kNothing) return now;
  if (lost == Lost::kData || lost == Lost::kNamesToo) return synced;
  if (lost == Lost::kHalves && synced.empty()) return now.substr(0, now.size() / 2);
  std::string bytes = synced;
  for (size_t i = 0; i < unsynced.size(); ++i) {
    Change change = unsynced[i];
    const size_t size = change.bytes.size();
    const bool all = lost == Lost::kBytes || lost == Lost::kHalfWrites || lost == Lost::kHalves;
    if (lost == Lost::kBytes) change.bytes.assign(size, '\0');
    if (lost == Lost::kHalfWrites || lost == Lost::kHalves) change = part_of(std::move(change), size / 2);
    if (lost == Lost::kLastAlone && i + 1 < unsynced.size()) continue;
    if (!all && lost != Lost::kLastAlone) {
      if (chance() % 2 == 0) continue;
      if (chance() % 3 == 0) change = part_of(std::move(change), chance() % (size + 1));
    }
    change_bytes(bytes, change);
  }
  return bytes;
}

}  // namespace

std::vector<Lost> all_ways() {
  std::vector<Lost> ways;
  for (int way = 0; way <= static_cast<int>(Lost::kSomeAndNames); ++way) ways.push_back(static_cast<Lost>(way));
  return ways;
}

std::string_view name_of(Lost lost) {
  constexpr std::string_view kNames[] = {"all on disk",      "unsynced data lost",   "unsynced data and names lost",
                                         "halves of files",  "the last write alone", "lengths without bytes",
                                         "halves of writes", "some writes",          "some writes, names lost"};
  return kNames[static_cast<size_t>(lost)];
}

std::vector<Change> parse_changes(std::string_view log) {
  std::vector<Change> changes;
  while (!log.empty()) {
    const std::string_view line = log.substr(0, log.find('\n'));
    log.remove_prefix(line.size() + 1);
    Change change{line[0], 0, {}, {}, {}};
    const size_t offset_end = line.find(' ', 2), size_end = line.find(' ', offset_end + 1), tab = line.find('\t');
    change.offset = parse_int64(line.substr(2, offset_end - 2)).value_or(-1);
    const auto size =
        static_cast<size_t>(parse_int64(line.substr(offset_end + 1, size_end - offset_end - 1)).value_or(0));
    change.path = line.substr(size_end + 1, tab - size_end - 1);
    change.second = line.substr(tab + 1);
    change.bytes = log.substr(0, size);
    log.remove_prefix(size);
    changes.push_back(std::move(change));
  }
  return changes;
}

Disk::Disk(const fs::path& folder) : folder_(folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const int file = add(load_text(entry.path()));
    files_.back().synced = files_.back().now;
    names_[entry.path().string()] = synced_names_[entry.path().string()] = file;
  }
}

void Disk::apply(const Change& change) {
  if (change.kind == 's') sync(change);
  if (change.kind == 'd') sync_names(change.path);
  const auto found = names_.find(change.path);
  if (change.kind == 'c') return create(change, found);
  if (change.kind == 'r' && found == names_.end()) return rename_folder(change);
  if (found == names_.end()) return;
  const int number = found->second;
  File& file = files_[static_cast<size_t>(number)];
  if (change.kind == 't' || change.kind == 'w') {
    change_bytes(file.now, change);
    file.unsynced.push_back(change);
  }
  if (change.kind == 'u' || change.kind == 'r') names_.erase(found);
  if (change.kind == 'r') names_[change.second] = number;
}

void Disk::save(const fs::path& folder, Lost lost, uint64_t seed) const {
  std::mt19937_64 chance(seed);
  fs::remove_all(folder);
  fs::create_directory(folder);
  const bool old_names = lost == Lost::kNamesToo || lost == Lost::kSomeAndNames;
  for (const auto& [path, number] : old_names ? synced_names_ : names_) {
    const File& file = files_[static_cast<size_t>(number)];
    const fs::path name = folder / fs::path(path).lexically_relative(folder_);
    fs::create_directories(name.parent_path());
    save_file(name, arrived(file.synced, file.now, file.unsynced, lost, chance));
    if (file.mode != 0) fs::permissions(name, fs::perms(file.mode));
  }
}

int Disk::add(std::string bytes) {
  files_.push_back({std::move(bytes), {}, {}, 0});
  return static_cast<int>(files_.size() - 1);
}

void Disk::sync(const Change& change) {
  const auto [found, added] = names_.try_emplace(change.path, 0);
  if (added) found->second = add({});
  File& file = files_[static_cast<size_t>(found->second)];
  file.synced = file.now = change.bytes;
  file.unsynced.clear();
  file.mode = static_cast<unsigned>(change.offset);
}

/// Of a folder; those of its folders are theirs.
void Disk::sync_names(const std::string& folder) {
  const auto is_in = [&](const auto& name) { return fs::path(name.first).parent_path() == folder; };
  std::erase_if(synced_names_, is_in);
  for (const auto& name : names_)
    if (is_in(name)) synced_names_.insert(name);
  // What was renamed with its folder is found under the new name, as far as it was found under the old one.
  for (const auto& [from, to] : renamed_folders_) {
    if (fs::path(to).parent_path() != folder) continue;
    for (const auto& [name, file] : Names(synced_names_)) {
      if (!name.starts_with(from + "/")) continue;
      synced_names_.erase(name);
      synced_names_[to + name.substr(from.size())] = file;
    }
  }
}

void Disk::rename_folder(const Change& change) {
  for (const auto& [name, file] : Names(names_)) {
    if (!name.starts_with(change.path + "/")) continue;
    names_.erase(name);
    names_[change.second + name.substr(change.path.size())] = file;
  }
  renamed_folders_.emplace_back(change.path, change.second);
}

void Disk::create(const Change& change, Names::iterator found) {
  if (found == names_.end()) {
    names_[change.path] = add({});
    return;
  }
  if (change.offset != 1) return;
  File& file = files_[static_cast<size_t>(found->second)];
  file.now.clear();
  file.unsynced.push_back({'t', 0, {}, {}, {}});
}

}  // namespace icount
