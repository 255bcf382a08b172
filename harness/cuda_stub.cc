#include "icount/harness/cuda_stub.h"

#include <fmt/format.h>

#include <algorithm>

#include "cuda_check_cuh.h"
#include "cuda_device_facts_cuh.h"
#include "cuda_main_cuh.h"
#include "cuda_measure_cuh.h"
#include "cuda_workbench_cuh.h"
#include "device_measure_h.h"
#include "device_rules_h.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/text.h"
#include "sample_rules_h.h"

namespace icount {
namespace {

/// A piece of the user's text on lines of its own, so that a comment at its end or a preprocessor line harms nobody.
std::string user_text(std::string_view name, std::string_view text) {
  return fmt::format("\n#line 1 \"{}\"\n{}\n#line 1 \"icount\"\n", name, text);
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

/// Other processes that hold a CUDA context on the device (absent: on any), as the driver's tool tells; empty where it
/// is missing.
std::vector<std::string> probe_other_users(std::optional<int> device) {
  ProcessSpec spec;
  spec.argv = {"nvidia-smi", "--query-compute-apps=pid,process_name", "--format=csv,noheader"};
  if (device) spec.argv.push_back(fmt::format("--id={}", *device));
  spec.time_limit = Seconds(20);
  std::vector<std::string> users;
  if (find_program(spec.argv[0]).empty()) return users;
  const ProcessOutcome outcome = run_process(spec);
  if (!outcome.ok()) return users;
  for (const std::string_view line : split_lines(outcome.output))
    if (!trim(line).empty()) users.emplace_back(trim(line));
  return users;
}

void check_torch(const CudaStubOptions& options) {
  if (!options.torch) throw Error(ErrorKind::kTool, "the CUDA statement uses LibTorch, but no LibTorch was given");
  std::error_code ignored;
  if (!std::filesystem::exists(options.torch->lib_dir / "libtorch_cuda.so", ignored))
    throw Error(ErrorKind::kTool, fmt::format("the LibTorch {} at {} was built without CUDA (it has no "
                                              "libtorch_cuda.so); use --torch to name one built with CUDA",
                                              options.torch->version, options.torch->root.string()));
}

/// The stub with every header that it includes.
void save_stub(const TimerArgs& args, const std::filesystem::path& work_dir) {
  save_file(work_dir / "sample_rules.h", sample_rules_h());
  save_file(work_dir / "device_rules.h", device_rules_h());
  save_file(work_dir / "device_measure.h", device_measure_h());
  save_file(work_dir / "cuda_check.cuh", cuda_check_cuh());
  save_file(work_dir / "cuda_device_facts.cuh", cuda_device_facts_cuh());
  save_file(work_dir / "cuda_workbench.cuh", cuda_workbench_cuh());
  save_file(work_dir / "cuda_measure.cuh", cuda_measure_cuh());
  save_file(work_dir / "cuda_main.cuh", cuda_main_cuh());
  save_file(work_dir / "stub.cu", make_cuda_source(args));
}

/// Our own environment with the one device that was asked for, for nvcc's "native" and for the program; nullopt: as it
/// is.
std::optional<std::vector<std::string>> device_environment(const CudaStubOptions& options) {
  if (!options.device) return std::nullopt;
  return with_cuda_device(current_environment(), options.device).block();
}

/// Whether the user says what the code is for.
bool names_architecture(const std::vector<std::string>& flags) {
  return std::any_of(flags.begin(), flags.end(), [](const std::string& flag) {
    return flag.starts_with("-arch") || flag.starts_with("-gencode") || flag.starts_with("--gpu-architecture") ||
           flag.starts_with("--generate-code");
  });
}

std::filesystem::path need_nvcc(const CudaStubOptions& options) {
  auto nvcc = probe_nvcc(options);
  if (nvcc.empty())
    throw Error(ErrorKind::kTool,
                "no nvcc to compile the CUDA statement with; install the CUDA toolkit or name it with --nvcc");
  return nvcc;
}

/// Into `output`: a program, or what `flags` say.
ProcessOutcome compile_stub(const std::filesystem::path& nvcc, const TimerArgs& args, const CudaStubOptions& options,
                            const std::filesystem::path& output, const std::vector<std::string>& flags) {
  ProcessSpec compile;
  compile.argv = {nvcc.string(), "-o", output.string(), (output.parent_path() / "stub.cu").string()};
  compile.argv.insert(compile.argv.end(), flags.begin(), flags.end());
  for (std::string& flag : cuda_compile_flags(args, options)) compile.argv.push_back(std::move(flag));
  compile.time_limit = Seconds(600);
  compile.cancelled = options.cancelled;
  compile.environment = device_environment(options);
  ProcessOutcome compiled = run_process(compile);
  // Where there is no device, "native" is a warning; an old nvcc does not know the word.
  const bool unknown = options.arch == "native" && compiled.errors.find("Value 'native'") != std::string::npos;
  if (compiled.ok() || !unknown) return compiled;
  CudaStubOptions without = options;
  without.arch.clear();
  return compile_stub(nvcc, args, without, output, flags);
}

}  // namespace

std::string make_cuda_source(const TimerArgs& args) {
  std::string source = "#include \"cuda_main.cuh\"\n";
  if (args.torch) source += "#include <torch/torch.h>\n#include <c10/cuda/CUDAGuard.h>\n";
  source += user_text("global_setup", args.global_setup);
  source +=
      "int main(int argc, char** argv) {\n  return icount::cuda_stub_main(argc, argv, [](icount::CudaMeasureOptions "
      "options_) {\n";
  if (args.torch) source += "    options_.stream_is_sure = true;\n";
  source += "    icount::CudaMeasure measure_(options_);\n";
  source += user_text("setup", args.setup);
  source +=
      "    icount::check_cuda(cudaDeviceSynchronize(), \"running the set-up\");\n"
      "    return measure_.run([&]([[maybe_unused]] cudaStream_t stream) {\n";
  if (args.torch)
    source +=
        "      const c10::cuda::CUDAStreamGuard icount_guard_(c10::cuda::getStreamFromExternal(stream, "
        "c10::cuda::current_device()));\n";
  source += user_text("stmt", args.stmt);
  source += ";\n    });\n  });\n}\n";
  return source;
}

std::filesystem::path probe_nvcc(const CudaStubOptions& options) {
  if (!options.nvcc.empty()) return find_program(options.nvcc.string());
  const auto in_path = find_program("nvcc");
  return in_path.empty() ? find_program("/usr/local/cuda/bin/nvcc") : in_path;
}

Environment with_cuda_device(Environment environment, std::optional<int> device) {
  if (!device) return environment;
  environment.set("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
  environment.set("CUDA_VISIBLE_DEVICES", std::to_string(*device));
  return environment;
}

std::vector<std::string> cuda_compile_flags(const TimerArgs& args, const CudaStubOptions& options) {
  std::vector<std::string> flags = {"-std=c++17", "-O2", "-lineinfo"};
  if (!options.arch.empty() && !names_architecture(options.cxxflags)) flags.push_back("-arch=" + options.arch);
  if (args.torch && options.torch) {
    const LibTorch& torch = *options.torch;
    // Newer headers want C++20; those of LibTorch 1 don't compile as C++20.
    if (!torch.version.starts_with("1.")) flags[0] = "-std=c++20";
    flags.insert(flags.end(), {"-w", "-DNDEBUG", fmt::format("-D_GLIBCXX_USE_CXX11_ABI={}", torch.cxx11_abi ? 1 : 0)});
    for (const auto& dir : torch.include_dirs)
      if (dir != "/usr/include") flags.insert(flags.end(), {"-isystem", dir.string()});
    const std::string dir = torch.lib_dir.string();
    // Nothing in the program names libtorch_cuda; without it operators find no kernels for the device.
    flags.insert(flags.end(), {"-L" + dir, "-Xlinker", "--no-as-needed", "-Xlinker", "-rpath", "-Xlinker", dir,
                               "-ltorch", "-ltorch_cpu", "-ltorch_cuda", "-lc10_cuda", "-lc10"});
  }
  flags.insert(flags.end(), options.cxxflags.begin(), options.cxxflags.end());
  flags.insert(flags.end(), options.link_flags.begin(), options.link_flags.end());
  return flags;
}

std::filesystem::path build_cuda_cubin(const TimerArgs& args, const CudaStubOptions& options,
                                       const std::filesystem::path& work_dir) {
  const auto nvcc = need_nvcc(options);
  save_stub(args, work_dir);
  auto output = work_dir / "stub.cubin";
  const ProcessOutcome compiled = compile_stub(nvcc, args, options, output, {"-cubin"});
  if (!compiled.ok())
    throw Error(ErrorKind::kTool, fmt::format("does not compile: {}", first_error(compiled.output + compiled.errors)));
  return output;
}

CudaOutcome run_cuda_stub(const TimerArgs& args, const CudaStubOptions& options,
                          const std::filesystem::path& work_dir) {
  if (args.torch) check_torch(options);
  const auto nvcc = need_nvcc(options);
  save_stub(args, work_dir);
  const ProcessOutcome compiled = compile_stub(nvcc, args, options, work_dir / "stub", {});
  if (!compiled.ok()) {
    const std::string messages = compiled.output + compiled.errors;
    return {std::nullopt, fmt::format("does not compile: {}", first_error(messages)), messages};
  }

  const auto users = probe_other_users(options.device);
  ProcessSpec run;
  run.argv = {(work_dir / "stub").string()};
  for (auto& word : run_arguments(options, work_dir / "samples.json")) run.argv.push_back(std::move(word));
  run.environment = device_environment(options);
  run.time_limit = options.time_limit;
  run.cancelled = options.cancelled;
  const ProcessOutcome ended = run_process(run);
  if (!ended.ok()) {
    const std::string told = first_line(ended.errors);
    return {std::nullopt, told.empty() ? describe_end(ended) : told, ended.output + ended.errors};
  }
  const std::string samples = load_text(work_dir / "samples.json");
  CudaOutcome outcome;
  outcome.measurement =
      parse_device_measurement(parse_json(samples, "samples of the CUDA stub"), "samples of the CUDA stub");
  outcome.measurement->device.other_users = users;
  outcome.measurement->bytes_moved = options.bytes_moved;
  outcome.measurement->flops = options.flops;
  return outcome;
}

}  // namespace icount
