// The sums that a part's lines add up to, and whether they are those that it says itself ("totals:"). The parser asks
// where a part ends.
#pragma once

#include <cstdint>
#include <vector>

#include "icount/callgrind/parse_report.h"
#include "icount/callgrind/profile.h"

namespace icount {

/// Fills part.totals, one per event, from the self costs of its rows. A sum beyond int64 fails at `at`.
void add_up_totals(ProfilePart& part, const ParseReport& report, const char* at);

/// Fails at `at` where the part's totals are not those `said`; only warns if `accept`. `number` is what messages call
/// the part.
void check_totals(const ProfilePart& part, int64_t number, const std::vector<int64_t>& said, ParseReport& report,
                  const char* at, bool accept);

}  // namespace icount
