#include "icount/base/error.h"
#include "icount/timer/cuda_timer.h"

namespace icount {

std::string probe_cuda() { return "icount was built without a CUDA compiler"; }

DeviceMeasurement CudaTimer::measure(const std::function<void(CudaStream)>&) const {
  throw Error(ErrorKind::kTool, probe_cuda() + "; install the CUDA toolkit and build again");
}

}  // namespace icount
