// A TaskSpec as JSON, the same in every file that holds one (measurements, CallgrindStats).
#pragma once

#include <string_view>

#include "icount/base/json.h"
#include "icount/stats/task_spec.h"

namespace icount {

/// An object with the eight fields; absent ones are null.
Json to_json(const TaskSpec& spec);

/// What to_json wrote; Error{kMalformed} beginning with `place` for anything else.
TaskSpec parse_task_spec(const Json& json, std::string_view place);

}  // namespace icount
