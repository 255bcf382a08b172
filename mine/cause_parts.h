// Whose a cause of the explanation is: the terms of the identity that it is made of, by unit of hunks. Reads what
// mine/attribution.h kept of each term; rendered by report/explanation_json.h.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "icount/explain/explain.h"
#include "icount/mine/attribution.h"

namespace icount {

/// A part of a cause.
struct CausePart {
  uint32_t unit = kNoUnit;  ///< index into Mine::units; kNoUnit: outside
  std::string_view how;     ///< to_text of the HunkShare, or of the OutsideReason
  int64_t delta = 0;
};

/// A cause that joins others, which are in its inside.
bool has_members_of_their_own(const Cause& cause);

/// Whose a cause is: parts that add up to it, the largest first. Empty where its terms are not known one by one.
std::vector<CausePart> parts_of(const Mine& mine, const Cause& cause);

/// What the diff knows better than machine code: that changed lines lead where they came with inlining, and which these
/// are where a cause lies in a library's header, or beside them.
void tell_by_hunks(std::vector<Cause>& causes, const Mine& mine);

}  // namespace icount
