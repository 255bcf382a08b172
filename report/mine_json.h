// What part of a change is the commit's, as fields of icount-diff (docs/json.md). Value: mine/attribution.h.
#pragma once

#include "icount/base/json.h"
#include "icount/mine/attribution.h"
#include "icount/mine/cause_parts.h"
#include "icount/mine/object_parts.h"

namespace icount {

/// Adds `hunks`, `units` and `outside`.
void add_mine_to_json(const Mine& mine, Json& json);

/// Adds a cause's `parts`, where they are known.
void add_parts_to_json(const Mine& mine, const Cause& cause, Json& json);

Json objects_to_json(const ObjectParts& parts);

/// What a page shows: the parts of make_mine_parts, each unit with the source of its hunks, long ones cut.
Json mine_to_page_json(const Mine& mine);

}  // namespace icount
