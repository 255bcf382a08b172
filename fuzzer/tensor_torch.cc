#include "icount/fuzzer/tensor_torch.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/sparse_coo_tensor.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>

#include <algorithm>

#include <fmt/format.h>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/fuzzer/parameter.h"

namespace icount {
namespace {

at::ScalarType scalar_type(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return at::kBool;
    case DType::kUint8:
      return at::kByte;
    case DType::kInt8:
      return at::kChar;
    case DType::kInt16:
      return at::kShort;
    case DType::kInt32:
      return at::kInt;
    case DType::kInt64:
      return at::kLong;
    case DType::kFloat16:
      return at::kHalf;
    case DType::kBFloat16:
      return at::kBFloat16;
    case DType::kFloat32:
      return at::kFloat;
    case DType::kFloat64:
      return at::kDouble;
    case DType::kComplex64:
      return at::kComplexFloat;
    case DType::kComplex128:
      break;
  }
  return at::kComplexDouble;
}

at::Tensor fill(const std::vector<int64_t>& size, DType dtype, at::Generator& generator) {
  const at::TensorOptions options(scalar_type(dtype));
  if (is_filled_as_float(dtype)) return at::rand(size, generator, at::TensorOptions(at::kFloat)).to(scalar_type(dtype));
  if (is_continuous(dtype)) return at::rand(size, generator, options);
  return at::randint(fill_low(dtype), fill_past_last(dtype), size, generator, options);
}

/// A dense tensor before it is permuted and cut: it moves to the device here, as PyTorch does it. A copy to a device
/// keeps the strides only of tensors without gaps.
at::Tensor make_raw(const DenseTensor& tensor, const std::vector<int64_t>& size, at::Generator& generator) {
  const at::Tensor filled = fill(size, tensor.dtype, generator);
  return tensor.cuda ? filled.cuda() : filled;
}

at::Tensor build_dense(const DenseTensor& tensor, FuzzMode mode, at::Generator& generator) {
  const std::vector<int64_t> inverse = inverse_order(tensor.order);
  at::Tensor built;
  if (!tensor.is_permuted) {
    built = make_raw(tensor, tensor.allocation, generator);
  } else if (mode == FuzzMode::kCompatible) {
    built = make_raw(tensor, tensor.allocation, generator).permute(tensor.order).contiguous().permute(inverse);
  } else {
    built = make_raw(tensor, permute(tensor.allocation, tensor.order), generator).permute(inverse);
  }
  for (size_t d = 0; d < tensor.steps.size(); ++d)
    if (tensor.steps[d] != 1) built = built.slice(static_cast<int64_t>(d), 0, tensor.allocation[d], tensor.steps[d]);
  return built;
}

at::Tensor compatible_indices(const SparseTensor& tensor, at::Generator& generator) {
  const std::vector<int64_t> sparse_size(tensor.size.begin(), tensor.size.begin() + tensor.sparse_dim);
  const at::Tensor drawn = at::rand({tensor.sparse_dim, tensor.nnz}, generator, at::TensorOptions(at::kFloat));
  return drawn.mul(at::tensor(sparse_size, at::kLong).unsqueeze(1).to(at::kFloat)).to(at::kLong);
}

// One position from each of nnz stretches; fuzzer/setup_source.cc says why.
at::Tensor distinct_indices(const SparseTensor& tensor, at::Generator& generator) {
  const std::vector<int64_t> sparse_size(tensor.size.begin(), tensor.size.begin() + tensor.sparse_dim);
  const int64_t cells = saturating_product(sparse_size, 1);
  checked_mul(cells, tensor.nnz + 1, fmt::format("the number of positions of sparse tensor '{}'", tensor.name));
  const at::Tensor bounds =
      at::arange(tensor.nnz + 1, at::kLong).mul(cells).div(std::max<int64_t>(tensor.nnz, 1), "floor");
  const at::Tensor first = bounds.slice(0, 0, tensor.nnz);
  const at::Tensor drawn = at::rand({tensor.nnz}, generator, at::TensorOptions(at::kDouble));
  const at::Tensor position = first.add(drawn.mul(bounds.slice(0, 1, tensor.nnz + 1).sub(first)).floor().to(at::kLong));
  const std::vector<int64_t> strides = row_major_strides(sparse_size);
  std::vector<at::Tensor> rows;
  for (size_t d = 0; d < sparse_size.size(); ++d)
    rows.push_back(position.div(strides[d], "floor").remainder(std::max<int64_t>(sparse_size[d], 1)));
  return at::stack(rows);
}

at::Tensor build_sparse(const SparseTensor& tensor, FuzzMode mode, at::Generator& generator) {
  const bool compatible = mode == FuzzMode::kCompatible;
  std::vector<int64_t> value_size = {tensor.nnz};
  value_size.insert(value_size.end(), tensor.size.begin() + tensor.sparse_dim, tensor.size.end());
  at::Tensor values = fill(value_size, tensor.dtype, generator);
  at::Tensor indices = compatible ? compatible_indices(tensor, generator) : distinct_indices(tensor, generator);
  if (!tensor.is_coalesced) {
    const at::TensorOptions options(scalar_type(tensor.dtype));
    const at::Tensor more =
        compatible ? at::randn(value_size, generator, options) : fill(value_size, tensor.dtype, generator);
    values = at::cat({values, more}, 0);
    indices = at::cat({indices, indices}, 1);
  }
  const at::Tensor sparse = at::sparse_coo_tensor(indices, values, tensor.size);
  const at::Tensor built = tensor.is_coalesced ? sparse.coalesce() : sparse;
  return tensor.cuda ? built.cuda() : built;
}

// LibTorch's errors begin with the message and go on with a stack trace.
template <typename Work>
auto with_torch_errors(const std::string& what, Work&& work) {
  try {
    return work();
  } catch (const c10::Error& error) {
    throw Error(ErrorKind::kTool,
                fmt::format("LibTorch failed while building {}: {}", what, error.what_without_backtrace()));
  }
}

void reseed(at::Generator& generator, const Sample& sample) {
  generator = at::detail::createCPUGenerator(static_cast<uint64_t>(sample.torch_seed));
}

}  // namespace

TensorMaker::TensorMaker(int64_t limit_bytes)
    : limit_bytes_(limit_bytes), generator_(at::detail::createCPUGenerator()) {}

void TensorMaker::seek(const Sample& sample, const TorchPosition& position) {
  reseed(generator_, sample);
  constexpr int64_t kBlock = int64_t{1} << 20;
  for (const TorchPosition::Skip& skip : position.skips) {
    if (skip.gaussians > 0) at::randn({skip.gaussians}, generator_, at::TensorOptions(scalar_type(skip.dtype)));
    for (int64_t left = skip.words; left > 0; left -= kBlock)
      at::rand({std::min(left, kBlock)}, generator_, at::TensorOptions(at::kFloat));
  }
  next_index_ = sample.index;
}

std::vector<NamedTensor> TensorMaker::make(const Sample& sample) {
  check_fits(sample, limit_bytes_);
  check_buildable(sample);
  if (sample.mode == FuzzMode::kCorrected || sample.index == 0) {
    reseed(generator_, sample);
  } else if (sample.index != next_index_) {
    throw Error(ErrorKind::kUsage,
                fmt::format("sample {} of the compatible mode cannot be built after {} samples; build them in order or "
                            "seek first",
                            sample.index, next_index_));
  }
  std::vector<NamedTensor> tensors;
  for (const SampleTensor& tensor : sample.tensors) {
    const auto* dense = std::get_if<DenseTensor>(&tensor);
    if (dense && !dense->constructor.empty())
      throw Error(ErrorKind::kUsage, fmt::format("tensor '{}' has a tensor_constructor, which is source text: only a "
                                                 "set-up can build it",
                                                 dense->name));
    const auto build = [&] {
      return dense ? build_dense(*dense, sample.mode, generator_)
                   : build_sparse(std::get<SparseTensor>(tensor), sample.mode, generator_);
    };
    tensors.push_back(
        {tensor_name(tensor),
         with_torch_errors(fmt::format("tensor '{}' of sample {}", tensor_name(tensor), sample.index), build)});
  }
  next_index_ = sample.index + 1;
  return tensors;
}

}  // namespace icount
