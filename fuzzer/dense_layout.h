// Strides as LibTorch computes them, without LibTorch: row-major, permuted by a memory order, cut by steps.
#pragma once

#include <cstdint>
#include <vector>

namespace icount {

/// Row-major strides; an extent of 0 counts as 1.
std::vector<int64_t> row_major_strides(const std::vector<int64_t>& size);

/// LibTorch's is_contiguous: extents of 1 don't matter, an empty tensor is contiguous.
bool is_row_major(const std::vector<int64_t>& size, const std::vector<int64_t>& strides);

/// Strides of `size` when its memory is filled in `order`: dimension order[0] is the outermost.
std::vector<int64_t> ordered_strides(const std::vector<int64_t>& size, const std::vector<int64_t>& order);

/// Strides of `size` after permute(order), contiguous(), permute back: ordered_strides, except where the
/// permuted tensor already counts as contiguous (extents of 1); then contiguous() changes nothing and the
/// row-major strides stay.
std::vector<int64_t> copied_strides(const std::vector<int64_t>& size, const std::vector<int64_t>& order);

/// values[order[0]], values[order[1]], ...
std::vector<int64_t> permute(const std::vector<int64_t>& values, const std::vector<int64_t>& order);

/// The order that undoes `order`.
std::vector<int64_t> inverse_order(const std::vector<int64_t>& order);

}  // namespace icount
