// CudaTimer as nvcc compiles it, linked with a stand-in for the runtime (fake_cudart.cc) in place of the real one: the
// whole course of a measurement, on a device whose kernels take the time that they are told.
#include <gtest/gtest.h>

#include "cuda/spin_kernel.h"
#include "icount/timer/cuda_timer.h"
#include "support/error_of.h"

namespace icount {
namespace {

TEST(CudaTimerStandInTest, MeasuresAKernelOfKnownLength) {
  EXPECT_EQ(probe_cuda(), "");
  const DeviceMeasurement m =
      CudaTimer({.bytes_moved = 5e5}).measure([](CudaStream stream) { queue_spin(stream, 250'000); });
  EXPECT_EQ(m.device.name, "Stand-in");
  EXPECT_EQ(m.device.architecture, "sm_90");
  EXPECT_NEAR(m.median_cold(), 250e-6, 1e-7);
  EXPECT_NEAR(m.median_hot(), 250e-6, 1e-7);
  EXPECT_EQ(m.bytes_moved, 5e5);
  EXPECT_EQ(m.throttled, 0);
}

TEST(CudaTimerStandInTest, SoManySamplesAsWereAskedFor) {
  const DeviceMeasurement m =
      CudaTimer({.min_seconds = 0.01, .max_samples = 7}).measure([](CudaStream stream) { queue_spin(stream, 50'000); });
  EXPECT_EQ(m.cold_seconds.size(), 7u);
}

TEST(CudaTimerStandInTest, ACallableThatWaitsForTheDeviceIsAnErrorUnlessItSaysSo) {
  const auto waits = [](CudaStream stream) {
    queue_spin(stream, 50'000);
    wait_for_stream(stream);
  };
  EXPECT_NE(error_of([&] { CudaTimer().measure(waits); }).find("waited for the device"), std::string::npos);
  EXPECT_NEAR(CudaTimer({.synchronises = true}).measure(waits).median_cold(), 50e-6, 1e-7);
}

}  // namespace
}  // namespace icount
