#include "icount/cli/suite_run_options.h"

#include <algorithm>
#include <optional>
#include <thread>

#include "icount/base/parallel.h"
#include "icount/cli/event_options.h"
#include "icount/cli/suite_options.h"
#include "icount/console/shared_options.h"

namespace icount {
namespace {

constexpr OptionSpec kMeasuringOptions[] = {
    {"", "", "which benchmarks"},
    {"filter", "REGEX", "only benchmarks whose name contains a match (RE2); `icount suite list` shows the names"},
    {"language", "LANG", "only c++, torchscript or python; a list with commas is allowed", true},
    {"shard", "I/N", "only part I of N equal parts, for several machines; `icount suite merge` joins their files"},
    {"balance", "FILE", "with --shard: parts that cost about the same, by the counts in this earlier result"},
    {"skip-unchanged", "BASELINE",
     "reuse the results of benchmarks that have not changed since this saved result, instead of measuring them; "
     "they are marked (docs/suite.md)"},
    {"no-torchscript", "", "leave out TorchScript variants"},
    {"", "", "how to measure"},
    {"number", "N", "runs in one count (default: the suite's, else 100)"},
    {"repeats", "N", "counts of each benchmark, each in a fresh process (default: the suite's, else 2)"},
    {"timeout", "TIME", "limit for one count, such as 90 or 2m (default: the suite's, else 60 s)"},
    {"retries", "N", "further attempts after a timeout or a lost server (default: the suite's, else 1)"},
    {"jobs", "N", "counts in flight (default: the number of cores)"},
    {"no-warm", "", "repeat set-up and warm-up for every count: slower, with the same counts (docs/measuring.md)"},
    {"stacks", "N",
     "record call stacks of N callers (1 to 64) for flame graphs and `icount export`; counts stay the same"},
    {"no-python-calls", "",
     "do not record the calls between Python functions, which explanations name (CPython 3.12 or newer; in a run of "
     "their own)"},
    {"no-jumps", "",
     "do not record jumps: a few percent faster, but what happens inside functions stays unknown to later diffs"},
    {"allow-dead", "", "count statements that the compiler optimized away, instead of failing them"},
    kEventsOption,
    kCacheOption,
    kSyscallsOption,
    kCallgrindOption,
    {"memory", "",
     "also measure bytes allocated and the peak of programs and cases of benchmark binaries, by Valgrind's DHAT, in a "
     "run of its own"},
    {"cores", "N", "largest number of threads that a benchmark may ask for (default: the number of cores)"},
    {"wall-time", "", "also measure wall times after the counts: natively, on separate cores"},
    {"min-run-time", "TIME", "total length of the blocks of one wall time (default 0.2 s)"},
    {"", "", "how to build"},
    {"torch", "DIR",
     "the LibTorch to measure: its folder, or a virtual environment with torch (default: ICOUNT_TORCH, the active "
     "Python's, the system's); also builds with it what the suite would build without"},
    {"python", "PROGRAM",
     "the Python for Python statements and for scripting modules (default: the one beside --torch, else python3)"},
    {"python-path", "DIR",
     "folder from which Python statements import, searched before the folders of PYTHONPATH "
     "(docs/python_statements.md)",
     true},
    kValgrindOption,
    kCounterOption,
    {"compiler", "PROGRAM", "the C++ compiler (default: CXX, else c++; for LibTorch clang++)"},
    {"cxxflag", "FLAG", "additional flag for the compiler", true},
    {"link-flag", "FLAG", "additional flag or library for the linker", true},
};

constexpr double kNoTimeout = 0;
constexpr int64_t kMost = 1'000'000'000;

std::optional<int64_t> optional_integer(const ParsedOptions& parsed, std::string_view name, int64_t least) {
  if (!parsed.has(name)) return std::nullopt;
  return parsed.integer(name, least, least, kMost);
}

}  // namespace

std::span<const OptionSpec> suite_measuring_options() { return kMeasuringOptions; }

SuiteRunOptions default_suite_run_options() {
  SuiteRunOptions options;
  options.cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  options.jobs = count_usable_cores();
  return options;
}

SuiteRunOptions read_suite_measuring_options(const ParsedOptions& parsed) {
  SuiteRunOptions options = default_suite_run_options();
  options.plan = read_plan_options(parsed);
  options.balance = parsed.text("balance");
  if (!options.balance.empty() && !parsed.has("shard")) parsed.problem("--balance needs --shard");
  options.skip_unchanged = parsed.text("skip-unchanged");
  options.settings = {optional_integer(parsed, "number", 1), optional_integer(parsed, "repeats", 1), std::nullopt,
                      optional_integer(parsed, "retries", 0)};
  if (parsed.has("timeout")) options.settings.timeout_s = parsed.seconds("timeout", kNoTimeout);
  options.expand.torchscript = !parsed.has("no-torchscript");
  options.toolchain.torch_dir = parsed.text("torch");
  options.toolchain.python = parsed.text("python");
  options.toolchain.python_path = parsed.texts("python-path");
  options.toolchain.compiler = parsed.text("compiler");
  options.toolchain.cxxflags = parsed.texts("cxxflag");
  options.toolchain.link_flags = parsed.texts("link-flag");
  options.warm = !parsed.has("no-warm");
  options.jumps = !parsed.has("no-jumps");
  options.python_calls = !parsed.has("no-python-calls");
  options.stacks = static_cast<int>(parsed.integer("stacks", 0, 1, 64));
  options.memory = parsed.has("memory");
  options.callgrind_options = read_event_options(parsed);
  options.wall_time = parsed.has("wall-time");
  options.min_run_time = parsed.seconds("min-run-time", SuiteRunOptions::kDefaultMinRunTime);
  options.allow_dead = parsed.has("allow-dead");
  options.jobs = static_cast<int>(parsed.integer("jobs", options.jobs, 1, 1024));
  options.cores = static_cast<int>(parsed.integer("cores", options.cores, 1, 1'000'000));
  return options;
}

}  // namespace icount
