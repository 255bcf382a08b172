// libFuzzer target of timings, ours and other programs': measurement files, Google Benchmark, hyperfine, fuzzer runs,
// devices.
#include <string>

#include "fuzz/fuzz_input.h"
#include "icount/base/error.h"
#include "icount/stats/device_measurement.h"
#include "icount/stats/fuzz_result.h"
#include "icount/store/measurement_file.h"

namespace {

using namespace icount;

/// The text of what was read, read again, must be the same text.
void check_measurements(const LoadedMeasurements& loaded) {
  const std::string written = measurement_file_text(loaded.measurements);
  const LoadedMeasurements again = parse_measurement_file(written, "written");
  ICOUNT_CHECK(again.warnings.empty(), "a written measurement is not read");
  ICOUNT_CHECK(measurement_file_text(again.measurements) == written, "reading again changed a measurement");
  merge(loaded.measurements);
}

void check_other_json(const Json& json) {
  if (const auto run = accepted([&] { return fuzz_result_from_json(json, "fuzz"); })) fuzz_result_to_json(*run);
  if (const auto device = accepted([&] { return parse_device_measurement(json, "fuzz"); })) {
    const Json written = to_json(*device);
    ICOUNT_CHECK(to_json(parse_device_measurement(written, "written")) == written,
                 "reading again changed a device's figures");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = as_text(data, size);
  if (const auto loaded = accepted([&] { return parse_measurement_file(text, "fuzz"); })) check_measurements(*loaded);
  if (const auto loaded = accepted([&] { return parse_foreign_measurements(text, "fuzz"); }))
    check_measurements(*loaded);
  if (const auto json = accepted([&] { return parse_json(text, "fuzz"); })) check_other_json(*json);
  return 0;
}
