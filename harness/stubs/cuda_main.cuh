// The main program of a generated CUDA stub: measures the one statement it holds and writes the samples as JSON to the
// file named by its first argument. The form is stats/device_measurement.h's.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "cuda_measure.cuh"

namespace icount {

inline std::string json_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "\"";
}

inline std::string json_number(double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.17g", value);
  return buffer;
}

inline std::string json_list(const std::vector<double>& values) {
  std::string out = "[";
  for (const double v : values) out += (out.size() > 1 ? "," : "") + json_number(v);
  return out + "]";
}

inline std::string samples_json(const CudaSamples& s) {
  const CudaDeviceFacts& d = s.device;
  return "{\"device\":{\"index\":" + std::to_string(d.index) + ",\"name\":" + json_text(d.name) +
         ",\"architecture\":\"sm_" + std::to_string(d.sm_major) + std::to_string(d.sm_minor) +
         "\",\"sm_count\":" + std::to_string(d.sm_count) + ",\"driver\":\"" + cuda_version_text(d.driver_version) +
         "\",\"runtime\":\"" + cuda_version_text(d.runtime_version) +
         "\",\"default_sm_clock_hz\":" + json_number(d.default_sm_clock_hz) +
         ",\"peak_bytes_per_second\":" + json_number(d.peak_bytes_per_second) +
         ",\"peak_fp32_flops\":" + json_number(d.peak_fp32_flops) +
         ",\"other_users\":[]},\"cold_seconds\":" + json_list(s.cold_seconds) +
         ",\"cold_launch_seconds\":" + json_list(s.cold_launch_seconds) +
         ",\"hot_seconds\":" + json_list(s.hot_seconds) +
         ",\"hot_runs_per_batch\":" + std::to_string(s.hot_runs_per_batch) +
         ",\"launch_share\":" + json_number(s.launch_share) +
         ",\"launch_bound\":" + (s.is_launch_bound ? "true" : "false") +
         ",\"capped_clock_hz\":" + json_number(s.capped_clock_hz) + ",\"throttled\":" + std::to_string(s.throttled) +
         ",\"sm_clock_hz\":" + json_number(s.sm_clock_hz) + ",\"stop_reason\":" + json_text(to_text(s.stop)) +
         ",\"bytes_moved\":0,\"flops\":0}\n";
}

/// NAME=VALUE options after the output file; unknown ones are an error of the generator, said and refused.
inline bool read_option(const char* text, CudaMeasureOptions& options) {
  const char* equals = std::strchr(text, '=');
  if (!equals) return false;
  const std::string name(text, equals);
  const double value = std::atof(equals + 1);
  if (name == "min-samples")
    options.min_samples = static_cast<int>(value);
  else if (name == "max-samples")
    options.max_samples = static_cast<int>(value);
  else if (name == "entropy")
    options.use_entropy = value != 0;
  else if (name == "max-noise")
    options.max_noise = value;
  else if (name == "min-seconds")
    options.min_seconds = value;
  else if (name == "time-out")
    options.time_out_seconds = value;
  else if (name == "sync")
    options.statement_synchronises = value != 0;
  else
    return false;
  return true;
}

/// `measure(options)` runs set-up and statement and gives the samples. Exit codes: 0 written, 1 a failure told on
/// stderr (first line for the user), 2 the stub was called wrongly.
template <typename Measure>
int cuda_stub_main(int argc, char** argv, Measure&& measure) {
  CudaMeasureOptions options;
  bool understood = argc >= 2;
  for (int i = 2; i < argc; ++i) understood = read_option(argv[i], options) && understood;
  if (!understood) {
    std::fprintf(stderr,
                 "usage: %s OUTPUT.json [min-samples=N] [max-samples=N] [entropy=1] [max-noise=R] [min-seconds=S] "
                 "[time-out=S] [sync=1]\n",
                 argv[0]);
    return 2;
  }
  try {
    const std::string json = samples_json(measure(options));
    std::FILE* file = std::fopen(argv[1], "w");
    if (!file || std::fwrite(json.data(), 1, json.size(), file) != json.size() || std::fclose(file) != 0)
      throw CudaMeasureError(std::string("cannot write ") + argv[1]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

}  // namespace icount
