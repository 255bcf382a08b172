#include "icount/harness/torchscript_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/harness/torchscript_lines.h"

namespace icount {
namespace {

using Token = TorchScriptToken;
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

}  // namespace icount
