// Splits generated source text into tokens, interns and reports them.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <list>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#ifdef WEAK_HASH
struct NameHash {
  size_t operator()(const std::string& name) const { return name.size(); }
};
#else
using NameHash = std::hash<std::string>;
#endif
#ifdef TREE
using Names = std::map<std::string, int>;
#else
using Names = std::unordered_map<std::string, int, NameHash>;
#endif

struct Token {
  std::string text;
  int id = 0;
  long width = 0;
};
#ifdef AS_LIST
using Tokens = std::list<Token>;
#else
using Tokens = std::vector<Token>;
#endif

[[gnu::noinline]] std::string make_source() {
  std::string source;
  unsigned state = 17;
  for (int i = 0; i < 700; ++i) {
    state = state * 1103515245u + 12345u;
    source += "some_rather_long_name_" + std::to_string((state >> 16) % 160) + (i % 7 ? " " : " = 12;\n");
  }
  return source;
}

[[gnu::noinline]] int intern(Names& names, const std::string& name) {
  return names.emplace(name, static_cast<int>(names.size())).first->second;
}

#ifdef COPIED
[[gnu::noinline]] bool is_name(std::string text) {
#else
[[gnu::noinline]] bool is_name(const std::string& text) {
#endif
#ifdef BY_REGEX
  return std::regex_match(text, std::regex("[a-z][a-z_0-9]*"));
#else
  if (text.empty() || text[0] < 'a' || text[0] > 'z') return false;
  for (char c : text)
    if (c != '_' && (c < 'a' || c > 'z') && (c < '0' || c > '9')) return false;
  return true;
#endif
}

[[gnu::noinline]] long ways(int steps) {  // to climb a stair of so many steps
#ifndef NO_MEMO
  static std::vector<long> known(64, 0);
  if (known[static_cast<size_t>(steps)]) return known[static_cast<size_t>(steps)];
#endif
  const long found = steps < 2 ? 1 : ways(steps - 1) + ways(steps - 2);
#ifndef NO_MEMO
  known[static_cast<size_t>(steps)] = found;
#endif
  return found;
}

[[gnu::noinline]] Tokens scan(std::string_view source, Names& names) {
  Tokens tokens;
#if defined(RESERVED) && !defined(AS_LIST)
  tokens.reserve(1000);
#endif
  for (size_t at = 0; at < source.size();) {
    const size_t end = std::min(source.find_first_of(" \n", at), source.size());
    const std::string text(source.substr(at, end - at));
    if (is_name(text)) tokens.push_back({text, intern(names, text), ways(static_cast<int>(text.size() % 14))});
    at = end + 1;
  }
  return tokens;
}

[[gnu::noinline]] std::string label(long number) {
#ifdef BY_STREAM
  std::ostringstream out;
  out << number;
  return out.str();
#else
  char digits[24];
  return std::string(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
#endif
}

#ifdef SORT_COPIES
[[gnu::noinline]] bool comes_before(Token a, Token b) {
#else
[[gnu::noinline]] bool comes_before(const Token& a, const Token& b) {
#endif
  return a.text < b.text;
}

[[gnu::noinline]] void sort_tokens(Tokens& tokens) {
#ifdef AS_LIST
  tokens.sort(comes_before);
#else
  std::sort(tokens.begin(), tokens.end(), comes_before);
#endif
}

[[gnu::noinline]] size_t report(const Tokens& tokens) {
  std::string out;
  for (const Token& token : tokens) {
    out += token.text;
    out += label(token.id);
    out += label(token.width);
  }
  return out.size();
}

int main() {
  const std::string source = make_source();
  Names names;
  Tokens tokens = scan(source, names);
  sort_tokens(tokens);
  std::printf("%zu tokens, %zu bytes\n", tokens.size(), report(tokens));
}
