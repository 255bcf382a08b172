#include "icount/callgraph/name_brackets.h"

#include <array>
#include <cstdint>

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

}  // namespace icount
