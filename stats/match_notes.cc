#include "stats/match_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "stats/symbol_name.h"

namespace icount {
namespace {

using Substitution = std::pair<std::string_view, std::string_view>;

std::vector<std::string_view> words_of(std::string_view name) {
  std::vector<std::string_view> words;
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t at = 0; at < name.size();) {
    size_t end = at;
    while (end < name.size() && is_word(name[end])) ++end;
    if (end > at) words.push_back(name.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return words;
}

/// The one word that was replaced by another throughout; nullopt when names differ in more.
std::optional<Substitution> substitution(std::string_view base, std::string_view head) {
  const auto before = words_of(base), after = words_of(head);
  if (before.size() != after.size()) return std::nullopt;
  std::optional<Substitution> found;
  for (size_t i = 0; i < before.size(); ++i) {
    if (before[i] == after[i]) continue;
    const Substitution here(before[i], after[i]);
    if (found && *found != here) return std::nullopt;
    found = here;
  }
  return found;
}

std::string functions(size_t count) { return fmt::format("{} function{}", count, count == 1 ? "" : "s"); }

/// Many renames in one line, with the word that was replaced where that tells most of them; a few are told one by one.
std::string rename_note(const std::vector<const JoinedFunction*>& renamed) {
  constexpr size_t kFew = 3;
  std::map<Substitution, size_t> counts;
  for (const JoinedFunction* function : renamed)
    if (const auto found = substitution(function->base_name, function->head_name)) ++counts[*found];
  const auto most = std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (renamed.size() <= kFew) return {};
  const std::string note = fmt::format("{} matched under another name", functions(renamed.size()));
  if (most == counts.end() || 2 * most->second < renamed.size()) return note;
  return fmt::format("{}: `{}` is now `{}`{}", note, most->first.first, most->first.second,
                     most->second == renamed.size() ? "" : fmt::format(" in {} of them", most->second));
}

}  // namespace

MatchNotes match_notes(const JoinedGraph& joined) {
  std::vector<const JoinedFunction*> renamed;
  size_t dispatched = 0, moved = 0, nameless = 0;
  for (const JoinedFunction& function : joined.functions) {
    if (function.by == MatchedBy::kEvidence) renamed.push_back(&function);
    dispatched += function.by == MatchedBy::kDispatch;
    if (function.by != MatchedBy::kPlace) continue;
    const bool one_name = is_address_name(function.base_name) != is_address_name(function.head_name);
    nameless += one_name;
    // Code outside any object file ("???") is Valgrind's own; where it lies is nobody's business.
    moved += !one_name && function.base_name != function.head_name && function.object != "???";
  }
  MatchNotes said;
  std::vector<std::string>& notes = said.notes;
  if (std::string note = rename_note(renamed); !note.empty()) {
    said.renames_are_summed = true;
    notes.push_back(std::move(note));
  }
  if (dispatched > 0)
    notes.push_back(fmt::format("{} of the C library run{} as another variant: the two sides were not measured on like processors or settings",
                                functions(dispatched), dispatched == 1 ? "s" : ""));
  if (nameless > 0) notes.push_back(fmt::format("{} with a name on one side only matched by callers, number of calls and the work below", functions(nameless)));
  if (moved > 0) notes.push_back(fmt::format("{} without a name matched by place and figures, their addresses differ", functions(moved)));
  return said;
}

}  // namespace icount
