// A fuzzer run as JSON and back: the machine form of `icount fuzz`, and what an interrupted run goes on from.
#pragma once

#include "icount/stats/fuzz_result.h"

namespace icount {

/// Schema "icount-fuzz" 1: the run's fields, points, and the fits (for readers; not read back).
Json fuzz_result_to_json(const FuzzResult& result);

/// Whether a file's text begins as fuzz_result_to_json's does, whatever comes then.
bool looks_like_fuzz_result(std::string_view text);

/// Error{kMalformed} beginning with `name` for another schema, a newer version, and missing or mistyped
/// fields.
FuzzResult fuzz_result_from_json(const Json& json, std::string_view name);

}  // namespace icount
