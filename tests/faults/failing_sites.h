// What failing_calls.c logs: where a program makes calls that may fail.
#pragma once

#include <map>
#include <string>

namespace icount {

/// "KIND PLACE": a place that makes calls of one kind, and how many it made.
using Sites = std::map<std::string, int>;

Sites parse_sites(const std::string& log, bool memory);

/// Whether all of them are to fail; else a part, as many as every landing can afford.
bool all_sites_fail();

}  // namespace icount
