// The CUDA stub as far as a machine without a device can take it: generated, compiled by a real nvcc, refused at run
// time. With a device the same tests measure.
#include "icount/harness/cuda_stub.h"
#include "icount/harness/statement_needs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "support/places.h"

namespace icount {
namespace {

TimerArgs fill_statement() {
  TimerArgs args;
  args.torch = false;
  args.global_setup = "__global__ void fill(float* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }  // no newline";
  args.setup = "float* x = nullptr;\ncudaMalloc(&x, 1 << 20);";
  args.stmt = "fill<<<1024, 256, 0, stream>>>(x)  // a comment at the end";
  return args;
}

#define NEED_NVCC() \
  if (probe_nvcc({}).empty()) GTEST_SKIP() << "no nvcc on this machine"

TEST(CudaStubTest, UserTextStandsUnchangedOnLinesOfItsOwn) {
  const TimerArgs args = fill_statement();
  const std::string source = make_cuda_source(args);
  EXPECT_NE(source.find("\n#line 1 \"stmt\"\n" + args.stmt + "\n"), std::string::npos);
  EXPECT_NE(source.find("\n#line 1 \"setup\"\n" + args.setup + "\n"), std::string::npos);
}

TEST(CudaStubTest, CompilesAndMeasuresOrSaysThatThereIsNoDevice) {
  NEED_NVCC();
  ScratchDir dir;
  const CudaOutcome outcome = run_cuda_stub(fill_statement(), {}, dir.path());
  if (!outcome.measurement) {
    EXPECT_EQ(outcome.error.find("no usable CUDA device: "), 0u) << outcome.error << outcome.details;
    return;
  }
  EXPECT_GE(outcome.measurement->cold_seconds.size(), 10u);
  EXPECT_GT(outcome.measurement->median_hot(), 0);
}

TEST(CudaStubTest, CompilerMessageNamesTheUsersLine) {
  NEED_NVCC();
  ScratchDir dir;
  TimerArgs args = fill_statement();
  args.stmt = "int ok = 1;\nnonsense(ok);";
  const CudaOutcome outcome = run_cuda_stub(args, {}, dir.path());
  ASSERT_FALSE(outcome.measurement);
  EXPECT_EQ(outcome.error.find("does not compile: stmt(2): error: "), 0u) << outcome.error;
}

TEST(CudaStubTest, MissingCompilerIsAFailureThatSaysWhatToDo) {
  ScratchDir dir;
  CudaStubOptions options;
  options.nvcc = "/no/such/nvcc";
  try {
    run_cuda_stub(fill_statement(), options, dir.path());
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "no nvcc to compile the CUDA statement with; install the CUDA toolkit or name it with --nvcc");
  }
}

TEST(CudaStubTest, LibTorchStatementsRunOnTheTimedStream) {
  TimerArgs args;
  args.setup = "auto x = torch::ones({4}, torch::kCUDA);";
  args.stmt = "auto y = x + x;";
  EXPECT_TRUE(names_libtorch(args));
  const std::string source = make_cuda_source(args);
  const size_t guard =
      source.find("c10::cuda::CUDAStreamGuard icount_guard_(c10::cuda::getStreamFromExternal(stream, ");
  EXPECT_LT(source.find("#include <torch/torch.h>"), source.find(args.setup));
  EXPECT_LT(source.find(args.setup), guard);
  EXPECT_LT(guard, source.find(args.stmt));
  LibTorch torch{
      .root = "/t", .include_dirs = {"/t/include"}, .lib_dir = "/t/lib", .version = "2.13.0", .cxx11_abi = false};
  const std::vector<std::string> flags = cuda_compile_flags(args, {.cxxflags = {"-DMINE"}, .torch = torch});
  for (const char* flag : {"-std=c++20", "-D_GLIBCXX_USE_CXX11_ABI=0", "/t/include", "-ltorch_cuda", "-lc10_cuda"})
    EXPECT_NE(std::find(flags.begin(), flags.end(), flag), flags.end()) << flag;
  EXPECT_EQ(flags.back(), "-DMINE");
}

/// A stand-in for nvcc: it does not know "native", notes its arguments, and makes a program that tells its device.
std::filesystem::path make_old_nvcc(const std::filesystem::path& folder) {
  const std::filesystem::path nvcc = folder / "nvcc";
  save_file(
      nvcc,
      "#!/bin/sh\necho \"$@\" >> " + (folder / "calls").string() +
          "\ncase \"$*\" in *-arch=native*) echo \"nvcc fatal: Value 'native' is not defined for option "
          "'gpu-architecture'\" >&2; exit 1;; esac\n"
          "printf '#!/bin/sh\\necho device $CUDA_VISIBLE_DEVICES, order $CUDA_DEVICE_ORDER >&2; exit 3\\n' > \"$2\"; "
          "chmod +x \"$2\"\n");
  std::filesystem::permissions(nvcc, std::filesystem::perms::owner_all);
  return nvcc;
}

TEST(CudaStubTest, CodeIsMadeForTheDeviceThatWasAskedFor) {
  using Flags = std::vector<std::string>;
  const auto arch_of = [](const Flags& flags) {
    const auto found =
        std::find_if(flags.begin(), flags.end(), [](const auto& flag) { return flag.starts_with("-arch"); });
    return found == flags.end() ? std::string() : *found;
  };
  const TimerArgs args = fill_statement();
  EXPECT_EQ(arch_of(cuda_compile_flags(args, {})), "-arch=native");
  EXPECT_EQ(arch_of(cuda_compile_flags(args, {.arch = "sm_90"})), "-arch=sm_90");
  EXPECT_EQ(arch_of(cuda_compile_flags(args, {.cxxflags = {"-gencode=arch=compute_80,code=sm_80"}})), "");
  ScratchDir dir;
  CudaStubOptions options;
  options.nvcc = make_old_nvcc(dir.path());
  options.device = 2;
  const CudaOutcome outcome = run_cuda_stub(args, options, dir.path());
  EXPECT_EQ(outcome.error, "device 2, order PCI_BUS_ID") << outcome.details;
  const std::string calls = load_text(dir.path() / "calls");
  EXPECT_NE(calls.find("-arch=native"), std::string::npos);
  EXPECT_EQ(calls.find("-arch", calls.find('\n')), std::string::npos) << "the second try has nvcc's own default";
}

/// Builds fake_cudart.cc as the runtime's library in `folder`; empty, or why that failed.
std::string build_fake_runtime(const std::filesystem::path& folder) {
  save_file(folder / "versions", "libcudart.so.13 { global: *; };\n");
  const std::string library = (folder / "libcudart.so.13").string();
  ProcessSpec compile;
  compile.argv = {"c++",
                  "-O1",
                  "-shared",
                  "-fPIC",
                  "-I/usr/local/cuda/include",
                  source_dir() + "/tests/cuda/fake_cudart.cc",
                  "-Wl,-soname,libcudart.so.13",
                  "-Wl,--version-script=" + (folder / "versions").string(),
                  "-o",
                  library};
  const ProcessOutcome built = run_process(compile);
  return built.ok() ? std::string() : built.errors;
}

TEST(CudaStubTest, TheWholeProgramMeasuresOnAStandInForTheRuntime) {
  NEED_NVCC();
  if (!std::filesystem::exists("/usr/local/cuda/include/cuda_runtime.h")) GTEST_SKIP() << "no headers of CUDA";
  ScratchDir dir;
  if (const std::string why = build_fake_runtime(dir.path()); !why.empty()) GTEST_SKIP() << why;
  TimerArgs args;
  args.torch = false;
  args.global_setup = "__global__ void spin(unsigned long long) {}";
  args.stmt = "spin<<<1, 1, 0, stream>>>(250000ull);";
  ::setenv("LD_LIBRARY_PATH", dir.path().c_str(), 1);
  CudaStubOptions options;
  options.link_flags = {"-cudart=shared"};
  options.arch = "sm_90";
  const CudaOutcome outcome = run_cuda_stub(args, options, dir.path());
  ASSERT_TRUE(outcome.measurement) << outcome.error << outcome.details;
  EXPECT_EQ(outcome.measurement->device.name, "Stand-in");
  EXPECT_NEAR(outcome.measurement->median_cold(), 250e-6, 1e-7);
  EXPECT_NEAR(outcome.measurement->median_hot(), 250e-6, 1e-7);
  EXPECT_EQ(outcome.measurement->capped_clock_hz, 0);
  EXPECT_LE(outcome.measurement->launch_share, 0.5);

  ::setenv("FAKE_CLOCK_MHZ", "1000", 1);  // half of the default: a device with a power limit
  const std::string samples = (dir.path() / "capped.json").string();
  const ProcessOutcome capped = run_process({.argv = {(dir.path() / "stub").string(), samples}});
  ::unsetenv("FAKE_CLOCK_MHZ");
  ::unsetenv("LD_LIBRARY_PATH");
  ASSERT_TRUE(capped.ok()) << capped.errors;
  const DeviceMeasurement m = parse_device_measurement(parse_json(load_text(samples), "s"), "s");
  EXPECT_EQ(m.throttled, 8);
  EXPECT_NEAR(m.capped_clock_hz, 1e9, 1);
}

TEST(CudaStubTest, PlainStatementsKnowNothingOfLibTorch) {
  const TimerArgs args = fill_statement();
  EXPECT_FALSE(names_libtorch(args));
  EXPECT_EQ(make_cuda_source(args).find("torch"), std::string::npos);
  TimerArgs looks_like;
  looks_like.stmt = "format::print(flat::x);";
  EXPECT_FALSE(names_libtorch(looks_like));
}

TEST(CudaStubTest, ALibTorchWithoutCudaIsNamed) {
  ScratchDir dir;
  TimerArgs args;
  args.stmt = "torch::ones({4}, torch::kCUDA);";
  CudaStubOptions options;
  options.torch = LibTorch{.root = "/opt/libtorch", .lib_dir = dir.path(), .version = "2.13.0"};
  try {
    run_cuda_stub(args, options, dir.path());
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "the LibTorch 2.13.0 at /opt/libtorch was built without CUDA (it has no libtorch_cuda.so); use "
                 "--torch to name one built with CUDA");
  }
}

}  // namespace
}  // namespace icount
