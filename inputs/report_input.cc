#include "icount/inputs/report_input.h"

#include <filesystem>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/json.h"
#include "icount/counter/named_counts.h"
#include "icount/stats/fuzz_result_json.h"
#include "icount/store/measurement_file.h"
#include "icount/store/result_file.h"

namespace icount {
namespace {

enum class Kind { kSide, kResult, kFuzz, kTimings };

Kind kind_of(const std::string& word) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(word, ignored)) return Kind::kSide;
  const FileBytes bytes = CountsNamer().load_profile(word);
  if (looks_like_result_file(bytes.view())) return Kind::kResult;
  if (looks_like_fuzz_result(bytes.view())) return Kind::kFuzz;
  return bytes.view().starts_with('{') ? Kind::kTimings : Kind::kSide;
}

void add_timings(const std::string& word, ReportInput& input, const CommandContext& context) {
  LoadedMeasurements loaded = load_measurements(word);
  for (const std::string& warning : loaded.warnings) context.warn(warning);
  for (Measurement& one : loaded.measurements) input.timings.push_back(std::move(one));
}

void add_side(const std::string& word, const DiffSideOptions& options, ReportInput& input, CommandContext& context) {
  input.sides.push_back(load_diff_side(word, options, context));
}

/// An empty one is a report, too: it says that nothing was measured.
void add_result(const std::string& word, ReportInput& input, const CommandContext& context) {
  LoadedResults loaded = load_result_file(word);
  for (const std::string& warning : loaded.warnings) context.warn(warning);
  input.sides.push_back({.name = word, .saved = true, .file = std::move(loaded.file)});
  for (const Result& result : input.sides.back().file.results)
    if (!result.measurement.empty())
      input.timings.push_back(parse_measurement(parse_json(result.measurement, word), word));
}

}  // namespace

ReportInput load_report_input(const std::vector<std::string>& words, const DiffSideOptions& options,
                              CommandContext& context) {
  ReportInput input;
  for (const std::string& word : words) {
    switch (kind_of(word)) {
      case Kind::kFuzz:
        input.fuzz.emplace_back(word, fuzz_result_from_json(parse_json(load_file(word).view(), word), word));
        break;
      case Kind::kTimings:
        add_timings(word, input, context);
        break;
      case Kind::kSide:
        add_side(word, options, input, context);
        break;
      case Kind::kResult:
        add_result(word, input, context);
        break;
    }
  }
  return input;
}

}  // namespace icount
