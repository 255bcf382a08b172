#include "icount/cli/cuda_options.h"

namespace icount {

void read_cuda_options(const ParsedOptions& parsed, CudaStubOptions& cuda) {
  constexpr int kMostDevices = 1024;
  if (parsed.has("cuda-arch")) cuda.arch = parsed.text("cuda-arch");
  if (cuda.arch.empty()) parsed.problem("--cuda-arch needs an architecture, sm_90 for example");
  if (parsed.has("cuda-device")) cuda.device = static_cast<int>(parsed.integer("cuda-device", 0, 0, kMostDevices));
}

}  // namespace icount
