#include "icount/harness/bench_hooks.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/hash.h"
#include "icount/base/process.h"
#include "icount/harness/compiler_messages.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

std::vector<std::pair<std::string, std::string_view>> hook_files() {
  return {{"bench_log.h", bench_log_text()},       {"bench_escape.h", bench_escape_text()},
          {"bench_region.h", bench_region_text()}, {"bench_memory.h", bench_memory_text()},
          {"bench_wrap.h", bench_wrap_text()},     {"bench_child.h", bench_child_text()},
          {"bench_google.h", bench_google_text()}, {"bench_catch.h", bench_catch_text()},
          {"bench_nano.h", bench_nano_text()},     {"bench_functions.h", bench_functions_text()},
          {"hook_library.cc", hook_library_text()}};
}

/// Without the C++ library: the benchmark brings its own.
std::vector<std::string> hooks_command(const Compiler& compiler, const fs::path& dir) {
  return {compiler.path.string(),
          "-std=c++20",
          "-O2",
          "-fPIC",
          "-w",
          "-shared",
          "-fno-exceptions",
          "-fno-rtti",
          "-fno-threadsafe-statics",
          (dir / "hook_library.cc").string(),
          "-o",
          (dir / "bench_hooks.so").string(),
          "-Wl,--as-needed",
          "-ldl"};
}

}  // namespace

fs::path build_bench_hooks(const Compiler& compiler, BuildCache& cache) {
  std::string identity =
      fmt::format("bench hooks\n{}\n{}\n", compiler.version, shell_quote(hooks_command(compiler, "/")));
  for (const auto& [name, text] : hook_files()) identity.append(name).append("\n").append(text);
  std::string message;
  const auto entry = cache.get(content_hash(identity), [&](const fs::path& dir) {
    for (const auto& [name, text] : hook_files()) save_file(dir / name, text);
    const ProcessOutcome outcome = run_process({.argv = hooks_command(compiler, dir), .time_limit = Seconds(600)});
    message = outcome.errors;
    return outcome.ok();
  });
  if (!entry)
    throw Error(ErrorKind::kTool, fmt::format("cannot compile the hooks for benchmark binaries with {}: {}\n{}",
                                              compiler.path.string(), first_compiler_error(message), message));
  return *entry / "bench_hooks.so";
}

}  // namespace icount
