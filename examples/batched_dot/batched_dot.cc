// Two ways to take the dot products of a batch of vectors, multiply and sum against bmm, over batch sizes and threads:
// timed, saved, loaded again, compared, trimmed and coloured. torch.utils.benchmark's tutorial, from C++.
//   batched_dot [SECONDS [LARGEST [FILE]]]    default 0.2 s for each of the measurements, 10,000, batched_dot.json
#include <ATen/ops/bmm.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>

#include "icount/base/error.h"
#include "icount/report/compare_text.h"
#include "icount/report/measurement_text.h"
#include "icount/stats/compare.h"
#include "icount/store/measurement_file.h"
#include "icount/timer/timer.h"

namespace {

at::Tensor dot_by_mul_sum(const at::Tensor& a, const at::Tensor& b) { return a.mul(b).sum(-1); }

at::Tensor dot_by_bmm(const at::Tensor& a, const at::Tensor& b) {
  return at::bmm(a.reshape({-1, 1, a.size(-1)}), b.reshape({-1, b.size(-1), 1})).flatten(-3);
}

std::vector<icount::Measurement> time_all(double seconds, int64_t largest) {
  std::vector<icount::Measurement> results;
  for (const int64_t batch : {1, 64, 1024, 10000}) {
    for (const int64_t length : {1, 64, 1024, 10000}) {
      if (batch > largest || length > largest) continue;
      const at::Tensor x = at::ones({batch, length});
      for (const int threads : {1, 2}) {
        const auto time = [&](const char* name, const std::function<at::Tensor()>& run) {
          const icount::TaskSpec spec{.stmt = std::string(name) + "(x, x)",
                                      .label = "Batched dot",
                                      .sub_label = "[" + std::to_string(batch) + ", " + std::to_string(length) + "]",
                                      .description = name,
                                      .num_threads = threads};
          results.push_back(icount::Timer(run, spec).blocked_autorange({.min_run_time = seconds}));
        };
        time("mul/sum", [&] { return dot_by_mul_sum(x, x); });
        time("bmm", [&] { return dot_by_bmm(x, x); });
      }
    }
  }
  return results;
}

void run(double seconds, int64_t largest, const std::string& file) {
  icount::save_measurements(file, time_all(seconds, largest));

  icount::Compare compare(icount::load_measurements(file).measurements);
  std::cout << icount::render_measurement(compare.results().front()) << "\n\n" << icount::render_compare(compare);
  compare.trim_significant_figures();
  compare.colorize();
  std::cout << '\n' << icount::render_compare(compare);
  compare.colorize(icount::Colorize::kRowwise);
  compare.highlight_warnings();
  std::cout << '\n' << icount::render_compare(compare);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 ? std::atof(argv[1]) : 0.2, argc > 2 ? std::atoll(argv[2]) : 10000,
        argc > 3 ? argv[3] : "batched_dot.json");
    return 0;
  } catch (const icount::Error& error) {
    std::fprintf(stderr, "batched_dot: %s\n", error.what());
    return 1;
  }
}
