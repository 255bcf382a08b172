#include "harness/cuda_stub.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cuda_main_cuh.h"
#include "cuda_measure_cuh.h"
#include "sample_rules_h.h"

namespace icount {
namespace {

/// A piece of the user's text on lines of its own, so that a comment at its end or a preprocessor line harms nobody.
std::string user_text(std::string_view name, std::string_view text) {
  return fmt::format("\n#line 1 \"{}\"\n{}\n#line 1 \"icount\"\n", name, text);
}

std::string first_line(std::string_view text) {
  const auto lines = split_lines(text);
  return lines.empty() ? std::string() : std::string(lines.front());
}

/// The first line of a compiler's output that names an error, for the one-line message.
std::string first_error(std::string_view messages) {
  for (const std::string_view line : split_lines(messages))
    if (line.find("error") != std::string_view::npos) return std::string(line);
  return first_line(messages);
}

std::vector<std::string> run_arguments(const CudaStubOptions& options, const std::filesystem::path& out) {
  std::vector<std::string> argv = {out.string(), fmt::format("min-seconds={}", options.min_seconds),
                                   fmt::format("max-noise={}", options.max_noise)};
  if (options.max_samples > 0) argv.push_back(fmt::format("max-samples={}", options.max_samples));
  if (options.use_entropy) argv.push_back("entropy=1");
  if (options.synchronises) argv.push_back("sync=1");
  return argv;
}

/// Other processes that hold a CUDA context, as the driver's tool tells; empty where it is missing.
std::vector<std::string> probe_other_users() {
  ProcessSpec spec;
  spec.argv = {"nvidia-smi", "--query-compute-apps=pid,process_name", "--format=csv,noheader"};
  spec.time_limit = Seconds(20);
  std::vector<std::string> users;
  if (find_program(spec.argv[0]).empty()) return users;
  const ProcessOutcome outcome = run_process(spec);
  if (!outcome.ok()) return users;
  for (const std::string_view line : split_lines(outcome.output))
    if (!trim(line).empty()) users.emplace_back(trim(line));
  return users;
}

}  // namespace

std::string make_cuda_source(const TimerArgs& args) {
  std::string source = "#include \"cuda_main.cuh\"\n";
  source += user_text("global_setup", args.global_setup);
  source += "int main(int argc, char** argv) {\n  return icount::cuda_stub_main(argc, argv, [](const icount::CudaMeasureOptions& options_) {\n"
            "    icount::CudaMeasure measure_(options_);\n";
  source += user_text("setup", args.setup);
  source += "    return measure_.run([&]([[maybe_unused]] cudaStream_t stream) {\n";
  source += user_text("stmt", args.stmt);
  source += ";\n    });\n  });\n}\n";
  return source;
}

std::filesystem::path probe_nvcc(const CudaStubOptions& options) {
  if (!options.nvcc.empty()) return find_program(options.nvcc.string());
  const auto in_path = find_program("nvcc");
  return in_path.empty() ? find_program("/usr/local/cuda/bin/nvcc") : in_path;
}

CudaOutcome run_cuda_stub(const TimerArgs& args, const CudaStubOptions& options, const std::filesystem::path& work_dir) {
  const auto nvcc = probe_nvcc(options);
  if (nvcc.empty())
    throw Error(ErrorKind::kTool, "no nvcc to compile the CUDA statement with; install the CUDA toolkit or name it with --nvcc");
  save_file(work_dir / "sample_rules.h", sample_rules_h());
  save_file(work_dir / "cuda_measure.cuh", cuda_measure_cuh());
  save_file(work_dir / "cuda_main.cuh", cuda_main_cuh());
  save_file(work_dir / "stub.cu", make_cuda_source(args));

  ProcessSpec compile;
  compile.argv = {nvcc.string(), "-std=c++17", "-O2", "-lineinfo", "-o", (work_dir / "stub").string(), (work_dir / "stub.cu").string()};
  compile.argv.insert(compile.argv.end(), options.cxxflags.begin(), options.cxxflags.end());
  compile.argv.insert(compile.argv.end(), options.link_flags.begin(), options.link_flags.end());
  compile.time_limit = Seconds(600);
  compile.cancelled = options.cancelled;
  const ProcessOutcome compiled = run_process(compile);
  if (!compiled.ok()) {
    const std::string messages = compiled.output + compiled.errors;
    return {std::nullopt, fmt::format("does not compile: {}", first_error(messages)), messages};
  }

  const auto users = probe_other_users();
  ProcessSpec run;
  run.argv = {(work_dir / "stub").string()};
  for (auto& word : run_arguments(options, work_dir / "samples.json")) run.argv.push_back(std::move(word));
  run.time_limit = options.time_limit;
  run.cancelled = options.cancelled;
  const ProcessOutcome ended = run_process(run);
  if (!ended.ok()) {
    const std::string told = first_line(ended.errors);
    return {std::nullopt, told.empty() ? describe_end(ended) : told, ended.output + ended.errors};
  }
  const std::string samples = load_text(work_dir / "samples.json");
  CudaOutcome outcome;
  outcome.measurement = parse_device_measurement(parse_json(samples, "samples of the CUDA stub"), "samples of the CUDA stub");
  outcome.measurement->device.other_users = users;
  outcome.measurement->bytes_moved = options.bytes_moved;
  outcome.measurement->flops = options.flops;
  return outcome;
}

}  // namespace icount
