#include "icount/cli/time_options.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <utility>

#include "icount/base/error.h"
#include "icount/cli/cuda_options.h"
#include "icount/cli/statement_options.h"
#include "icount/console/options.h"
#include "icount/console/shared_options.h"

namespace icount {
namespace {

constexpr OptionSpec kTimeOptions[] = {
    {"", "", "What to time"},
    {"stmt,s", "TEXT", "statement to time", true},
    {"against", "TEXT",
     "a second statement, interleaved with the first (A B B A); prints their ratio with its interval. cuda, C++: timed "
     "after it, unless both launch the same machine code alike (docs/kernels.md)"},
    kFileOption,
    {"setup", "TEXT", "runs before each block, not timed"},
    {"global-setup", "TEXT", "text at file scope: includes, functions, kernels; Python: at module scope, run once"},
    kGlobalOption,
    kLanguageOption,
    {"backward", "OUT", "also call OUT.backward(), timed with the statement; OUT is a variable of it"},
    {"num-threads", "N,...", "intra-op threads; with several, each statement is timed with each (default 1)"},
    {"label", "TEXT", "title of the table in `icount compare`"},
    {"sub-label", "TEXT", "its row; with several statements each statement's text is its row"},
    {"description", "TEXT", "its column"},
    {"env", "TEXT", "what else differs (a branch, a machine)"},
    {"", "", "How long"},
    {"min-run-time", "TIME",
     "minimum total length of the blocks (default 0.2s); cuda: least device time, cold and hot each (default 0.5s)"},
    {"max-run-time", "TIME", "maximum total length of the blocks (default 10s)"},
    {"ci", "PERCENT", "run until the 95 % interval of the median is this narrow, for example 1%"},
    {"adaptive", "",
     "run until the quartiles are within 10 % of the median (torch.utils.benchmark's adaptive_autorange)"},
    {"threshold", "RATIO", "with --adaptive: distance of the quartiles relative to the median (default 0.1)"},
    {"number", "N", "run one block of N runs after a warm-up (torch.utils.benchmark's timeit)"},
    {"timeout", "TIME", "fail when a block takes longer (default 120s)"},
    {"", "", "Where and how"},
    {"pin", "CORE", "run on this core only"},
    {"cold", "", "flush the CPU caches before each run (C++ only)"},
    {"device", "cpu|cuda",
     "cuda: device events, cold and hot, by nvbench's method (docs/cuda.md); the statement queues its work on "
     "`stream`; Python: blocks that wait for the device once each"},
    {"bytes", "N", "cuda: bytes moved by one run, to report the share of peak bandwidth"},
    {"flops", "N", "cuda: operations of one run, to report the share of peak"},
    {"entropy", "", "cuda: stop by the entropy rule"},
    {"time-anyway", "", "cuda: time a statement and --against where they launch the same machine code alike, too"},
    kCudaSyncOption,
    {"torch", "DIR", "the LibTorch to use; with --device cuda a statement that names torch:: or at:: uses it, too"},
    {"no-torch", "", "never build with LibTorch; statements that do not name it are built without it anyway"},
    {"python", "PROGRAM", "interpreter of Python statements"},
    {"python-path", "DIR", "folder from which Python statements import", true},
    kValgrindOption,
    {"compiler", "PROGRAM", "C++ compiler"},
    {"nvcc", "PROGRAM", "CUDA compiler"},
    kCudaArchOption,
    kCudaDeviceOption,
    {"cxxflag", "FLAG", "additional flag for the compiler", true},
    {"link", "FLAG", "additional flag for the linker", true},
    {"", "", "output"},
    {"allow-dead", "", "warn instead of failing when the compiler optimized a statement away"},
    {"instructions", "",
     "also count each statement's instructions under Valgrind; `icount compare` shows them beside the times"},
    {"out", "FILE", "save the measurements for `icount compare`"},
    {"format", "text|json", "form of the output (default text)"},
};

double read_number(const ParsedOptions& parsed, const char* name) {
  const std::string text = parsed.text(name);
  if (text.empty()) return 0;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (*end != '\0' || !(value > 0) || std::isinf(value))
    parsed.problem(fmt::format("--{} takes a positive number, not '{}'", name, text));
  return value;
}

std::optional<double> read_interval(const ParsedOptions& parsed) {
  std::string text = parsed.text("ci");
  if (text.empty()) return std::nullopt;
  if (text.ends_with('%')) text.pop_back();
  char* end = nullptr;
  const double percent = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(percent > 0) || percent > 100)
    parsed.problem(fmt::format("--ci takes a percentage above 0, such as 1%, not '{}'", parsed.text("ci")));
  return percent / 100;
}

std::optional<std::string> optional_text(const ParsedOptions& parsed, const char* name) {
  return parsed.has(name) ? std::optional(parsed.text(name)) : std::nullopt;
}

TaskSpec make_spec(const TimerArgs& args, const ParsedOptions& parsed, bool several) {
  TaskSpec spec{args.stmt,
                args.setup,
                args.global_setup,
                optional_text(parsed, "label"),
                optional_text(parsed, "sub-label"),
                optional_text(parsed, "description"),
                optional_text(parsed, "env"),
                args.num_threads};
  if (several) spec.sub_label.reset();
  if (!args.label.empty()) spec.sub_label = fmt::format("{}", fmt::join(args.label, " / "));
  return clean_spec(std::move(spec), args.language);
}

void read_statements(const ParsedOptions& parsed, TimeOptions& options) {
  const Language language = read_language(parsed);
  check_time_on_cuda(parsed, options.cuda, language == Language::kPython);
  std::vector<TimerArgs> texts = read_statement_texts(parsed, language);
  if (texts.empty()) parsed.problem("no statement: give one with --stmt 'TEXT', or --file");
  if (options.paired && !texts.empty()) {
    if (texts.size() > 1) parsed.problem("--against compares with one --stmt, but several were given");
    texts.push_back(texts[0]);
    texts.back().stmt = parsed.text("against");
    for (TimerArgs& text : texts) text.label.clear();
  }
  for (const int64_t count : read_thread_counts(parsed, texts)) {
    for (const TimerArgs& text : texts) {
      options.statements.push_back(text);
      options.statements.back().num_threads = static_cast<int>(count);
    }
  }
  parsed.check();
  for (const TimerArgs& statement : options.statements)
    options.specs.push_back(make_spec(statement, parsed, texts.size() > 1));
}

}  // namespace

std::span<const OptionSpec> time_option_table() { return kTimeOptions; }

TimeOptions read_time_options(const ParsedOptions& parsed) {
  TimeOptions options;
  options.paired = parsed.has("against");
  options.cuda = parsed.choice("device", {"cpu", "cuda"}) == 1;
  options.number = parsed.has("number") ? parsed.integer("number", 1, 1, int64_t{1} << 62) : 0;
  options.method = parsed.has("number")     ? TimeMethod::kTimeit
                   : parsed.has("adaptive") ? TimeMethod::kAdaptive
                                            : TimeMethod::kSteady;
  options.min_run_time = parsed.seconds("min-run-time", options.method == TimeMethod::kAdaptive ? 0.01 : 0.2);
  options.max_run_time = parsed.seconds("max-run-time", 10);
  if (parsed.has("threshold")) {
    if (options.method != TimeMethod::kAdaptive) parsed.problem("--threshold is for --adaptive, which is not given");
    options.threshold = read_number(parsed, "threshold");
  }
  options.block_limit = parsed.seconds("timeout", 120);
  options.ci = read_interval(parsed);
  if (parsed.has("pin")) options.pin_core = static_cast<int>(parsed.integer("pin", 0, 0, 1 << 20));
  options.cold = parsed.has("cold");
  options.allow_dead = parsed.has("allow-dead");
  options.instructions = parsed.has("instructions");
  options.entropy = parsed.has("entropy");
  options.time_anyway = parsed.has("time-anyway");
  options.cuda_sync = parsed.has("cuda-sync");
  options.bytes_moved = read_number(parsed, "bytes");
  options.flops = read_number(parsed, "flops");
  options.torch_dir = parsed.text("torch");
  options.python = parsed.text("python");
  options.python_path = parsed.texts("python-path");
  options.compiler = parsed.text("compiler");
  options.cuda_stub.nvcc = parsed.text("nvcc");
  read_cuda_options(parsed, options.cuda_stub);
  if (parsed.has("min-run-time")) options.cuda_stub.min_seconds = options.min_run_time;
  options.cxxflags = parsed.texts("cxxflag");
  options.link_flags = parsed.texts("link");
  options.out = parsed.text("out");
  options.json = parsed.choice("format", {"text", "json"}) == 1;
  parsed.excludes("against", "adaptive");
  parsed.excludes("against", "number");
  parsed.excludes("number", "adaptive");
  parsed.excludes("number", "ci");
  parsed.excludes("adaptive", "ci");
  parsed.excludes("torch", "no-torch");
  read_statements(parsed, options);
  return options;
}

TaskSpec clean_spec(TaskSpec spec, Language language) {
  if (language != Language::kPython) return clean_cpp_spec(std::move(spec));
  std::string global_setup = std::exchange(spec.global_setup, {});  // PyTorch's Timer has none for Python
  spec = clean_python_spec(std::move(spec));
  spec.global_setup = std::move(global_setup);
  return spec;
}

ToolchainOptions time_toolchain(const TimeOptions& options) {
  ToolchainOptions toolchain;
  toolchain.compiler = options.compiler;
  toolchain.torch_dir = options.torch_dir;
  toolchain.python = options.python;
  toolchain.python_path = options.python_path;
  toolchain.cxxflags = options.cxxflags;
  toolchain.link_flags = options.link_flags;
  return toolchain;
}

}  // namespace icount
