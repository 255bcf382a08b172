#include "icount/callgraph/distinct_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/symbol_name.h"

namespace icount {
namespace {

// A pair of template arguments that is longer than this is taken apart in its turn.
constexpr size_t kLongArgument = 40;
// No further down than this: names of any depth end.
constexpr int kDeepest = 8;

/// The outermost template argument list that is open at `place`; npos where none is.
size_t outermost_list(std::string_view text, const NameBrackets& brackets, size_t place) {
  for (size_t i = 0; i < std::min(place, text.size()); ++i)
    if (const size_t end = brackets.end_of(i); text[i] == '<' && end != NameBrackets::kNone && end > place) return i;
  return std::string_view::npos;
}

struct ArgumentList {
  std::vector<std::string_view> arguments;
  size_t end = 0;  ///< behind the closing bracket
};

/// `open` is the place of a bracket that has a partner.
ArgumentList read_arguments(std::string_view text, const NameBrackets& brackets, size_t open) {
  return {split_arguments(text, brackets, open), brackets.end_of(open)};
}

std::pair<std::string, std::string> only_differing(std::string_view a, std::string_view b, int depth);

/// "…, " + what differs + ", …".
std::pair<std::string, std::string> differing_arguments(const ArgumentList& a, const ArgumentList& b, int depth) {
  const size_t least = std::min(a.arguments.size(), b.arguments.size());
  size_t first = 0, last = 0;
  while (first < least && a.arguments[first] == b.arguments[first]) ++first;
  while (last < least - first &&
         a.arguments[a.arguments.size() - 1 - last] == b.arguments[b.arguments.size() - 1 - last])
    ++last;
  const auto middle = [&](const ArgumentList& list) {
    std::string text;
    for (size_t i = first; i < list.arguments.size() - last; ++i)
      text.append(text.empty() ? "" : ", ").append(list.arguments[i]);
    return text;
  };
  std::pair texts(middle(a), middle(b));
  if (std::min(texts.first.size(), texts.second.size()) > kLongArgument && depth < kDeepest)
    texts = only_differing(texts.first, texts.second, depth + 1);
  for (std::string* text : {&texts.first, &texts.second}) {
    const bool none = text->empty();
    if (first > 0) text->insert(0, none ? "…" : "…, ");
    if (last > 0) text->append(none ? (first > 0 ? "" : "…") : ", …");
  }
  return texts;
}

std::pair<std::string, std::string> only_differing(std::string_view a, std::string_view b, int depth) {
  const auto first = static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  const NameBrackets brackets_a(a), brackets_b(b);
  const size_t open = outermost_list(a, brackets_a, first);
  if (open == std::string_view::npos || open >= b.size() || brackets_b.end_of(open) == NameBrackets::kNone)
    return {std::string(a), std::string(b)};
  const ArgumentList list_a = read_arguments(a, brackets_a, open), list_b = read_arguments(b, brackets_b, open);
  const auto [inside_a, inside_b] = differing_arguments(list_a, list_b, depth);
  const auto joined = [&](std::string_view name, const std::string& inside, const ArgumentList& list) {
    return std::string(name.substr(0, open + 1)) + inside + ">" + std::string(name.substr(list.end));
  };
  return {joined(a, inside_a, list_a), joined(b, inside_b, list_b)};
}

}  // namespace

NameForms::NameForms(std::string_view name)
    : whole(name),
      shorter(short_name(name)),
      called(name_without_parameters(name)),
      bare(with_common_types_short(called)) {}

std::pair<std::string, std::string> names_apart(const NameForms& a, const NameForms& b) {
  if (a.shorter != b.shorter) return {a.shorter, b.shorter};
  if (a.called == b.called) return {std::string(a.whole), std::string(b.whole)};
  std::pair names = only_differing(a.bare, b.bare, 0);
  if (names.first == names.second) return {std::string(a.whole), std::string(b.whole)};
  return names;
}

std::pair<std::string, std::string> names_apart(std::string_view a, std::string_view b) {
  return names_apart(NameForms(a), NameForms(b));
}

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
