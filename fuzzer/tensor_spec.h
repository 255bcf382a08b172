// Which tensor to make from a sample's parameters: PyTorch's FuzzedTensor. Sizes and steps are integers
// or names of parameters; limits decide whether a candidate is accepted; the layout is drawn after
// acceptance.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "icount/fuzzer/sample.h"

namespace icount {

// Where LibTorch's random stream stands: in compatible mode the generator is seeded once, so the tensors of
// sample k depend on how much its predecessors drew. This counts it, so that sample k can be built without
// building them.

/// Draws that must happen before a sample, in order. Neighbouring runs of words are one entry.
struct TorchPosition {
  struct Skip {
    int64_t words = 0;      ///< 32-bit words; one uniform float each
    int64_t gaussians = 0;  ///< or (when > 0) this many Gaussians of `dtype` in one call, whose use of words
                            ///< is LibTorch's own affair
    DType dtype = DType::kFloat32;
  };
  std::vector<Skip> skips;
};

/// Moves behind `sample`; corrected samples seed the generator themselves and move nothing.
void advance(TorchPosition& position, const Sample& sample);

// Strides as LibTorch computes them, without LibTorch: row-major, permuted by a memory order, cut by steps.

/// Row-major strides; an extent of 0 counts as 1.
std::vector<int64_t> row_major_strides(const std::vector<int64_t>& size);

/// values[order[0]], values[order[1]], ...
std::vector<int64_t> permute(const std::vector<int64_t>& values, const std::vector<int64_t>& order);

/// The order that undoes `order`.
std::vector<int64_t> inverse_order(const std::vector<int64_t>& order);

/// A size or step: a literal, or the name of a parameter.
using SizeTerm = std::variant<int64_t, std::string>;

struct FuzzedTensor {
  std::string name;
  std::vector<SizeTerm> size;
  std::vector<SizeTerm> steps;  ///< missing ones are 1
  double probability_contiguous = 0.5;
  std::optional<int64_t> min_elements;
  std::optional<int64_t> max_elements;
  std::optional<int64_t> max_allocation_bytes;  ///< of the tensor before it is cut by `steps`
  std::string dim_parameter;  ///< cuts or pads (with 1) size and steps to this length; empty: as they are
  DType dtype = DType::kFloat32;
  bool cuda = false;               ///< moved to the current CUDA device once it is filled
  std::string tensor_constructor;  ///< an expression in the statement's language that makes it, with {size}, {dtype}
                                   ///< and {NAME} for parameters; empty: rand or randint. Corrected mode only
  std::string roll_parameter;      ///< accepted as PyTorch accepts it, which does nothing with it
};

/// Concrete sizes and steps, equally long.
struct Extents {
  std::vector<int64_t> size;
  std::vector<int64_t> steps;
};

/// What a candidate violates.
enum class Limit { kMaxElements, kMinElements, kMaxAllocationBytes };
/// "tensor 'x': min_elements 4096".
std::string limit_text(const FuzzedTensor& spec, Limit limit);

/// Error{kUsage} for an unknown name, a value that is no integer, a negative size, or a step below 1.
/// Into `extents`, whose memory is kept.
void resolve_extents(const FuzzedTensor& spec, const ParameterSet& parameters, Extents& extents);

/// The first limit that the sizes break, nullopt when the candidate is fine. Exact also where products pass
/// 64 bits.
std::optional<Limit> violated_limit(const FuzzedTensor& spec, const Extents& extents, FuzzMode mode);

/// Error{kUsage} for crossed limits, a probability outside [0, 1], more steps than sizes (without
/// dim_parameter), no name.
void check_tensor(const FuzzedTensor& spec);

/// Draws the memory order (one number, then permutations when it exceeds probability_contiguous) and derives
/// strides and contiguity. Compatible: as permute, contiguous(), permute back, slice leave them. Corrected:
/// the memory is filled in that order right away, without a copy, and a draw equal to the probability counts
/// as "exceeds".
DenseTensor draw_dense(const FuzzedTensor& spec, const Extents& extents, RandomState& state, FuzzMode mode);

// Sparse COO tensors to draw: PyTorch's FuzzedSparseTensor. Limits work as for dense tensors; density, sparse
// dimensions and coalescing come from parameters.

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
