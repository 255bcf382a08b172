// Work-order keys: the text that names a benchmark across runs, machines and tools, and the checksum over all keys of a
// suite. Byte for byte PyTorch's, so that its recorded results can be set beside ours.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "icount/suite/expand.h"

namespace icount {

/// {"label": ["Empty", "no allocation"], "autolabels": {"runtime": "Eager", "autograd": "Forward", "language":
/// "Python"}, "num_threads": 1} on one line; characters beyond ASCII as \uXXXX.
std::string work_order_key(const Benchmark& benchmark);

std::vector<std::string> work_order_keys(std::span<const Benchmark> benchmarks);

/// MD5 over the keys one after the other, as 32 lower-case hex digits.
std::string keys_md5(std::span<const std::string> keys);

}  // namespace icount
