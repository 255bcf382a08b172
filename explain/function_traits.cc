#include "icount/explain/function_traits.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <unordered_set>

#include "icount/base/checked.h"
#include "icount/base/hash.h"
#include "icount/callgraph/components.h"
#include "icount/callgraph/name_brackets.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/source_lines.h"

namespace icount {
namespace {

std::vector<uint64_t> identifiers(std::string_view name) {
  std::vector<uint64_t> words;
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t at = 0; at < name.size();) {
    size_t end = at;
    while (end < name.size() && is_word(name[end])) ++end;
    if (end > at) words.push_back(hash64(name.substr(at, end - at)));
    at = std::max(end, at + 1);
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

/// "outer" of "ns::outer::{lambda(int)#}::operator()" and of "ns::outer::{lambda(int)#}::_FUN".
std::string_view owner_of_lambda(std::string_view plain) {
  bool inside = false;
  while (!plain.empty()) {
    const std::string_view word = last_word(plain);
    const bool is_lambda = word.starts_with('{') || word.starts_with("$_") || word.starts_with('\'');
    if (inside && !is_lambda) return word;
    inside |= is_lambda;
    plain.remove_suffix(std::min(plain.size(), word.size() + 2));
  }
  return {};
}

void read_name(const FoldedFunction& function, FunctionTraits& traits) {
  const std::string_view file = base_of_path(function.file);
  if (file != "???" && !file.empty()) {
    traits.file = file;
    traits.file_name = hash64(file);
  }
  if (is_address_name(function.name)) return;
  // gcc names a file's static initialisation after the file's first symbol, mangled: it is known by the file.
  constexpr std::string_view kInitialisation = "_GLOBAL__sub_I_";
  const std::string plain(function.name.starts_with(kInitialisation) ? std::string(kInitialisation).append(file)
                                                                     : plain_name(function.name));
  traits.plain_name = hash64(plain);
  const std::string_view word = last_word(plain);
  traits.last_word = hash64(word);
  if (plain.size() > word.size() + 2)
    traits.last_two_words = mix_keys(
        traits.last_word, hash64(last_word(std::string_view(plain).substr(0, plain.size() - word.size() - 2))));
  traits.words = identifiers(function.name);
  // A lambda's number shifts when another is written above it: an argument that differs in it alone is the same one.
  for (std::string_view argument : template_arguments(function.name))
    traits.arguments.push_back(hash64(without_lambda_numbers(argument)));
  if (!has_lambda_number(function.name) && !has_place(function.name)) return;
  traits.numberless_name = hash64(without_lambda_numbers(function.name));
  if (const std::string_view owner = owner_of_lambda(plain); !owner.empty()) traits.owner = hash64(owner);
}

void read_lines(const Pairing& pairing, size_t side, TraitsByFunction& traits) {
  const std::vector<LineSpan> spans = line_spans(*pairing.sides[side]);
  for (auto& [f, trait] : traits) trait.line = spans[f].first;
}

/// Words at which functions of several plain names end.
void mark_frequent_words(TraitsByFunction& traits) {
  std::unordered_map<uint64_t, uint64_t> name_of_word;
  std::unordered_set<uint64_t> frequent;
  for (const auto& [f, trait] : traits)
    if (trait.last_word != 0 &&
        name_of_word.try_emplace(trait.last_word, trait.plain_name).first->second != trait.plain_name)
      frequent.insert(trait.last_word);
  for (auto& [f, trait] : traits) trait.is_frequent_word = frequent.contains(trait.last_word);
}

void mark_cycles(const std::vector<uint32_t>& open, TraitsByFunction& traits) {
  std::unordered_map<uint32_t, uint32_t> place;
  for (const uint32_t f : open) place.emplace(f, static_cast<uint32_t>(place.size()));
  std::vector<Arc> arcs;
  for (const uint32_t f : open)
    for (const Neighbour& callee : traits.at(f).callees)
      if (const auto to = place.find(callee.function); to != place.end()) arcs.push_back({place.at(f), to->second});
  const Components components = find_components(open.size(), arcs);
  for (const uint32_t f : open)
    for (Neighbour& callee : traits.at(f).callees)
      if (const auto to = place.find(callee.function); to != place.end())
        callee.is_of_cycle = components.of[place.at(f)] == components.of[to->second];
}

}  // namespace

TraitsByFunction read_traits(const Pairing& pairing, size_t side) {
  const FoldedGraph& graph = *pairing.sides[side];
  TraitsByFunction traits;
  const std::vector<uint32_t> open = pairing.open(side);
  for (uint32_t f : open) read_name(graph.functions[f], traits[f]);
  for (const FoldedEdge& edge : graph.edges) {
    if (const auto callee = traits.find(edge.callee); callee != traits.end()) {
      callee->second.calls = saturating_add(callee->second.calls, edge.calls);
      callee->second.callers.push_back({edge.caller, edge.calls, edge.inclusive});
    }
    if (const auto caller = traits.find(edge.caller); caller != traits.end())
      caller->second.callees.push_back({edge.callee, edge.calls, edge.inclusive});
  }
  read_lines(pairing, side, traits);
  mark_frequent_words(traits);
  mark_cycles(open, traits);
  return traits;
}

}  // namespace icount
