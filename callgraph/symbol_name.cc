#include "icount/callgraph/symbol_name.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "icount/base/text.h"
#include "icount/callgraph/name_parts.h"

namespace icount {
namespace {

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Word behind the routine's name that tells which instructions a variant uses.
constexpr std::array<std::string_view, 14> kVariantWords = {"_sse",  "_ssse",    "_avx",  "_evex",     "_fma",
                                                            "_erms", "_generic", "_c",    "_sse2_bsf", "_bmi",
                                                            "_rtm",  "_power",   "_neon", "_sve"};

bool is_word(char c) { return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Reads a demangled name from left to right and keeps what names the function. Every step goes forward.
class PlainNameReader {
 public:
  PlainNameReader(std::string_view name, bool keep_arguments, bool keep_numbers)
      : name_(name),
        brackets_(name),
        keep_arguments_(keep_arguments),
        keep_numbers_(keep_numbers),
        last_list_(last_parameters()) {}

  std::string read() {
    while (at_ < name_.size() && !done_) step();
    return std::move(out_);
  }

 private:
  void step() {
    switch (name_[at_]) {
      case 'o':
        if (const size_t length = operator_length(name_, at_); length > 0) return copy_operator(length);
        return copy(1);
      case '<':
        return read_angle();
      case '(':
        return rest().starts_with("(anonymous namespace)") ? copy(21) : read_parentheses();
      case '[':
        return read_square();
      case '{':
        return copy_braces();
      case ' ':
        return read_space();
      case '$':  // clang's lambdas
      case '\'':
        return copy_without_number();
      default:
        copy(1);
    }
  }

  std::string_view rest() const { return name_.substr(at_); }
  bool follows_word() const { return !out_.empty() && (is_word(out_.back()) || out_.back() == '>'); }
  bool follows_scope() const { return out_.ends_with("::"); }

  /// Where the last parenthesis outside other brackets opens: what stands before a space before it may be a type.
  size_t last_parameters() const {
    size_t last = 0;
    for (size_t i = 0; i < name_.size(); ++i) {
      const size_t end = brackets_.end_of(i);
      if (end == NameBrackets::kNone) continue;
      if (name_[i] == '(') last = i;
      i = end - 1;
    }
    return last;
  }

  void copy(size_t count) {
    out_ += name_.substr(at_, count);
    at_ += count;
  }
  void copy_to(size_t end) { copy(end - at_); }

  /// operator(), operator<<, operator new[], operator bool: the symbol belongs to the name.
  void copy_operator(size_t length) {
    constexpr size_t kWord = 8;
    copy(length);
    if (length == kWord && rest().starts_with(" ")) {  // operator new, operator delete, conversions
      size_t end = at_;
      while (end < name_.size() && name_[end] != '(')
        end = name_[end] == '<' && brackets_.end_of(end) != NameBrackets::kNone ? brackets_.end_of(end) : end + 1;
      return copy_to(std::min(end, name_.size()));
    }
    if (rest().starts_with(" <")) ++at_;
  }

  /// Template arguments, or what Rust puts before a method: "<Vec<T> as Clone>::clone", "str::<impl str>::len".
  void read_angle() {
    const size_t end = brackets_.end_of(at_);
    if (end == NameBrackets::kNone) return copy(1);
    const bool names_a_type = out_.empty() || (follows_scope() && rest().starts_with("<impl "));
    if (names_a_type) return copy_type(end);
    if (keep_arguments_) return copy_to(end);
    if (follows_scope()) out_.resize(out_.size() - 2);  // "collect::<Vec<u8>>"
    at_ = end;
  }

  /// "<Vec<T> as Clone>" -> "<Vec as Clone>".
  void copy_type(size_t end) {
    if (keep_arguments_) return copy_to(end);
    copy(1);
    while (at_ < end) {
      const size_t arguments_end = name_[at_] == '<' ? brackets_.end_of(at_) : NameBrackets::kNone;
      if (arguments_end != NameBrackets::kNone && is_word(out_.back())) {
        at_ = arguments_end;
      } else {
        copy(1);
      }
    }
  }

  /// A parameter list ends the name unless something local to that function follows: "main(int)::local".
  void read_parentheses() {
    const size_t end = brackets_.end_of(at_);
    if (end == NameBrackets::kNone) return copy(1);
    const bool is_receiver = out_.ends_with('.'), is_name = out_.empty();  // Go's "(*T).Method", "(below main)"
    if (is_receiver || is_name) return copy_to(end);
    const bool is_argument_list = out_.ends_with('!');  // D's "map!(f).map"
    if (is_argument_list && keep_arguments_) return copy_to(end);
    at_ = end;
    if (is_argument_list) return;
    if (at_ <= last_list_ && is_part_of_type()) return;  // "decltype(auto) f(int)"
    skip_qualifiers();
    if (!rest().starts_with("::")) done_ = true;
  }

  bool is_part_of_type() const { return rest().size() > 1 && rest()[0] == ' ' && out_ == "decltype"; }

  void skip_qualifiers() {
    for (bool any = true; any;) {
      any = false;
      for (std::string_view word : {" const", " volatile", " &&", " &"}) {
        if (!rest().starts_with(word)) continue;
        at_ += word.size();
        any = true;
      }
    }
  }

  /// "[abi:cxx11]", Go's type arguments; elsewhere, as in "-[Text length]", a bracket is a part of the name.
  void read_square() {
    const size_t end = brackets_.end_of(at_);
    if (end == NameBrackets::kNone) return copy(1);
    const bool is_tag = rest().starts_with("[abi:");
    if (!is_tag && (keep_arguments_ || !follows_word())) return copy_to(end);
    at_ = end;
  }

  /// What stands before the space before the parameters was a return type.
  void read_space() {
    if (at_ > last_list_) return copy(1);
    out_.clear();
    ++at_;
  }

  /// "{lambda(int)#2}" -> "{lambda(int)#}".
  void copy_braces() {
    const size_t end = brackets_.end_of(at_);
    if (end == NameBrackets::kNone) return copy(1);
    while (at_ < end) {
      const bool counts = name_[at_] == '#' && !keep_numbers_;
      copy(1);
      while (counts && at_ < end && is_digit(name_[at_])) ++at_;
    }
  }

  /// clang's "$_0" and "'lambda0'".
  void copy_without_number() {
    const bool counts = rest().starts_with("$_") || rest().starts_with("'lambda") || rest().starts_with("'unnamed");
    copy(1);
    if (!counts || keep_numbers_) return;
    while (at_ < name_.size() && (is_word(name_[at_]))) {
      if (!is_digit(name_[at_])) out_ += name_[at_];
      ++at_;
    }
  }

  std::string_view name_;
  NameBrackets brackets_;
  bool keep_arguments_, keep_numbers_;  ///< template arguments; the numbers of lambdas
  size_t last_list_;
  size_t at_ = 0;
  bool done_ = false;
  std::string out_;
};

// Names up to this length are shown whole; longer ones keep template arguments up to the second.
constexpr size_t kShortName = 60, kLongestName = 90;

/// Without the template arguments that say what is so anyway: default allocators, comparisons and deleters.
std::string without_default_arguments(std::string_view name) {
  constexpr std::array<std::string_view, 4> kDefaults = {", std::allocator<", ", std::less<", ", std::default_delete<",
                                                         ", std::char_traits<"};
  const NameBrackets brackets(name);
  std::string text;
  text.reserve(name.size());
  for (size_t i = 0; i < name.size();) {
    size_t end = NameBrackets::kNone;
    for (std::string_view argument : kDefaults)
      if (i > 0 && name[i] == ',' && name.substr(i).starts_with(argument))
        end = brackets.end_of(i + argument.size() - 1);
    if (end == NameBrackets::kNone) {
      text += name[i++];
    } else {
      i = end;
    }
  }
  return text;
}

/// Where Go's number of a closure or a wrapper begins: ".func1" of "main.run.func1.2"; npos where there is none.
size_t go_closure(std::string_view name) {
  for (const std::string_view word : {".func", ".gowrap", ".deferwrap"}) {
    const size_t at = name.find(word);
    if (at == std::string_view::npos || at + word.size() >= name.size()) continue;
    // Nothing but numbers behind it: "func1.2", "func1-fm" apart.
    const std::string_view rest = name.substr(at + word.size());
    if (is_digit(rest[0]) && rest.find_first_not_of("0123456789.-fmuncgowrapde") == std::string_view::npos) return at;
  }
  return std::string_view::npos;
}

/// Without the number that Nim ("parse__reader_12") and OCaml ("camlShop__fun_537", "camlShop.fun_537") put behind
/// every name.
std::string_view without_stamp(std::string_view name) {
  const size_t end = name.find_last_not_of("0123456789");
  if (end == std::string_view::npos || end + 1 == name.size() || name[end] != '_' || end == 0) return name;
  if (name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$'") !=
      std::string_view::npos)
    return name;
  const std::string_view stem = name.substr(0, end);
  const size_t module = stem.find("__", 1);  // a name of C that begins so is the library's own
  const bool is_ocaml = name.starts_with("caml") && stem.find('.') != std::string_view::npos;
  const bool is_nim = module != std::string_view::npos && module + 2 < stem.size() && !name.starts_with('_');
  return is_ocaml || is_nim ? stem : name;
}

/// "Stdlib.List.nth" of OCaml's "camlStdlib__List__nth_103" and "camlStdlib__List.nth_103". An anonymous function keeps
/// its number, "@" is written "$40". Empty where it is no such name.
std::string ocaml_name(std::string_view name) {
  if (!name.starts_with("caml") || name.size() < 6 || name[4] < 'A' || name[4] > 'Z') return {};
  const bool is_anonymous =
      name.find("__fun_") != std::string_view::npos || name.find(".fun_") != std::string_view::npos;
  std::string_view rest = is_anonymous ? name : without_stamp(name);
  rest.remove_prefix(4);
  std::string text;
  for (size_t i = 0; i < rest.size();) {
    const bool is_escaped = rest[i] == '$' && i + 2 < rest.size() && is_hex(rest[i + 1]) && is_hex(rest[i + 2]);
    if (is_escaped) {
      int character = 0;
      std::from_chars(rest.data() + i + 1, rest.data() + i + 3, character, 16);
      text += static_cast<char>(character);
    } else {
      text += rest.substr(i).starts_with("__") ? '.' : rest[i];
    }
    i += is_escaped ? 3 : rest.substr(i).starts_with("__") ? 2 : 1;
  }
  return text;
}

/// "plate::smooth" of gfortran's "__plate_MOD_smooth"; empty where it is no such name.
std::string fortran_name(std::string_view name) {
  constexpr std::string_view kModule = "_MOD_";
  const size_t at = name.find(kModule, 3);
  if (!name.starts_with("__") || at == std::string_view::npos) return {};
  return std::string(name.substr(2, at - 2)) + "::" + std::string(name.substr(at + kModule.size()));
}

/// "<String as Clone>::clone" of "<alloc::string::String as core::clone::Clone>::clone", and what follows "<impl"
/// alike.
std::string without_rust_modules(const std::string& name) {
  const bool has_trait = name.starts_with('<') && name.find(" as ") != std::string::npos;
  const size_t open = has_trait ? 0 : name.find("<impl ");
  const size_t end = open == std::string::npos ? NameBrackets::kNone : NameBrackets(name).end_of(open);
  if (end == NameBrackets::kNone) return name;
  std::string text = name.substr(0, open);
  for (size_t i = open; i < end;) {
    size_t word = i;
    while (word < end && is_word(name[word])) ++word;
    const bool is_module = word > i && std::string_view(name).substr(word, end - word).starts_with("::");
    text.append(name, i, is_module ? 0 : std::max<size_t>(word - i, 1));
    i = is_module ? word + 2 : std::max(word, i + 1);
  }
  return text + name.substr(end);
}

/// "cells_in (coroutine)" of gcc's "cells_in(cells_in(Node const&)::_Z8cells_inRK4Node.Frame*) [clone .actor]", the
/// body that runs from one suspension to the next; else empty.
std::string coroutine_name(std::string_view symbol) {
  if (!symbol.ends_with("[clone .actor]")) return {};
  const std::string plain = plain_name(symbol);
  return plain.empty() ? plain : plain + " (coroutine)";
}

/// As it is written in the source, of a symbol that nothing demangles, or that is a part of it; else empty.
std::string written_name(std::string_view symbol) {
  if (std::string body = coroutine_name(symbol); !body.empty()) return body;
  if (std::string ocaml = ocaml_name(symbol); !ocaml.empty()) return ocaml;
  if (std::string fortran = fortran_name(symbol); !fortran.empty()) return fortran;
  return std::string(dispatched_routine(symbol));
}

/// "f" of "f /srv/a.py:3", as yappi and lsprofcalltree name Python's functions.
std::string_view without_python_place(std::string_view name) {
  const size_t end = name.find_last_not_of("0123456789");
  if (end == std::string_view::npos || end + 1 == name.size() || name[end] != ':' ||
      !name.substr(0, end).ends_with(".py"))
    return name;
  const size_t blank = name.find(' ');
  return blank == std::string_view::npos || blank == 0 || blank > end ? name : name.substr(0, blank);
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
         name.find("$_") != std::string_view::npos || name.find("'lambda") != std::string_view::npos ||
         name.find("{closure#") != std::string_view::npos || go_closure(name) != std::string_view::npos ||
         without_stamp(name).size() < name.size();
}

bool has_place(std::string_view name) {
  return name.find("{closure:") != std::string_view::npos || without_python_place(name).size() < name.size();
}

std::string without_lambda_numbers(std::string_view name) {
  name = without_python_place(without_stamp(name));
  const size_t go = go_closure(name);
  std::string out;
  for (size_t i = 0; i < name.size(); ++i) {
    out += name[i];
    const bool counts = out.ends_with('#') || out.ends_with("$_") || out.ends_with("'lambda") ||
                        (i >= go && (name[i] == '.' || !is_digit(name[i])));
    while (counts && i + 1 < name.size() && is_digit(name[i + 1])) ++i;
    if (!out.ends_with("{closure:")) continue;  // PHP's: "{closure:/srv/shop.php:8-8}"
    out.pop_back();
    i = std::min(name.size() - 1, name.find('}', i) - 1);
  }
  return out;
}

std::string plain_name(std::string_view name) { return PlainNameReader(name, false, false).read(); }

std::string name_without_parameters(std::string_view name) { return PlainNameReader(name, true, true).read(); }

std::string with_common_types_short(std::string_view name) {
  std::string text(name);
  if (text.find("std::") != std::string::npos && text.size() > 30) {
    replace_all(text, "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string");
    replace_all(text, "std::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string");
    replace_all(text, "std::basic_string_view<char, std::char_traits<char> >", "std::string_view");
    replace_all(text, "std::__cxx11::", "std::");
    text = without_default_arguments(text);
    replace_all(text, "> >", ">>");
    replace_all(text, " >", ">");
  }
  return text;
}

namespace {

/// Of C++'s own library: overloads that a reader looks up by name alone. What takes no size is what the sized form of
/// operator delete calls, and stays whole.
bool is_of_the_language(std::string_view name) {
  const bool is_library = name.starts_with("std::") || name.starts_with("operator new") ||
                          (name.starts_with("operator delete") && name.find(',') != std::string_view::npos);
  return is_library && name.find('(') != std::string_view::npos && name.find("{lambda") == std::string_view::npos;
}

/// Go's without the path of its package: "html.(*Renderer).RawWrite" of
/// "example.com/x/renderer/html.(*Renderer).RawWrite".
std::string_view without_go_path(std::string_view name) {
  const size_t end = name.find_first_of("([{< :"), slash = name.substr(0, end).rfind('/');
  const bool is_path = slash != std::string_view::npos && slash > 0 && name.find('.', slash) != std::string_view::npos;
  return is_path && name[0] != '/' ? name.substr(slash + 1) : name;
}

}  // namespace

std::string short_name(std::string_view name) {
  name = without_go_path(name);
  if (std::string written = written_name(name); !written.empty()) return written;
  std::string text = with_common_types_short(name);
  // "A::operator void (*)(A***)() const": its own brackets are not those of parameters.
  const size_t conversion = text.find("::operator ");
  const bool is_to_pointer = conversion != std::string::npos && text.find("(*)(", conversion) != std::string::npos;
  if (!is_to_pointer && (text.size() > kShortName || is_of_the_language(text))) {
    std::string shorter = name_without_parameters(text);
    if (shorter.size() > kLongestName || shorter.empty()) shorter = PlainNameReader(text, false, true).read();
    if (!shorter.empty()) text = std::move(shorter);
  }
  return without_rust_modules(text);
}

std::string_view last_word(std::string_view plain) {
  // Angle brackets are those of operators, but for the type that Rust puts first: "<Vec as Clone>::clone".
  const std::string_view opening = plain.starts_with('<') ? "{(<" : "{(",
                         closing = plain.starts_with('<') ? "})>" : "})";
  size_t depth = 0;
  for (size_t i = plain.size(); i-- > 0;) {
    const char c = plain[i];
    if (closing.find(c) != std::string_view::npos) ++depth;
    if (opening.find(c) != std::string_view::npos && depth > 0) --depth;
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
