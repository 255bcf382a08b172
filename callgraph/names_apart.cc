#include "icount/callgraph/names_apart.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "icount/callgraph/symbol_name.h"

namespace icount {
namespace {

// A pair of template arguments that is longer than this is taken apart in its turn.
constexpr size_t kLongArgument = 40;

/// An arrow's bracket, or one of an operator's name, closes and opens nothing; "operator<<int>" is operator< of int.
bool is_bracket(std::string_view text, size_t at) {
  if (text[at] == '>' && at > 0 && text[at - 1] == '-') return false;
  const size_t before = text.find_last_not_of("<>=", at);
  if (before == std::string_view::npos || !text.substr(0, before + 1).ends_with("operator")) return true;
  constexpr std::string_view kNotOfAName = "<>=( ";
  return text[at] == '<' && at - before > 1 && at + 1 < text.size() &&
         kNotOfAName.find(text[at + 1]) == std::string_view::npos;
}

/// The outermost template argument list that is open at `end`; npos where none is.
size_t outermost_list(std::string_view text, size_t end) {
  std::vector<size_t> open;
  for (size_t i = 0; i < end; ++i) {
    if ((text[i] != '<' && text[i] != '>') || !is_bracket(text, i)) continue;
    if (text[i] == '<') {
      open.push_back(i);
    } else if (!open.empty()) {
      open.pop_back();
    }
  }
  return open.empty() ? std::string_view::npos : open.front();
}

struct ArgumentList {
  std::vector<std::string_view> arguments;
  size_t end = 0;  ///< behind the closing bracket
};

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// `begin` is that of the opening bracket.
ArgumentList read_arguments(std::string_view text, size_t begin) {
  ArgumentList list;
  size_t depth = 0, from = begin + 1;
  for (size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '{' || (c == '<' && is_bracket(text, i))) ++depth;
    if ((c == ')' || c == '}' || (c == '>' && is_bracket(text, i))) && depth > 0) --depth;
    if ((c == ',' && depth == 1) || depth == 0) {
      list.arguments.push_back(trimmed(text.substr(from, i - from)));
      from = i + 1;
    }
    list.end = i + 1;
    if (depth == 0) break;
  }
  return list;
}

std::pair<std::string, std::string> only_differing(std::string_view a, std::string_view b);

/// "…, " + what differs + ", …".
std::pair<std::string, std::string> differing_arguments(const ArgumentList& a, const ArgumentList& b) {
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
  if (std::min(texts.first.size(), texts.second.size()) > kLongArgument)
    texts = only_differing(texts.first, texts.second);
  for (std::string* text : {&texts.first, &texts.second}) {
    const bool none = text->empty();
    if (first > 0) text->insert(0, none ? "…" : "…, ");
    if (last > 0) text->append(none ? (first > 0 ? "" : "…") : ", …");
  }
  return texts;
}

std::pair<std::string, std::string> only_differing(std::string_view a, std::string_view b) {
  const auto [end_a, end_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const size_t open = outermost_list(a, static_cast<size_t>(end_a - a.begin()));
  if (open == std::string_view::npos) return {std::string(a), std::string(b)};
  const ArgumentList list_a = read_arguments(a, open), list_b = read_arguments(b, open);
  const auto [inside_a, inside_b] = differing_arguments(list_a, list_b);
  const auto joined = [&](std::string_view name, const std::string& inside, const ArgumentList& list) {
    return std::string(name.substr(0, open + 1)) + inside + ">" + std::string(name.substr(list.end));
  };
  return {joined(a, inside_a, list_a), joined(b, inside_b, list_b)};
}

}  // namespace

std::pair<std::string, std::string> names_apart(std::string_view a, std::string_view b) {
  std::pair names(short_name(a), short_name(b));
  if (names.first != names.second) return names;
  const std::string without_a = name_without_parameters(a), without_b = name_without_parameters(b);
  if (without_a == without_b) return {std::string(a), std::string(b)};
  names = only_differing(with_common_types_short(without_a), with_common_types_short(without_b));
  return names;
}

}  // namespace icount
