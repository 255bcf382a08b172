// Kernels compared, for people and as JSON. Made from kernels/compare_kernels.h, written by `icount kernels` and
// `icount gate`.
#pragma once

#include <cstddef>
#include <limits>

#include "icount/base/json.h"
#include "icount/kernels/compare_kernels.h"
#include "icount/report/document.h"

namespace icount {

struct KernelsView {
  bool listings = false;                             ///< all that there are, not of opened kernels alone
  bool same = false;                                 ///< kernels that are the same are rows, too
  size_t most = std::numeric_limits<size_t>::max();  ///< rows, and kernels whose difference is told
};

/// What was compared, the sentence, a table of the kernels that are not the same, what differs in each, and the
/// listings that were asked for; names shortened for `width` columns, 0: whole.
Document make_kernels_document(const KernelComparison& comparison, const KernelsView& view, size_t width);

/// schema icount-kernels (docs/json.md).
Json kernels_to_json(const KernelComparison& comparison);

}  // namespace icount
