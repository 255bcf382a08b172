#include "icount/timer/cuda_timer.h"

#include <gtest/gtest.h>

#include "icount/base/error.h"

namespace icount {
namespace {

TEST(CudaTimerTest, WithoutADeviceTheReasonIsAnErrorAndNotASmallNumber) {
  const std::string reason = probe_cuda();
  if (reason.empty()) GTEST_SKIP() << "there is a device here: scripts/check-cuda measures on it";
  try {
    CudaTimer().measure([](CudaStream) { FAIL() << "launched without a device"; });
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kTool);
    EXPECT_EQ(std::string(error.what()).find(reason.substr(0, 20)), 0u) << error.what();
  }
}

}  // namespace
}  // namespace icount
