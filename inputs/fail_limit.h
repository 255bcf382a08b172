// --fail-over: a limit on growth, in per cent of base or as a count, and whether a change exceeds it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace icount {

/// Growth up to and including the limit is fine; shrinking always is.
struct FailLimit {
  bool in_percent = false;
  double percent = 0;
  int64_t count = 0;
  std::string text;  ///< as the user wrote it
};

/// "0.5%" or "10000" (or "10,000"). Error{kUsage} for anything else, negative limits included.
FailLimit parse_fail_limit(std::string_view text);

/// Whether head exceeds base by more than the limit. With base 0 every growth exceeds every limit in per cent.
bool exceeds(const FailLimit& limit, int64_t base, int64_t head);

}  // namespace icount
