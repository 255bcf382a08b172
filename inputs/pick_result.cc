#include "icount/inputs/pick_result.h"

#include <fmt/format.h>

#include <vector>

#include "icount/base/error.h"

namespace icount {

const Result& pick_result(const ResultFile& file, std::string_view label, const PickPlace& place) {
  std::vector<const Result*> found;
  std::vector<std::string> labels;
  for (const Result& result : file.results) {
    if (label.empty() || result_label(result) == label || result_key(result) == label) found.push_back(&result);
    labels.push_back("'" + result_key(result) + "'");
  }
  if (found.size() == 1) return *found[0];
  throw Error(
      ErrorKind::kUsage,
      fmt::format("{}: {}; --{} takes one of {}", place.file,
                  found.empty() ? fmt::format("no result '{}'", label) : fmt::format("holds {} results", found.size()),
                  place.option,
                  labels.empty() ? "none, the file is empty" : fmt::format("{}", fmt::join(labels, ", "))));
}

}  // namespace icount
