// torch::add over random shapes, sorted by time per element: PyTorch's fuzzing example.
//   fuzz_add [SAMPLES [SECONDS_PER_SAMPLE]]      default 250 samples, 0.1 s each
#include <ATen/ops/add.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "icount/base/error.h"
#include "icount/fuzzer/fuzzer.h"
#include "icount/fuzzer/tensor_torch.h"
#include "icount/suite/fuzz_run.h"
#include "icount/timer/timer.h"

namespace {

using icount::FuzzedTensor;

FuzzedTensor tensor_of(const char* name) {
  FuzzedTensor tensor;
  tensor.name = name;
  tensor.size = {"k0", "k1", "k2"};
  tensor.dim_parameter = "d";
  tensor.min_elements = 64 * 1024;
  tensor.max_elements = 128 * 1024;
  return tensor;
}

icount::FuzzerSpec spec() {
  icount::FuzzerSpec spec;
  for (const char* name : {"k0", "k1", "k2"})
    spec.parameters.push_back(icount::log_uniform_parameter(name, int64_t{16}, int64_t{16384}));
  spec.parameters.push_back(icount::table_parameter("d", {{int64_t{2}, 0.6}, {int64_t{3}, 0.4}}));
  spec.tensors = {tensor_of("x"), tensor_of("y")};
  return spec;
}

struct Row {
  double seconds_per_element;
  double median;
  std::string shape;
};

void print(const char* title, std::vector<Row>::const_iterator first, std::vector<Row>::const_iterator last) {
  std::printf("\n%s\n%14s %12s  %s\n", title, "ps/element", "median us", "inputs");
  for (; first != last; ++first)
    std::printf("%14.1f %12.2f  %s\n", first->seconds_per_element * 1e12, first->median * 1e6, first->shape.c_str());
}

void run(int64_t samples, double min_run_time) {
  icount::Fuzzer fuzzer(spec(), 0);
  icount::TensorMaker maker(int64_t{1} << 30);
  std::vector<Row> rows;
  for (const icount::Sample& sample : fuzzer.take(samples)) {
    const auto tensors = maker.make(sample);
    icount::Timer timer([&] { return at::add(tensors[0].tensor, tensors[1].tensor); });
    const double median = timer.blocked_autorange({.callback = {}, .min_run_time = min_run_time}).median();
    rows.push_back({median / static_cast<double>(tensors[0].tensor.numel()), median, icount::shape_text(sample)});
  }
  std::sort(rows.begin(), rows.end(),
            [](const Row& a, const Row& b) { return a.seconds_per_element < b.seconds_per_element; });
  const auto ends = static_cast<std::ptrdiff_t>(std::min<size_t>(15, rows.size()));
  std::printf("%zu samples, %.1f candidates drawn for each\n", rows.size(), 1 / (1 - fuzzer.rejection_rate()));
  print("best", rows.begin(), rows.begin() + ends);
  print("worst", rows.end() - ends, rows.end());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 ? std::atoll(argv[1]) : 250, argc > 2 ? std::atof(argv[2]) : 0.1);
  } catch (const icount::Error& error) {
    std::fprintf(stderr, "fuzz_add: %s\n", error.what());
    return 1;
  }
}
