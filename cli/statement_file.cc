#include "icount/cli/statement_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "icount/base/error.h"
#include "icount/base/text.h"

namespace icount {
namespace {

constexpr std::string_view kSetupLine = "--- setup ---";

/// The text between the brackets of a heading; empty for every other line. "[[nodiscard]]" and "[&] {" are C++.
std::string_view heading_of(std::string_view line) {
  line = trim(line);
  if (line.size() < 3 || line.front() != '[' || line.back() != ']' || line[1] == '[' || line[1] == '&' ||
      line[1] == '=')
    return {};
  return trim(line.substr(1, line.size() - 2));
}

bool is_blank_or_comment(std::string_view line) { return trim(line).empty() || trim(line).starts_with("//"); }

std::vector<std::string> label_path(std::string_view heading) {
  std::vector<std::string> path;
  for (std::string_view rest = heading;;) {
    const size_t at = rest.find(" / ");
    path.emplace_back(trim(rest.substr(0, at)));
    if (at == std::string_view::npos) return path;
    rest.remove_prefix(at + 3);
  }
}

class Reader {
 public:
  explicit Reader(std::string_view name) : name_(name) {}

  void read_sections(const std::vector<std::string_view>& lines) {
    for (size_t i = 0; i < lines.size(); ++i) {
      const size_t number = i + 1;
      if (const std::string_view heading = heading_of(lines[i]); !heading.empty()) {
        finish();
        start(heading, number);
      } else if (statements_.empty()) {
        if (!is_blank_or_comment(lines[i])) fail(number, "a statement before the first [label]");
      } else if (trim(lines[i]) == kSetupLine) {
        if (!statements_.back().setup.empty()) fail(number, "a second set-up line in one section");
        statements_.back().setup = std::move(statements_.back().stmt);
        statements_.back().stmt.clear();
      } else {
        statements_.back().stmt += std::string(lines[i]) + "\n";
      }
    }
    finish();
  }

  void read_lines(const std::vector<std::string_view>& lines) {
    for (std::string_view line : lines)
      if (!is_blank_or_comment(line)) statements_.push_back({{}, std::string(trim(line)), {}});
  }

  std::vector<LabelledStatement> take() { return std::move(statements_); }

 private:
  void start(std::string_view heading, size_t number) {
    if (!seen_.insert(std::string(heading)).second) fail(number, fmt::format("the label '{}' occurs twice", heading));
    statements_.push_back({label_path(heading), {}, {}});
    start_ = number;
  }
  void finish() const {
    if (!statements_.empty() && trim(statements_.back().stmt).empty()) fail(start_, "no statement below this label");
  }
  [[noreturn]] void fail(size_t number, std::string_view what) const {
    throw Error(ErrorKind::kMalformed, fmt::format("{}:{}: {}", name_, number, what));
  }

  std::string_view name_;
  std::vector<LabelledStatement> statements_;
  std::set<std::string> seen_;
  size_t start_ = 0;
};

}  // namespace

std::vector<LabelledStatement> parse_statement_file(std::string_view text, std::string_view name) {
  const std::vector<std::string_view> lines = split_lines(text);
  Reader reader(name);
  if (std::any_of(lines.begin(), lines.end(), [](std::string_view line) { return !heading_of(line).empty(); }))
    reader.read_sections(lines);
  else
    reader.read_lines(lines);
  std::vector<LabelledStatement> statements = reader.take();
  if (statements.empty()) throw Error(ErrorKind::kMalformed, fmt::format("{}:1: no statement in this file", name));
  return statements;
}

}  // namespace icount
