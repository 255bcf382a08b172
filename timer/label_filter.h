// Which cases of a benchmark binary are meant: --filter, a regular expression, and --case, a pattern. Pure.
#pragma once

#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// BenchOptions::filter, searched in names; an empty one matches everything.
class LabelFilter {
 public:
  /// Error{kUsage} for what is no regular expression.
  explicit LabelFilter(const std::string& pattern);
  bool matches(const std::string& label) const { return !is_set_ || std::regex_search(label, expression_); }

 private:
  bool is_set_;
  std::regex expression_;
};

/// A pattern with * and ? against a whole name.
bool matches_pattern(std::string_view pattern, std::string_view name);

/// "bodies / ten", which a filter is searched in.
std::string joined_label(const std::vector<std::string>& label);

}  // namespace icount
