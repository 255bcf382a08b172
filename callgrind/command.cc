#include "icount/callgrind/command.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>

#include "icount/base/file.h"
#include "icount/base/text.h"

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

namespace {

/// What stands before the first wildcard, as a name of C++ may have one ("f(char*)"); where there is one, any text may
/// follow.
struct Pattern {
  std::string literal;
  bool is_open = false;
  std::string text() const { return literal + (is_open ? "*" : ""); }
};

Pattern pattern_of(std::string_view name) {
  const size_t wild = name.find_first_of("*?");
  return {std::string(name.substr(0, wild)), wild != std::string_view::npos};
}

// Callgrind keeps patterns in a tree of their common beginnings. Of the branches of a knot it follows the one that was
// added last among those that fit, and a pattern that is added where its beginning is known already gets a branch of
// its own, whatever is there. So each pattern comes once, and the shorter ones before those that begin with them.
std::vector<Pattern> in_order(std::vector<Pattern> patterns) {
  std::sort(patterns.begin(), patterns.end(), [](const Pattern& a, const Pattern& b) {
    if (a.literal.size() != b.literal.size()) return a.literal.size() < b.literal.size();
    return a.literal != b.literal ? a.literal < b.literal : a.is_open > b.is_open;
  });
  const auto end = std::unique(patterns.begin(), patterns.end(),
                               [](const Pattern& a, const Pattern& b) { return a.literal == b.literal; });
  patterns.erase(end, patterns.end());
  return patterns;
}

}  // namespace

std::vector<std::string> dump_options(std::span<const std::string> before, std::span<const std::string> after) {
  std::vector<Pattern> begins, ends;
  for (const std::string& name : before) begins.push_back(pattern_of(name));
  // A name that was asked for twice, before and behind, would come twice: "?" for the first character is a tree apart.
  for (const std::string& name : after) {
    Pattern pattern = pattern_of(name);
    pattern.literal.replace(0, 1, "?");
    ends.push_back(std::move(pattern));
  }
  std::vector<std::string> options;
  for (const Pattern& pattern : in_order(std::move(begins)))
    options.push_back(fmt::format("--dump-before={}", pattern.text()));
  for (const Pattern& pattern : in_order(std::move(ends)))
    options.push_back(fmt::format("--dump-after={}", pattern.text()));
  return options;
}

std::vector<std::string> make_launcher(const std::filesystem::path& valgrind, std::string_view script) {
  constexpr std::string_view kShell = "#!/bin/sh";
  constexpr std::string_view kDebian = "\nexec $0.bin \"$@\"", kCarried = "\nexec \"$0.bin\" \"$@\"";
  const std::string_view text = trim(script);
  const std::string_view last = text.ends_with(kDebian) ? kDebian : kCarried;
  if (!text.starts_with(kShell) || !text.ends_with(last)) return {valgrind.string()};
  std::vector<std::string> argv = {"/bin/sh"};
  const std::string_view options = trim(text.substr(kShell.size(), text.find('\n') - kShell.size()));
  if (!options.empty()) argv.emplace_back(options);
  argv.emplace_back("-c");
  argv.push_back(std::string(text.substr(0, text.size() - last.size())) + "\nunset PWD OLDPWD" + std::string(last));
  argv.push_back(valgrind.string());  // $0
  return argv;
}

std::vector<std::string> load_launcher(const std::filesystem::path& valgrind) {
  return make_launcher(valgrind, load_file(valgrind).view());
}

}  // namespace icount
