#include "icount/fuzzer/dense_layout.h"

#include <algorithm>

#include "icount/fuzzer/product.h"

namespace icount {

std::vector<int64_t> row_major_strides(const std::vector<int64_t>& size) {
  std::vector<int64_t> strides(size.size());
  int64_t stride = 1;
  for (size_t d = size.size(); d-- > 0;) {
    strides[d] = stride;
    stride = saturating_product({std::max<int64_t>(size[d], 1)}, stride);
  }
  return strides;
}

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

std::vector<int64_t> ordered_strides(const std::vector<int64_t>& size, const std::vector<int64_t>& order) {
  return permute(row_major_strides(permute(size, order)), inverse_order(order));
}

std::vector<int64_t> copied_strides(const std::vector<int64_t>& size, const std::vector<int64_t>& order) {
  std::vector<int64_t> plain = row_major_strides(size);
  if (is_row_major(permute(size, order), permute(plain, order))) return plain;
  return ordered_strides(size, order);
}

}  // namespace icount
