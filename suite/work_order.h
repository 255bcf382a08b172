// PyTorch's forms, so that its recorded results can be set beside ours. Work-order keys: the text that names a
// benchmark across runs, machines and tools, and the checksum over all keys of a suite, byte for byte PyTorch's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "icount/base/json.h"
#include "icount/stats/result.h"
#include "icount/suite/expand.h"

namespace icount {

/// {"label": ["Empty", "no allocation"], "autolabels": {"runtime": "Eager", "autograd": "Forward", "language":
/// "Python"}, "num_threads": 1} on one line; characters beyond ASCII as \uXXXX.
std::string work_order_key(const Benchmark& benchmark);

std::vector<std::string> work_order_keys(std::span<const Benchmark> benchmarks);

/// MD5 over the keys one after the other, as 32 lower-case hex digits.
std::string keys_md5(std::span<const std::string> keys);

// PyTorch's CI output: one JSON object with version, checksum, times and, under each work-order key, wall times
// and counts. What read its files reads ours.

struct PytorchCi {
  Json json;  ///< {"version", "md5", "start_time", "end_time", "values": {KEY: {"times", "counts"}}}
  std::vector<std::string> warnings;  ///< why the version is -1; benchmarks without counts
};

/// From a suite's results, in the suite's order. `md5` is over their keys; `version` is the suite's, or -1
/// (PyTorch's mark for "not comparable") when keys of the suite are missing, that is when `md5` is not `suite_md5`.
/// Counts are totals for all runs of a repeat, as there. Start and end are Unix seconds, 0 when unknown.
PytorchCi make_pytorch_ci(std::span<const Result> results, int64_t version, const std::string& suite_md5,
                          int64_t start_time, int64_t end_time);

}  // namespace icount
