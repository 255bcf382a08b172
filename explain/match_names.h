// Pairs of functions that have the same name on both sides: the first and silent step of explain/match.h.
#pragma once

#include "icount/explain/pairing.h"

namespace icount {

/// Same name, file name and object; then same name and object; then the same name in any object. Several functions of
/// one name (statics) pair by path, then by equal cost, then in their order. Left to later steps: functions without
/// names, lambdas (their numbers shift when one is added), and statics whose source files differ.
void match_by_name(Pairing& pairing);

/// Exactly equal names, files and objects only.
void match_by_raw_name(Pairing& pairing);

/// Variants of one library routine that are chosen at run time: __memcpy_avx_unaligned_erms, __memcpy_sse2_unaligned.
void match_by_dispatch(Pairing& pairing);

}  // namespace icount
