// Plain functions without parameters, in place of the program's main: the plan names their addresses.
#pragma once

#include <link.h>

#include "bench_child.h"

namespace icount_hooks {

inline int find_base(dl_phdr_info* info, size_t, void* base) {
  *static_cast<uintptr_t*>(base) = info->dlpi_addr;
  return 1;  // the first one is the program
}

/// Runs each function of the plan; false when it has none.
inline bool run_functions() {
  if (plan().function_count == 0) return false;
  uintptr_t base = 0;
  dl_iterate_phdr(find_base, &base);
  for (int i = 0; i < plan().function_count; ++i) {
    const auto function = reinterpret_cast<void (*)()>(base + static_cast<uintptr_t>(plan().functions[i]));
    Cases& cases = Cases::all();
    cases.begin_case();
    if (plan().is_skipped(i) || !plan().is_measured(i)) continue;
    measure_apart(cases, [&] {
      for (int step = kWarmUp; step <= kMany; ++step) {
        const long iterations = cases.begin_step(step);
        cases.enter();
        for (long n = 0; n < iterations; ++n) function();
        cases.leave();
        cases.report();
      }
    });
  }
  return true;
}

}  // namespace icount_hooks
