#include "icount/fuzzer/tensor_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/fuzzer/parameter.h"

namespace icount {
namespace {

void add_words(TorchPosition& position, int64_t words) {
  const bool joins = !position.skips.empty() && position.skips.back().gaussians == 0;
  if (!joins) position.skips.push_back({});
  position.skips.back().words =
      checked_add(position.skips.back().words, words, "the position in LibTorch's random stream");
}

void add_dense(TorchPosition& position, const DenseTensor& tensor) {
  add_words(position, saturating_product(tensor.allocation, words_per_element(tensor.dtype)));
}

void add_sparse(TorchPosition& position, const SparseTensor& tensor) {
  const int64_t values = saturating_product({tensor.nnz}, tensor.block_elements());
  add_words(position, saturating_product({values}, words_per_element(tensor.dtype)));
  add_words(position, saturating_product({tensor.sparse_dim}, tensor.nnz));
  if (!tensor.is_coalesced && values > 0) position.skips.push_back({0, values, tensor.dtype});
}

/// LibTorch's is_contiguous: extents of 1 don't matter, an empty tensor is contiguous.
bool is_row_major(const std::vector<int64_t>& size, const std::vector<int64_t>& strides) {
  if (std::find(size.begin(), size.end(), 0) != size.end()) return true;
  int64_t expected = 1;
  for (size_t d = size.size(); d-- > 0;) {
    if (size[d] == 1) continue;
    if (strides[d] != expected) return false;
    expected = saturating_product({size[d]}, expected);
  }
  return true;
}

/// Strides of `size` when its memory is filled in `order`: dimension order[0] is the outermost.
std::vector<int64_t> ordered_strides(const std::vector<int64_t>& size, const std::vector<int64_t>& order) {
  return permute(row_major_strides(permute(size, order)), inverse_order(order));
}

/// Strides of `size` after permute(order), contiguous(), permute back: ordered_strides, except where the
/// permuted tensor already counts as contiguous (extents of 1); then contiguous() changes nothing and the
/// row-major strides stay.
std::vector<int64_t> copied_strides(const std::vector<int64_t>& size, const std::vector<int64_t>& order) {
  std::vector<int64_t> plain = row_major_strides(size);
  if (is_row_major(permute(size, order), permute(plain, order))) return plain;
  return ordered_strides(size, order);
}

}  // namespace

void advance(TorchPosition& position, const Sample& sample) {
  if (sample.mode == FuzzMode::kCorrected) return;
  for (const SampleTensor& tensor : sample.tensors) {
    if (const auto* dense = std::get_if<DenseTensor>(&tensor))
      add_dense(position, *dense);
    else
      add_sparse(position, std::get<SparseTensor>(tensor));
  }
}

std::vector<int64_t> row_major_strides(const std::vector<int64_t>& size) {
  std::vector<int64_t> strides(size.size());
  int64_t stride = 1;
  for (size_t d = size.size(); d-- > 0;) {
    strides[d] = stride;
    stride = saturating_product({std::max<int64_t>(size[d], 1)}, stride);
  }
  return strides;
}

std::vector<int64_t> permute(const std::vector<int64_t>& values, const std::vector<int64_t>& order) {
  std::vector<int64_t> permuted(order.size());
  for (size_t d = 0; d < order.size(); ++d) permuted[d] = values[static_cast<size_t>(order[d])];
  return permuted;
}

std::vector<int64_t> inverse_order(const std::vector<int64_t>& order) {
  std::vector<int64_t> inverse(order.size());
  for (size_t d = 0; d < order.size(); ++d) inverse[static_cast<size_t>(order[d])] = static_cast<int64_t>(d);
  return inverse;
}

namespace {

[[noreturn]] void fail(const FuzzedTensor& spec, const std::string& what) {
  throw Error(ErrorKind::kUsage, fmt::format("tensor '{}': {}", spec.name, what));
}

int64_t resolve_term(const FuzzedTensor& spec, const SizeTerm& term, const ParameterSet& parameters) {
  if (const auto* literal = std::get_if<int64_t>(&term)) return *literal;
  const auto& name = std::get<std::string>(term);
  const ParameterValue* value = parameters.find(name);
  if (!value) fail(spec, fmt::format("size or step '{}' is neither a number nor a parameter", name));
  if (const auto* integer = std::get_if<int64_t>(value)) return *integer;
  fail(spec, fmt::format("parameter '{}' is {}, where a size or step needs an integer", name, to_text(*value)));
}

void resolve_terms(const FuzzedTensor& spec, const std::vector<SizeTerm>& terms, const ParameterSet& parameters,
                   std::vector<int64_t>& values) {
  for (size_t d = 0; d < values.size(); ++d)
    values[d] = d < terms.size() ? resolve_term(spec, terms[d], parameters) : 1;
}

std::vector<int64_t> multiply(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  std::vector<int64_t> product(a.size());
  for (size_t d = 0; d < a.size(); ++d) product[d] = saturating_product({a[d]}, b[d]);
  return product;
}

// Shuffles until it is no identity.
void draw_order(std::vector<int64_t>& order, RandomState& state) {
  const std::vector<int64_t> identity = order;
  while (order == identity) order = state.permutation(static_cast<int64_t>(identity.size()));
}

}  // namespace

std::string limit_text(const FuzzedTensor& spec, Limit limit) {
  switch (limit) {
    case Limit::kMaxElements:
      return fmt::format("tensor '{}': max_elements {}", spec.name, spec.max_elements.value_or(0));
    case Limit::kMinElements:
      return fmt::format("tensor '{}': min_elements {}", spec.name, spec.min_elements.value_or(0));
    case Limit::kMaxAllocationBytes:
      break;
  }
  return fmt::format("tensor '{}': max_allocation_bytes {}", spec.name, spec.max_allocation_bytes.value_or(0));
}

void resolve_extents(const FuzzedTensor& spec, const ParameterSet& parameters, Extents& extents) {
  size_t dim = spec.size.size();
  if (!spec.dim_parameter.empty()) {
    const int64_t wanted = parameters.integer(spec.dim_parameter);
    if (wanted < 0 || wanted > 64)
      fail(spec, fmt::format("{} dimensions requested by '{}'; 0 to 64 are allowed", wanted, spec.dim_parameter));
    dim = static_cast<size_t>(wanted);
  }
  extents.size.resize(dim);
  extents.steps.resize(dim);
  resolve_terms(spec, spec.size, parameters, extents.size);
  resolve_terms(spec, spec.steps, parameters, extents.steps);
  for (const int64_t size : extents.size)
    if (size < 0) fail(spec, fmt::format("a size of {} is negative", size));
  for (const int64_t step : extents.steps)
    if (step < 1) fail(spec, fmt::format("a step of {} is below 1", step));
}

std::optional<Limit> violated_limit(const FuzzedTensor& spec, const Extents& extents, FuzzMode mode) {
  const int64_t elements = saturating_product(extents.size, 1);
  if (spec.max_elements && elements > *spec.max_elements) return Limit::kMaxElements;
  if (spec.min_elements && elements < *spec.min_elements) return Limit::kMinElements;
  if (!spec.max_allocation_bytes) return std::nullopt;
  const int64_t step_bytes = saturating_product(extents.steps, element_bytes(spec.dtype, mode));
  const int64_t bytes = saturating_product(extents.size, step_bytes);
  if (bytes > *spec.max_allocation_bytes) return Limit::kMaxAllocationBytes;
  return std::nullopt;
}

void check_tensor(const FuzzedTensor& spec) {
  if (spec.name.empty()) throw Error(ErrorKind::kUsage, "a tensor needs a name");
  if (!(spec.probability_contiguous >= 0 && spec.probability_contiguous <= 1))
    fail(spec, fmt::format("probability_contiguous is {}; it must be from 0 to 1", spec.probability_contiguous));
  if (spec.min_elements && spec.max_elements && *spec.min_elements > *spec.max_elements)
    fail(spec, fmt::format("min_elements {} is above max_elements {}", *spec.min_elements, *spec.max_elements));
  if (spec.dim_parameter.empty() && spec.steps.size() > spec.size.size())
    fail(spec, fmt::format("{} steps for {} sizes", spec.steps.size(), spec.size.size()));
}

DenseTensor draw_dense(const FuzzedTensor& spec, const Extents& extents, RandomState& state, FuzzMode mode) {
  DenseTensor tensor;
  tensor.name = spec.name;
  tensor.dtype = spec.dtype;
  tensor.cuda = spec.cuda;
  tensor.constructor = spec.tensor_constructor;
  tensor.size = extents.size;
  tensor.steps = extents.steps;
  tensor.allocation = multiply(extents.size, extents.steps);
  tensor.numel = saturating_product(extents.size, 1);
  tensor.order.resize(extents.size.size());
  std::iota(tensor.order.begin(), tensor.order.end(), 0);
  const double drawn = state.random_sample();
  const double p = spec.probability_contiguous;
  // PyTorch's > keeps a tensor contiguous for a draw of exactly p, so that p = 0 would not mean never.
  const bool permuted = mode == FuzzMode::kCompatible ? drawn > p : drawn >= p;
  std::vector<int64_t> strides = row_major_strides(tensor.allocation);
  if (permuted && tensor.order.size() > 1) {
    tensor.is_permuted = true;
    draw_order(tensor.order, state);
    strides = mode == FuzzMode::kCompatible ? copied_strides(tensor.allocation, tensor.order)
                                            : ordered_strides(tensor.allocation, tensor.order);
  }
  tensor.strides = multiply(strides, tensor.steps);
  tensor.is_contiguous = is_row_major(tensor.size, tensor.strides);
  return tensor;
}

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
