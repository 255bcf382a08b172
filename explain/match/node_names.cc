#include "icount/explain/match/node_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "icount/base/text.h"
#include "icount/callgraph/distinct_names.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/claims/relations.h"
#include "icount/explain/weights.h"

namespace icount {
namespace {

/// "`0x283d0` in liblua.so (was `0x28210`)": an address means something in its object only.
std::string unnamed(const JoinedGraph& joined, const JoinedFunction& function) {
  std::string text = fmt::format("{} in {}", quoted(joined, function.name), base_of_path(function.object));
  if (!function.base_name.empty() && !function.head_name.empty() && function.base_name != function.head_name)
    text += fmt::format(" (was {})", quoted(function.base_name));
  return text;
}

/// By function: whether anything about it changed, so that a sentence may name it.
std::vector<bool> find_changed(const FlowGraph& flow) {
  std::vector<bool> changed;
  for (const FlowNode& node : flow.nodes)
    changed.push_back(node.self[0] != node.self[1] || node.entries[0] != node.entries[1]);
  for (const FlowEdge& edge : flow.edges)
    if (edge.calls[0] != edge.calls[1]) changed[edge.caller] = changed[edge.callee] = true;
  return changed;
}

std::vector<std::string> raw_names(const JoinedGraph& joined) {
  std::vector<std::string> names;
  for (const JoinedFunction& function : joined.functions) names.emplace_back(function.name);
  return names;
}

/// Functions that no sentence names need not be told apart from those that are.
std::vector<std::string> short_names(const JoinedGraph& joined) {
  const std::vector<bool> changed = find_changed(joined.flow);
  std::vector<std::string_view> mentioned;
  for (size_t f = 0; f < changed.size(); ++f)
    if (changed[f]) mentioned.push_back(joined.functions[f].name);
  std::vector<std::string> distinct = distinct_names(mentioned), names(changed.size());
  for (size_t f = 0, at = 0; f < changed.size(); ++f)
    names[f] = changed[f] ? std::move(distinct[at++]) : short_name(joined.functions[f].name);
  return names;
}

/// What may tell functions of one name apart, plainest first: file, its folder, library, the whole path, the side.
std::vector<std::string> places_of(const JoinedFunction& function) {
  const std::string_view side = function.base_name.empty() ? ", head" : function.head_name.empty() ? ", base" : "";
  return {std::string(base_of_path(function.file)), std::string(file_in_folder(function.file)),
          std::string(base_of_path(function.object)), std::string(function.file),
          fmt::format("{}, {}{}", function.file, function.object, side)};
}

/// "`init` (b.c)": where several functions have the same name, where each of them is.
void add_places(const JoinedGraph& joined, std::vector<std::string>& names) {
  std::map<std::string_view, std::vector<uint32_t>> shared;
  for (uint32_t f = 0; f < names.size(); ++f)
    if (joined.functions[f].name_is_shared && !is_address_name(joined.functions[f].name))
      shared[joined.functions[f].name].push_back(f);
  for (const auto& [name, functions] : shared) {
    std::vector<std::vector<std::string>> places;
    for (uint32_t f : functions) places.push_back(places_of(joined.functions[f]));
    const auto tells_apart = [&](size_t level) {
      std::set<std::string_view> seen;
      for (const auto& of_one : places) seen.insert(of_one[level]);
      return seen.size() == places.size();
    };
    size_t level = 0;
    while (level + 1 < places.front().size() && !tells_apart(level)) ++level;
    for (size_t i = 0; i < functions.size(); ++i) names[functions[i]] += fmt::format(" ({})", places[i][level]);
  }
}

}  // namespace

std::string_view file_in_folder(std::string_view path) {
  const size_t file = path.rfind('/');
  if (file == std::string_view::npos || file == 0) return path;
  const size_t folder = path.rfind('/', file - 1);
  return folder == std::string_view::npos ? path : path.substr(folder + 1);
}

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

std::string quoted(std::string_view name) {
  return is_address_name(name) ? fmt::format("`{:#x}`", address_of_name(name)) : fmt::format("`{}`", short_name(name));
}

std::string quoted(const JoinedGraph& joined, std::string_view name) {
  return joined.raw_names ? fmt::format("`{}`", name) : quoted(name);
}

std::pair<std::string_view, size_t> parts_of_label(std::string_view label) {
  constexpr std::string_view kCycle = "cycle of ", kAnd = " and ", kMore = " more";
  const size_t end = label.rfind(kAnd);
  if (!label.starts_with(kCycle) || !label.ends_with(kMore) || end == std::string_view::npos || end < kCycle.size())
    return {label, 1};
  const size_t count = end + kAnd.size();
  const auto others = parse_int64(label.substr(count, label.size() - kMore.size() - count));
  if (!others) return {label, 1};
  return {label.substr(kCycle.size(), end - kCycle.size()), static_cast<size_t>(*others) + 1};
}

std::string recursion_through(std::string_view leader, size_t functions) {
  return fmt::format("{} (a recursion of {} functions)", leader, functions);
}

std::string quoted_label(std::string_view label) {
  const auto [name, functions] = parts_of_label(label);
  return functions < 2 ? quoted(name) : recursion_through(quoted(name), functions);
}

std::vector<uint32_t> leaders_of(const JoinedGraph& joined, const CondensedFlow& condensed) {
  const auto weight = [&](uint32_t member) {
    const auto [base, head] = joined.flow.nodes[member].self;
    return std::pair(std::abs(static_cast<long double>(head) - static_cast<long double>(base)),
                     static_cast<long double>(base) + static_cast<long double>(head));
  };
  const auto lighter = [&](uint32_t a, uint32_t b) { return weight(a) < weight(b); };
  std::vector<uint32_t> leaders;
  leaders.reserve(condensed.members.size());
  for (const auto& members : condensed.members)
    leaders.push_back(*std::max_element(members.begin(), members.end(), lighter));
  return leaders;
}

std::vector<std::string> name_functions(const JoinedGraph& joined) {
  std::vector<std::string> names = joined.raw_names ? raw_names(joined) : short_names(joined);
  for (uint32_t f = 0; f < names.size(); ++f) {
    const JoinedFunction& function = joined.functions[f];
    names[f] = is_address_name(function.name) ? unnamed(joined, function) : fmt::format("`{}`", names[f]);
  }
  add_places(joined, names);
  return names;
}

std::vector<std::string> name_nodes(const CondensedFlow& condensed, const std::vector<uint32_t>& leaders,
                                    const std::vector<std::string>& function_names) {
  std::vector<std::string> names;
  names.reserve(condensed.members.size());
  for (size_t node = 0; node < condensed.members.size(); ++node) {
    const std::string& leader = function_names[leaders[node]];
    const size_t others = condensed.members[node].size() - 1;
    const bool is_door = condensed.is_door(static_cast<uint32_t>(node));  // a cycle's, for the calls that enter there
    names.push_back(others == 0 || is_door ? leader : recursion_through(leader, others + 1));
  }
  return names;
}

namespace {

using Substitution = std::pair<std::string_view, std::string_view>;

// "int" becomes "unsigned long", "a::b" becomes "c".
constexpr size_t kMostWords = 3;

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
  size_t dispatched = 0, moved = 0;
  long double moved_cost = 0;
  for (const JoinedFunction& function : joined.functions) {
    if (function.by == MatchedBy::kEvidence) renamed.push_back(&function);
    dispatched += function.by == MatchedBy::kDispatch;
    if (function.by != MatchedBy::kPlace) continue;
    // Code outside any object file ("???") is Valgrind's own; where it lies is nobody's business.
    if (function.base_name == function.head_name || function.object == "???") continue;
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
  const auto total = static_cast<long double>(std::max(joined.sides[0]->total, joined.sides[1]->total));
  // The linkage stubs of a program lie elsewhere in every build, and cost next to nothing.
  if (moved > 0 && moved_cost >= kHardly * total) notes.emplace_back(note::OtherAddresses{moved});
  return said;
}

}  // namespace icount
