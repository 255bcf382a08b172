#include "icount/fuzzer/tensor_spec.h"

#include <numeric>

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/fuzzer/dense_layout.h"
#include "icount/fuzzer/product.h"

namespace icount {
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

}  // namespace icount
