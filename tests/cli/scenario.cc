#include "cli/scenario.h"

#include <stdexcept>

#include "icount/base/text.h"

namespace icount {
namespace {

constexpr std::string_view kAnything = "[...]";

bool line_matches(std::string_view pattern, std::string_view line) {
  const size_t at = pattern.find(kAnything);
  if (at == std::string_view::npos) return pattern == line;
  if (!line.starts_with(pattern.substr(0, at))) return false;
  const std::string_view rest = pattern.substr(at + kAnything.size());
  for (size_t from = at; from <= line.size(); ++from)
    if (line_matches(rest, line.substr(from))) return true;
  return false;
}

using Lines = std::vector<std::string_view>;

bool lines_match(const Lines& patterns, size_t p, const Lines& lines, size_t l) {
  if (p == patterns.size()) return l == lines.size();
  if (patterns[p] == kAnything) {
    for (size_t next = l; next <= lines.size(); ++next)
      if (lines_match(patterns, p + 1, lines, next)) return true;
    return false;
  }
  return l < lines.size() && line_matches(patterns[p], lines[l]) && lines_match(patterns, p + 1, lines, l + 1);
}

class ScenarioReader {
 public:
  explicit ScenarioReader(std::string_view name) : name_(name) {}

  Scenario read(std::string_view text) {
    for (std::string_view line : split_lines(text)) {
      ++number_;
      if (line.starts_with("$ "))
        start_step(line.substr(2));
      else if (line.starts_with("--- "))
        start_block(line.substr(4));
      else if (target_)
        *target_ += std::string(line) + "\n";
      else if (!line.empty() && !line.starts_with('#'))
        fail("text outside a block");
    }
    end_block();
    return std::move(scenario_);
  }

 private:
  /// Empty lines and comments between an expected output and the next command belong to neither.
  void end_block() {
    while (target_ && !scenario_.steps.empty()) {
      const size_t at = target_->size() < 2 ? 0 : target_->rfind('\n', target_->size() - 2) + 1;
      const std::string_view last = std::string_view(*target_).substr(at);
      if (last.empty() || (last != "\n" && !last.starts_with("# "))) break;
      target_->resize(at);
    }
    target_ = nullptr;
  }

  void start_step(std::string_view command) {
    end_block();
    scenario_.steps.push_back({.command = std::string(command), .line = number_});
  }

  void start_block(std::string_view words) {
    end_block();
    if (words == "end") return;
    if (words.starts_with("file ")) {
      scenario_.files.push_back({std::string(words.substr(5)), {}});
      target_ = &scenario_.files.back().content;
      return;
    }
    if (words.starts_with("needs ")) {
      scenario_.needs.emplace_back(words.substr(6));
      return;
    }
    if (scenario_.steps.empty()) fail("a block before any command");
    ScenarioStep& step = scenario_.steps.back();
    if (words == "stdout")
      target_ = &step.expected_out;
    else if (words == "stderr")
      target_ = &step.expected_err;
    else if (words.starts_with("exit "))
      step.expected_exit = static_cast<int>(parse_int64(words.substr(5)).value());
    else
      fail("unknown block '" + std::string(words) + "'");
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(std::string(name_) + ":" + std::to_string(number_) + ": " + what);
  }

  std::string_view name_;
  size_t number_ = 0;
  Scenario scenario_;
  std::string* target_ = nullptr;
};

}  // namespace

Scenario parse_scenario(std::string_view text, std::string_view name) { return ScenarioReader(name).read(text); }

bool matches(std::string_view pattern, std::string_view actual) {
  return lines_match(split_lines(pattern), 0, split_lines(actual), 0);
}

}  // namespace icount
