#include "icount/callgrind/parse_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>

#include "icount/base/error.h"
#include "icount/base/text.h"

namespace icount {

int64_t ParseReport::line_of(const char* at) const {
  const char* const begin = text_.data();
  const char* const end = begin + text_.size();
  const bool inside = !std::less<>()(at, begin) && std::less<>()(at, end);
  return 1 + std::count(begin, inside ? at : end, '\n');
}

void ParseReport::fail(const char* at, std::string_view what) const {
  throw Error(ErrorKind::kMalformed, fmt::format("{}:{}: {}", name_, line_of(at), what));
}

void ParseReport::warn_times(const char* at, const std::string& cause, int64_t times) {
  ProfileWarning& warning = warnings_[cause];
  if (warning.line == 0) warning = {line_of(at), 0, cause};
  warning.count += times;
}

void ParseReport::count_unknown_line(const char* at, std::string_view line) {
  if (unknown_lines_++ > 0) return;
  first_unknown_ = at;
  first_unknown_text_ = quote(line);
}

std::vector<ProfileWarning> ParseReport::take_warnings() const {
  std::vector<ProfileWarning> all;
  for (const auto& [cause, warning] : warnings_) all.push_back(warning);
  if (unknown_lines_ > 0)
    all.push_back({line_of(first_unknown_), unknown_lines_,
                   fmt::format("{} lines not understood, first: {}", unknown_lines_, first_unknown_text_)});
  std::sort(all.begin(), all.end(), [](const ProfileWarning& a, const ProfileWarning& b) {
    return std::tie(a.line, a.text) < std::tie(b.line, b.text);
  });
  return all;
}

std::string ParseReport::quote(std::string_view bytes, size_t most) {
  const std::string shown = escape_for_terminal(bytes.substr(0, most));
  return bytes.size() > most ? shown + "..." : shown;
}

}  // namespace icount
