#include "icount/base/edge_lines.h"

#include "icount/base/text.h"

namespace icount {

std::string first_line(std::string_view text) { return std::string(trim(text.substr(0, text.find_first_of("\r\n")))); }

std::string last_line(std::string_view text) {
  std::string_view last;
  for (const std::string_view line : split_lines(text))
    if (!trim(line).empty()) last = trim(line);
  return std::string(last);
}

}  // namespace icount
