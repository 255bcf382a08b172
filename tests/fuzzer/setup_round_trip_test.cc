// Setups as text against tensors built in this process: same sizes, strides and sums. All C++ snippets are
// compiled as one program against the LibTorch this test is linked with; the Python ones run where a Python
// with torch is found.
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include <ATen/ops/sum.h>
#include <ATen/ops/view_as_real.h>

#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/fuzzer/op_fuzzers.h"
#include "icount/fuzzer/setup_source.h"
#include "icount/fuzzer/tensor_torch.h"
#include "support/places.h"

namespace icount {
namespace {

constexpr int64_t kLimit = int64_t{1} << 30;

struct RoundTrip {
  Sample sample;
  TorchPosition position;
};

void add_trips(std::vector<RoundTrip>& trips, FuzzerSpec spec, uint64_t seed, int64_t n) {
  TorchPosition position;
  for (Sample& sample : Fuzzer(std::move(spec), seed).take(n)) {
    const TorchPosition before = position;
    advance(position, sample);
    trips.push_back({std::move(sample), before});
  }
}

// Few elements, so that building each is cheap: PyTorch's fuzzers with other limits.
FuzzerSpec bounded(OpFuzzer op, OpFuzzerOptions options) {
  FuzzerSpec spec = make_op_fuzzer(op, options);
  for (TensorSpec& tensor : spec.tensors) {
    auto* sparse = std::get_if<FuzzedSparseTensor>(&tensor);
    FuzzedTensor& shape = sparse ? sparse->shape : std::get<FuzzedTensor>(tensor);
    shape.max_elements = 200000;
    shape.max_allocation_bytes = sparse ? std::nullopt : std::optional<int64_t>(8 << 20);
  }
  return spec;
}

std::vector<RoundTrip> all_trips() {
  std::vector<RoundTrip> trips;
  for (const OpFuzzer op :
       {OpFuzzer::kUnary, OpFuzzer::kBinary, OpFuzzer::kSpectral, OpFuzzer::kSparseUnary, OpFuzzer::kSparseBinary}) {
    OpFuzzerOptions options;
    options.mode = FuzzMode::kCompatible;
    add_trips(trips, bounded(op, options), 31, 3);
    options.mode = FuzzMode::kCorrected;
    options.size_class = SizeClass::kSmall;
    add_trips(trips, make_op_fuzzer(op, options), 32, 6);
    for (const DType dtype : {DType::kBool, DType::kInt16, DType::kFloat16, DType::kComplex64}) {
      options.dtype = dtype;
      add_trips(trips, make_op_fuzzer(op, options), 33, 1);
    }
  }
  return trips;
}

// One line per tensor: sizes, strides or the number of stored values, and the sum in single steps of the
// caller's text.
std::string describe(const at::Tensor& tensor) {
  std::ostringstream text;
  for (const int64_t size : tensor.sizes()) text << size << ' ';
  text << "| ";
  if (tensor.is_sparse())
    text << "nnz " << tensor._nnz() << (tensor.is_coalesced() ? " coalesced " : " ");
  else
    for (const int64_t stride : tensor.strides()) text << stride << ' ';
  return text.str();
}

double sum_of(const at::Tensor& tensor) {
  at::Tensor values = tensor.is_sparse() ? tensor._values() : tensor;
  if (values.is_complex()) values = at::view_as_real(values.contiguous());
  return at::sum(values.to(at::kDouble)).item<double>();
}

struct Line {
  std::string shape;
  double sum = 0;
  bool gaussian = false;  // the sum holds Gaussians, which differ in their last bits between vector units
};

std::vector<Line> expected_lines(const std::vector<RoundTrip>& trips) {
  std::vector<Line> lines;
  TensorMaker maker(kLimit);
  for (const RoundTrip& trip : trips) {
    maker.seek(trip.sample, trip.position);
    const std::vector<NamedTensor> tensors = maker.make(trip.sample);
    for (size_t t = 0; t < tensors.size(); ++t) {
      const auto* sparse = std::get_if<SparseTensor>(&trip.sample.tensors[t]);
      const bool gaussian = trip.sample.mode == FuzzMode::kCompatible && sparse && !sparse->is_coalesced;
      lines.push_back({describe(tensors[t].tensor), sum_of(tensors[t].tensor), gaussian});
    }
  }
  return lines;
}

void expect_lines(const std::string& output, const std::vector<Line>& expected, double tolerance) {
  const auto lines = split_lines(output);
  ASSERT_EQ(lines.size(), expected.size()) << output.substr(0, 2000);
  for (size_t i = 0; i < lines.size(); ++i) {
    const size_t at = lines[i].rfind('=');
    ASSERT_NE(at, std::string::npos) << lines[i];
    EXPECT_EQ(lines[i].substr(0, at), expected[i].shape) << i;
    const double sum = std::strtod(std::string(lines[i].substr(at + 1)).c_str(), nullptr);
    const double scale = std::max(1.0, std::abs(expected[i].sum));
    EXPECT_NEAR(sum, expected[i].sum, (expected[i].gaussian ? 1e-3 : tolerance) * scale) << i << ' ' << lines[i];
  }
}

std::string report_calls(const Sample& sample, const std::string& end) {
  std::string calls;
  for (const SampleTensor& tensor : sample.tensors) calls += "report(" + tensor_name(tensor) + ")" + end;
  return calls;
}

constexpr std::string_view kCppHead = R"(#include <torch/types.h>
#include <cstdio>
#include <vector>
static void report(const torch::Tensor& tensor) {
  for (const int64_t size : tensor.sizes()) std::printf("%lld ", static_cast<long long>(size));
  std::printf("| ");
  if (tensor.is_sparse()) std::printf("nnz %lld%s", static_cast<long long>(tensor._nnz()), tensor.is_coalesced() ? " coalesced " : " ");
  else for (const int64_t stride : tensor.strides()) std::printf("%lld ", static_cast<long long>(stride));
  torch::Tensor values = tensor.is_sparse() ? tensor._values() : tensor;
  if (values.is_complex()) values = torch::view_as_real(values.contiguous());
  std::printf("=%.17g\n", torch::sum(values.to(torch::kDouble)).item<double>());
}
)";

TEST(SetupRoundTripTest, CppSnippetsBuildTheSameTensors) {
  const std::vector<RoundTrip> trips = all_trips();
  std::string source(kCppHead), calls;
  for (size_t i = 0; i < trips.size(); ++i) {
    source += "static void sample_" + std::to_string(i) + "() {\n" +
              make_setup(trips[i].sample, trips[i].position, SetupLanguage::kCpp) +
              report_calls(trips[i].sample, ";\n") + "}\n";
    calls += "  sample_" + std::to_string(i) + "();\n";
  }
  source += "int main() {\n" + calls + "}\n";

  const ScratchDir scratch("snippets");
  save_file(scratch.path() / "all.cc", source);
  const std::string program = scratch.path() / "all";
  ProcessSpec compile;
  compile.argv = {ICOUNT_TEST_CXX,
                  "-std=c++17",
                  "-O0",
                  "-w",
                  "-I",
                  ICOUNT_TEST_TORCH_INCLUDE,
                  "-I",
                  ICOUNT_TEST_TORCH_INCLUDE "/torch/csrc/api/include",
                  scratch.path() / "all.cc",
                  "-o",
                  program,
                  "-Wl,--no-as-needed",
                  ICOUNT_TEST_TORCH_CPU,
                  ICOUNT_TEST_TORCH_C10};
  const ProcessOutcome compiled = run_process(compile);
  ASSERT_TRUE(compiled.ok()) << compiled.errors.substr(0, 4000);
  ProcessSpec run;
  run.argv = {program};
  const ProcessOutcome outcome = run_process(run);
  ASSERT_TRUE(outcome.ok()) << describe_end(outcome) << outcome.errors.substr(0, 4000);
  expect_lines(outcome.output, expected_lines(trips), 1e-12);
}

constexpr std::string_view kPythonHead = R"(import torch
def report(tensor):
    text = "".join(f"{size} " for size in tensor.shape) + "| "
    if tensor.is_sparse:
        text += f"nnz {tensor._nnz()}" + (" coalesced " if tensor.is_coalesced() else " ")
    else:
        text += "".join(f"{stride} " for stride in tensor.stride())
    values = tensor._values() if tensor.is_sparse else tensor
    if values.is_complex():
        values = torch.view_as_real(values.contiguous())
    print(f"{text}={float(values.double().sum())!r}")
)";

// $ICOUNT_TORCH_PYTHON, or the interpreter that scripts/test sets up.
std::string python_with_torch() {
  const char* named = std::getenv("ICOUNT_TORCH_PYTHON");
  if (named && *named) return named;
  const auto fetched = std::filesystem::path(source_dir()) / "build/torch-venv/bin/python";
  return std::filesystem::exists(fetched) ? fetched.string() : std::string();
}

TEST(SetupRoundTripTest, PythonSnippetsBuildTheSameTensors) {
  const std::string python = python_with_torch();
  if (python.empty()) GTEST_SKIP() << "no Python with torch (build/torch-venv, or ICOUNT_TORCH_PYTHON)";
  const std::vector<RoundTrip> trips = all_trips();
  std::string source(kPythonHead);
  for (const RoundTrip& trip : trips)
    source += make_setup(trip.sample, trip.position, SetupLanguage::kPython) + report_calls(trip.sample, "\n");
  ProcessSpec run;
  run.argv = {python, "-"};
  run.input = source;
  const ProcessOutcome outcome = run_process(run);
  ASSERT_TRUE(outcome.ok()) << describe_end(outcome) << outcome.errors.substr(0, 4000);
  expect_lines(outcome.output, expected_lines(trips), 1e-9);
}

}  // namespace
}  // namespace icount
