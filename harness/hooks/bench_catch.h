// Catch2, versions 2 and 3: the virtual BenchmarkFunction::model<F>::call runs a benchmark k times, k by the clock. The
// hook calls it with its own numbers first. benchmarkPreparing says the name.
#pragma once

#include <valgrind/valgrind.h>

#include "bench_region.h"
#include "bench_wrap.h"

namespace icount_hooks {

struct CatchCase {
  bool is_new = false;  ///< a name was said and the benchmark did not run yet
  bool names_are_said = false;
  unsigned long function = 0;  ///< of the last benchmark, where no names are said
};

inline CatchCase& catch_case() {
  static CatchCase state;
  return state;
}

inline void say_catch_name(const char* name, unsigned long size) {
  catch_case().is_new = catch_case().names_are_said = true;
  Cases::all().begin_case(name, size);
}

inline void call_catch(OrigFn original, void* benchmark, void* meter, long given) {
  CatchCase& state = catch_case();
  if (!state.names_are_said && original.nraddr != state.function) {
    state.function = original.nraddr;
    state.is_new = true;
    Cases::all().begin_case();
  }
  if (plan().is_skipped(Cases::all().index())) return;
  if (state.is_new && plan().is_measured(Cases::all().index())) {
    state.is_new = false;
    for (int step = kWarmUp; step <= kMany; ++step) {
      const long iterations = Cases::all().begin_step(step);
      Cases::all().enter();
      call_original(original, benchmark, meter, iterations);
      Cases::all().leave();
      Cases::all().report();
    }
  }
  call_original(original, benchmark, meter, given);
}

}  // namespace icount_hooks

extern "C" {

// Patterns do not end in *: the .cold parts of functions would match, too.
void ICOUNT_WRAP(ZuZZNK5Catch9Benchmark6Detail17BenchmarkFunction5modelIZaE4callENSZaChronometerE)(void* benchmark,
                                                                                                   void* meter,
                                                                                                   long given) {
  OrigFn original;
  VALGRIND_GET_ORIG_FN(original);
  icount_hooks::call_catch(original, benchmark, meter, given);
}
void ICOUNT_WRAP(ZuZZNK5Catch9Benchmark6Detail17BenchmarkFunction5modelIZaE4callESZaZu)(void* benchmark, void* meter,
                                                                                        long given) {
  OrigFn original;
  VALGRIND_GET_ORIG_FN(original);
  icount_hooks::call_catch(original, benchmark, meter, given);
}

// Version 2: RunContext::benchmarkPreparing(std::string const&).
void ICOUNT_WRAP(ZuZZN5Catch10RunContext18benchmarkPreparingERKNSZaE)(void* context, void* name) {
  OrigFn original;
  VALGRIND_GET_ORIG_FN(original);
  const auto* text = static_cast<const char* const*>(name);
  icount_hooks::say_catch_name(text[0], reinterpret_cast<unsigned long>(text[1]));
  icount_hooks::call_original(original, context, name);
}
// Version 3: RunContext::benchmarkPreparing(StringRef).
void ICOUNT_WRAP(ZuZZN5Catch10RunContext18benchmarkPreparingENSZuZaStringRefE)(void* context, const char* name,
                                                                               unsigned long size) {
  OrigFn original;
  VALGRIND_GET_ORIG_FN(original);
  icount_hooks::say_catch_name(name, size);
  icount_hooks::call_original(original, context, const_cast<char*>(name), static_cast<long>(size));
}

}  // extern "C"
