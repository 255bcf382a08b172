#include "icount/cli/count_options.h"

#include <fmt/format.h>
#include <signal.h>

#include <limits>
#include <set>

#include "icount/base/error.h"
#include "icount/base/process.h"
#include "icount/base/text.h"
#include "icount/cli/cuda_options.h"
#include "icount/cli/event_options.h"
#include "icount/cli/name_options.h"
#include "icount/cli/pins_option.h"
#include "icount/cli/server_option.h"
#include "icount/cli/statement_options.h"
#include "icount/console/shared_options.h"
#include "icount/timer/count_results.h"

namespace icount {
namespace {

constexpr int64_t kMostRuns = 1'000'000'000;

constexpr OptionSpec kCountOptions[] = {
    {"", "", "what to count"},
    {"stmt", "CODE", "statement to count; the first one is what --explain compares the others with", true},
    kFileOption,
    {"setup", "CODE", "runs before the statement, not counted"},
    {"global-setup", "CODE", "file scope of the stub: #include lines, functions, types"},
    kGlobalOption,
    kLanguageOption,
    {"backward", "OUT", "also call OUT.backward(), counted with the statement; OUT is a variable of it"},
    {"num-threads", "N,...", "threads of LibTorch; several numbers: count with each (default 1)"},
    {"base-ref", "COMMIT",
     "count the statements at this commit, in a worktree, and then at --head-ref or in the working tree, and explain "
     "the difference: relative folders of --cxxflag and --link are each side's own"},
    {"head-ref", "COMMIT", "with --base-ref: the commit to compare with it (default: the working tree)"},
    {"build", "CMD", "with --base-ref: shell command run first in the top folder of each side"},
    {"", "", "how to count"},
    {"number", "N", "runs of the statement in the counted region (default 100)"},
    {"repeats", "N", "counts to take, each in a fresh process (default 1)"},
    {"markers", "dump|toggle",
     "how the region is marked: dump keeps call counts right, toggle is torch.utils.benchmark's way (default dump)"},
    {"like-torch", "",
     "count as torch.utils.benchmark does, to compare with its figures: --markers toggle --compiler g++ "
     "(docs/measuring.md)"},
    {"allow-dead", "", "warn instead of failing when the compiler optimized a statement away"},
    {"timeout", "SECONDS",
     "limit for one count, under Valgrind (default 60 for a statement, none for a program; 0: none)"},
    {"jobs", "N", "counts in flight at once (default 2)"},
    {"no-python-calls", "",
     "do not record the calls between Python functions, which explanations name; --explain and --out do with CPython "
     "3.12 or newer, in a run of their own"},
    {"stacks", "N",
     "record call stacks of N callers (1 to 64) for flame graphs and `icount export`; counts stay the same"},
    {"no-jumps", "",
     "do not record jumps: a few percent faster, but what happens inside functions stays unknown to later diffs"},
    {"per-thread", "",
     "also show the count of each thread; uses other markers, so compare such counts only with each other"},
    {"isolate", "", "build a separate program and start a separate server for every statement"},
    {"no-warm", "", "repeat set-up and warm-up for every count: slower, with the same counts (docs/measuring.md)"},
    kNoServerOption,
    {"release-pin", "NAME",
     "unpin one part of the environment: env, cwd, argv, aslr, hash-seed, bind-now, aten, libc, stack", true},
    {"device", "cpu|cuda",
     "where the statement does its work; with cuda, given or detected, icount reports the device's wall-clock times "
     "instead of a count (docs/cuda.md)"},
    {"no-fallback", "", "fail when there is no instruction count, instead of reporting wall-clock times"},
    {"", "", "what to count beside instructions"},
    kEventsOption,
    kCacheOption,
    kSyscallsOption,
    kCallgrindOption,
    {"", "", "how to count a program"},
    kCounterOption,
    {"children", "sum|split|none",
     "processes that the program starts: add them up and list each, make each a result, or leave them out (default "
     "sum)"},
    {"stdin", "FILE", "standard input of the program (default: icount's own, unless that is a terminal)"},
    {"stdin-limit", "BYTES", "most bytes of standard input to keep for it (default 1073741824)"},
    {"expect-signal", "NAME", "the signal that must end the program, such as TERM for a server that is stopped"},
    {"within", "FUNCTION", "count only calls of this function, with everything called from there; * and ? match", true},
    {"memory", "", "also measure bytes allocated and the peak, by Valgrind's DHAT, in a run of its own"},
    {"only-marked", "", "count only between CALLGRIND_START_INSTRUMENTATION and CALLGRIND_STOP_INSTRUMENTATION"},
    {"", "", "how to build"},
    {"torch", "DIR",
     "LibTorch to build with: its folder, or a virtual environment with torch; given twice, icount counts each "
     "statement with both and explains the difference",
     true},
    {"python", "PROGRAM", "interpreter of Python statements (default: the active environment's, else python3)"},
    {"python-path", "DIR",
     "folder from which Python statements import, searched before the folders of PYTHONPATH "
     "(docs/python_statements.md)",
     true},
    {"python-preload", "CODE",
     "Python text that the server of Python statements runs once, before it forks; serve() in it forks there "
     "(docs/python_statements.md)"},
    {"no-torch", "", "never build with LibTorch; statements that do not name it are built without it anyway"},
    kValgrindOption,
    {"compiler", "PROGRAM", "C++ compiler (default: CXX, else c++; for LibTorch clang++)"},
    {"nvcc", "PROGRAM", "CUDA compiler of statements on a device"},
    kCudaArchOption,
    kCudaDeviceOption,
    kCudaSyncOption,
    {"cxxflag", "FLAG", "flag for the compiler, after icount's own", true},
    {"link", "FLAG", "flag for the linker, after the objects: -lfoo, /path/libfoo.a", true},
    {"emit-stub", "", "print the generated program and do nothing else"},
    {"keep", "DIR", "keep the raw profiles of the statements and the C++ stub's source there"},
    {"", "", "what to show"},
    {"label", "NAME", "name of the result in tables, results and comparisons; given again: a further part of it", true},
    {"explain", "", "explain how each further statement differs from the first"},
    {"top", "N", "functions to show for each statement; 0 shows all (default 10)"},
    kTransformOption,
    kFilterOption,
    kDenoiseOption,
    {"format", "text|markdown|json", "form of the output (default text)"},
    {"raw", "", "print names in full, never shortened"},
    kPathsOption,
    {"out,o", "FILE", "save the whole result, cost graphs included; `icount diff` and `icount show` read it"},
};

/// Every statement once for each number of threads.
std::vector<TimerArgs> make_statements(const ParsedOptions& parsed, Language language) {
  const std::vector<TimerArgs> statements = read_statement_texts(parsed, language);
  const std::vector<int64_t> threads = read_thread_counts(parsed, statements);
  std::vector<TimerArgs> all;
  for (const TimerArgs& statement : statements)
    for (const int64_t count : threads) {
      all.push_back(statement);
      all.back().num_threads = static_cast<int>(count);
    }
  return all;
}

void check_distinct(const ParsedOptions& parsed, const std::vector<TimerArgs>& statements) {
  std::set<std::tuple<std::vector<std::string>, std::string, int>> seen;
  for (const TimerArgs& args : statements)
    if (!seen.insert({args.label, args.label.empty() ? args.stmt : std::string(), args.num_threads}).second)
      parsed.problem(fmt::format("the statement '{}' is given twice; use --repeats to count it several times",
                                 args.label.empty() ? args.stmt : args.label.back()));
}

void read_collect(const ParsedOptions& parsed, CollectOptions& collect) {
  collect.number = parsed.integer("number", 100, 1, kMostRuns);
  collect.repeats = static_cast<int>(parsed.integer("repeats", 1, 1, 100'000));
  collect.jobs = static_cast<int>(parsed.integer("jobs", 2, 1, 1024));
  collect.time_limit = Seconds(parsed.seconds("timeout", 60));
  collect.allow_dead = parsed.has("allow-dead");
  collect.isolate = parsed.has("isolate");
  collect.per_thread = parsed.has("per-thread");
  collect.keep_insides = !parsed.has("no-jumps");
  collect.stacks = static_cast<int>(parsed.integer("stacks", 0, 1, 64));
  collect.python_calls = !parsed.has("no-python-calls") && (parsed.has("explain") || parsed.has("out"));
  collect.callgrind_options = read_event_options(parsed);
  collect.warm = !parsed.has("no-warm");
  collect.markers = parsed.choice("markers", {"dump", "toggle"}) == 0 ? Markers::kDump : Markers::kToggle;
  if (parsed.has("like-torch")) {
    collect.markers = Markers::kToggle;
    collect.toolchain.compiler = "g++";
  }
  collect.keep_dir = parsed.text("keep");
  read_pins(parsed, collect.pins);
  if (parsed.has("compiler")) collect.toolchain.compiler = parsed.text("compiler");
  collect.toolchain.python = parsed.text("python");
  collect.toolchain.python_path = parsed.texts("python-path");
  collect.toolchain.python_preload = parsed.text("python-preload");
  collect.torch_as_needed = !parsed.has("torch");
  collect.toolchain.cxxflags = parsed.texts("cxxflag");
  collect.toolchain.link_flags = parsed.texts("link");
}

/// A program is built already and is run as it is: what is about statements has no meaning for it.
void check_program_options(const ParsedOptions& parsed) {
  for (const char* name :
       {"base-ref",      "head-ref",   "build",      "stmt",        "file",        "setup",       "global-setup",
        "global",        "language",   "python",     "python-path", "backward",    "num-threads", "number",
        "markers",       "like-torch", "allow-dead", "isolate",     "no-warm",     "torch",       "no-torch",
        "compiler",      "nvcc",       "cuda-arch",  "cuda-device", "cuda-sync",   "cxxflag",     "link",
        "emit-stub",     "keep",       "explain",    "device",      "no-fallback", "no-server",   "no-python-calls",
        "python-preload"})
    if (parsed.has(name)) parsed.problem(fmt::format("--{} applies to statements, not to a program", name));
}

/// The number of "TERM" or "SIGTERM"; none of what leaves a program no time to write.
std::optional<int> find_signal(std::string_view name) {
  for (int signal = 1; signal < NSIG; ++signal) {
    const std::string known = signal_name(signal);
    if (signal != SIGKILL && signal != SIGSTOP && (name == known || "SIG" + std::string(name) == known)) return signal;
  }
  return std::nullopt;
}

void read_program_options(const ParsedOptions& parsed, CountOptions& options) {
  options.children = static_cast<Children>(parsed.choice("children", {"sum", "split", "none"}));
  options.within = parsed.texts("within");
  for (const std::string& function : options.within)
    if (function.empty()) parsed.problem("--within needs the name of a function");
  options.only_marked = parsed.has("only-marked");
  options.memory = parsed.has("memory");
  options.input.file = parsed.text("stdin");
  if (parsed.has("stdin") && options.input.file.empty()) parsed.problem("--stdin needs a file name");
  options.input.limit = parsed.integer("stdin-limit", options.input.limit, 0, std::numeric_limits<int64_t>::max());
  if (parsed.has("expect-signal")) {
    const std::optional<int> signal = find_signal(parsed.text("expect-signal"));
    if (!signal)
      parsed.problem("--expect-signal needs a signal that ends programs and lets them write, such as TERM or INT");
    options.expected_end = exit_code_of_signal(signal.value_or(0));
  }
  if (!options.program.empty()) return;
  for (const char* name : {"children", "stdin", "stdin-limit", "expect-signal", "within", "only-marked", "memory"})
    if (parsed.has(name))
      parsed.problem(fmt::format("--{} applies to a program (icount count -- PROGRAM), not to statements", name));
}

}  // namespace

std::span<const OptionSpec> count_option_table() { return kCountOptions; }

void check_subject(const ParsedOptions& parsed) {
  if (parsed.program().empty() && !parsed.has("stmt") && !parsed.has("file") && !parsed.has_unknown() &&
      parsed.arguments().empty())
    parsed.problem("nothing to count: give --stmt, --file or -- PROGRAM");
}

CountOptions read_count_options(const ParsedOptions& parsed) {
  CountOptions options;
  options.program = parsed.program();
  options.format = static_cast<OutputFormat>(parsed.choice("format", {"text", "markdown", "json"}));
  options.view.top = static_cast<size_t>(parsed.integer("top", 10, 0, kMostRuns));
  options.view.raw = parsed.has("raw");
  options.view.filter = read_function_filter(parsed);
  options.transform = read_name_rules(parsed, "transform");
  options.cuda.nvcc = parsed.text("nvcc");
  read_cuda_options(parsed, options.cuda);
  options.cuda.synchronises = parsed.has("cuda-sync");
  options.out_file = parsed.text("out");
  if (parsed.has("out") && options.out_file.empty()) parsed.problem("--out needs a file name");
  read_collect(parsed, options.collect);
  options.label = parsed.texts("label");
  for (const std::string& part : options.label)
    if (trim(part).empty()) parsed.problem("--label needs a text");
  read_program_options(parsed, options);
  if (!options.program.empty()) {
    check_program_options(parsed);
    if (!parsed.has("timeout")) options.collect.time_limit = Seconds(0);
    parsed.check();
    return options;
  }
  const Language language = read_language(parsed);
  if (language == Language::kPython && parsed.has("cuda-sync"))
    parsed.problem("--cuda-sync is for C++: blocks of a Python statement wait for the device in any case");
  parsed.excludes("torch", "no-torch");
  parsed.excludes("like-torch", "markers");
  parsed.excludes("like-torch", "compiler");
  options.torch_dirs = parsed.texts("torch");
  options.on_cuda = parsed.choice("device", {"cpu", "cuda"}) == 1;
  options.fallback = !parsed.has("no-fallback");
  options.emit_stub = parsed.has("emit-stub");
  options.no_server = parsed.has("no-server");
  options.base_ref = parsed.text("base-ref");
  options.head_ref = parsed.text("head-ref");
  options.build = parsed.text("build");
  for (const char* name : {"head-ref", "build"})
    if (parsed.has(name) && !parsed.has("base-ref")) parsed.problem(fmt::format("--{} is for --base-ref", name));
  if (parsed.has("base-ref") && (options.base_ref.empty() || options.torch_dirs.size() > 1))
    parsed.problem("--base-ref needs a commit, and at most one --torch");
  options.explain = parsed.has("explain") || options.has_variants();
  options.statements = make_statements(parsed, language);
  if (!options.label.empty() && options.statements.size() > 1)
    parsed.problem("--label names one result; several statements are named in a file (--file)");
  if (!options.label.empty() && options.statements.size() == 1) options.statements[0].label = options.label;
  check_distinct(parsed, options.statements);
  if (options.explain && options.statements.size() < 2 && !options.has_variants())
    parsed.problem("--explain needs at least two statements");
  parsed.check();
  return options;
}

}  // namespace icount
