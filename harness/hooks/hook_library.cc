// The library that icount preloads into a benchmark binary under Valgrind: hooks of the frameworks by Valgrind's
// function wrapping, which needs the symbols of the functions and nothing else. Compiled by harness/bench_hooks.
#include <dlfcn.h>

#include "bench_wrap.h"

#include "bench_catch.h"
#include "bench_functions.h"
#include "bench_google.h"
#include "bench_nano.h"
#include "bench_tests.h"

namespace {

using Main = int (*)(int, char**, char**);
Main program_main;

/// On a stack that begins at a multiple of 64 kB: addresses do not depend on the environment's size.
__attribute__((noinline)) int run_main(int count, char** arguments, char** environment) {
  char here;
  volatile char* pad =
      static_cast<volatile char*>(__builtin_alloca((reinterpret_cast<uintptr_t>(&here) & 0xffff) + 16));
  pad[0] = 0;
  if (const char* folder = getenv("ICOUNT_BENCH_DIR")) icount_hooks::open_folder(folder);

  unsetenv("LD_PRELOAD");  // what the program starts has no hooks
  CALLGRIND_START_INSTRUMENTATION;
  icount_hooks::CaseProcess::prepare();
  if (icount_hooks::run_functions()) return 0;
  return program_main(count, arguments, environment);
}

}  // namespace

extern "C" int __libc_start_main(Main main, int count, char** arguments, void (*init)(), void (*fini)(),
                                 void (*loader_fini)(), void* stack_end) {
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  program_main = main;
  // Valgrind's own launcher loads this library, too.
  return start(RUNNING_ON_VALGRIND ? run_main : main, count, arguments, init, fini, loader_fini, stack_end);
}
