#include "icount/inputs/run_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/counter/named_counts.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDigits = "0123456789";

/// Without `sign` and the digits behind it at the end; the name itself where it does not end so.
std::string_view without_number(std::string_view name, char sign) {
  const size_t end = name.find_last_not_of(kDigits);
  const bool is_numbered = end != std::string_view::npos && end > 0 && end + 1 < name.size() && name[end] == sign;
  return is_numbered ? name.substr(0, end) : name;
}

/// "NAME", "NAME.PART", "NAME-THREAD" and "NAME.PART-THREAD" of a run that may be called "NAME" or "NAME.PID".
bool may_be_of(std::string_view file, std::string_view run) {
  std::string_view rest = without_number(file, '-');
  for (int i = 0; i < 2 && rest != run; ++i) rest = without_number(rest, '.');
  return rest == run;
}

/// "pid:" and "cmd:" of a profile by Callgrind; empty for anything else.
std::string run_of(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, 4096);
  if (head.find("creator: callgrind-") == std::string_view::npos) return {};
  std::string run;
  for (const std::string_view line : split_lines(head)) {
    if (line.starts_with("events:")) break;
    if (line.starts_with("pid:") || line.starts_with("cmd:")) run += std::string(line) + "\n";
  }
  return run;
}

/// "part 2, thread 1" of the header's lines; "one part" where they say nothing.
std::string describe_part(std::string_view bytes) {
  std::string text;
  for (const std::string_view line : split_lines(bytes.substr(0, 4096))) {
    if (line.starts_with("events:")) break;
    for (const std::string_view key : {"part: ", "thread: "})
      if (line.starts_with(key))
        text +=
            fmt::format("{}{} {}", text.empty() ? "" : ", ", key.substr(0, key.size() - 2), line.substr(key.size()));
  }
  return text.empty() ? "one part" : text;
}

struct RunFiles {
  std::vector<fs::path> files;  ///< of the run, in the order of their names, without empty ones
  bool stands_for_all = false;  ///< the file that was asked for; empty where it is the only one
};

RunFiles find_run_files(const fs::path& path, std::string_view bytes) {
  const std::string name = path.filename().string();
  std::string run = run_of(bytes);
  if (run.empty() && !bytes.empty()) return {};
  std::string_view base = without_number(name, '-');
  if (!bytes.empty()) base = without_number(without_number(base, '.'), '.');  // an empty one is nobody's part
  std::set<std::string> parts;
  RunFiles found;
  found.stands_for_all = true;
  for (const fs::path& file : folder_entries(path.has_parent_path() ? path.parent_path() : fs::path("."))) {
    const std::string other = file.filename().string();
    std::error_code ignored;
    if (!may_be_of(other, base) || !fs::is_regular_file(file, ignored) || fs::file_size(file, ignored) == 0) continue;
    const FileBytes there = map_file(file);
    const std::string other_run = run_of(there.view());
    if (run.empty()) run = other_run;
    if (other_run.empty() || other_run != run) continue;
    // A copy is no further part.
    if (!parts.insert(describe_part(there.view())).second) return {};
    found.stands_for_all = found.stands_for_all && other.starts_with(name);
    found.files.push_back(path.parent_path() / file.filename());
  }
  if (found.files.size() + (bytes.empty() ? 1 : 0) < 2) return {};
  return found;
}

std::string list(const std::vector<fs::path>& files) {
  constexpr size_t kMost = 3;
  std::string text;
  for (size_t i = 0; i < files.size() && i < kMost; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", files[i].filename().string());
  return files.size() > kMost ? fmt::format("{} and {} more", text, files.size() - kMost) : text;
}

}  // namespace

FileBytes load_run_file(const fs::path& path) {
  FileBytes bytes = CountsNamer().load_profile(path);
  const RunFiles run = find_run_files(path, bytes.view());
  if (!run.stands_for_all || run.files.empty()) return bytes;
  std::string all;
  for (const fs::path& file : run.files) all += load_file(file).view();
  return FileBytes(std::move(all));
}

std::string describe_run_files(const fs::path& path, std::string_view bytes) {
  RunFiles run = find_run_files(path, bytes);
  if (run.files.empty()) return {};
  if (run.stands_for_all)
    return fmt::format("the costs of this run are in {} files, added up: {}", run.files.size(), list(run.files));
  std::erase_if(run.files, [&](const fs::path& file) { return file.filename() == path.filename(); });
  return fmt::format("{} of a run; {} {} the rest", describe_part(bytes), list(run.files),
                     run.files.size() == 1 ? "has" : "have");
}

}  // namespace icount
