#include "icount/callgraph/distinct_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "icount/callgraph/names_apart.h"
#include "icount/callgraph/symbol_name.h"

namespace icount {
namespace {

// More functions than this of one short name are told apart by their whole names: comparing each with each other would
// take too long.
constexpr size_t kMostCompared = 24;

/// The names behind one short name, each once.
using Namesakes = std::vector<std::string_view>;

/// Names that several of the short ones stand for, by short name.
std::map<std::string, Namesakes> find_namesakes(const std::unordered_map<std::string_view, std::string>& short_of) {
  std::unordered_map<std::string_view, size_t> uses;
  for (const auto& [name, shorter] : short_of) ++uses[shorter];
  std::map<std::string, Namesakes> found;
  for (const auto& [name, shorter] : short_of)
    if (uses[shorter] > 1) found[shorter].push_back(name);
  for (auto& [shorter, names] : found) std::sort(names.begin(), names.end());
  return found;
}

/// Each name with what it differs in from the others; whole where that does not tell all of them apart.
std::vector<std::string> told_apart(const Namesakes& names) {
  std::vector<std::string> texts(names.size());
  if (names.size() <= kMostCompared) {
    const std::vector<NameForms> forms(names.begin(), names.end());
    const auto keep_longer = [&](size_t name, std::string text) {
      if (text.size() > texts[name].size()) texts[name] = std::move(text);
    };
    for (size_t i = 0; i < names.size(); ++i)
      for (size_t j = i + 1; j < names.size(); ++j) {
        auto [first, second] = names_apart(forms[i], forms[j]);
        keep_longer(i, std::move(first));
        keep_longer(j, std::move(second));
      }
  }
  const auto all_differ = [&] { return std::set(texts.begin(), texts.end()).size() == texts.size(); };
  if (!all_differ())
    for (size_t i = 0; i < names.size(); ++i) texts[i] = with_common_types_short(names[i]);
  if (!all_differ()) texts.assign(names.begin(), names.end());
  return texts;
}

}  // namespace

std::vector<std::string> distinct_names(std::span<const std::string_view> names) {
  std::unordered_map<std::string_view, std::string> short_of;
  for (std::string_view name : names)
    if (const auto [at, fresh] = short_of.try_emplace(name); fresh) at->second = short_name(name);
  for (const auto& [shorter, namesakes] : find_namesakes(short_of)) {
    const std::vector<std::string> texts = told_apart(namesakes);
    for (size_t i = 0; i < namesakes.size(); ++i) short_of[namesakes[i]] = texts[i];
  }
  // A text that tells one group apart may be the short name of another: such names stay whole.
  for (const auto& [shorter, namesakes] : find_namesakes(short_of))
    for (std::string_view name : namesakes) short_of[name] = name;
  std::vector<std::string> texts;
  texts.reserve(names.size());
  for (std::string_view name : names) texts.push_back(short_of[name]);
  return texts;
}

}  // namespace icount
