#include "icount/inputs/data_name.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace icount {
namespace {

constexpr std::string_view kEndings[] = {
    ".icount", ".expected", ".json",  ".jsonl", ".sqlite", ".db",    ".gz",    ".xz",        ".zst",
    ".zip",    ".tar",      ".csv",   ".tsv",   ".txt",    ".md",    ".html",  ".htm",       ".toml",
    ".yml",    ".yaml",     ".ini",   ".log",   ".xml",    ".sarif", ".svg",   ".png",       ".pdf",
    ".pb",     ".folded",   ".pprof", ".data",  ".cg",     ".diff",  ".patch", ".callgrind", ".speedscope"};

/// What profilers call what they write, whatever follows or precedes.
constexpr std::string_view kProfiles[] = {"callgrind.out", "cachegrind.out", "massif.out", "dhat.out",
                                          "profile.out",   "gmon.out",       "perf.data"};

/// What editors, tools and people append to the name of a copy.
constexpr std::string_view kBackups[] = {".bak",  ".backup", ".orig", ".old",  ".new", ".save", ".saved",
                                         ".copy", ".tmp",    ".temp", ".part", ".swp", ".rej",  "~",
                                         "-copy", "_copy",   " copy", "-old",  "_old", "-bak",  "_bak"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Length of the name without a number that tells copies apart: ".1", "-2", " (3)", ".~4~".
size_t without_number(std::string_view name) {
  size_t end = name.size();
  const char close = end > 0 && (name[end - 1] == ')' || name[end - 1] == '~') ? name[--end] : '\0';
  const size_t behind = end;
  while (end > 0 && is_digit(name[end - 1])) --end;
  if (end == behind) return name.size();
  if (close != '\0' && (end == 0 || name[--end] != (close == ')' ? '(' : '~'))) return name.size();
  const size_t number = end;
  while (end > 0 && std::string_view(".-_ ").find(name[end - 1]) != std::string_view::npos) --end;
  return close != '\0' || end < number ? end : name.size();
}

/// Length of the name without one thing that copies have.
size_t without_backup(std::string_view name) {
  if (const size_t shorter = without_number(name); shorter < name.size()) return shorter;
  for (const std::string_view backup : kBackups)
    if (name.ends_with(backup)) return name.size() - backup.size();
  return name.size();
}

}  // namespace

bool is_named_like_data(const std::filesystem::path& path) {
  std::string name = path.filename().string();
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const std::string_view profile : kProfiles)
    if (name.find(profile) != std::string::npos) return true;
  while (true) {
    for (const std::string_view ending : kEndings)
      if (name.ends_with(ending)) return true;
    const size_t shorter = without_backup(name);
    if (shorter == name.size()) return false;
    name.resize(shorter);
  }
}

}  // namespace icount
