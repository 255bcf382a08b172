#include "icount/callgraph/name_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace icount {
namespace {

// Longest first, so that a template argument list behind "operator!=" is not taken for a part of it.
constexpr auto kSymbols =
    std::to_array<std::string_view>({"<=>", "<<=", ">>=", "->*", "()", "[]", "<<", ">>", "<=", ">=", "->", "==", "!=",
                                     "&&",  "||",  "++",  "--",  "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<",
                                     ">",   "=",   "!",   "+",   "-",  "*",  "/",  "%",  "^",  "&",  "|",  "~",  ","});

bool is_word(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// "operator<<int>" after short_name(): the second '<' opens the arguments.
bool opens_arguments(std::string_view symbol, std::string_view behind) {
  constexpr std::string_view kNotOfAName = "<>=( ,)";
  return symbol == "<<" && !behind.empty() && kNotOfAName.find(behind[0]) == std::string_view::npos;
}

constexpr std::string_view kOpening = "<([{", kClosing = ">)]}";

/// What a character may be: every name of a profile is read character by character.
enum class Role : uint8_t { kOther, kOpens, kCloses, kBeginsOperator };

struct CharacterRole {
  Role role = Role::kOther;
  uint8_t kind = 0;  ///< which of kOpening or kClosing
};

constexpr std::array<CharacterRole, 256> character_roles() {
  std::array<CharacterRole, 256> roles{};
  for (size_t kind = 0; kind < kOpening.size(); ++kind) {
    roles[static_cast<unsigned char>(kOpening[kind])] = {Role::kOpens, static_cast<uint8_t>(kind)};
    roles[static_cast<unsigned char>(kClosing[kind])] = {Role::kCloses, static_cast<uint8_t>(kind)};
  }
  roles['o'] = {Role::kBeginsOperator, 0};
  return roles;
}

constexpr std::array<CharacterRole, 256> kRoles = character_roles();

/// Brackets that are open so far.
class OpenBrackets {
 public:
  void push(size_t kind, uint32_t at) {
    open_.push_back({kind, at});
    ++count_[kind];
  }

  bool has(size_t kind) const { return count_[kind] > 0; }
  bool is_last(size_t kind) const { return !open_.empty() && open_.back().kind == kind; }

  /// Position of the last one of `kind`; those opened behind it are given up.
  uint32_t pop(size_t kind) {
    while (open_.back().kind != kind) drop();
    const uint32_t at = open_.back().at;
    drop();
    return at;
  }

 private:
  struct Open {
    size_t kind;
    uint32_t at;
  };

  void drop() {
    --count_[open_.back().kind];
    open_.pop_back();
  }

  std::vector<Open> open_;
  std::array<size_t, kOpening.size()> count_{};
};

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

size_t operator_length(std::string_view name, size_t at) {
  constexpr std::string_view kWord = "operator";
  if (!name.substr(at).starts_with(kWord) || (at > 0 && is_word(name[at - 1]))) return 0;
  const std::string_view behind = name.substr(at + kWord.size());
  if (!behind.empty() && is_word(behind[0])) return 0;
  for (std::string_view symbol : kSymbols) {
    if (!behind.starts_with(symbol)) continue;
    const bool shorter = opens_arguments(symbol, behind.substr(symbol.size()));
    return kWord.size() + symbol.size() - (shorter ? 1 : 0);
  }
  return kWord.size();
}

NameBrackets::NameBrackets(std::string_view name) {
  constexpr size_t kAngle = 0;
  if (name.find_first_of(kOpening) == std::string_view::npos || name.size() >= ~uint32_t{0}) return;
  end_of_.assign(name.size(), 0);
  OpenBrackets open;
  for (size_t i = 0; i < name.size(); ++i) {
    const auto [role, kind] = kRoles[static_cast<unsigned char>(name[i])];
    if (role == Role::kOther) continue;
    if (role == Role::kBeginsOperator) {
      if (i + 1 < name.size() && name[i + 1] == 'p')
        if (const size_t length = operator_length(name, i); length > 0) i += length - 1;
      continue;
    }
    if (role == Role::kOpens) {
      open.push(kind, static_cast<uint32_t>(i));
      continue;
    }
    if (!open.has(kind)) continue;
    const bool closes = kind != kAngle || (open.is_last(kAngle) && name[i - 1] != '-');
    if (closes) end_of_[open.pop(kind)] = static_cast<uint32_t>(i + 1);
  }
}

std::vector<std::string_view> split_arguments(std::string_view name, const NameBrackets& brackets, size_t open) {
  std::vector<std::string_view> arguments;
  const size_t end = brackets.end_of(open);
  size_t from = open + 1;
  for (size_t i = from; i < end;) {
    if (name[i] == ',' || i + 1 == end) {
      arguments.push_back(trimmed(name.substr(from, i - from)));
      from = i + 1;
    }
    const size_t inner_end = brackets.end_of(i);
    i = inner_end == NameBrackets::kNone ? i + 1 : inner_end;
  }
  return arguments;
}

std::vector<std::string_view> template_arguments(std::string_view name) {
  const NameBrackets brackets(name);
  std::vector<std::string_view> all;
  for (size_t i = 0; i < name.size();) {
    const size_t end = brackets.end_of(i);
    if (end == NameBrackets::kNone) {
      ++i;
      continue;
    }
    if (name[i] == '<')
      for (std::string_view argument : split_arguments(name, brackets, i)) all.push_back(argument);
    i = end;
  }
  return all;
}

namespace {

// What gcc and clang append to a copy or a piece of one function. The copy's number follows some of them.
constexpr std::array<std::string_view, 12> kCloneWords = {"isra",     "part",       "constprop", "cold",
                                                          "lto_priv", "localalias", "llvm",      "clone",
                                                          "hot",      "unlikely",   "split",     "__uniq"};

constexpr size_t kLongestCloneWord = std::max_element(kCloneWords.begin(), kCloneWords.end(),
                                                      [](auto a, auto b) { return a.size() < b.size(); }) -> size();

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool all_digits(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), is_digit); }

// The scans below go back from the end and no further than a tag reaches: a name that consists of tags is read once,
// however many there are.

// Length of name without the characters at its end that `is_part` takes.
template <typename IsPart>
size_t without_trailing(std::string_view name, IsPart is_part) {
  size_t length = name.size();
  while (length > 0 && is_part(name[length - 1])) --length;
  return length;
}

// Length of name without ".word" or ".word.N" at its end; the whole length when there is none.
size_t without_dotted_tag(std::string_view name) {
  std::string_view rest = name;
  const size_t number = without_trailing(name, is_digit);
  if (number < name.size() && number > 0 && name[number - 1] == '.') rest = name.substr(0, number - 1);
  const std::string_view end = rest.substr(rest.size() - std::min(rest.size(), kLongestCloneWord + 1));
  const size_t dot = end.rfind('.');
  if (dot == std::string_view::npos) return name.size();
  const bool known = std::find(kCloneWords.begin(), kCloneWords.end(), end.substr(dot + 1)) != kCloneWords.end();
  return known ? rest.size() - (end.size() - dot) : name.size();
}

// " [clone .isra.0]" of the GNU demangler, " (.cold)" of LLVM's.
size_t without_bracketed_tag(std::string_view name, std::string_view open, char close) {
  if (name.empty() || name.back() != close) return name.size();
  // A tag holds no bracket, so that the last one is its own.
  size_t at = name.rfind(open[1]);
  if (at == std::string_view::npos || at == 0 || !name.substr(--at).starts_with(open)) return name.size();
  std::string_view inside = name.substr(at + open.size() - 1, name.size() - at - open.size());
  return without_dotted_tag(inside) == 0 ? at : name.size();
}

// "@@GLIBC_2.34": the default version of a symbol.
size_t without_version(std::string_view name) {
  const size_t word = without_trailing(name, [](char c) {
    return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '.' || c == '+';
  });
  return name.substr(0, word).ends_with("@@") ? word - 2 : name.size();
}

// "::h0123456789abcdef": the hash that Rust's older mangling adds; it changes with every build.
size_t without_rust_hash(std::string_view name) {
  constexpr size_t kLength = 3 + 16;
  if (name.size() <= kLength || name.substr(name.size() - kLength, 3) != "::h") return name.size();
  std::string_view digits = name.substr(name.size() - 16);
  bool hex = std::all_of(digits.begin(), digits.end(), [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
  return hex ? name.size() - kLength : name.size();
}

size_t without_tag(std::string_view name) {
  if (name.empty()) return 0;
  switch (name.back()) {
    case ']':
      return without_bracketed_tag(name, " [clone .", ']');
    case ')':
      return without_bracketed_tag(name, " (.", ')');
    default:
      break;
  }
  for (const auto without : {without_dotted_tag, without_version, without_rust_hash})
    if (const size_t shorter = without(name); shorter < name.size()) return shorter;
  return name.size();
}

// Start of a "'N" suffix with N >= 2 and its N; name.size() when there is none.
size_t level_at(std::string_view name, int& level) {
  size_t digits = 0;
  while (digits < name.size() && is_digit(name[name.size() - 1 - digits])) ++digits;
  size_t apostrophe = name.size() - digits;
  if (digits == 0 || apostrophe < 2 || name[apostrophe - 1] != '\'' || name[apostrophe] == '0') return name.size();
  int value = 0;
  std::from_chars(name.data() + apostrophe, name.data() + name.size(), value);
  if (value < 2) return name.size();
  level = value;
  return apostrophe - 1;
}

bool is_operator_char(char c) { return std::string_view("<>()[]=!&|+-*/%^~,").find(c) != std::string_view::npos; }

// PyInit__operator is a name that ends so.
bool is_word_at(std::string_view name, size_t at, std::string_view word) {
  if (!name.substr(at).starts_with(word) || (at > 0 && is_word(name[at - 1]))) return false;
  return at + word.size() == name.size() || !is_word(name[at + word.size()]);
}

// Positions of the apostrophes that stand outside all brackets.
std::vector<size_t> free_apostrophes(std::string_view name) {
  std::vector<size_t> found;
  constexpr std::string_view kOperator = "operator";
  int depth = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    if (is_word_at(name, i, kOperator)) {
      size_t end = i + kOperator.size();
      // operator<< is no bracket; the parameter list after it is.
      while (end < name.size() && is_operator_char(name[end]) && name[end] != '(') ++end;
      i = end - 1;
      continue;
    }
    char c = name[i];
    if (c == '(' || c == '<' || c == '[' || c == '{')
      ++depth;
    else if (c == ')' || c == '>' || c == ']' || c == '}')
      depth -= depth > 0;
    else if (c == '\'' && depth == 0 && i > 0)
      found.push_back(i);
  }
  return found;
}

}  // namespace

NameParts name_parts(std::string_view name) {
  NameParts parts;
  std::string_view plain = name.substr(0, level_at(name, parts.level));
  size_t length = plain.size();
  for (size_t shorter = without_tag(plain); shorter > 0 && shorter < length;
       shorter = without_tag(plain.substr(0, length)))
    length = shorter;
  parts.base = plain.substr(0, length);
  parts.tags = plain.substr(length);
  return parts;
}

std::string_view without_level(std::string_view name) {
  int level = 1;
  return name.substr(0, level_at(name, level));
}

NameContexts split_contexts(std::string_view name) {
  NameContexts contexts;
  std::vector<std::string_view> pieces;
  size_t from = 0;
  for (size_t at : free_apostrophes(name)) {
    pieces.push_back(name.substr(from, at - from));
    from = at + 1;
  }
  pieces.push_back(name.substr(from));
  for (size_t i = 0; i < pieces.size(); ++i) {
    bool level = all_digits(pieces[i]);
    std::string_view& owner = contexts.callers.empty() ? contexts.function : contexts.callers.back();
    if (i == 0)
      contexts.function = pieces[i];
    else if (level)  // belongs to the name before it
      owner = std::string_view(owner.data(), pieces[i].data() + pieces[i].size() - owner.data());
    else
      contexts.callers.push_back(pieces[i]);
  }
  return contexts;
}

CountedName split_counted_name(std::string_view name) {
  CountedName parts;
  size_t object = name.rfind(" [");
  if (!name.empty() && name.back() == ']' && object != std::string_view::npos &&
      !name.substr(object + 2).starts_with("clone ")) {
    parts.object = name.substr(object + 2, name.size() - object - 3);
    name = name.substr(0, object);
  }
  size_t colon = name.find(':');
  if (colon == std::string_view::npos || name.substr(colon).starts_with("::")) {
    parts.function = name;
    return parts;
  }
  parts.file = name.substr(0, colon);
  parts.function = name.substr(colon + 1);
  return parts;
}

std::string join_counted_name(const CountedName& name) {
  std::string text;
  if (!name.file.empty()) text.append(name.file).append(":");
  text.append(name.function);
  if (!name.object.empty()) text.append(" [").append(name.object).append("]");
  return text;
}

std::string list_functions(const std::set<std::string>& names) {
  constexpr size_t kMost = 3;
  std::string text;
  size_t n = 0;
  for (const std::string& name : names)
    if (++n <= kMost) text += fmt::format("{}`{}`", n == 1 ? "" : ", ", name);
  return n > kMost ? fmt::format("{} and {} more functions", text, n - kMost) : text;
}

std::string_view base_of_path(std::string_view path) {
  size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace icount
