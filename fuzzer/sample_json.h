// Samples as JSON, for scripts and for repeating one elsewhere: parameters by name in declaration order,
// tensors with the properties PyTorch reports.
#pragma once

#include <span>

#include "icount/base/json.h"
#include "icount/fuzzer/fuzzer.h"

namespace icount {

/// A parameter's value; an alias is {"alias": NAME}.
Json parameter_json(const ParameterValue& value);

/// {"index", "torch_seed", "params": {...}, "tensors": {name: {...}}}. Dense: size, numel, dtype
/// ("torch.float32"), strides, steps, order, is_contiguous. Sparse: size, numel, dtype, is_coalesced,
/// density, sparsity, sparse_dim, dense_dim, is_hybrid, nnz_drawn. "cuda" and "tensor_constructor" where a table asks
/// for them.
Json sample_json(const Sample& sample);

/// The file form: schema "icount-samples" 1, mode, seed (a string: 64 bits do not survive every reader),
/// rejection figures of `fuzzer`, and the samples.
Json samples_json(const Fuzzer& fuzzer, std::span<const Sample> samples);

}  // namespace icount
