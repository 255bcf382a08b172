// Everything that is wrong with a text, collected first and told at once: a suite file with five mistakes is mended in
// one round. Filled by base/toml_value.h, and by the readers and checks of suite/, whose load_suite and materialize
// throw it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// Where a piece of a file stands. An empty file: it was built in C++ and has no place.
struct Place {
  std::string file;
  int64_t line = 0;    ///< from 1; 0: unknown
  int64_t column = 0;  ///< from 1; 0: unknown
  bool operator==(const Place&) const = default;
};

/// "FILE:LINE:COLUMN", without what is unknown; "" for no file.
std::string to_text(const Place& place);

/// Collects problems; a value, no reference kept to what they are about.
class Problems {
 public:
  void add(const Place& place, std::string_view text);
  bool empty() const { return lines_.empty(); }
  size_t size() const { return lines_.size(); }
  /// One per problem, "FILE:LINE:COLUMN: TEXT", in the order of their places.
  std::vector<std::string> lines() const;
  /// Error{kMalformed}: the only problem's line, or "N problems in WHAT:" and a line for each.
  void throw_if_any(std::string_view what) const;

 private:
  struct Line {
    Place place;
    std::string text;
  };
  std::vector<Line> lines_;
};

}  // namespace icount
