#include "icount/callgraph/names_apart.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "icount/callgraph/name_brackets.h"
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

}  // namespace icount
