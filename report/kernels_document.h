// Kernels compared, for people and as JSON. Made from kernels/compare_kernels.h, written by `icount kernels`.
#pragma once

#include <string>

#include "icount/base/json.h"
#include "icount/kernels/compare_kernels.h"
#include "icount/report/document.h"

namespace icount {

/// "4 kernels for sm_90: 1 differs, 3 are the same".
std::string kernels_sentence(const KernelComparison& comparison);

/// The sentence, a table of the kernels that are not the same (of all with kAll), what differs in each, and the
/// listings that were asked for; names shortened for `width` columns, 0: whole.
enum class KernelsShown { kChanged, kAll };
Document make_kernels_document(const KernelComparison& comparison, const std::string& base, const std::string& head,
                               KernelsShown shown, size_t width);

/// schema icount-kernels (docs/json.md).
Json kernels_to_json(const KernelComparison& comparison, const std::string& base, const std::string& head);

}  // namespace icount
