#include "icount/callgrind/part_sums.h"

#include <fmt/format.h>

namespace icount {

void add_up_totals(ProfilePart& part, const ParseReport& report, const char* at) {
  const size_t events = part.events.size();
  part.totals.assign(events, 0);
  for (size_t i = 0; i < part.row_self.size(); ++i)
    if (__builtin_add_overflow(part.totals[i % events], part.row_self[i], &part.totals[i % events]))
      report.fail(at, fmt::format("cost of {} overflows", ParseReport::quote(part.events[i % events])));
}

void check_totals(const ProfilePart& part, int64_t number, const std::vector<int64_t>& said, ParseReport& report,
                  const char* at, bool accept) {
  for (size_t e = 0; e < said.size(); ++e) {
    if (part.totals[e] == said[e]) continue;
    const std::string text =
        fmt::format("part {}, event {}: self cost is {}, totals: says {}; file damaged or truncated", number,
                    ParseReport::quote(part.events[e]), part.totals[e], said[e]);
    if (!accept) report.fail(at, text);
    report.warn(at, text);
  }
}

}  // namespace icount
