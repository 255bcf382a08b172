// nanobench: IterationLogic decides how often a benchmark runs, PerformanceCounters encloses its loop. Their functions
// are compiled where ANKERL_NANOBENCH_IMPLEMENT is defined.
#pragma once

#include <valgrind/valgrind.h>

#include "bench_child.h"
#include "bench_wrap.h"

namespace icount_hooks {

struct NanoCase {
  char name[1024] = "";
  unsigned long name_size = 0;
  bool has_ended = false;  ///< behind a loop: the next question for the number is about that loop
  long iterations = 1;
  bool is_measured = false;  ///< here; else the case runs once, as what comes behind it may need
  bool is_over = false;
};

inline NanoCase& nano_case() {
  static NanoCase state;
  return state;
}

inline void keep_nano_name(const char* name, unsigned long size) {
  NanoCase& state = nano_case();
  state.name_size = size < sizeof(state.name) ? size : sizeof(state.name);
  memcpy(state.name, name, state.name_size);
}

}  // namespace icount_hooks

extern "C" {

void* ICOUNT_WRAP(ZuZZN6ankerl9nanobench5Bench4nameEPKc)(void* bench, const char* name) {
  OrigFn original;
  VALGRIND_GET_ORIG_FN(original);
  if (name) icount_hooks::keep_nano_name(name, strlen(name));
  return icount_hooks::call_original(original, bench, (void*)name);
}
void* ICOUNT_WRAP(ZuZZN6ankerl9nanobench5Bench4nameERKNSZaE)(void* bench, void* name) {
  OrigFn original;
  VALGRIND_GET_ORIG_FN(original);
  const auto* text = static_cast<const char* const*>(name);
  icount_hooks::keep_nano_name(text[0], reinterpret_cast<unsigned long>(text[1]));
  return icount_hooks::call_original(original, bench, (void*)name);
}

void ICOUNT_WRAP(ZuZZN6ankerl9nanobench6detail14IterationLogicC2ERKNSZaE)(void* logic, void* bench) {
  using namespace icount_hooks;
  OrigFn original;
  VALGRIND_GET_ORIG_FN(original);
  call_original(original, logic, bench);
  NanoCase& state = nano_case();
  state.has_ended = state.is_measured = state.is_over = false;
  Cases& cases = Cases::all();
  cases.begin_case(state.name, state.name_size);
  if (plan().is_skipped(cases.index())) state.is_over = true;
  if (state.is_over || !plan().is_measured(cases.index())) return;
  const CaseProcess::Role role = CaseProcess::begin(cases);
  state.is_measured = role != CaseProcess::kParent;
  state.is_over = role == CaseProcess::kParent && !CaseProcess::was_done();
}

unsigned long ICOUNT_WRAP(ZuZZNK6ankerl9nanobench6detail14IterationLogic8numItersEv)(void* logic) {
  using namespace icount_hooks;
  (void)logic;
  if (nano_case().has_ended) return nano_case().iterations;
  if (!nano_case().is_measured) {
    nano_case().iterations = nano_case().is_over ? 0 : 1;
    nano_case().is_over = true;
    return nano_case().iterations;
  }
  nano_case().iterations = Cases::all().begin_call(1);
  return Cases::all().measuring() ? nano_case().iterations : 0;
}

void ICOUNT_WRAP(ZuZZN6ankerl9nanobench6detail19PerformanceCounters12beginMeasureEv)(void* counters) {
  OrigFn original;
  VALGRIND_GET_ORIG_FN(original);
  icount_hooks::call_original(original, counters);
  icount_hooks::Cases::all().enter();
}

void ICOUNT_WRAP(ZuZZN6ankerl9nanobench6detail19PerformanceCounters10endMeasureEv)(void* counters) {
  using namespace icount_hooks;
  const bool measured = Cases::all().in_region();
  Cases::all().leave();
  OrigFn original;
  VALGRIND_GET_ORIG_FN(original);
  icount_hooks::call_original(original, counters);
  if (measured) Cases::all().report();
  if (measured && CaseProcess::is_child() && Cases::all().is_last_step()) CaseProcess::finish();
  nano_case().has_ended = true;
}

// What a loop took decides nothing here.
void ICOUNT_WRAP(ZuZZN6ankerl9nanobench6detail14IterationLogic3addENSZaE)(void*, long, void*) {
  icount_hooks::nano_case().has_ended = false;
}

}  // extern "C"
