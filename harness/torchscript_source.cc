#include "icount/harness/torchscript_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <utility>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/harness/globals.h"

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

/// Strings, comments, brackets and continued lines are understood; empty lines are left out. Any text has lines, a
/// crooked one too.
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

/// A word that is no variable: Python's keywords, print and torch.
bool is_torchscript_keyword(std::string_view name) {
  static constexpr std::string_view kWords[] = {"and",   "as",    "assert", "break", "continue", "def",  "del",
                                                "elif",  "else",  "False",  "for",   "from",     "if",   "import",
                                                "in",    "is",    "lambda", "None",  "not",      "or",   "pass",
                                                "print", "raise", "return", "True",  "while",    "with", "torch"};
  return std::find(std::begin(kWords), std::end(kWords), name) != std::end(kWords);
}

}  // namespace

bool is_name_part(char c) { return is_name_start(c) || (c >= '0' && c <= '9'); }

namespace {

using Line = TorchScriptLine;

/// Position of the line's top-level assignment, "=" or "+=" and such; its size when there is none.
size_t find_assignment(const Line& line) {
  for (size_t i = 0; i < line.size(); ++i) {
    const std::string_view text = line[i].text;
    if (line[i].depth != 0 || line[i].kind != Token::Kind::kOther || text.empty() || text.back() != '=') continue;
    if (text != "==" && text != "!=" && text != "<=" && text != ">=") return i;
  }
  return line.size();
}

/// Collects the free names of a body, line by line, in the order of their first reading.
class NameCollector {
 public:
  void add(const Line& line) {
    const size_t assignment = find_assignment(line);
    const bool plain = assignment < line.size() && line[assignment].text == "=";
    read(line, assignment == line.size() ? 0 : assignment + 1, line.size());
    if (assignment == line.size()) return;
    for (size_t i = 0; i < assignment; ++i) {
      const bool whole = line[i].depth == 0 && line[i].kind == Token::Kind::kName &&
                         (i + 1 == assignment || line[i + 1].text == "," || line[i + 1].text == ":");
      if (!whole || !plain) read(line, i, i + 1);
      if (!whole) continue;
      assign(line[i].text);
      if (line[i + 1].text == ":") break;  // the rest is a type
    }
  }

  const std::vector<std::string>& free_names() const { return free_; }
  const std::string& last_assigned() const { return last_assigned_; }

 private:
  void assign(std::string_view name) {
    bound_.insert(std::string(name));
    last_assigned_ = name;
  }

  void read(const Line& line, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (line[i].kind != Token::Kind::kName || is_torchscript_keyword(line[i].text)) continue;
      const std::string_view before = i > 0 ? line[i - 1].text : std::string_view();
      const std::string_view after = i + 1 < line.size() ? line[i + 1].text : std::string_view();
      if (before == "." || after == "(" || (after == "=" && line[i].depth > 0)) continue;
      if (before == "for") {
        bound_.insert(std::string(line[i].text));
      } else if (!bound_.count(std::string(line[i].text))) {
        bound_.insert(std::string(line[i].text));
        free_.emplace_back(line[i].text);
      }
    }
  }

  std::set<std::string> bound_;
  std::vector<std::string> free_;
  std::string last_assigned_;
};

bool begins_with(const Line& line, std::string_view word) { return !line.empty() && line[0].text == word; }

/// The parameters of a `def` line that have no default value.
std::vector<std::string> parameters_of(const Line& line) {
  std::vector<std::string> names;
  for (size_t i = 3; i < line.size(); ++i) {
    if (line[i].depth != 1 || line[i].kind != Token::Kind::kName ||
        (line[i - 1].text != "(" && line[i - 1].text != ","))
      continue;
    size_t end = i;
    while (end < line.size() && !(line[end].depth == 1 && line[end].text == ",") && line[end].depth >= 1) ++end;
    const bool has_default =
        std::any_of(line.begin() + static_cast<std::ptrdiff_t>(i), line.begin() + static_cast<std::ptrdiff_t>(end),
                    [](const Token& token) { return token.text == "="; });
    if (!has_default) names.emplace_back(line[i].text);
  }
  return names;
}

TorchScriptFunction take_whole(std::string_view text, const std::vector<Line>& lines) {
  const Line* chosen = nullptr;
  for (const Line& line : lines) {
    if (!begins_with(line, "def") || line[0].indented || line.size() < 2) continue;
    const bool named = chosen && ((*chosen)[1].text == "forward" || (*chosen)[1].text == "model");
    if (!named) chosen = &line;
  }
  return {std::string(text), std::string((*chosen)[1].text), parameters_of(*chosen)};
}

std::string indent(std::string_view text) {
  std::string out;
  for (const std::string_view line : split_lines(text)) out += line.empty() ? "\n" : fmt::format("    {}\n", line);
  return out;
}

/// The byte where a line begins in the text that it was scanned from.
size_t offset_of(std::string_view text, const Line& line) {
  return static_cast<size_t>(line[0].text.data() - text.data());
}

TorchScriptFunction wrap_body(std::string_view text, std::string_view output, const std::vector<Line>& lines) {
  NameCollector names;
  for (const Line& line : lines) names.add(line);
  std::string body(text);
  const Line& last = lines.back();
  const bool is_expression = find_assignment(last) == last.size() && !last[0].indented &&
                             !(is_torchscript_keyword(last[0].text) && last[0].text != "torch");
  if (!output.empty()) {
    body += fmt::format("\nreturn {}", output);
  } else if (is_expression) {
    body.insert(offset_of(text, last), "return ");
  } else if (!begins_with(last, "return")) {
    if (names.last_assigned().empty())
      throw Error(ErrorKind::kUsage,
                  "the TorchScript statement computes nothing that could be returned; end it with an expression or an "
                  "assignment");
    body += fmt::format("\nreturn {}", names.last_assigned());
  }
  std::string parameters;
  for (const std::string& name : names.free_names()) parameters += (parameters.empty() ? "" : ", ") + name;
  return {fmt::format("def forward({}):\n{}", parameters, indent(body)), "forward", names.free_names()};
}

}  // namespace

TorchScriptFunction make_torchscript_function(std::string_view text, std::string_view output) {
  const std::vector<Line> lines = scan_torchscript(text);
  if (lines.empty()) throw Error(ErrorKind::kUsage, "the TorchScript statement is empty");
  for (const Line& line : lines)
    if (begins_with(line, "def") && !line[0].indented && line.size() > 1) return take_whole(text, lines);
  return wrap_body(text, output, lines);
}

namespace {

constexpr std::string_view kDefaultOutput = "icount_output";

/// "[OUT =] [METHOD](ARGUMENTS)" taken apart.
struct ModuleCall {
  std::string output;
  std::string method = "forward";
  std::string arguments;
};

ModuleCall parse_module_call(std::string_view text) {
  ModuleCall call;
  std::string_view rest = trim(text);
  while (rest.ends_with(';')) rest = trim(rest.substr(0, rest.size() - 1));
  size_t name_end = 0;
  while (name_end < rest.size() && is_name_part(rest[name_end])) ++name_end;
  const std::string_view after = trim(rest.substr(name_end));
  if (name_end > 0 && after.starts_with('=') && !after.starts_with("==")) {
    call.output = rest.substr(0, name_end);
    rest = trim(after.substr(1));
    name_end = 0;
    while (name_end < rest.size() && is_name_part(rest[name_end])) ++name_end;
  }
  if (name_end > 0 && name_end < rest.size() && rest[name_end] == '(' && rest.ends_with(')')) {
    call.method = rest.substr(0, name_end);
    call.arguments = rest.substr(name_end + 1, rest.size() - name_end - 2);
  } else {
    call.arguments = rest;
  }
  return call;
}

struct Call {
  std::string setup;
  std::string output;
  std::string expression;
};

Call call_module(const TimerArgs& args) {
  const ModuleCall call = parse_module_call(args.stmt);
  const EmbeddedFile file = embed_file("icount_module", args.module_path);
  Call result;
  result.setup = file.setup + fmt::format(
                                  "std::istringstream icount_stream(std::string({}, {}));\n"
                                  "auto icount_module = torch::jit::load(icount_stream);\nicount_module.eval();\n"
                                  "auto icount_function = icount_module.get_method({});\n",
                                  file.begin, file.size, cpp_string_literal(call.method));
  result.output = call.output;
  result.expression = fmt::format("icount_function({{{}}})", call.arguments);
  return result;
}

/// The line of `text` that has `name` as a word, fit for a comment.
std::string line_with(std::string_view text, std::string_view name) {
  for (const std::string_view line : split_lines(text))
    for (size_t at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
      const size_t end = at + name.size();
      if ((at > 0 && is_name_part(line[at - 1])) || (end < line.size() && is_name_part(line[end]))) continue;
      std::string_view shown = trim(line);
      while (shown.ends_with('\\')) shown = trim(shown.substr(0, shown.size() - 1));
      return std::string(shown);
    }
  return std::string(name);
}

Call call_source(const TimerArgs& args) {
  const TorchScriptFunction function = make_torchscript_function(args.stmt, args.backward);
  Call result;
  for (const std::string& name : function.parameters)
    result.setup += fmt::format("(void)({});{}{}\n", name, kTorchScriptReads, line_with(args.stmt, name));
  // The message begins with a line break, and one line is what a user sees first.
  result.setup += fmt::format(
      "auto icount_unit = [] {{ try {{ return torch::jit::compile({}); }} catch (const std::exception& icount_error) "
      "{{\n"
      "const std::string icount_text = icount_error.what();\n"
      "throw std::runtime_error(\"TorchScript does not compile: \" + "
      "icount_text.substr(icount_text.find_first_not_of(\" \\n\")));\n}} }}();\n"
      "auto& icount_function = icount_unit->get_function({});\n",
      cpp_string_literal(function.source), cpp_string_literal(function.name));
  result.expression = fmt::format("icount_function({{{}}})", fmt::join(function.parameters, ", "));
  return result;
}

}  // namespace

TimerArgs make_cpp_of_torchscript(const TimerArgs& args) {
  const Call call = args.module_path.empty() ? call_source(args) : call_module(args);
  TimerArgs out = args;
  out.language = Language::kCpp;
  out.torch = true;
  out.module_path.clear();
  out.global_setup = "#include <torch/script.h>\n" + args.global_setup;
  std::string output = !args.backward.empty() ? args.backward : call.output;
  if (output.empty()) output = kDefaultOutput;
  out.stmt = fmt::format("auto {} = {}{};", output, call.expression, args.backward.empty() ? "" : ".toTensor()");
  const std::string again = args.backward.empty() ? "" : fmt::format(" {}.backward();", output);
  out.setup = fmt::format("{}\n{}for (int icount_call = 0; icount_call < 3; ++icount_call) {{ {}{} }}\n", args.setup,
                          call.setup, out.stmt, again);
  return out;
}

}  // namespace icount
