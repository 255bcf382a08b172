// Timing of a statement on a GPU, where instruction counts don't reach: cold samples (L2 cache flushed before each) and
// hot batches, with what the device is. Made by harness/cuda_stub's programs and timer/cuda_timer; shown by
// report/measurement_text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/json.h"

namespace icount {

struct DeviceFacts {
  int index = 0;
  std::string name;
  std::string architecture;  ///< "sm_90"
  int sm_count = 0;
  std::string driver, runtime;  ///< "13.0"
  double default_sm_clock_hz = 0;
  double peak_bytes_per_second = 0;      ///< from memory clock and bus width; 0 when not known
  double peak_fp32_flops = 0;            ///< fused multiply-adds counted twice; 0 when not known
  std::vector<std::string> other_users;  ///< processes that held the device meanwhile; not averaged away, told
};

struct DeviceMeasurement {
  DeviceFacts device;
  std::vector<double> cold_seconds;         ///< per run; at least one
  std::vector<double> cold_launch_seconds;  ///< host time of each of these launches
  std::vector<double> hot_seconds;          ///< per run, one entry per batch
  int64_t hot_runs_per_batch = 0;
  double launch_share = 0;     ///< host time of queueing a run over the device's time for it, hot
  bool launch_bound = false;   ///< the host queues runs more slowly than the device does them
  double capped_clock_hz = 0;  ///< the steady clock that samples were judged against; 0: the default one
  int64_t throttled = 0;       ///< samples thrown away because the SM clock was too low
  double sm_clock_hz = 0;      ///< median while measuring
  std::string stop_reason;
  double bytes_moved = 0;  ///< per run, declared by the user; 0: not declared
  double flops = 0;        ///< per run, declared by the user; 0: not declared

  double median_cold() const;    ///< seconds
  double median_hot() const;     ///< seconds; 0 without batches
  double median_launch() const;  ///< seconds of host time
  double cold_noise() const;     ///< interquartile range over median; 0 for fewer than four samples
  /// Of the cold median: hot runs may find their bytes in the L2 cache, whose bandwidth is not the memory's. 0: not
  /// known.
  double share_of_peak_bandwidth() const;
  double share_of_peak_flops() const;  ///< of the hot median, or the cold one without batches; 0 when not known
};

/// The object that CUDA stubs print and result files hold; doubles survive unchanged.
Json to_json(const DeviceMeasurement& measurement);

/// Error{kMalformed} beginning with `name` for anything that to_json does not write.
DeviceMeasurement parse_device_measurement(const Json& json, std::string_view name);

}  // namespace icount
