// Samples as LibTorch tensors, in this process. The only pair that includes LibTorch; a library of its own
// (icount_fuzzer_torch), built where LibTorch is found and never linked into icount.
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "icount/fuzzer/fuzzer.h"
#include "icount/fuzzer/tensor_spec.h"

namespace icount {

struct NamedTensor {
  std::string name;
  at::Tensor tensor;
};

/// Builds samples one after the other from a generator of its own, so that the program's random state stays
/// as it is.
class TensorMaker {
 public:
  /// Samples larger than `limit_bytes` (fuzzer/sample.h: allocation_bytes) are refused before anything is
  /// allocated.
  explicit TensorMaker(int64_t limit_bytes);

  /// Corrected samples: any, in any order. Compatible samples: 0, 1, 2, ... in order, as PyTorch builds
  /// them; or any, after seek(). Error{kUsage} for a sample that does not fit, for a compatible sample out of
  /// order, and for sparse tensors PyTorch cannot build; Error{kTool} with LibTorch's words when it
  /// fails.
  std::vector<NamedTensor> make(const Sample& sample);

  /// Makes `sample` the next one of the compatible mode, `position` being the sum of its predecessors.
  void seek(const Sample& sample, const TorchPosition& position);

 private:
  int64_t limit_bytes_;
  int64_t next_index_ = 0;
  at::Generator generator_;
};

}  // namespace icount
