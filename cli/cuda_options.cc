#include "icount/cli/cuda_options.h"

#include <fmt/format.h>

namespace icount {
namespace {

/// An option and why it has no meaning there.
struct Refused {
  const char* option;
  const char* reason;
};

constexpr const char* kBlocks = "cold samples and hot batches are taken in place of blocks (docs/cuda.md)";
constexpr const char* kNotSaved = "device figures of C++ are not for `icount compare`";
constexpr const char* kNoCount = "Valgrind cannot count the work of a device";
constexpr const char* kRoofline = "shares of the peak are reported for C++ statements only";
constexpr const char* kNoNvcc = "a Python statement is not compiled by nvcc";

constexpr Refused kRefusedForCpp[] = {
    {"adaptive", kBlocks},
    {"number", kBlocks},
    {"ci", kBlocks},
    {"max-run-time", kBlocks},
    {"out", kNotSaved},
    {"description", kNotSaved},
    {"env", kNotSaved},
    {"num-threads", "the time is the device's"},
    {"pin", "the time is the device's"},
    {"cold", "a device's cold samples are always taken"},
    {"instructions", kNoCount},
    {"allow-dead", "a statement that queues nothing is always an error"},
    {"compiler", "nvcc compiles the statement; choose its host compiler by --cxxflag=-ccbin=PROGRAM"}};

constexpr Refused kRefusedForPython[] = {
    {"cold", "caches are flushed before runs of C++ statements only"},
    {"instructions", kNoCount},
    {"bytes", kRoofline},
    {"flops", kRoofline},
    {"entropy", "blocks are taken until --min-run-time, --ci or --adaptive says so"},
    {"cuda-sync", "each block waits for the device in any case"},
    {"nvcc", kNoNvcc},
    {"time-anyway", "its kernels are not known"},
    {"cuda-arch", kNoNvcc}};

}  // namespace

void read_cuda_options(const ParsedOptions& parsed, CudaStubOptions& cuda) {
  constexpr int kMostDevices = 1024;
  if (parsed.has("cuda-arch")) cuda.arch = parsed.text("cuda-arch");
  if (cuda.arch.empty()) parsed.problem("--cuda-arch needs an architecture, sm_90 for example");
  if (parsed.has("cuda-device")) cuda.device = static_cast<int>(parsed.integer("cuda-device", 0, 0, kMostDevices));
}

void check_time_on_cuda(const ParsedOptions& parsed, bool on_cuda, bool is_python) {
  if (!on_cuda) {
    for (const char* name : {"nvcc", "cuda-arch", "cuda-device", "bytes", "flops", "entropy", "time-anyway"})
      if (parsed.has(name)) parsed.problem(fmt::format("--{} is for --device cuda", name));
    return;
  }
  const auto refuse = [&](std::span<const Refused> all) {
    for (const Refused& one : all)
      if (parsed.has(one.option))
        parsed.problem(fmt::format("--{} cannot be combined with --device cuda{}: {}", one.option,
                                   is_python ? " --language python" : "", one.reason));
  };
  is_python ? refuse(kRefusedForPython) : refuse(kRefusedForCpp);
}

}  // namespace icount
