#include "icount/callgrind/command.h"

#include <fmt/format.h>
#include <sys/resource.h>

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

std::vector<std::string> make_callgrind_command(const Valgrind& valgrind, const CallgrindOptions& options) {
  const auto yes_no = [](bool value) { return value ? "yes" : "no"; };
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
      fmt::format("--instr-atstart={}", yes_no(options.instrument_at_start)),
      fmt::format("--collect-atstart={}", yes_no(options.collect_at_start)),
      fmt::format("--trace-children={}", yes_no(options.follow_children)),
      fmt::format("--callgrind-out-file={}", options.out_file.string()),
  };
  if (options.collect_jumps) argv.push_back("--collect-jumps=yes");
  if (options.callers > 0) argv.push_back(fmt::format("--separate-callers={}", options.callers));
  argv.insert(argv.end(), options.extra.begin(), options.extra.end());
  return argv;
}

}  // namespace icount
