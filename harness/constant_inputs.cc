#include "icount/harness/constant_inputs.h"

#include "icount/base/text.h"

namespace icount {
namespace {

bool is_name_byte(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_no_call(std::string_view name) {
  for (const std::string_view word :
       {"if", "for", "while", "switch", "catch", "return", "sizeof", "alignof", "decltype", "keep", "icount::keep",
        "int", "long", "double", "float", "char", "bool"})
    if (name == word) return true;
  return name.empty() || (name[0] >= '0' && name[0] <= '9');
}

/// Where the name that ends before `end` begins; "std::to_string" is one name.
size_t begin_of_name(std::string_view text, size_t end) {
  size_t at = end;
  while (at > 0 && (is_name_byte(text[at - 1]) || text[at - 1] == ':')) --at;
  return at;
}

/// The place behind the bracket that closes the one at `open`; npos when none does. Literals are stepped over.
size_t end_of_brackets(std::string_view text, size_t open) {
  int depth = 0;
  for (size_t at = open; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      for (++at; at < text.size() && text[at] != c; ++at)
        if (text[at] == '\\') ++at;
    } else if (c == '(') {
      ++depth;
    } else if (c == ')' && --depth == 0) {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

bool is_word(std::string_view text, std::string_view name, size_t at) {
  return (at == 0 || !is_name_byte(text[at - 1])) &&
         (at + name.size() == text.size() || !is_name_byte(text[at + name.size()]));
}

size_t skip_blanks(std::string_view text, size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t')) ++at;
  return at;
}

bool is_literal_begin(char c) { return (c >= '0' && c <= '9') || c == '"' || c == '\'' || c == '-' || c == '.'; }

/// `name` is given a literal where it is declared, and icount::keep(name) stands nowhere.
bool is_constant_variable(std::string_view name, std::string_view setup, std::string_view stmt) {
  for (const std::string_view text : {setup, stmt})
    if (text.find("keep(" + std::string(name) + ")") != std::string_view::npos) return false;
  for (size_t at = setup.find(name); at != std::string_view::npos; at = setup.find(name, at + 1)) {
    if (!is_word(setup, name, at)) continue;
    size_t next = skip_blanks(setup, at + name.size());
    if (next >= setup.size() || (setup[next] != '=' && setup[next] != '{' && setup[next] != '(')) return false;
    next = skip_blanks(setup, next + 1);
    return next < setup.size() && is_literal_begin(setup[next]);
  }
  return false;
}

/// Literals, operators, and names of constant variables.
bool are_constants(std::string_view arguments, std::string_view setup, std::string_view stmt) {
  if (trim(arguments).empty()) return false;
  for (size_t at = 0; at < arguments.size();) {
    const char c = arguments[at];
    if (c == '"' || c == '\'') {
      for (++at; at < arguments.size() && arguments[at] != c; ++at)
        if (arguments[at] == '\\') ++at;
      ++at;
    } else if (c >= '0' && c <= '9') {
      while (at < arguments.size() && (is_name_byte(arguments[at]) || arguments[at] == '.' || arguments[at] == '\''))
        ++at;
    } else if (is_name_byte(c)) {
      size_t end = at;
      while (end < arguments.size() && is_name_byte(arguments[end])) ++end;
      const std::string_view name = arguments.substr(at, end - at);
      const bool literal = name == "true" || name == "false" || name == "nullptr";
      if (!literal && !is_constant_variable(name, setup, stmt)) return false;
      at = end;
    } else if (std::string_view(" \t\n,.+-*/%").find(c) != std::string_view::npos) {
      ++at;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

std::string find_call_of_constants(std::string_view stmt, std::string_view setup) {
  for (size_t open = stmt.find('('); open != std::string_view::npos; open = stmt.find('(', open + 1)) {
    const size_t begin = begin_of_name(stmt, open);
    const size_t end = end_of_brackets(stmt, open);
    if (end == std::string_view::npos) return {};
    if (is_no_call(stmt.substr(begin, open - begin))) continue;
    if (are_constants(stmt.substr(open + 1, end - open - 2), setup, stmt))
      return std::string(stmt.substr(begin, end - begin));
  }
  return {};
}

}  // namespace icount
