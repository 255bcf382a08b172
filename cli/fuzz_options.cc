#include "icount/cli/fuzz_options.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/hash.h"
#include "icount/base/text.h"
#include "icount/cli/server_option.h"
#include "icount/cli/statement_options.h"
#include "icount/console/shared_options.h"
#include "icount/fuzzer/op_fuzzers.h"
#include "icount/fuzzer/table_file.h"

namespace icount {
namespace {

constexpr OptionSpec kFuzzOptions[] = {
    {"op", "OP|FILE.toml", "unary, binary, spectral, sparse-unary, sparse-binary, or your own table (default unary)"},
    {"stmt", "STMT", "the statement; the tensors are x, or x and y"},
    {"against", "STMT", "a second statement, measured on the same inputs"},
    {"samples", "N", "number of inputs (default 50)"},
    {"seed", "N", "random seed (default 0)"},
    {"size-class", "small|medium|large|reference",
     "up to 4 Ki, 1 Mi or 32 Mi elements, or the limits of torch.utils.benchmark (default small)"},
    {"mode", "corrected|compatible",
     "compatible draws exactly the samples of torch.utils.benchmark; corrected fixes its errors (docs/fuzzer.md) "
     "(default corrected)"},
    {"dtype", "DTYPE", "float32, int64, complex64, ... (default the op's)"},
    {"", "", "measuring"},
    {"time", "", "measure wall time instead of instructions (needs no Valgrind; one sample at a time)"},
    {"number", "N", "runs per measurement (default 100, 10 or 1 by size class)"},
    {"language", "c++|torchscript|python", "language of the statements (default c++); a TorchScript set-up is C++"},
    {"setup", "TEXT", "runs after the tensors of a sample are built, not measured"},
    {"num-threads", "N", "intra-op threads of LibTorch (default 1)"},
    {"global-setup", "TEXT", "code at file or module scope: #include lines, functions, imports"},
    {"torch", "DIR", "the LibTorch to use"},
    kValgrindOption,
    kCounterOption,
    {"compiler", "PROGRAM", "the compiler to use"},
    {"python", "PROGRAM", "interpreter of Python statements (default: the active environment's, else python3)"},
    {"jobs", "N", "children in flight (default 2)"},
    {"timeout", "TIME", "limit for one measurement, under Valgrind (default 60s)"},
    kNoServerOption,
    {"", "", "output"},
    {"emit", "json|c++|python",
     "print the parameters of the samples, or the set-up code that builds them, and measure nothing"},
    {"top", "N", "rows at each end; 0 shows all (default 10)"},
    {"format", "text|json", "form of the output (default text)"},
    {"out,o", "FILE", "save the run as JSON; written as it proceeds"},
    {"resume", "FILE", "continue a run saved with --out; its samples are not measured again"},
};

int64_t default_number(SizeClass size_class) {
  return size_class == SizeClass::kSmall ? 100 : size_class == SizeClass::kMedium ? 10 : 1;
}

struct Source {
  FuzzerSpec spec;
  std::string text;
  int64_t number = 100;
};

Source op_source(const ParsedOptions& parsed, OpFuzzer op) {
  OpFuzzerOptions options;
  options.mode = static_cast<FuzzMode>(1 - parsed.choice("mode", {"corrected", "compatible"}));
  const bool compatible = options.mode == FuzzMode::kCompatible;
  const std::string size_class = parsed.text("size-class", compatible ? "reference" : "small");
  options.size_class = parse_size_class(size_class);
  if (parsed.has("dtype")) options.dtype = parse_dtype(parsed.text("dtype"));
  Source source{make_op_fuzzer(op, options), {}, default_number(options.size_class)};
  source.text =
      fmt::format("{} {} {} {}{}", to_text(op), to_text(options.mode), to_text(options.size_class),
                  options.dtype ? to_text(*options.dtype) : "default dtype", compatible ? ", elements of x" : "");
  return source;
}

Source read_source(const ParsedOptions& parsed) {
  const std::string name = parsed.text("op", "unary");
  if (const auto op = parse_op_fuzzer(name)) return op_source(parsed, *op);
  if (!name.ends_with(".toml"))
    throw Error(
        ErrorKind::kUsage,
        fmt::format("unknown op '{}'; use unary, binary, spectral, sparse-unary, sparse-binary, or a file *.toml",
                    name));
  for (const char* option : {"size-class", "mode", "dtype"})
    if (parsed.has(option))
      throw Error(ErrorKind::kUsage, fmt::format("--{} applies to the built-in ops; {} sets it itself", option, name));
  return {load_fuzzer_table(name), fmt::format("{} {}", name, content_hash(load_text(name)).substr(0, 12)), 10};
}

void read_measuring(const ParsedOptions& parsed, int64_t default_runs, const CommandContext& context,
                    FuzzRunOptions& run) {
  run.collect.number = parsed.integer("number", default_runs, 1, 1'000'000'000);
  run.collect.jobs = static_cast<int>(parsed.integer("jobs", 2, 1, 1000));
  run.collect.time_limit = Seconds(parsed.seconds("timeout", 60));
  run.collect.toolchain.torch_dir = parsed.text("torch");
  run.collect.toolchain.compiler = parsed.text("compiler");
  run.collect.toolchain.python = parsed.text("python");
  run.collect.environment = context.environment;
  run.collect.server = make_server_use(parsed.has("no-server"), false, context);
  run.unit = parsed.has("time") ? FuzzUnit::kSeconds : FuzzUnit::kInstructions;
  run.language = read_language(parsed);
  run.setup = parsed.text("setup");
  run.num_threads = static_cast<int>(parsed.integer("num-threads", 1, 1, 1024));
  run.global_setup = parsed.text("global-setup");
  run.circumstances =
      fmt::format("{}, compiler '{}', torch '{}'{}{}{}{}", to_text(run.language), run.collect.toolchain.compiler,
                  run.collect.toolchain.torch_dir, run.global_setup.empty() ? "" : ", global set-up ", run.global_setup,
                  run.setup.empty() ? "" : ", set-up ", run.setup);
  if (parsed.has("python")) run.circumstances += fmt::format(", python '{}'", run.collect.toolchain.python);
  if (run.num_threads > 1) run.circumstances += fmt::format(", {} threads", run.num_threads);
}

}  // namespace

std::span<const OptionSpec> fuzz_option_table() { return kFuzzOptions; }

FuzzOptions read_fuzz_options(const ParsedOptions& parsed, const CommandContext& context) {
  FuzzOptions options;
  options.emit = parsed.has("emit") ? static_cast<FuzzEmit>(1 + parsed.choice("emit", {"json", "c++", "python"}))
                                    : FuzzEmit::kMeasure;
  options.run.stmt = parsed.text("stmt");
  options.run.against = parsed.text("against");
  if (options.emit == FuzzEmit::kMeasure && trim(options.run.stmt).empty())
    parsed.problem("--stmt is required: the statement to measure");
  options.run.samples = parsed.integer("samples", 50, 1, 10'000'000);
  options.run.seed = static_cast<uint64_t>(parsed.integer("seed", 0, 0, INT64_MAX));
  options.text.top = static_cast<size_t>(parsed.integer("top", 10, 0, 1'000'000));
  options.json = parsed.choice("format", {"text", "json"}) == 1;
  options.out = parsed.text("out");
  options.resume = parsed.text("resume");
  for (const char* measuring : {"stmt", "against", "out", "resume", "format"}) parsed.excludes("emit", measuring);
  parsed.excludes("time", "number");
  parsed.choice("mode", {"corrected", "compatible"});
  read_measuring(parsed, 1, context, options.run);
  parsed.check();
  Source source = read_source(parsed);
  read_measuring(parsed, source.number, context, options.run);
  options.run.spec = std::move(source.spec);
  options.run.source = std::move(source.text);
  return options;
}

}  // namespace icount
