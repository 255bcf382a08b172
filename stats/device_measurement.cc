#include "icount/stats/device_measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "icount/base/error.h"

namespace icount {
namespace {

/// The value at share `q` of the sorted samples, linearly interpolated; 0 without samples.
double quantile_of(std::vector<double> samples, double q) {
  if (samples.empty()) return 0;
  std::sort(samples.begin(), samples.end());
  const double rank = q * static_cast<double>(samples.size() - 1);
  const auto low = static_cast<size_t>(rank);
  const size_t high = std::min(low + 1, samples.size() - 1);
  return samples[low] + (rank - static_cast<double>(low)) * (samples[high] - samples[low]);
}

double rate_share(double amount, double seconds, double peak) {
  return amount > 0 && seconds > 0 && peak > 0 ? amount / seconds / peak : 0;
}

double best_seconds(const DeviceMeasurement& m) { return m.hot_seconds.empty() ? m.median_cold() : m.median_hot(); }

}  // namespace

double DeviceMeasurement::median_cold() const { return quantile_of(cold_seconds, 0.5); }
double DeviceMeasurement::median_hot() const { return quantile_of(hot_seconds, 0.5); }
double DeviceMeasurement::median_launch() const { return quantile_of(cold_launch_seconds, 0.5); }

double DeviceMeasurement::cold_noise() const {
  if (cold_seconds.size() < 4 || median_cold() <= 0) return 0;
  return (quantile_of(cold_seconds, 0.75) - quantile_of(cold_seconds, 0.25)) / median_cold();
}

double DeviceMeasurement::share_of_peak_bandwidth() const {
  return rate_share(bytes_moved, median_cold(), device.peak_bytes_per_second);
}

double DeviceMeasurement::share_of_peak_flops() const {
  return rate_share(flops, best_seconds(*this), device.peak_fp32_flops);
}

Json to_json(const DeviceMeasurement& m) {
  Json device;
  device["index"] = m.device.index;
  device["name"] = m.device.name;
  device["architecture"] = m.device.architecture;
  device["sm_count"] = m.device.sm_count;
  device["driver"] = m.device.driver;
  device["runtime"] = m.device.runtime;
  device["default_sm_clock_hz"] = m.device.default_sm_clock_hz;
  device["peak_bytes_per_second"] = m.device.peak_bytes_per_second;
  device["peak_fp32_flops"] = m.device.peak_fp32_flops;
  device["other_users"] = m.device.other_users;
  Json json;
  json["device"] = std::move(device);
  json["cold_seconds"] = m.cold_seconds;
  json["cold_launch_seconds"] = m.cold_launch_seconds;
  json["hot_seconds"] = m.hot_seconds;
  json["hot_runs_per_batch"] = m.hot_runs_per_batch;
  json["launch_share"] = m.launch_share;
  json["launch_bound"] = m.launch_bound;
  json["capped_clock_hz"] = m.capped_clock_hz;
  json["throttled"] = m.throttled;
  json["sm_clock_hz"] = m.sm_clock_hz;
  json["stop_reason"] = m.stop_reason;
  json["bytes_moved"] = m.bytes_moved;
  json["flops"] = m.flops;
  return json;
}

DeviceMeasurement parse_device_measurement(const Json& json, std::string_view name) {
  const auto read = [name](const Json& object, const char* key, auto& field) {
    const Json& value = json_field(object, key, name);
    try {
      value.get_to(field);
    } catch (const Json::exception&) {
      throw Error(ErrorKind::kMalformed, fmt::format("{}: field '{}' has the wrong type", name, key));
    }
  };
  const auto read_whole = [name](const Json& object, const char* key, auto& field) {
    const int64_t number = json_whole_number_field(object, key, name);
    if (!std::in_range<std::remove_reference_t<decltype(field)>>(number))
      throw Error(ErrorKind::kMalformed, fmt::format("{}: field '{}' is out of range", name, key));
    field = static_cast<std::remove_reference_t<decltype(field)>>(number);
  };
  DeviceMeasurement m;
  const Json& device = json_field(json, "device", name);
  read_whole(device, "index", m.device.index);
  read(device, "name", m.device.name);
  read(device, "architecture", m.device.architecture);
  read_whole(device, "sm_count", m.device.sm_count);
  read(device, "driver", m.device.driver);
  read(device, "runtime", m.device.runtime);
  read(device, "default_sm_clock_hz", m.device.default_sm_clock_hz);
  read(device, "peak_bytes_per_second", m.device.peak_bytes_per_second);
  read(device, "peak_fp32_flops", m.device.peak_fp32_flops);
  read(device, "other_users", m.device.other_users);
  read(json, "cold_seconds", m.cold_seconds);
  read(json, "cold_launch_seconds", m.cold_launch_seconds);
  read(json, "hot_seconds", m.hot_seconds);
  read_whole(json, "hot_runs_per_batch", m.hot_runs_per_batch);
  read_whole(json, "throttled", m.throttled);
  read(json, "sm_clock_hz", m.sm_clock_hz);
  read(json, "stop_reason", m.stop_reason);
  read(json, "bytes_moved", m.bytes_moved);
  read(json, "flops", m.flops);
  // Results from before these fields do not have them.
  if (json.contains("launch_share")) read(json, "launch_share", m.launch_share);
  if (json.contains("launch_bound")) read(json, "launch_bound", m.launch_bound);
  if (json.contains("capped_clock_hz")) read(json, "capped_clock_hz", m.capped_clock_hz);
  if (m.cold_seconds.empty())
    throw Error(ErrorKind::kMalformed, fmt::format("{}: a device measurement without a cold sample", name));
  return m;
}

}  // namespace icount
