#include "icount/timer/label_filter.h"

#include <fmt/format.h>

#include "icount/base/error.h"

namespace icount {

LabelFilter::LabelFilter(const std::string& pattern) : is_set_(!pattern.empty()) {
  try {
    expression_ = std::regex(pattern, std::regex::extended);
  } catch (const std::regex_error&) {
    throw Error(ErrorKind::kUsage, fmt::format("--filter {}: not a regular expression", pattern));
  }
}

bool matches_pattern(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern[0] == '*')
    return matches_pattern(pattern.substr(1), name) || (!name.empty() && matches_pattern(pattern, name.substr(1)));
  return !name.empty() && (pattern[0] == '?' || pattern[0] == name[0]) &&
         matches_pattern(pattern.substr(1), name.substr(1));
}

std::string joined_label(const std::vector<std::string>& label) { return fmt::format("{}", fmt::join(label, " / ")); }

}  // namespace icount
