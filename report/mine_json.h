// What part of a change is the commit's, as fields of icount-diff (docs/json.md). Value: mine/attribution.h.
#pragma once

#include "icount/base/json.h"
#include "icount/mine/attribution.h"

namespace icount {

/// Adds `hunks`, `units` and `outside`.
void add_mine_to_json(const Mine& mine, Json& json);

}  // namespace icount
