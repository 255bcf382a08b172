#include "icount/mine/source_lexer.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>

#include "icount/base/text.h"
#include "icount/callgraph/name_parts.h"

namespace icount {
namespace {

bool is_word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || (c & 0x80); }

struct Token {
  std::string text;  ///< an identifier, a number, one sign; '"' for any text
  uint64_t line = 0;
  bool is_word = false;
};

/// Splits a text into tokens; comments are gone, preprocessor lines apart.
class Scanner {
 public:
  Scanner(std::string_view text, SourceLanguage language, SourceText& out)
      : text_(text), language_(language), out_(out) {
    const size_t lines = split_lines(text).size();
    out_.code.resize(lines);
    out_.words.resize(lines);
  }

  std::vector<Token> scan() {
    while (at_ < text_.size()) step();
    return std::move(tokens_);
  }

  /// Index of a token -> the directive that stands before it.
  struct Directive {
    size_t before = 0;
    std::string word;
  };
  std::vector<Directive> directives;

 private:
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool is_at(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  std::string& code() { return out_.code[line_ - 1]; }

  void new_line() {
    ++line_;
    ++at_;
    begins_line_ = true;
  }

  void step() {
    const char c = peek();
    if (c == '\n') return new_line();
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++at_;
      return;
    }
    if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {  // continues the line
      at_ += peek(1) == '\n' ? 1 : 2;
      ++line_;
      ++at_;
      return;
    }
    if (language_ == SourceLanguage::kHash ? c == '#' : is_at("//")) return skip_line_comment();
    if (language_ != SourceLanguage::kHash && is_at("/*")) return skip_comment();
    if (c == '#' && begins_line_ && language_ == SourceLanguage::kBraces) return read_directive();
    begins_line_ = false;
    if (c == '"' || c == '\'' || c == '`') {
      if (is_text_begin(c)) return read_text(c);
    } else if (is_word_char(c)) {
      return read_word();
    }
    code() += c;
    tokens_.push_back({std::string(1, c), line_, false});
    ++at_;
  }

  bool is_text_begin(char c) const {
    if (c == '`') return language_ != SourceLanguage::kRust && language_ != SourceLanguage::kHash;
    if (c == '\'' && language_ == SourceLanguage::kRust) return peek(1) == '\\' || peek(2) == '\'';  // else a lifetime
    return true;
  }

  void skip_line_comment() {
    while (at_ < text_.size() && peek() != '\n') {
      if (peek() == '\\' && language_ == SourceLanguage::kBraces && (peek(1) == '\n')) {
        at_ += 2;
        ++line_;
        continue;
      }
      ++at_;
    }
  }

  void skip_comment() {
    int depth = 0;
    while (at_ < text_.size()) {
      if (is_at("/*") && (depth == 0 || language_ == SourceLanguage::kRust)) {
        ++depth;
        at_ += 2;
      } else if (is_at("*/")) {
        at_ += 2;
        if (--depth == 0) return;
      } else {
        if (peek() == '\n') ++line_;
        ++at_;
      }
    }
  }

  void read_word() {
    const size_t begin = at_;
    while (at_ < text_.size() && (is_word_char(peek()) || (peek() == '\'' && is_digit_separator(begin)))) ++at_;
    std::string word(text_.substr(begin, at_ - begin));
    code() += word;
    if (peek() == '"' && word.ends_with('R') && word.size() <= 3) return read_raw_text();
    const bool is_name = !std::isdigit(static_cast<unsigned char>(word[0]));
    if (is_name) out_.words[line_ - 1].push_back(word);
    tokens_.push_back({std::move(word), line_, is_name});
  }

  bool is_digit_separator(size_t begin) const {
    return std::isdigit(static_cast<unsigned char>(text_[begin])) && is_word_char(peek(1));
  }

  void read_text(char quote) {
    const uint64_t line = line_;
    const bool is_long = language_ == SourceLanguage::kHash && (is_at("\"\"\"") || is_at("'''"));
    const std::string end(is_long ? 3 : 1, quote);
    code() += end;
    at_ += end.size();
    while (at_ < text_.size() && !is_at(end)) {
      const char c = peek();
      if (c == '\n') {
        if (!is_long && quote != '`' && language_ == SourceLanguage::kBraces) break;  // not closed: a quote in #error
        ++line_;
      } else if (c == '\\' && quote != '`' && at_ + 1 < text_.size()) {
        code() += c;
        ++at_;
        if (peek() == '\n') ++line_;
      }
      if (peek() != '\n') code() += peek();
      ++at_;
    }
    if (is_at(end)) {
      code() += end;
      at_ += end.size();
    }
    tokens_.push_back({"\"", line, false});
  }

  /// R"mark( ... )mark", from the quote on.
  void read_raw_text() {
    const uint64_t line = line_;
    const size_t open = text_.find('(', at_);
    const std::string end =
        open == std::string_view::npos ? "\"" : ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const size_t close = text_.find(end, at_ + 1);
    const size_t stop = close == std::string_view::npos ? text_.size() : close + end.size();
    for (; at_ < stop; ++at_) {
      if (text_[at_] == '\n')
        ++line_;
      else
        code() += text_[at_];
    }
    tokens_.push_back({"\"", line, false});
  }

  /// A preprocessor line with what continues it. Its words are the lines', its braces are no structure.
  void read_directive() {
    const uint64_t first = line_;
    const size_t before = tokens_.size();
    code() += '#';
    ++at_;
    while (at_ < text_.size() && peek() != '\n') step();
    begins_line_ = false;
    std::vector<Token> inside(tokens_.begin() + static_cast<std::ptrdiff_t>(before), tokens_.end());
    tokens_.resize(before);
    if (inside.empty()) return;
    if (inside[0].text == "define" && inside.size() > 1 && inside[1].is_word)
      out_.blocks.push_back({SourceBlock::Kind::kMacro, inside[1].text, first, line_});
    else
      directives.push_back({before, inside[0].text});
  }

  std::string_view text_;
  SourceLanguage language_;
  SourceText& out_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  uint64_t line_ = 1;
  bool begins_line_ = true;
};

constexpr std::array kNotFunctions = {"__attribute__", "alignas",  "__declspec", "decltype",     "noexcept",
                                      "requires",      "explicit", "_Alignas",   "throw",        "typeof",
                                      "__typeof__",    "asm",      "__asm__",    "static_assert"};
constexpr std::array kTypeWords = {"class", "struct", "union", "enum", "interface"};
constexpr std::array kScopeWords = {"namespace", "impl", "mod", "trait", "extern"};

bool is_one_of(const auto& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Finds blocks by their braces and by what stands before these.
class BlockFinder {
 public:
  BlockFinder(std::vector<Token> tokens, std::vector<Scanner::Directive> directives, SourceText& out)
      : tokens_(std::move(tokens)), directives_(std::move(directives)), out_(out) {}

  void find() {
    size_t directive = 0;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      for (; directive < directives_.size() && directives_[directive].before <= i; ++directive)
        follow(directives_[directive].word);
      read(i);
    }
  }

 private:
  enum class Scope { kOuter, kType, kFunction, kOther };
  struct Open {
    Scope scope = Scope::kOuter;
    SourceBlock block;
  };

  /// Branches of a condition open the same braces again.
  void follow(std::string_view word) {
    if (word.starts_with("if")) {
      saved_.push_back({open_, head_, 0});
    } else if (word == "else" || word.starts_with("elif")) {
      if (saved_.empty()) return;
      if (saved_.back().branches++ == 0) saved_.back().first = {open_, head_};
      open_ = saved_.back().open;
      head_ = saved_.back().head;
    } else if (word == "endif" && !saved_.empty()) {
      if (saved_.back().branches > 0) std::tie(open_, head_) = saved_.back().first;
      saved_.pop_back();
    }
  }

  Scope scope() const { return open_.empty() ? Scope::kOuter : open_.back().scope; }
  bool is_inside_code() const { return scope() == Scope::kFunction || scope() == Scope::kOther; }

  void read(size_t i) {
    const Token& token = tokens_[i];
    if (token.text == "{") {
      open_brace(token);
    } else if (token.text == "}") {
      close_brace(token);
    } else if (is_inside_code()) {
      return;
    } else if (token.text == ";") {
      SourceBlock data = data_at_head();
      data.last = token.line;
      if (!data.name.empty()) out_.blocks.push_back(std::move(data));
      head_.clear();
    } else {
      head_.push_back(i);
      const size_t size = head_.size();
      if (token.text == ":" && size == 2 && is_access(tokens_[head_[0]].text)) head_.clear();
    }
  }

  static bool is_access(std::string_view word) { return word == "public" || word == "private" || word == "protected"; }

  void open_brace(const Token& token) {
    if (is_inside_code()) {
      open_.push_back({Scope::kOther, {}});
      return;
    }
    if (is_member_initialiser()) {
      open_.push_back({Scope::kOther, {}});
      keeps_head_ = true;
      kept_.push_back(head_);
      return;
    }
    Open open;
    open.block.first = head_.empty() ? token.line : tokens_[head_[0]].line;
    open.block.opened = token.line;
    classify(open);
    open_.push_back(std::move(open));
    head_.clear();
  }

  void close_brace(const Token& token) {
    if (open_.empty()) {
      head_.clear();
      return;
    }
    Open closed = std::move(open_.back());
    open_.pop_back();
    if (!closed.block.name.empty() || closed.scope == Scope::kFunction || closed.scope == Scope::kType) {
      closed.block.last = token.line;
      out_.blocks.push_back(std::move(closed.block));
    }
    if (is_inside_code()) return;
    if (keeps_head_ && !kept_.empty()) {
      head_ = std::move(kept_.back());
      kept_.pop_back();
      keeps_head_ = !kept_.empty();
    } else {
      head_.clear();
    }
  }

  /// `Foo() : a_{1}`: such braces are no block.
  bool is_member_initialiser() const {
    if (head_.size() < 4) return false;
    const Token& last = tokens_[head_.back()];
    if ((!last.is_word && last.text != ">") ||
        is_one_of(std::array{"const", "noexcept", "override", "final", "try"}, last.text))
      return false;
    int depth = 0;
    bool closed = false;
    for (size_t k = 0; k + 1 < head_.size(); ++k) {
      const std::string& text = tokens_[head_[k]].text;
      if (text == "(") ++depth;
      if (text == ")") closed = --depth == 0;
      if (text == ":" && depth == 0 && closed && tokens_[head_[k + 1]].text != ":" &&
          (k == 0 || tokens_[head_[k - 1]].text != ":"))
        return true;
    }
    return false;
  }

  const std::string& text_at(size_t k) const { return tokens_[head_[k]].text; }

  /// Behind `template <...>`, and behind attributes.
  size_t begin_of_declaration() const {
    size_t k = 0;
    while (k < head_.size() && text_at(k) == "template") {
      int depth = 0, round = 0;
      for (++k; k < head_.size(); ++k) {
        if (text_at(k) == "(") ++round;
        if (text_at(k) == ")") --round;
        if (round > 0) continue;
        if (text_at(k) == "<") ++depth;
        if (text_at(k) == ">" && --depth == 0) break;
      }
      ++k;
    }
    return std::min(k, head_.size());
  }

  void classify(Open& open) const {
    open.scope = Scope::kOther;
    const size_t begin = begin_of_declaration();
    std::string type, scope_word;
    size_t type_at = 0;
    int square = 0;
    for (size_t k = begin; k < head_.size(); ++k) {
      const Token& token = tokens_[head_[k]];
      if (token.text == "[") ++square;
      if (token.text == "]") --square;
      if (square > 0) continue;
      if (token.text == "operator") return name_operator(open, k);
      if (token.is_word && (token.text == "fn" || token.text == "func")) return name_after_word(open, k);
      if (token.text == "=" && scope_word.empty()) {
        if (k + 1 == head_.size()) open.block = data_at_head();
        return;
      }
      if (token.is_word && is_one_of(kScopeWords, token.text) && scope_word.empty() && k == first_word(begin))
        scope_word = token.text;
      if (token.is_word && is_one_of(kTypeWords, token.text) && type.empty())
        std::tie(type, type_at) = std::pair(token.text, k);
      if (token.text == "(") {
        if (k > begin && tokens_[head_[k - 1]].is_word &&
            (is_one_of(kNotFunctions, text_at(k - 1)) || is_macro_around_type(begin, k))) {
          k = close_of(k);
          continue;
        }
        if (k == begin || (scope_word == "impl" || scope_word == "mod" || scope_word == "trait")) break;
        return name_function(open, begin, k);
      }
    }
    if (!scope_word.empty()) {
      open.scope = Scope::kOuter;
    } else if (!type.empty()) {
      open.scope = Scope::kType;
      open.block.kind = SourceBlock::Kind::kType;
      for (size_t k = type_at + 1; k < head_.size(); ++k) {
        if (text_at(k) == ":" || text_at(k) == "<") break;
        if (tokens_[head_[k]].is_word && text_at(k) != "final" && text_at(k) != "class") open.block.name = text_at(k);
      }
    } else if (head_.empty()) {
      open.scope = Scope::kOther;
    }
  }

  /// `const char* const names[2] = ...`; without a name for all else that can stand in its place.
  SourceBlock data_at_head() const {
    SourceBlock data{.kind = SourceBlock::Kind::kData};
    const bool is_static = scope() == Scope::kType && std::any_of(head_.begin(), head_.end(), [&](size_t token) {
                             return tokens_[token].text == "static";
                           });
    if ((scope() != Scope::kOuter && !is_static) || head_.empty()) return data;
    int square = 0;
    for (size_t k = 0; k < head_.size(); ++k) {
      const Token& token = tokens_[head_[k]];
      if (token.text == "[") ++square;
      if (token.text == "]") --square;
      if (square > 0) continue;
      if (token.text == "=") {
        data.first = tokens_[head_[0]].line;
        return data;
      }
      if (token.text == "(" || is_one_of(std::array{"using", "template", "typedef", "operator"}, token.text)) break;
      if (token.is_word) data.name = token.text;
    }
    data.name.clear();
    return data;
  }

  /// `pub` and the like stand before it.
  size_t first_word(size_t begin) const {
    while (begin < head_.size() && is_one_of(std::array{"pub", "unsafe", "inline", "export"}, text_at(begin))) ++begin;
    return begin;
  }

  /// `LIB_API(int) name(...)`.
  bool is_macro_around_type(size_t begin, size_t bracket) const {
    const std::string& name = text_at(bracket - 1);
    const size_t close = close_of(bracket);
    return bracket == begin + 1 && close + 2 < head_.size() && tokens_[head_[close + 1]].is_word &&
           !is_one_of(kNotFunctions, text_at(close + 1)) &&
           std::none_of(name.begin(), name.end(), [](unsigned char c) { return std::islower(c) != 0; });
  }

  size_t close_of(size_t k) const {
    int depth = 0;
    for (; k < head_.size(); ++k) {
      if (text_at(k) == "(") ++depth;
      if (text_at(k) == ")" && --depth == 0) break;
    }
    return k;
  }

  void name_function(Open& open, size_t begin, size_t bracket) const {
    open.scope = Scope::kFunction;
    if (is_one_of(std::array{"if", "for", "while", "switch", "catch"}, text_at(bracket - 1)))
      return;  // of an .inc file
    size_t k = bracket;
    if (k > begin && text_at(k - 1) == ">") {  // f<int>(
      int depth = 0;
      while (k-- > begin) {
        if (text_at(k) == ">") ++depth;
        if (text_at(k) == "<" && --depth == 0) break;
      }
    }
    if (k == begin || k > head_.size()) return;
    open.block.name = text_at(k - 1);
    if (k - 1 > begin && text_at(k - 2) == "~") open.block.name = "~" + open.block.name;
  }

  void name_operator(Open& open, size_t at) const {
    open.scope = Scope::kFunction;
    open.block.name = "operator";
    for (size_t k = at + 1; k < head_.size(); ++k) {
      if (text_at(k) == "(" && !(k == at + 1 && k + 1 < head_.size() && text_at(k + 1) == ")")) break;
      open.block.name += text_at(k);
    }
  }

  /// fn name, func name, func (receiver) name
  void name_after_word(Open& open, size_t at) const {
    open.scope = Scope::kFunction;
    size_t k = at + 1;
    if (k < head_.size() && text_at(k) == "(") k = close_of(k) + 1;
    if (k < head_.size()) open.block.name = text_at(k);
  }

  struct Saved {
    std::vector<Open> open;
    std::vector<size_t> head;
    int branches = 0;
    std::pair<std::vector<Open>, std::vector<size_t>> first{};
  };

  std::vector<Token> tokens_;
  std::vector<Scanner::Directive> directives_;
  SourceText& out_;
  std::vector<Open> open_;
  std::vector<size_t> head_;  ///< tokens since the last ';' or brace
  std::vector<std::vector<size_t>> kept_;
  bool keeps_head_ = false;
  std::vector<Saved> saved_;
};

}  // namespace

std::optional<SourceLanguage> language_of(std::string_view path) {
  static const std::set<std::string_view> braces = {"c",   "h",   "cc",  "cpp",  "cxx",  "hpp", "hh",    "hxx", "inc",
                                                    "tcc", "ipp", "inl", "C",    "H",    "cu",  "cuh",   "m",   "mm",
                                                    "go",  "d",   "zig", "java", "js",   "ts",  "swift", "kt",  "def",
                                                    "y",   "l",   "re",  "ixx",  "cppm", "cl",  "s",     "S"};
  static const std::set<std::string_view> hash = {"py", "pyx", "pxd", "rb", "pl", "nim"};
  const std::string_view name = base_of_path(path);
  const size_t dot = name.find_last_of('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string_view ending = name.substr(dot + 1);
  if (ending == "rs") return SourceLanguage::kRust;
  if (braces.contains(ending)) return SourceLanguage::kBraces;
  if (hash.contains(ending)) return SourceLanguage::kHash;
  return std::nullopt;
}

const SourceBlock* SourceText::around(uint64_t line, SourceBlock::Kind kind) const {
  const std::vector<uint32_t>& at = block_at[static_cast<size_t>(kind)];
  return line == 0 || line > at.size() || at[line - 1] == 0 ? nullptr : &blocks[at[line - 1] - 1];
}

SourceText read_source(std::string_view text, SourceLanguage language) {
  SourceText source;
  Scanner scanner(text, language, source);
  std::vector<Token> tokens = scanner.scan();
  if (language != SourceLanguage::kHash) BlockFinder(std::move(tokens), std::move(scanner.directives), source).find();
  std::stable_sort(source.blocks.begin(), source.blocks.end(), [](const SourceBlock& a, const SourceBlock& b) {
    return std::tuple(a.first, ~a.last) < std::tuple(b.first, ~b.last);
  });
  for (auto& at : source.block_at) at.assign(source.code.size(), 0);
  for (uint32_t i = 0; i < source.blocks.size(); ++i)  // an inner one comes after those around it
    for (uint64_t line = source.blocks[i].first; line <= source.blocks[i].last && line <= source.code.size(); ++line)
      source.block_at[static_cast<size_t>(source.blocks[i].kind)][line - 1] = i + 1;
  return source;
}

}  // namespace icount
