#include "icount/harness/rust_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace icount {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

/// The newer mangling ("_R"), https://doc.rust-lang.org/rustc/symbol-mangling/v0.html
class NewName {
 public:
  explicit NewName(std::string_view symbol) : symbol_(symbol) {}

  std::optional<std::string> read() {
    read_path(true);
    if (is_whole_ && at_ < symbol_.size()) quietly([this] { read_path(false); });  // the crate that needed it
    if (!is_whole_ || at_ != symbol_.size()) return std::nullopt;
    return std::move(text_);
  }

 private:
  static constexpr int kDeepest = 200;
  static constexpr size_t kLongest = 100'000;

  char peek() const { return at_ < symbol_.size() ? symbol_[at_] : '\0'; }
  bool eat(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  char next() {
    if (at_ >= symbol_.size()) is_whole_ = false;
    return is_whole_ ? symbol_[at_++] : '\0';
  }
  void print(std::string_view text) {
    if (is_quiet_) return;
    text_ += text;
    if (text_.size() > kLongest) is_whole_ = false;
  }

  template <typename Read>
  void quietly(Read read) {
    const bool was_quiet = std::exchange(is_quiet_, true);
    read();
    is_quiet_ = was_quiet;
  }

  /// What stood at an earlier place, again.
  template <typename Read>
  void read_again(Read read) {
    const size_t from = at_ - 1, to = read_number();
    if (to >= from) is_whole_ = false;
    if (!is_whole_ || is_quiet_) return;
    const size_t back = std::exchange(at_, to);
    nested(read);
    at_ = back;
  }

  template <typename Read>
  void nested(Read read) {
    if (++depth_ > kDeepest) is_whole_ = false;
    if (is_whole_) read();
    --depth_;
  }

  /// Up to 'E', with `between` between them; how many there were.
  template <typename Read>
  int read_list(std::string_view between, Read read) {
    int count = 0;
    for (; is_whole_ && !eat('E'); ++count) {
      if (count > 0) print(between);
      read();
    }
    return count;
  }

  uint64_t read_number() {  // of base 62; a hash may exceed the type, and wraps
    if (eat('_')) return 0;
    uint64_t number = 0;
    while (is_whole_ && !eat('_')) {
      const char c = next();
      const int digit = is_digit(c) ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : is_upper(c) ? c - 'A' + 36 : -1;
      if (digit < 0) is_whole_ = false;
      number = number * 62 + static_cast<uint64_t>(digit);
    }
    return number + 1;
  }
  uint64_t read_optional_number(char tag) { return eat(tag) ? read_number() + 1 : 0; }

  std::string read_identifier() {
    const bool is_encoded = eat('u');
    size_t length = 0;
    const char first = next();
    if (!is_digit(first)) is_whole_ = false;
    length = static_cast<size_t>(first - '0');
    while (first != '0' && is_digit(peek()) && length < symbol_.size())
      length = length * 10 + static_cast<size_t>(next() - '0');
    eat('_');
    if (!is_whole_ || length > symbol_.size() - at_) {
      is_whole_ = false;
      return {};
    }
    const std::string name(symbol_.substr(at_, length));
    at_ += length;
    return is_encoded ? fmt::format("punycode{{{}}}", name) : name;
  }

  void read_path(bool is_value) {
    nested([&] {
      const char tag = next();
      switch (tag) {
        case 'C':
          read_optional_number('s');
          return print(read_identifier());
        case 'N':
          return read_member(is_value);
        case 'M':
        case 'X':
          read_optional_number('s');
          quietly([this] { read_path(false); });
          [[fallthrough]];
        case 'Y':
          print("<");
          read_type();
          if (tag != 'M') {
            print(" as ");
            read_path(false);
          }
          return print(">");
        case 'I':
          read_path(is_value);
          print(is_value ? "::<" : "<");
          read_list(", ", [this] { read_argument(); });
          return print(">");
        case 'B':
          return read_again([&] { read_path(is_value); });
        default:
          is_whole_ = false;
      }
    });
  }

  void read_member(bool is_value) {
    const char kind = next();
    read_path(is_value);
    const uint64_t number = read_optional_number('s');
    const std::string name = read_identifier();
    if (!is_upper(kind)) return print(name.empty() ? name : "::" + name);
    const std::string what = kind == 'C' ? "closure" : kind == 'S' ? "shim" : std::string(1, kind);
    print(fmt::format("::{{{}{}{}#{}}}", what, name.empty() ? "" : ":", name, number));
  }

  void read_argument() {
    if (eat('L')) return print_lifetime(read_number());
    if (eat('K')) return read_constant();
    read_type();
  }

  void print_lifetime(uint64_t number) {
    if (number == 0) return print("'_");
    if (number > lifetimes_) {
      is_whole_ = false;
      return;
    }
    const uint64_t place = lifetimes_ - number;
    print(place < 26 ? fmt::format("'{}", static_cast<char>('a' + place)) : fmt::format("'_{}", place));
  }

  /// "for<'a> ", whose lifetimes hold inside `read`.
  template <typename Read>
  void read_binder(Read read) {
    const uint64_t outer = lifetimes_, count = read_optional_number('G');
    if (count > symbol_.size()) is_whole_ = false;
    for (uint64_t i = 0; i < count && is_whole_; ++i) {
      print(i == 0 ? "for<" : ", ");
      ++lifetimes_;
      print_lifetime(1);
    }
    if (count > 0) print("> ");
    read();
    lifetimes_ = outer;
  }

  static std::string_view basic_type(char tag) {
    constexpr std::string_view kNames[] = {"i8",    "bool", "char", "f64", "str",  "f32",  "",    "u8", "isize",
                                           "usize", "",     "i32",  "u32", "i128", "u128", "_",   "",   "",
                                           "i16",   "u16",  "()",   "...", "",     "i64",  "u64", "!"};
    return tag >= 'a' && tag <= 'z' ? kNames[tag - 'a'] : std::string_view();
  }

  void read_type() {
    nested([this] {
      const char tag = next();
      if (const std::string_view basic = basic_type(tag); !basic.empty()) return print(basic);
      switch (tag) {
        case 'R':
        case 'Q':
          print("&");
          if (eat('L'))
            if (const uint64_t lifetime = read_number()) {
              print_lifetime(lifetime);
              print(" ");
            }
          if (tag == 'Q') print("mut ");
          return read_type();
        case 'P':
        case 'O':
          print(tag == 'P' ? "*const " : "*mut ");
          return read_type();
        case 'A':
        case 'S':
          print("[");
          read_type();
          if (tag == 'A') {
            print("; ");
            read_constant();
          }
          return print("]");
        case 'T':
          print("(");
          if (read_list(", ", [this] { read_type(); }) == 1) print(",");
          return print(")");
        case 'F':
          return read_binder([this] { read_function_type(); });
        case 'D':
          print("dyn ");
          read_binder([this] { read_list(" + ", [this] { read_trait(); }); });
          if (!eat('L')) is_whole_ = false;
          if (const uint64_t lifetime = read_number()) {
            print(" + ");
            print_lifetime(lifetime);
          }
          return;
        case 'B':
          return read_again([this] { read_type(); });
        default:
          --at_;
          return read_path(false);
      }
    });
  }

  void read_function_type() {
    if (eat('U')) print("unsafe ");
    if (eat('K')) {
      std::string convention = eat('C') ? "C" : read_identifier();
      std::replace(convention.begin(), convention.end(), '_', '-');
      print(fmt::format("extern \"{}\" ", convention));
    }
    print("fn(");
    read_list(", ", [this] { read_type(); });
    print(")");
    if (eat('u')) return;  // returns ()
    print(" -> ");
    read_type();
  }

  /// A path whose arguments stay open for what is bound behind them: "Iterator<Item = u8>". Whether they are.
  bool read_open_path() {
    bool is_open = false;
    if (eat('B')) {
      read_again([&] { is_open = read_open_path(); });
    } else if (eat('I')) {
      read_path(false);
      print("<");
      read_list(", ", [this] { read_argument(); });
      is_open = true;
    } else {
      read_path(false);
    }
    return is_open;
  }

  void read_trait() {
    bool is_open = read_open_path();
    while (is_whole_ && eat('p')) {
      print(is_open ? ", " : "<");
      is_open = true;
      print(read_identifier() + " = ");
      read_type();
    }
    if (is_open) print(">");
  }

  void read_constant() {
    if (eat('B')) return read_again([this] { read_constant(); });
    const char type = next();
    if (type == 'p') return print("_");
    const bool is_signed = std::string_view("aslxni").find(type) != std::string_view::npos;
    if (!is_signed && std::string_view("htmyojbc").find(type) == std::string_view::npos) is_whole_ = false;
    if (is_signed && eat('n')) print("-");
    const size_t begin = at_;
    while (is_hex(peek())) ++at_;
    const std::string hex(symbol_.substr(begin, at_ - begin));
    if (!eat('_') || hex.empty()) is_whole_ = false;
    if (!is_whole_) return;
    if (hex.size() > 16) return print("0x" + hex);
    const uint64_t value = std::stoull(hex, nullptr, 16);
    if (type == 'b') return print(value == 0 ? "false" : "true");
    if (type == 'c' && value >= 0x20 && value < 0x7f) return print(fmt::format("'{}'", static_cast<char>(value)));
    print(type == 'c' ? fmt::format("'\\u{{{:x}}}'", value) : std::to_string(value));
  }

  std::string_view symbol_;
  size_t at_ = 0;
  std::string text_;
  uint64_t lifetimes_ = 0;
  int depth_ = 0;
  bool is_quiet_ = false, is_whole_ = true;
};

/// Of "LT", "u20" and the like.
std::optional<char> unescaped(std::string_view escape) {
  constexpr std::pair<std::string_view, char> kNames[] = {{"SP", '@'}, {"BP", '*'}, {"RF", '&'}, {"LT", '<'},
                                                          {"GT", '>'}, {"LP", '('}, {"RP", ')'}, {"C", ','}};
  for (const auto& [name, c] : kNames)
    if (escape == name) return c;
  if (escape.size() != 3 || escape[0] != 'u' || !is_hex(escape[1]) || !is_hex(escape[2])) return std::nullopt;
  const int value = std::stoi(std::string(escape.substr(1)), nullptr, 16);
  return value >= 0x20 && value < 0x7f ? std::optional(static_cast<char>(value)) : std::nullopt;
}

void print_older(std::string_view name, std::string& text) {
  if (name.starts_with("_$")) name.remove_prefix(1);
  while (!name.empty()) {
    size_t used = std::min(name.find_first_of("$."), name.size());
    if (used > 0) {
      text += name.substr(0, used);
    } else if (name[0] == '.') {
      used = name.starts_with("..") ? 2 : 1;
      text += used == 2 ? "::" : "-";
    } else {
      const size_t end = name.find('$', 1);
      const auto c = end == std::string_view::npos ? std::nullopt : unescaped(name.substr(1, end - 1));
      if (!c) {
        text += name;
        return;
      }
      text += *c;
      used = end + 1;
    }
    name.remove_prefix(used);
  }
}

/// The older mangling: a C++ name that ends in a hash, "_ZN4core3fmt17h0123456789abcdefE".
std::optional<std::string> read_older(std::string_view symbol) {
  constexpr size_t kHash = 16;
  const size_t end = symbol.rfind("17h");
  if (end == std::string_view::npos || symbol.size() < end + 3 + kHash + 1 || symbol[end + 3 + kHash] != 'E')
    return std::nullopt;
  const std::string_view hash = symbol.substr(end + 3, kHash);
  if (!std::all_of(hash.begin(), hash.end(), is_hex)) return std::nullopt;
  const std::string_view suffix = symbol.substr(end + 3 + kHash + 1);
  if (!suffix.empty() && suffix[0] != '.') return std::nullopt;
  std::string text;
  std::string_view names = symbol.substr(3, end - 3);
  while (!names.empty()) {
    size_t length = 0, digits = 0;
    while (digits < names.size() && is_digit(names[digits]) && length < names.size())
      length = length * 10 + static_cast<size_t>(names[digits++] - '0');
    if (digits == 0 || length == 0 || length > names.size() - digits) return std::nullopt;
    if (!text.empty()) text += "::";
    print_older(names.substr(digits, length), text);
    names.remove_prefix(digits + length);
  }
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

}  // namespace

std::optional<std::string> demangle_rust(std::string_view symbol) {
  if (symbol.starts_with("_ZN")) return read_older(symbol);
  if (!symbol.starts_with("_R") || symbol.size() < 3 || !is_upper(symbol[2])) return std::nullopt;
  return NewName(symbol.substr(2, symbol.find('.') - 2)).read();
}

}  // namespace icount
