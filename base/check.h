// Bugs: a broken promise inside icount itself. Prints place and reason and aborts; never used on input, files or
// processes.
#pragma once

#include <string_view>

namespace icount {

/// Ends the process with "FILE:LINE: icount bug: CONDITION: WHY". Called by ICOUNT_CHECK only.
[[noreturn]] void fail_check(const char* file, int line, const char* condition, std::string_view why);

}  // namespace icount

#define ICOUNT_CHECK(condition, why)                               \
  do {                                                             \
    if (!(condition)) [[unlikely]]                                 \
      ::icount::fail_check(__FILE__, __LINE__, #condition, (why)); \
  } while (false)
