#include "icount/callgrind/command.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <string_view>

#include "icount/callgrind/own_counter.h"

namespace icount {

std::string valgrind_path(const std::filesystem::path& path) {
  std::string text;
  for (const char c : path.string()) text += c == '%' ? std::string("%%") : std::string(1, c);
  return text;
}

std::vector<std::string> probe_stack_options() {
  constexpr rlim_t kValgrinds = 16 << 20;
  constexpr rlim_t kUnlimited = 64 << 20;  // Valgrind sets aside as much for each thread
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur <= kValgrinds) return {};
  return {fmt::format("--main-stacksize={}", limit.rlim_cur == RLIM_INFINITY ? kUnlimited : limit.rlim_cur)};
}

namespace {

std::string yes_no(std::string_view option, bool value) { return fmt::format("--{}={}", option, value ? "yes" : "no"); }

std::vector<std::string> make_counter_command(const Valgrind& valgrind, const CallgrindOptions& options) {
  std::vector<std::string> argv = {
      // The launcher finds the tool by it; the tool takes it from the program's environment.
      "/usr/bin/env",
      fmt::format("VALGRIND_LIB={}", valgrind.counter_folder.string()),
      valgrind.path.string(),
      "--command-line-only=yes",
      "-q",
      "--sigill-diagnostics=yes",
      "--vgdb=no",
      std::string(kCounterToolOption),
      yes_no("instr-atstart", options.instrument_at_start),
      yes_no("collect-atstart", options.collect_at_start),
      yes_no("trace-children", options.follow_children),
      fmt::format("--counts-file={}", options.out_file.string()),
  };
  if (options.collect_jumps) argv.push_back(yes_no("collect-jumps", true));
  argv.insert(argv.end(), options.extra.begin(), options.extra.end());
  return argv;
}

}  // namespace

std::vector<std::string> make_callgrind_command(const Valgrind& valgrind, const CallgrindOptions& options) {
  if (!valgrind.counter_folder.empty()) return make_counter_command(valgrind, options);
  std::vector<std::string> argv = {
      valgrind.path.string(),
      "--command-line-only=yes",  // no ~/.valgrindrc, no VALGRIND_OPTS: the same flags everywhere
      "-q",
      "--sigill-diagnostics=yes",  // -q alone hides which instruction was not known
      "--vgdb=no",                 // no pipes in the temporary folder, nothing to attach to
      "--tool=callgrind",
      "--dump-line=yes",
      "--dump-instr=yes",       // costs nothing measurable in time
      "--compress-strings=no",  // 3.19 can lose names of a small region that touches many inlined headers
      yes_no("instr-atstart", options.instrument_at_start),
      yes_no("collect-atstart", options.collect_at_start),
      yes_no("trace-children", options.follow_children),
      fmt::format("--callgrind-out-file={}", options.out_file.string()),
  };
  if (options.collect_jumps) argv.push_back("--collect-jumps=yes");
  if (options.callers > 0) argv.push_back(fmt::format("--separate-callers={}", options.callers));
  argv.insert(argv.end(), options.extra.begin(), options.extra.end());
  return argv;
}

}  // namespace icount
