// Plain self cost lines of two positions and one event ("+7 * 12"), 64 bytes at a time and without a branch per line: which
// byte is what is found for all of them at once, the form of all lines is checked in 64-bit arithmetic, and digits are
// added up by their places. For processors with AVX-512; others read line by line (callgrind/plain_line.h).
#pragma once

#include <cstdint>

namespace icount {

/// The base of relative positions, and what was added up.
struct LineSums {
  uint64_t first = 0, second = 0;  ///< positions
  int64_t cost = 0;
  int64_t lines = 0;
};

/// Whether this processor can add_line_blocks(). False elsewhere, as under Valgrind.
bool has_line_blocks();

/// Adds the plain lines from p on to `sums` as far as they go and returns what follows; stops at anything odd, at
/// numbers of more than six digits, where a sum might leave its type or a position pass 0, and 64 bytes before `end`.
/// p itself when not even one line is plain. `sums` is exact at whatever was returned.
const char* add_line_blocks(const char* p, const char* end, LineSums& sums);

}  // namespace icount
