// Which features the processor has as the program sees them.
#pragma once

#include "stub_line.h"

namespace icount_stub {

/// What the processor says here, which under Valgrind is less than what it has.
inline void add_cpu_features(Line& line) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const char* comma = "";
  auto add = [&](const char* name, bool has) {
    if (has) line.add("%s%s", comma, name), comma = ",";
  };
  add("sse4.2", __builtin_cpu_supports("sse4.2"));
  add("popcnt", __builtin_cpu_supports("popcnt"));
  add("avx", __builtin_cpu_supports("avx"));
  add("avx2", __builtin_cpu_supports("avx2"));
  add("fma", __builtin_cpu_supports("fma"));
  add("bmi", __builtin_cpu_supports("bmi"));
  add("bmi2", __builtin_cpu_supports("bmi2"));
  add("avx512f", __builtin_cpu_supports("avx512f"));
#else
  line.add("unknown");
#endif
}

}  // namespace icount_stub
