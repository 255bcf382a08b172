// One sample of a fuzzer: parameter values and, per tensor, everything that is needed to build it, but no
// memory for it. fuzzer/fuzzer.h draws samples; fuzzer/setup_source.h and fuzzer/tensor_torch.h turn them
// into tensors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "icount/fuzzer/dtype.h"
#include "icount/fuzzer/parameter_set.h"

namespace icount {

/// A strided tensor: `allocation` is filled, its memory laid out in the order of `order`, and every
/// steps[d]-th entry of dimension d is the tensor.
struct DenseTensor {
  std::string name;
  DType dtype = DType::kFloat32;
  std::vector<int64_t> size;
  std::vector<int64_t> steps;
  std::vector<int64_t> order;       ///< dimensions from the outermost in memory to the innermost
  std::vector<int64_t> allocation;  ///< size * steps
  std::vector<int64_t> strides;     ///< of the view, in elements
  bool is_permuted = false;
  bool is_contiguous = true;
  int64_t numel = 1;
  bool cuda = false;        ///< as FuzzedTensor has it, and so is the next
  std::string constructor;  ///< FuzzedTensor::tensor_constructor
};

/// A sparse COO tensor.
struct SparseTensor {
  std::string name;
  DType dtype = DType::kFloat32;
  std::vector<int64_t> size;
  int64_t sparse_dim = 1;
  int64_t nnz = 0;     ///< positions drawn; each is stored twice when not coalesced
  double density = 0;  ///< as the parameter says
  bool is_coalesced = true;
  int64_t numel = 1;
  bool cuda = false;

  int64_t dense_dim() const { return static_cast<int64_t>(size.size()) - sparse_dim; }
  /// Elements of one stored block: the product of the dense sizes.
  int64_t block_elements() const;
};

using SampleTensor = std::variant<DenseTensor, SparseTensor>;

struct Sample {
  FuzzMode mode = FuzzMode::kCorrected;
  uint64_t seed = 0;
  int64_t index = 0;
  /// Compatible: what LibTorch's generator is seeded with once, before sample 0. Corrected: before this
  /// sample's tensors.
  int64_t torch_seed = 0;
  ParameterSet parameters;
  std::vector<SampleTensor> tensors;
};

/// The name of a tensor of either kind.
const std::string& tensor_name(const SampleTensor& tensor);
int64_t tensor_numel(const SampleTensor& tensor);

/// Elements of all tensors of the sample; saturates at the end of int64.
int64_t sample_numel(const Sample& sample);

/// Most bytes that building this tensor holds at once, true element sizes, a permuted copy and the parts of a
/// sparse tensor included; saturates at the end of int64.
int64_t allocation_bytes(const SampleTensor& tensor, FuzzMode mode);
/// The sum over the sample's tensors.
int64_t allocation_bytes(const Sample& sample);

/// Error{kUsage} "sample 3 of seed 0 needs 68,719,476,736 bytes (x 65,536 x 262,144 float32), more than the
/// 8,589,934,592 bytes allowed; ..." when the sample is larger than `limit_bytes`.
void check_fits(const Sample& sample, int64_t limit_bytes);

/// Error{kUsage} for what PyTorch cannot build: in compatible mode, sparse tensors of complex numbers,
/// and of integers when they are not coalesced (their second half is Gaussian).
void check_buildable(const Sample& sample);

/// "16 x 34 x 8324".
std::string size_text(const std::vector<int64_t>& size);

}  // namespace icount
