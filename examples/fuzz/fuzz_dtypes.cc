// One operator over two dtypes on the same shapes, by relative difference: PyTorch's op_benchmark. The
// same seed gives the same sizes, steps and layouts for both.
//   fuzz_dtypes [SAMPLES [SECONDS_PER_SAMPLE]]      default 100 samples, 0.05 s each
#include <ATen/ops/add.h>
#include <ATen/ops/median.h>
#include <ATen/ops/square.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "icount/base/error.h"
#include "icount/fuzzer/op_fuzzers.h"
#include "icount/fuzzer/tensor_torch.h"
#include "icount/suite/fuzz_run.h"
#include "icount/timer/timer.h"

namespace {

using Tensors = std::vector<icount::NamedTensor>;

struct Operator {
  const char* name;
  icount::OpFuzzer inputs;
  std::function<at::Tensor(const Tensors&)> run;
};

struct Row {
  double first, second;
  std::string shape;

  double difference() const { return 2 * std::abs(first - second) / (first + second); }
};

std::vector<icount::Sample> samples_of(const Operator& op, icount::DType dtype, int64_t count) {
  icount::OpFuzzerOptions options;
  options.size_class = icount::SizeClass::kMedium;
  options.dtype = dtype;
  return icount::Fuzzer(icount::make_op_fuzzer(op.inputs, options), 0).take(count);
}

double time_of(const Operator& op, const icount::Sample& sample, double min_run_time) {
  icount::TensorMaker maker(int64_t{1} << 30);
  const Tensors tensors = maker.make(sample);
  icount::Timer timer([&] { return op.run(tensors); });
  return timer.blocked_autorange({.callback = {}, .min_run_time = min_run_time}).median();
}

void run(const Operator& op, int64_t count, double min_run_time) {
  const auto floats = samples_of(op, icount::DType::kFloat32, count);
  const auto integers = samples_of(op, icount::DType::kInt32, count);
  std::vector<Row> rows;
  for (size_t i = 0; i < floats.size(); ++i)
    rows.push_back(
        {time_of(op, floats[i], min_run_time), time_of(op, integers[i], min_run_time), icount::shape_text(floats[i])});
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.difference() < b.difference(); });
  std::printf("\n%s: float32 against int32, smallest and largest differences\n%10s %12s %12s  %s\n", op.name,
              "relative", "float32 us", "int32 us", "inputs");
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i >= 10 && i + 10 < rows.size()) continue;
    std::printf("%9.1f%% %12.2f %12.2f  %s\n", rows[i].difference() * 100, rows[i].first * 1e6, rows[i].second * 1e6,
                rows[i].shape.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int64_t count = argc > 1 ? std::atoll(argv[1]) : 100;
  const double min_run_time = argc > 2 ? std::atof(argv[2]) : 0.05;
  const Operator operators[] = {
      {"median", icount::OpFuzzer::kUnary, [](const Tensors& t) { return at::median(t[0].tensor); }},
      {"square", icount::OpFuzzer::kUnary, [](const Tensors& t) { return at::square(t[0].tensor); }},
      {"add", icount::OpFuzzer::kBinary, [](const Tensors& t) { return at::add(t[0].tensor, t[1].tensor); }},
  };
  try {
    for (const Operator& op : operators) run(op, count, min_run_time);
  } catch (const icount::Error& error) {
    std::fprintf(stderr, "fuzz_dtypes: %s\n", error.what());
    return 1;
  }
}
