#include "icount/fuzzer/sparse_tensor_spec.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/fuzzer/product.h"

namespace icount {
namespace {

[[noreturn]] void fail(const FuzzedSparseTensor& spec, const std::string& what) {
  throw Error(ErrorKind::kUsage, fmt::format("sparse tensor '{}': {}", spec.shape.name, what));
}

double density_of(const FuzzedSparseTensor& spec, const ParameterSet& parameters, FuzzMode mode) {
  const double density = parameters.number(mode == FuzzMode::kCompatible ? "density" : spec.density);
  if (!(density >= 0 && density <= 1)) fail(spec, fmt::format("a density of {}; it must be from 0 to 1", density));
  return density;
}

int64_t sparse_dim_of(const FuzzedSparseTensor& spec, const ParameterSet& parameters, FuzzMode mode) {
  const auto dim = static_cast<int64_t>(spec.shape.size.size());
  if (spec.sparse_dim.empty()) return dim;
  const int64_t wanted = parameters.integer(mode == FuzzMode::kCompatible ? "sparse_dim" : spec.sparse_dim);
  if (wanted < (mode == FuzzMode::kCompatible ? 0 : 1))
    fail(spec, fmt::format("{} sparse dimensions; at least 1 is needed", wanted));
  return wanted;
}

int64_t nnz_of(const SparseTensor& tensor, FuzzMode mode) {
  const auto sparse_end = tensor.size.begin() + tensor.sparse_dim;
  const double base =
      mode == FuzzMode::kCompatible
          ? static_cast<double>(std::accumulate(tensor.size.begin(), tensor.size.end(), int64_t{0}))
          : static_cast<double>(saturating_product(std::vector<int64_t>(tensor.size.begin(), sparse_end), 1));
  return static_cast<int64_t>(std::ceil(base * tensor.density));
}

}  // namespace

SparseTensor make_sparse(const FuzzedSparseTensor& spec, const Extents& extents, const ParameterSet& parameters,
                         FuzzMode mode) {
  SparseTensor tensor;
  tensor.name = spec.shape.name;
  tensor.dtype = spec.shape.dtype;
  tensor.cuda = spec.shape.cuda;
  tensor.size = extents.size;
  tensor.numel = saturating_product(extents.size, 1);
  tensor.density = density_of(spec, parameters, mode);
  tensor.is_coalesced = parameters.truth(mode == FuzzMode::kCompatible ? "coalesced" : spec.coalesced);
  tensor.sparse_dim = std::min(sparse_dim_of(spec, parameters, mode), static_cast<int64_t>(extents.size.size()));
  tensor.nnz = nnz_of(tensor, mode);
  return tensor;
}

void check_sparse_tensor(const FuzzedSparseTensor& spec) {
  check_tensor(spec.shape);
  if (!spec.shape.steps.empty()) fail(spec, "steps are for dense tensors only");
  if (!spec.shape.tensor_constructor.empty()) fail(spec, "a tensor_constructor is for dense tensors only");
}

}  // namespace icount
