// One line of a saved result: Result <-> JSON object, and the header line. The file as a whole is
// store/result_file.h's.
#pragma once

#include <string_view>

#include "icount/base/json.h"
#include "icount/stats/result.h"

namespace icount {

/// The header line; `results` are not part of it.
Json header_to_json(const ResultFile& file);
/// Error{kMalformed} "PLACE: ..." for another schema, a newer version or fields of a wrong kind; `place` is NAME:LINE.
ResultFile header_from_json(const Json& json, std::string_view place);

/// Fields that hold nothing are left out; a graph that is unpacked is packed.
Json result_to_json(const Result& result);
/// Error{kMalformed} "PLACE: ..."; fields that are not known are passed over.
Result result_from_json(const Json& json, std::string_view place);

}  // namespace icount
