// What `icount affected` found, for people and as JSON (schema icount-affected 1). Value: mine/affected.h.
#pragma once

#include "icount/base/json.h"
#include "icount/mine/affected.h"
#include "icount/report/document.h"

namespace icount {

Document make_affected_document(const Affected& affected);
Json affected_to_json(const Affected& affected);

}  // namespace icount
