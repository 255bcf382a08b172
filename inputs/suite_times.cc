#include "icount/inputs/suite_times.h"

#include "icount/store/measurement_file.h"

namespace icount {

std::vector<std::optional<Measurement>> load_times(std::span<const Result> results) {
  std::vector<std::optional<Measurement>> times;
  for (const Result& result : results) {
    times.emplace_back();
    const std::string place = "wall time of " + result_key(result);
    if (!result.measurement.empty()) times.back() = parse_measurement(parse_json(result.measurement, place), place);
  }
  return times;
}

}  // namespace icount
