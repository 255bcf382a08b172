#include "icount/harness/torchscript_lines.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>

namespace icount {
namespace {

using Token = TorchScriptToken;

bool is_name_start(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<Token> scan() {
    while (at_ < text_.size()) step();
    end_line();
    return std::move(tokens_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '\n') {
      ++at_;
      if (depth_ == 0) end_line();
    } else if (c == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') {
      at_ += 2;
    } else if (c == '#') {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      if (line_start_) indented_ = true;
      ++at_;
    } else {
      line_start_ = false;
      take_piece(c);
    }
  }

  void take_piece(char c) {
    if (is_name_start(c)) return take_while(Token::Kind::kName, is_name_part);
    if (c >= '0' && c <= '9')
      return take_while(Token::Kind::kOther, [](char d) { return is_name_part(d) || d == '.'; });
    if (c == '"' || c == '\'') return take_string(c);
    if (c == ')' || c == ']' || c == '}') --depth_;
    const std::string_view two = text_.substr(at_, 2);
    const bool wide =
        two.size() == 2 && two[1] == '=' && std::string_view("=!<>+-*/%&|^@").find(two[0]) != std::string_view::npos;
    add(Token::Kind::kOther, wide ? 2 : 1);
    if (c == '(' || c == '[' || c == '{') ++depth_;
  }

  template <typename Test>
  void take_while(Token::Kind kind, Test test) {
    size_t size = 1;
    while (at_ + size < text_.size() && test(text_[at_ + size])) ++size;
    add(kind, size);
  }

  void take_string(char quote) {
    const std::string three(3, quote);
    const bool is_long = text_.substr(at_, 3) == three;
    const std::string_view end = is_long ? std::string_view(three) : std::string_view(three).substr(0, 1);
    size_t to = at_ + end.size();
    while (to < text_.size() && text_.substr(to, end.size()) != end) to += text_[to] == '\\' ? 2 : 1;
    add(Token::Kind::kOther, std::min(to + end.size(), text_.size()) - at_);
  }

  void add(Token::Kind kind, size_t size) {
    tokens_.push_back({kind, text_.substr(at_, size), depth_, indented_});
    at_ += size;
  }

  void end_line() {
    if (!tokens_.empty() && tokens_.back().kind != Token::Kind::kLineEnd)
      tokens_.push_back({Token::Kind::kLineEnd, {}, 0, indented_});
    line_start_ = true;
    indented_ = false;
  }

  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
  bool line_start_ = true;
  bool indented_ = false;
  std::vector<Token> tokens_;
};

}  // namespace

bool is_name_part(char c) { return is_name_start(c) || (c >= '0' && c <= '9'); }

std::vector<TorchScriptLine> scan_torchscript(std::string_view text) {
  std::vector<TorchScriptLine> lines(1);
  for (const Token& token : Scanner(text).scan()) {
    if (token.kind == Token::Kind::kLineEnd)
      lines.emplace_back();
    else
      lines.back().push_back(token);
  }
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

bool is_torchscript_keyword(std::string_view name) {
  static constexpr std::string_view kWords[] = {"and",   "as",    "assert", "break", "continue", "def",  "del",
                                                "elif",  "else",  "False",  "for",   "from",     "if",   "import",
                                                "in",    "is",    "lambda", "None",  "not",      "or",   "pass",
                                                "print", "raise", "return", "True",  "while",    "with", "torch"};
  return std::find(std::begin(kWords), std::end(kWords), name) != std::end(kWords);
}

}  // namespace icount
