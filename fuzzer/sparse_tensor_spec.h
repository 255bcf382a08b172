// Sparse COO tensors to draw: PyTorch's FuzzedSparseTensor. Limits work as for dense tensors
// (fuzzer/tensor_spec.h); density, sparse dimensions and coalescing come from parameters.
#pragma once

#include <string>

#include "icount/fuzzer/tensor_spec.h"

namespace icount {

struct FuzzedSparseTensor {
  FuzzedTensor shape;      ///< name, size, element limits, dim_parameter, dtype; no steps
  std::string sparse_dim;  ///< parameter; empty: all dimensions are sparse
  std::string density = "density";
  std::string coalesced = "coalesced";
};

/// Compatible: reads the parameters "density", "coalesced" and (when sparse_dim is given) "sparse_dim"
/// whatever the names above are, and nnz = ceil(sum of sizes * density), both as in PyTorch. Corrected:
/// the parameters named above, and nnz = ceil(product of the sparse sizes * density), so that density is the
/// stored share of all elements. Error{kUsage} for a density outside [0, 1] or a sparse_dim below 1
/// (compatible: below 0).
SparseTensor make_sparse(const FuzzedSparseTensor& spec, const Extents& extents, const ParameterSet& parameters,
                         FuzzMode mode);

/// Error{kUsage} as check_tensor, and for steps.
void check_sparse_tensor(const FuzzedSparseTensor& spec);

}  // namespace icount
