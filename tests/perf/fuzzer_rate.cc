// How many samples per second each ready-made fuzzer draws, without tensors: scripts/bench fuzzer runs this
// and compares it with PyTorch's rate. CPU time, so that a busy machine counts less. One JSON object per
// line: {"op", "mode", "samples", "seconds"}.
#include <cstdio>
#include <ctime>
#include <string>

#include "icount/fuzzer/op_fuzzers.h"

namespace {

void time_op(icount::OpFuzzer op, icount::FuzzMode mode, int64_t samples) {
  icount::OpFuzzerOptions options;
  options.mode = mode;
  const std::clock_t start = std::clock();
  icount::Fuzzer fuzzer(icount::make_op_fuzzer(op, options), 0);
  const size_t drawn = fuzzer.take(samples).size();
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("{\"op\": \"%s\", \"mode\": \"%s\", \"samples\": %zu, \"seconds\": %.6f}\n",
              std::string(to_text(op)).c_str(), std::string(to_text(mode)).c_str(), drawn, seconds);
}

}  // namespace

int main(int argc, char** argv) {
  const int64_t samples = argc > 1 ? std::atoll(argv[1]) : 10000;
  for (const icount::OpFuzzer op : {icount::OpFuzzer::kUnary, icount::OpFuzzer::kBinary, icount::OpFuzzer::kSpectral,
                                    icount::OpFuzzer::kSparseUnary, icount::OpFuzzer::kSparseBinary})
    for (const icount::FuzzMode mode : {icount::FuzzMode::kCompatible, icount::FuzzMode::kCorrected})
      time_op(op, mode, samples);
}
