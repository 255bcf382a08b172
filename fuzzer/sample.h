// One sample of a fuzzer: parameter values and, per tensor, everything that is needed to build it, but no
// memory for it. fuzzer/fuzzer.h draws samples; fuzzer/setup_source.h and fuzzer/tensor_torch.h turn them
// into tensors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "icount/fuzzer/parameter.h"

namespace icount {

/// Element types of fuzzed tensors: names, sizes, and how much of LibTorch's random stream one element uses.
enum class DType {
  kBool,
  kUint8,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kFloat16,
  kBFloat16,
  kFloat32,
  kFloat64,
  kComplex64,
  kComplex128
};

/// "float32", as PyTorch spells it without "torch.".
std::string_view to_text(DType dtype);
/// Accepts the names above with or without "torch."; Error{kUsage} listing them otherwise.
DType parse_dtype(std::string_view text);

/// The constant's name in C++: "kFloat" in torch::kFloat (spellings that LibTorch 1.13 knows too).
std::string_view cpp_name(DType dtype);

/// Bytes of one element. Compatible: complex numbers count half their size, as in PyTorch.
int64_t element_bytes(DType dtype, FuzzMode mode);

/// float16 and bfloat16 are filled in single precision and rounded: what LibTorch 2 does inside and 1.13 does
/// not, so that values are the same with both.
bool is_filled_as_float(DType dtype);
/// True bytes per element that filling holds at once: element_bytes, plus 4 for is_filled_as_float.
int64_t fill_bytes(DType dtype);

/// True for floating point and complex types: filled with uniform numbers in [0, 1), the others with
/// integers.
bool is_continuous(DType dtype);
bool is_complex(DType dtype);
/// The integers a tensor is filled with: [1, 127), for bool [0, 2).
int64_t fill_low(DType dtype);
int64_t fill_past_last(DType dtype);

/// 32-bit words that LibTorch's CPU generator spends on one such element (double: two; complex: twice its
/// part).
int64_t words_per_element(DType dtype);

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
