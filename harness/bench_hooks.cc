#include "icount/harness/bench_hooks.h"

#include <string>

#include "bench_catch_text.h"
#include "bench_child_text.h"
#include "bench_escape_text.h"
#include "bench_functions_text.h"
#include "bench_google_text.h"
#include "bench_log_text.h"
#include "bench_memory_text.h"
#include "bench_nano_text.h"
#include "bench_region_text.h"
#include "bench_wrap_text.h"
#include "hook_library_text.h"
#include "icount/harness/compile.h"
#include "stub_mappings_text.h"

namespace icount {

namespace fs = std::filesystem;

/// Without the C++ library: the benchmark brings its own.
fs::path build_bench_hooks(const Compiler& compiler, BuildCache& cache) {
  OwnLibrary library;
  library.what = "the hooks for benchmark binaries";
  library.files = {{"bench_log.h", std::string(bench_log_text())},
                   {"bench_escape.h", std::string(bench_escape_text())},
                   {"bench_region.h", std::string(bench_region_text())},
                   {"bench_memory.h", std::string(bench_memory_text())},
                   {"bench_wrap.h", std::string(bench_wrap_text())},
                   {"bench_child.h", std::string(bench_child_text())},
                   {"bench_google.h", std::string(bench_google_text())},
                   {"bench_catch.h", std::string(bench_catch_text())},
                   {"bench_nano.h", std::string(bench_nano_text())},
                   {"bench_functions.h", std::string(bench_functions_text())},
                   {"stub_mappings.h", std::string(stub_mappings_text())},
                   {"hook_library.cc", std::string(hook_library_text())}};
  library.flags = {"-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics"};
  library.libraries = {"-Wl,--as-needed", "-ldl"};
  library.name = "bench_hooks.so";
  return build_own_library(library, compiler, cache);
}

}  // namespace icount
