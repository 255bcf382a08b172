#include "icount/explain/match_notes.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/optimisation_change.h"
#include "icount/explain/producer_change.h"

namespace icount {
namespace {

using Substitution = std::pair<std::string_view, std::string_view>;

// The linkage stubs of a program lie elsewhere in every build; functions without a name that cost less than this part
// are not told of.
constexpr long double kWorthANote = 1e-3L;

// "int" becomes "unsigned long", "a::b" becomes "c".
constexpr size_t kMostWords = 3;

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

/// The text from one word to the last of `count`.
std::string_view run_of(std::span<const std::string_view> words, size_t at, size_t count) {
  const std::string_view last = words[at + count - 1];
  return {words[at].data(), static_cast<size_t>(last.data() + last.size() - words[at].data())};
}

/// Words of two arguments, or of a name and its arguments: no name of anything.
bool is_torn(std::string_view run) { return run.find_first_of("<>(),") != std::string_view::npos; }

/// Whether `after` is `before` with every run of words `from` replaced by `to`; runs begin where the words first
/// differ.
std::optional<Substitution> replaced_throughout(std::span<const std::string_view> before,
                                                std::span<const std::string_view> after, size_t from, size_t to) {
  std::optional<Substitution> found;
  size_t b = 0, a = 0;
  while (b < before.size() && a < after.size()) {
    if (before[b] == after[a]) {
      ++b, ++a;
      continue;
    }
    if (b + from > before.size() || a + to > after.size()) return std::nullopt;
    const Substitution here(run_of(before, b, from), run_of(after, a, to));
    if ((found && *found != here) || is_torn(here.first) || is_torn(here.second)) return std::nullopt;
    found = here;
    b += from;
    a += to;
  }
  return b == before.size() && a == after.size() ? found : std::nullopt;
}

/// The one word, or few words, replaced by another throughout; nullopt when names differ in more.
std::optional<Substitution> substitution(std::string_view base, std::string_view head) {
  const auto before = words_of(base), after = words_of(head);
  for (size_t longest = 1; longest <= kMostWords; ++longest)
    for (size_t shorter = 1; shorter <= longest; ++shorter)
      for (const auto& [from, to] : {std::pair(shorter, longest), std::pair(longest, shorter)})
        if (const auto found = replaced_throughout(before, after, from, to)) return found;
  return std::nullopt;
}

/// Many renames as one note, with the word that was replaced where that tells most of them; a few are told one by one.
std::optional<note::Renames> rename_note(const std::vector<const JoinedFunction*>& renamed) {
  constexpr size_t kFew = 3;
  if (renamed.size() <= kFew) return std::nullopt;
  std::map<Substitution, size_t> counts;
  for (const JoinedFunction* function : renamed)
    if (const auto found = substitution(function->base_name, function->head_name)) ++counts[*found];
  const auto most =
      std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  note::Renames said{.functions = renamed.size()};
  if (most == counts.end() || 2 * most->second < renamed.size()) return said;
  said.word = {std::string(most->first.first), std::string(most->first.second)};
  said.with_word = most->second;
  return said;
}

/// Functions of other objects, the largest move first.
void note_moves(const JoinedGraph& joined, std::vector<ExplanationNote>& notes) {
  std::map<Substitution, size_t> counts;
  const auto object = [&](const JoinedFunction& function, size_t side) {
    return base_of_path(joined.sides[side]->functions[function.folded[side]].object);
  };
  for (const JoinedFunction& function : joined.functions)
    if (function.by == MatchedBy::kObject) ++counts[{object(function, 0), object(function, 1)}];
  std::vector<std::pair<Substitution, size_t>> moves(counts.begin(), counts.end());
  std::stable_sort(moves.begin(), moves.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [objects, count] : moves)
    notes.emplace_back(note::Moved{count, {std::string(objects.first), std::string(objects.second)}});
}

}  // namespace

MatchNotes match_notes(const JoinedGraph& joined) {
  std::vector<const JoinedFunction*> renamed;
  size_t dispatched = 0, moved = 0, nameless = 0;
  long double moved_cost = 0;
  for (const JoinedFunction& function : joined.functions) {
    if (function.by == MatchedBy::kEvidence) renamed.push_back(&function);
    dispatched += function.by == MatchedBy::kDispatch;
    if (function.by != MatchedBy::kPlace) continue;
    const bool one_name = is_address_name(function.base_name) != is_address_name(function.head_name);
    nameless += one_name;
    // Code outside any object file ("???") is Valgrind's own; where it lies is nobody's business.
    if (one_name || function.base_name == function.head_name || function.object == "???") continue;
    ++moved;
    moved_cost += static_cast<long double>(std::max(joined.sides[0]->functions[function.folded[0]].self,
                                                    joined.sides[1]->functions[function.folded[1]].self));
  }
  MatchNotes said;
  std::vector<ExplanationNote>& notes = said.notes;
  if (const auto note = rename_note(renamed)) {
    said.renames_are_summed = true;
    notes.emplace_back(*note);
  }
  note_moves(joined, notes);
  for (const OptimisationChange& change : find_optimisation_changes(joined))
    notes.emplace_back(note::LessInlining{change.gone, change.all,
                                          std::string(base_of_path(change.objects[change.less])), change.less,
                                          producer_change(joined, change.objects)});
  if (dispatched > 0) notes.emplace_back(note::OtherVariants{dispatched});
  if (nameless > 0) notes.emplace_back(note::OneSidedSymbols{nameless});
  const auto total = static_cast<long double>(std::max(joined.sides[0]->total, joined.sides[1]->total));
  if (moved > 0 && moved_cost >= kWorthANote * total) notes.emplace_back(note::OtherAddresses{moved});
  return said;
}

}  // namespace icount
