#include "icount/report/profile_cells.h"

#include <fmt/format.h>

namespace icount {

std::string base_of(std::string_view path, bool raw) {
  const size_t slash = path.rfind('/');
  return std::string(raw || slash == std::string_view::npos ? path : path.substr(slash + 1));
}

std::string place_of(std::string_view file, std::string_view object, bool raw) {
  std::string place;
  for (std::string_view path : {file, object}) {
    if (path.empty() || path == kUnknownPlace) continue;
    if (!place.empty()) place += ", ";
    place += base_of(path, raw);
  }
  return place;
}

std::string percent_of(int64_t part, int64_t total) {
  if (total == 0) return "-";
  return fmt::format("{:.2f}%", 100.0 * static_cast<double>(part) / static_cast<double>(total));
}

}  // namespace icount
