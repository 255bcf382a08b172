#include "icount/callgraph/symbol_name.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "icount/base/text_edits.h"

namespace icount {
namespace {

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Word behind the routine's name that tells which instructions a variant uses.
constexpr std::array<std::string_view, 14> kVariantWords = {"_sse",  "_ssse",    "_avx",  "_evex",     "_fma",
                                                            "_erms", "_generic", "_c",    "_sse2_bsf", "_bmi",
                                                            "_rtm",  "_power",   "_neon", "_sve"};

// Longest first, so that a template argument list behind "operator!=" is not taken for a part of it.
constexpr auto kOperators =
    std::to_array<std::string_view>({"<=>", "<<=", ">>=", "->*", "()", "[]", "<<", ">>", "<=", ">=", "->", "==", "!=",
                                     "&&",  "||",  "++",  "--",  "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<",
                                     ">",   "=",   "!",   "+",   "-",  "*",  "/",  "%",  "^",  "&",  "|",  "~",  ","});

/// Reads a demangled name from left to right and keeps what names the function.
class PlainNameReader {
 public:
  PlainNameReader(std::string_view name, bool keep_arguments) : name_(name), keep_arguments_(keep_arguments) {}

  std::string read() {
    while (at_ < name_.size() && !done_) step();
    return std::move(out_);
  }

 private:
  void step() {
    const char c = name_[at_];
    if (rest().starts_with("operator") && at_word_start()) return copy_operator();
    if (rest().starts_with("(anonymous namespace)")) return copy(21);
    switch (c) {
      case '<': {
        const size_t begin = at_;
        skip_balanced('<', '>');
        if (keep_arguments_) out_ += name_.substr(begin, at_ - begin);
        return;
      }
      case '(':
        return skip_parameters();
      case '[':
        return skip_balanced('[', ']');
      case '{':
        return copy_braces();
      case ' ':  // what stood before was a return type
        out_.clear();
        ++at_;
        return;
      case '$':  // clang's lambdas
      case '\'':
        return copy_without_number();
      default:
        copy(1);
    }
  }

  std::string_view rest() const { return name_.substr(at_); }
  bool at_word_start() const { return at_ == 0 || !is_word(name_[at_ - 1]); }
  static bool is_word(char c) { return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

  void copy(size_t count) {
    out_ += name_.substr(at_, count);
    at_ += count;
  }

  /// operator(), operator<<, operator new[], operator bool: the symbol belongs to the name.
  void copy_operator() {
    copy(8);
    if (rest().starts_with(" ")) {  // operator new, operator delete, conversions
      const size_t end = std::min(name_.find('(', at_), name_.size());
      return copy(end - at_);
    }
    for (std::string_view symbol : kOperators) {
      if (!rest().starts_with(symbol)) continue;
      copy(symbol.size());
      break;
    }
    if (rest().starts_with(" <")) ++at_;
  }

  void skip_balanced(char open, char close) {
    size_t depth = 0;
    for (; at_ < name_.size(); ++at_) {
      if (name_[at_] == open) ++depth;
      const bool arrow = name_[at_] == '>' && at_ > 0 && name_[at_ - 1] == '-';
      if (name_[at_] == close && !arrow && --depth == 0) break;
    }
    if (at_ < name_.size()) ++at_;
  }

  /// A parameter list ends the name unless something local to that function follows: "main(int)::local".
  void skip_parameters() {
    skip_balanced('(', ')');
    if (rest().starts_with(" const::")) at_ += 6;
    if (!rest().starts_with("::")) done_ = true;
  }

  /// "{lambda(int)#2}" -> "{lambda(int)#}".
  void copy_braces() {
    size_t depth = 0;
    for (; at_ < name_.size(); ++at_) {
      const char c = name_[at_];
      if (c == '{') ++depth;
      out_ += c;
      if (c == '}' && --depth == 0) break;
      while (c == '#' && !keep_arguments_ && at_ + 1 < name_.size() && is_digit(name_[at_ + 1])) ++at_;
    }
    if (at_ < name_.size()) ++at_;
  }

  /// clang's "$_0" and "'lambda0'".
  void copy_without_number() {
    copy(1);
    if (keep_arguments_) return;
    while (at_ < name_.size() && (is_word(name_[at_]))) {
      if (!is_digit(name_[at_])) out_ += name_[at_];
      ++at_;
    }
  }

  std::string_view name_;
  bool keep_arguments_;
  size_t at_ = 0;
  bool done_ = false;
  std::string out_;
};

// Names up to this length are shown whole; longer ones keep template arguments up to the second.
constexpr size_t kShortName = 60, kLongestName = 90;

/// Removes every template argument that begins with `argument`, up to its closing bracket.
void drop_argument(std::string& text, std::string_view argument) {
  for (size_t at = text.find(argument); at != std::string::npos; at = text.find(argument, at)) {
    size_t end = at + argument.size();
    for (size_t depth = 1; end < text.size() && depth > 0; ++end) depth += (text[end] == '<') - (text[end] == '>');
    text.erase(at, end - at);
  }
}

}  // namespace

bool is_address_name(std::string_view name) {
  if (!name.starts_with("0x")) return false;
  size_t end = 2;
  while (end < name.size() && is_hex(name[end])) ++end;
  return (end == 10 || end == 18) && (end == name.size() || name[end] == ' ' || name[end] == '\'');
}

uint64_t address_of_name(std::string_view name) {
  uint64_t address = 0;
  if (is_address_name(name)) std::from_chars(name.data() + 2, name.data() + name.size(), address, 16);
  return address;
}

bool has_lambda_number(std::string_view name) {
  return name.find("{lambda(") != std::string_view::npos || name.find("{unnamed type#") != std::string_view::npos ||
         name.find("$_") != std::string_view::npos || name.find("'lambda") != std::string_view::npos;
}

std::string without_lambda_numbers(std::string_view name) {
  std::string out;
  for (size_t i = 0; i < name.size(); ++i) {
    out += name[i];
    const bool counts = out.ends_with('#') || out.ends_with("$_") || out.ends_with("'lambda");
    while (counts && i + 1 < name.size() && is_digit(name[i + 1])) ++i;
  }
  return out;
}

std::string plain_name(std::string_view name) { return PlainNameReader(name, false).read(); }

std::string name_without_parameters(std::string_view name) { return PlainNameReader(name, true).read(); }

std::string with_common_types_short(std::string_view name) {
  std::string text(name);
  if (text.find("std::") != std::string::npos && text.size() > 30) {
    replace_all(text, "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string");
    replace_all(text, "std::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string");
    replace_all(text, "std::basic_string_view<char, std::char_traits<char> >", "std::string_view");
    replace_all(text, "std::__cxx11::", "std::");
    for (std::string_view argument :
         {", std::allocator<", ", std::less<", ", std::default_delete<", ", std::char_traits<"})
      drop_argument(text, argument);
    replace_all(text, "> >", ">>");
    replace_all(text, " >", ">");
  }
  return text;
}

std::string short_name(std::string_view name) {
  std::string text = with_common_types_short(name);
  if (text.size() <= kShortName) return text;
  std::string shorter = name_without_parameters(text);
  if (shorter.size() <= kLongestName && !shorter.empty()) return shorter;
  shorter = plain_name(text);
  return shorter.empty() ? text : shorter;
}

std::string_view last_word(std::string_view plain) {
  size_t depth = 0;
  for (size_t i = plain.size(); i-- > 0;) {
    const char c = plain[i];
    if (c == '}' || c == ')') ++depth;
    if ((c == '{' || c == '(') && depth > 0) --depth;
    if (c == ':' && depth == 0 && i > 0 && plain[i - 1] == ':') return plain.substr(i + 1);
  }
  return plain;
}

std::string_view dispatched_routine(std::string_view name) {
  if (!name.starts_with("__")) return {};
  std::string_view routine = name.substr(2);
  size_t cut = std::string_view::npos;
  for (std::string_view word : kVariantWords) {
    for (size_t at = routine.find(word); at != std::string_view::npos; at = routine.find(word, at + 1)) {
      const size_t end = at + word.size();
      if (end < routine.size() && routine[end] != '_' && !is_digit(routine[end])) continue;
      cut = std::min(cut, at);
      break;
    }
  }
  if (cut == std::string_view::npos || cut < 3) return {};
  return routine.substr(0, cut);
}

}  // namespace icount
