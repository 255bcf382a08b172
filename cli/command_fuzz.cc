// `icount fuzz`: what a statement costs over many drawn inputs, and where two statements differ.
#include "icount/cli/commands.h"

#include <fmt/format.h>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>

#include <algorithm>
#include <ostream>
#include <variant>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/cli/fuzz_options.h"
#include "icount/cli/progress_line.h"
#include "icount/console/shared_options.h"
#include "icount/fuzzer/fuzzer.h"
#include "icount/fuzzer/setup_source.h"
#include "icount/report/fuzz_text.h"
#include "icount/stats/fuzz_result.h"
#include "icount/suite/fuzz_run.h"

namespace icount {
namespace {

// How much memory the machine can still give, so that a request that cannot fit is refused instead of tried.

/// MemAvailable of /proc/meminfo in bytes; the largest number where that cannot be read.
int64_t probe_free_memory_bytes();

int64_t probe_free_memory_bytes() {
  std::ifstream info("/proc/meminfo");
  std::string name, unit;
  for (int64_t kibibytes = 0; info >> name >> kibibytes; std::getline(info, unit))
    if (name == "MemAvailable:") return kibibytes * 1024;
  return std::numeric_limits<int64_t>::max();
}

}  // namespace

namespace {

constexpr ExampleSpec kFuzzExamples[] = {
    {"icount fuzz --op binary --stmt 'torch::add(x, y)'",
     "how the instructions of add grow with size, and the cheapest and most expensive shapes"},
    {"icount fuzz --op binary --stmt 'x + y' --against 'torch::add(y, x)' --samples 200",
     "the inputs on which two statements differ"},
    {"icount fuzz --op spectral --samples 3 --emit c++", "the set-ups of three samples, for a stub"},
    {"icount fuzz --stmt 'x.sin()' --samples 500 -o sin.json --resume sin.json", "can be interrupted and continued"},
};

void emit_samples(const FuzzOptions& options, std::ostream& out) {
  Fuzzer fuzzer(options.run.spec, options.run.seed);
  const std::vector<Sample> samples = fuzzer.take(options.run.samples);
  if (options.emit == FuzzEmit::kJson) {
    out << dump_json(samples_json(fuzzer, samples)) << '\n';
    return;
  }
  const bool cpp = options.emit == FuzzEmit::kCpp;
  TorchPosition position;
  for (const Sample& sample : samples) {
    out << fmt::format("{}{} sample {}: {}\n", sample.index > 0 ? "\n" : "", cpp ? "//" : "#", sample.index,
                       shape_text(sample))
        << make_setup(sample, position, cpp ? SetupLanguage::kCpp : SetupLanguage::kPython);
    advance(position, sample);
  }
}

// What an earlier run holds, when it was of the same kind.
std::vector<FuzzPoint> load_known(const FuzzOptions& options) {
  if (options.resume.empty() || !std::filesystem::exists(options.resume)) return {};
  FuzzResult there = fuzz_result_from_json(parse_json(load_text(options.resume), options.resume), options.resume);
  FuzzResult here;
  here.stmt = options.run.stmt;
  here.against = options.run.against;
  here.source = options.run.source;
  here.seed = options.run.seed;
  here.unit = options.run.unit;
  here.number = options.run.collect.number;
  here.circumstances = options.run.circumstances;
  const std::string difference = unlike(there, here);
  if (!difference.empty())
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: cannot resume this run: {}; start a new file", options.resume, difference));
  return std::move(there.points);
}

void save(const std::string& path, const FuzzResult& result) {
  if (!path.empty()) save_file(path, dump_json(fuzz_result_to_json(result)) + "\n");
}

FuzzResult measure(FuzzOptions& options, CommandContext& context) {
  options.run.known = load_known(options);
  options.run.memory_limit_bytes = probe_free_memory_bytes();
  options.run.cancelled = context.cancelled;
  ProgressLine progress(context.err, context.error_terminal);
  options.run.on_progress = [&](const BatchProgress& now) { progress.show(now); };
  size_t saved = 0;
  options.run.on_point = [&](const FuzzResult& result) {
    // Each save writes the whole run: every fiftieth part is often enough.
    if (result.points.size() < saved + 1 + saved / 50) return;
    save(options.out, result);
    saved = result.points.size();
  };
  const auto on_device = [](const TensorSpec& tensor) {
    const auto* dense = std::get_if<FuzzedTensor>(&tensor);
    return dense ? dense->cuda : std::get<FuzzedSparseTensor>(tensor).shape.cuda;
  };
  const bool any_on_device = std::any_of(options.run.spec.tensors.begin(), options.run.spec.tensors.end(), on_device);
  if (any_on_device && options.run.unit == FuzzUnit::kInstructions)
    throw Error(ErrorKind::kUsage,
                "the table's tensors lie on a CUDA device, whose work Valgrind cannot count; use --time");
  const auto wall_time = [&](std::span<const TimerArgs> statements, const CollectOptions& collect) {
    constexpr double kMinRunTime = 0.05;
    return collect_wall_time(statements, collect, kMinRunTime, any_on_device);
  };
  FuzzResult result = options.run.unit == FuzzUnit::kSeconds ? run_fuzz(options.run, wall_time) : run_fuzz(options.run);
  save(options.out, result);
  return result;
}

ExitCode run_fuzz_command(const ParsedOptions& parsed, CommandContext& context) {
  FuzzOptions options = read_fuzz_options(parsed, context);
  if (options.emit != FuzzEmit::kMeasure) {
    emit_samples(options, context.out);
    return ExitCode::kOk;
  }
  check_writable(options.out);
  const FuzzResult result = measure(options, context);
  if (options.json)
    context.out << dump_json(fuzz_result_to_json(result)) << '\n';
  else
    render_fuzz_text(context.out, result, options.text, context.terminal.style);
  const bool complete = static_cast<int64_t>(result.points.size()) == options.run.samples;
  if (!complete)
    context.warn(fmt::format("interrupted after {} of {} samples{}", result.points.size(), options.run.samples,
                             options.out.empty() ? "" : fmt::format("; continue with --resume {}", options.out)));
  return complete && failed_points(result) == 0 ? ExitCode::kOk : ExitCode::kFailure;
}

}  // namespace

const CommandSpec& fuzz_command() {
  static const CommandSpec command = {
      .name = "fuzz",
      .summary = "measure a statement on many random inputs, and find where two statements differ",
      .arguments = "",
      .description =
          "Draws random inputs (sizes, strides, layouts, sparsity), builds all of them into one stub, and counts the "
          "instructions of the statement on each. Shows how the cost grows with the number of elements, the cheapest "
          "and the most expensive inputs, and with --against the inputs on which the two statements differ "
          "most.\n\nThe same seed gives the same inputs everywhere. docs/fuzzer.md explains the two modes and the "
          "format of a table.",
      .options = fuzz_option_table(),
      .examples = kFuzzExamples,
      .run = run_fuzz_command,
  };
  return command;
}

}  // namespace icount
