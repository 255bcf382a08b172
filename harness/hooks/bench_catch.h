// Catch2, versions 2 and 3: the virtual BenchmarkFunction::model<F>::call runs a benchmark k times, k by the clock. The
// hook calls it with its own numbers in a process of the case's own. In the binary itself every call is one iteration
// that is said to have taken a second, so that nothing depends on the clock. benchmarkPreparing says the name.
#pragma once

#include <valgrind/valgrind.h>

#include "bench_child.h"
#include "bench_wrap.h"

namespace icount_hooks {

struct CatchCase {
  bool is_new = false;  ///< a name was said and the benchmark did not run yet
  bool names_are_said = false;
  bool failed = false;         ///< it ended its process, or the plan says that it does
  unsigned long function = 0;  ///< of the last benchmark, where no names are said
};

inline CatchCase& catch_case() {
  static CatchCase state;
  return state;
}

inline void say_catch_name(const char* name, unsigned long size) {
  if (plan().tests) return;
  catch_case().is_new = catch_case().names_are_said = true;
  Cases::all().begin_case(name, size);
}

/// ChronometerModel<Clock>, as both versions have it: times in nanoseconds.
struct CatchMeter {
  void* functions;
  long started, finished;
};

inline void say_second(void* meter) {
  auto* seen = static_cast<CatchMeter*>(meter);
  seen->finished = seen->started + 1'000'000'000;
}

inline void call_catch(OrigFn original, void* benchmark, void* meter) {
  if (plan().tests) {  // a test's benchmark is a part of it
    call_original(original, benchmark, meter, 1);
    return say_second(meter);
  }
  CatchCase& state = catch_case();
  if (!state.names_are_said && original.nraddr != state.function) {
    state.function = original.nraddr;
    state.is_new = true;
    Cases::all().begin_case();
  }
  Cases& cases = Cases::all();
  bool runs = !plan().is_skipped(cases.index());
  if (state.is_new && runs && plan().is_measured(cases.index()))
    runs = measure_apart(cases, [&] {
      for (int step = kWarmUp; step <= kMany; ++step) {
        const long iterations = cases.begin_step(step);
        cases.enter();
        call_original(original, benchmark, meter, iterations);
        cases.leave();
        cases.report();
      }
    });
  if (state.is_new) state.failed = !runs;
  state.is_new = false;
  if (!state.failed) call_original(original, benchmark, meter, 1);  // the test may need what it does
  say_second(meter);
}

}  // namespace icount_hooks

extern "C" {

// Patterns do not end in *: the .cold parts of functions would match, too.
void ICOUNT_WRAP(ZuZZNK5Catch9Benchmark6Detail17BenchmarkFunction5modelIZaE4callENSZaChronometerE)(void* benchmark,
                                                                                                   void* meter, long) {
  OrigFn original;
  VALGRIND_GET_ORIG_FN(original);
  icount_hooks::call_catch(original, benchmark, meter);
}
void ICOUNT_WRAP(ZuZZNK5Catch9Benchmark6Detail17BenchmarkFunction5modelIZaE4callESZaZu)(void* benchmark, void* meter,
                                                                                        long) {
  OrigFn original;
  VALGRIND_GET_ORIG_FN(original);
  icount_hooks::call_catch(original, benchmark, meter);
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
