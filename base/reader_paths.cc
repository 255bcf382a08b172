#include "icount/base/reader_paths.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace icount {
namespace {

using Replacement = std::pair<std::string_view, std::string>;  // folder, what stands for it and its slash

bool in_file_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80 ||
         std::string_view("_-.+~@%").find(c) != std::string_view::npos;
}

/// Whether a path may begin at `at`: "x/u/me" is another path than "/u/me". Behind a JSON escape (\\n) and behind a
/// colour code of a terminal (ESC [ 1 m) one may.
bool begins_here(std::string_view text, size_t at) {
  if (at == 0) return true;
  const char before = text[at - 1];
  if (!in_file_name(before) && before != '/') return true;
  if (at >= 2 && text[at - 2] == '\\' && (before == 'n' || before == 't' || before == 'r')) return true;
  const size_t escape = before == 'm' ? text.rfind('\x1b', at) : std::string_view::npos;
  return escape != std::string_view::npos &&
         text.substr(escape, at - escape).find_first_not_of("\x1b[;0123456789m") == std::string_view::npos;
}

/// The longest folder that `text` names at `at`, as a whole.
const Replacement* folder_at(std::string_view text, size_t at, const std::array<Replacement, 3>& folders) {
  for (const Replacement& candidate : folders) {
    const std::string_view folder = candidate.first;
    if (folder.size() < 2 || !text.substr(at).starts_with(folder)) continue;
    const size_t end = at + folder.size();
    if (end == text.size() || !in_file_name(text[end])) return &candidate;
  }
  return nullptr;
}

}  // namespace

std::string ReaderPaths::shorten(std::string_view text) const {
  const std::string name = repository.substr(repository.rfind('/') + 1);
  std::array<Replacement, 3> folders = {Replacement{current, ""}, Replacement{repository, name},
                                        Replacement{home, "~"}};
  std::stable_sort(folders.begin(), folders.end(),
                   [](const Replacement& a, const Replacement& b) { return a.first.size() > b.first.size(); });
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t slash = std::min(text.find('/', at), text.size());
    out += text.substr(at, slash - at);
    at = slash;
    if (at == text.size()) break;
    const Replacement* found = begins_here(text, at) ? folder_at(text, at, folders) : nullptr;
    if (!found) {
      out += text[at++];
      continue;
    }
    at += found->first.size();
    const bool below = at + 1 < text.size() && text[at] == '/' && in_file_name(text[at + 1]);
    if (!found->second.empty())
      out += found->second;
    else if (below)
      ++at;  // relative: without the slash
    else
      out += '.';
  }
  return out;
}

void shorten_paths(Json& json, const ReaderPaths& paths) {
  if (json.is_string()) {
    const std::string& text = json.get_ref<const std::string&>();
    if (text.find('/') != std::string::npos) json = paths.shorten(text);
  }
  if (json.is_structured())
    for (Json& part : json) shorten_paths(part, paths);
}

}  // namespace icount
