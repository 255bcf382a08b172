#include "cli/gate_base.h"

#include <fmt/format.h>

#include "base/error.h"
#include "cli/gate_files.h"
#include "cli/gate_measure.h"
#include "store/result_file.h"

namespace icount {
namespace {

BaseSide load_saved(const std::string& path, CommandContext& context) {
  std::vector<std::string> warnings;
  BaseSide side{path, load_results_or_timings(path, warnings), {}};
  for (const std::string& warning : warnings) context.warn(warning);
  return side;
}

BaseSide measure_reference(const BaseOptions& options, const std::string& suite, const std::vector<std::string>& words, CommandContext& context) {
  BaseResult measured = measure_base({options.reference, options.build, suite, words}, context);
  return {std::move(measured.name), std::move(measured.file), {}};
}

}  // namespace

std::pair<std::string, std::string> split_store_name(const std::string& against) {
  const size_t colon = against.rfind(':');
  if (colon == std::string::npos || against.find('/', colon) != std::string::npos) return {against, {}};
  // "sqlite:history" is a store and no name.
  if (against.substr(0, colon) == "sqlite" || against.substr(0, colon) == "postgresql") return {against, {}};
  return {against.substr(0, colon), against.substr(colon + 1)};
}

BaseSide load_base(const BaseOptions& options, const std::string& suite, const std::vector<std::string>& suite_words, CommandContext& context) {
  if (!options.baseline.empty()) return load_saved(options.baseline, context);
  if (!options.reference.empty()) return measure_reference(options, suite, suite_words, context);
  throw Error(ErrorKind::kUsage, "--against: this icount was built without a history");
}

}  // namespace icount
