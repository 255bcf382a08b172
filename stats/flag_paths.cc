#include "icount/stats/flag_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "icount/base/text.h"

namespace icount {
namespace {

constexpr std::array<std::string_view, 2> kFlagFacts = {"flags", "link flags"};
constexpr std::array<std::string_view, 5> kBuildFacts = {"compiler", "standard", "build type", "flags", "link flags"};

constexpr std::string_view kDelimiters = " '\"=,:;";

bool ends_component(std::string_view flags, size_t at) {
  return at >= flags.size() || flags[at] == '/' || kDelimiters.find(flags[at]) != std::string_view::npos;
}

/// The first '/' behind a delimiter begins a path, whatever flag stands in front of it: "-I/x", "-Wl,-rpath,/x".
bool begins_path(std::string_view flags, size_t at) {
  while (at > 0 && kDelimiters.find(flags[at - 1]) == std::string_view::npos)
    if (flags[--at] == '/') return false;
  return true;
}

size_t end_of_component(std::string_view flags, size_t at) {
  if (at < flags.size() && flags[at] == '/') ++at;
  while (!ends_component(flags, at)) ++at;
  return at;
}

/// What stands in front of a word's path, and the path: from its first '/' or '<' on.
std::pair<std::string_view, std::string_view> split_at_path(std::string_view word) {
  const size_t at = std::min(word.find_first_of("/<"), word.size());
  return {word.substr(0, at), word.substr(at)};
}

/// "-O2" of "GNU C++17 12.2.0 -g -O2; GNU C17 12.2.0 -O2"; several where they differ.
std::string optimisation_of(std::string_view producers) {
  std::vector<std::string_view> found;
  for (const std::string_view producer : split(producers, ';')) {
    std::string_view level = producer.find("GNU C") == std::string_view::npos ? "" : "-O0";
    for (const std::string_view word : split(producer, ' '))
      if (word.starts_with("-O")) level = word;
    if (!level.empty() && std::find(found.begin(), found.end(), level) == found.end()) found.push_back(level);
  }
  return fmt::format("{}", fmt::join(found, " and "));
}

/// "g++ 12.2.0" of "g++ (Debian 12.2.0-14+deb12u1) 12.2.0", "clang 14.0.6" of "Debian clang version 14.0.6".
std::string short_compiler(std::string_view compiler) {
  std::string text;
  int depth = 0;
  for (const char c : compiler) {
    depth += c == '(';
    if (depth == 0 && c != ':' && !(c == ' ' && text.ends_with(' '))) text += c;
    depth -= c == ')' && depth > 0;
  }
  for (const std::string_view word : {"version ", "Debian ", "Ubuntu "})
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word)) text.erase(at, word.size());
  return text;
}

bool is_temporary(std::string_view path) { return path.starts_with("/tmp/") || path.starts_with("/var/tmp/"); }

bool is_same_but_for_folder(std::string_view spelt_out, std::string_view other) {
  const auto [flag, path] = split_at_path(spelt_out);
  const auto [other_flag, other_path] = split_at_path(other);
  if (flag != other_flag || path.empty() || other_path.empty()) return false;
  if (other_path[0] == '<') {
    const std::string_view below = other_path.substr(std::min(other_path.find('>') + 1, other_path.size()));
    return path[0] == '/' && path.ends_with(below);
  }
  if (!is_temporary(path) || !is_temporary(other_path)) return false;
  return path.substr(path.rfind('/')) == other_path.substr(other_path.rfind('/'));
}

}  // namespace

bool holds_flags(std::string_view name) {
  return std::find(kFlagFacts.begin(), kFlagFacts.end(), name) != kFlagFacts.end();
}

bool differ_by_folders_only(std::string_view spelt_out, std::string_view other) {
  const auto words = split(spelt_out, ' '), other_words = split(other, ' ');
  return std::equal(words.begin(), words.end(), other_words.begin(), other_words.end(),
                    [](std::string_view a, std::string_view b) { return a == b || is_same_but_for_folder(a, b); });
}

std::string with_named_folders(std::string_view flags, const std::vector<NamedFolder>& folders) {
  std::vector<NamedFolder> longest_first = folders;
  std::sort(longest_first.begin(), longest_first.end(), [](const NamedFolder& a, const NamedFolder& b) {
    return a.path.size() != b.path.size() ? a.path.size() > b.path.size() : a.path < b.path;
  });
  std::string named;
  for (size_t at = 0; at < flags.size();) {
    const auto fits = [&](const NamedFolder& folder) {
      return !folder.path.empty() && flags.substr(at).starts_with(folder.path) &&
             ends_component(flags, at + folder.path.size());
    };
    const auto folder = flags[at] == '/' && begins_path(flags, at)
                            ? std::find_if(longest_first.begin(), longest_first.end(), fits)
                            : longest_first.end();
    if (folder == longest_first.end()) {
      named += flags[at++];
      continue;
    }
    named += folder->name;
    at += folder->path.size();
    for (size_t i = 0; i < folder->passed_over; ++i) at = end_of_component(flags, at);
  }
  return named;
}

void name_folders(Fingerprint& fingerprint, const std::vector<NamedFolder>& folders) {
  for (Fact& fact : fingerprint.facts)
    if (holds_flags(fact.name)) fact.value = with_named_folders(fact.value, folders);
}

Fingerprint build_facts(const Fingerprint& fingerprint) {
  Fingerprint facts;
  const std::string* language = fingerprint.find("language");
  if (language && *language == "python") return facts;
  for (const Fact& fact : fingerprint.facts)
    if (std::find(kBuildFacts.begin(), kBuildFacts.end(), fact.name) != kBuildFacts.end()) facts.facts.push_back(fact);
  return facts;
}

std::string describe_build(const Fingerprint& fingerprint) {
  const Fingerprint facts = build_facts(fingerprint);
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() || part.empty() ? "" : ", ") + part; };
  if (const std::string* compiler = facts.find("compiler")) add(short_compiler(*compiler));
  if (const std::string* type = facts.find("build type"))
    add(*type);
  else if (const std::string* flags = facts.find("flags"))
    add(optimisation_of(*flags));
  if (const std::string* standard = facts.find("standard")) add(*standard);
  return text;
}

std::string describe_builds(const std::string& base, const std::string& head) {
  if (base == head || head.empty()) return head;
  return fmt::format("{} (base: {})", head, base.empty() ? "unknown" : base);
}

}  // namespace icount
