#include "faults/failing_sites.h"

#include <cstdlib>
#include <string_view>

#include "icount/base/text.h"

namespace icount {

Sites parse_sites(const std::string& log, bool memory) {
  Sites sites;
  for (const std::string_view line : split_lines(log))
    if (memory || !line.starts_with("malloc")) ++sites[std::string(line)];
  return sites;
}

bool all_sites_fail() { return std::getenv("ICOUNT_LONG_TESTS") != nullptr; }

}  // namespace icount
