#include "icount/inputs/pick_result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "icount/base/error.h"
#include "icount/base/text.h"

namespace icount {

namespace {

/// "'a', 'b' and 3 more": what a reader can choose from, however many and however long they are.
std::string choices(const std::vector<std::string>& keys) {
  constexpr size_t kMost = 30, kLongest = 300;
  if (keys.empty()) return "none, the file is empty";
  std::vector<std::string> shown;
  for (size_t i = 0; i < keys.size() && i < kMost; ++i)
    shown.push_back(fmt::format("'{}'", shorten_middle(keys[i], kLongest)));
  const std::string more = keys.size() > kMost ? fmt::format(" and {} more", keys.size() - kMost) : "";
  return fmt::format("{}{}", fmt::join(shown, ", "), more);
}

}  // namespace

const Result& pick_result(const ResultFile& file, std::string_view label, const PickPlace& place) {
  std::vector<const Result*> found;
  std::vector<std::string> labels;
  for (const Result& result : file.results) {
    if (label.empty() || result_label(result) == label || result_key(result) == label) found.push_back(&result);
    labels.push_back(result_key(result));
  }
  if (found.size() == 1) return *found[0];
  throw Error(ErrorKind::kUsage, fmt::format("{}: {}; --{} takes one of {}", place.file,
                                             found.empty() ? fmt::format("no result '{}'", label)
                                                           : fmt::format("holds {} results", found.size()),
                                             place.option, choices(labels)));
}

}  // namespace icount
