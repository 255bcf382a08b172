// The course of a measurement, on a stand-in for the device: a queue of work with durations, an SM clock and a host
// clock that tests set. No time passes.
#include "icount/harness/stubs/device_measure.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace icount {
namespace {

/// One stream whose work starts when it is queued and not held; launching takes time of the host.
struct FakeDevice {
  double run_seconds = 100e-6;   ///< of the device, per run
  double cold_extra = 0;         ///< more after a flush
  double launch_seconds = 5e-6;  ///< of the host, per run
  double other_stream = 0;       ///< work that the timed stream does not hold
  double queue_length = 1024;    ///< runs that can wait; a host that queues more waits for the device
  bool waits = false;            ///< the statement waits for the device
  bool queues = true;
  std::function<double(int)> clock = [](int) { return 2e9; };  ///< by number of the reading

  double host = 0, device = 0;  ///< now; until when the device is busy
  double begin = 0, end = 0;
  double held_work = 0;
  bool held = false, timed_out = false, flushed = false;
  int readings = 0;
  std::vector<double> pauses;
  std::vector<std::int64_t> batches;
  std::int64_t runs_since_begin = 0;

  int stream() const { return 0; }
  void launch() {
    host += launch_seconds;
    ++runs_since_begin;
    if (!queues) return;
    double work = run_seconds + (flushed ? cold_extra : 0);
    flushed = false;
    if (held && waits) {
      timed_out = true;
      held = false;
      host += 5;
    }
    if (held)
      held_work += work;
    else
      device = std::max(device, host) + work;
    if (!held) host = std::max(host, device - queue_length * run_seconds);
  }
  void flush_l2() { flushed = true; }
  void block() { held = true, held_work = 0, timed_out = false, end_while_held = false; }
  void release() {
    if (!held) return;
    held = false;
    begin = std::max(device, host);
    device = begin + held_work;
    if (end_while_held) end = device;
  }
  bool end_while_held = false;
  void check_not_timed_out() const {
    if (timed_out) throw CudaMeasureError("deadlock");
  }
  void record_begin() {
    begin = std::max(device, host);
    runs_since_begin = 0;
  }
  void record_end() {
    end = device;
    end_while_held = held;
    batches.push_back(runs_since_begin);
  }
  double elapsed_seconds() const { return end - begin; }
  void synchronise(const char*) { host = std::max(host, device); }
  void synchronise_device(const char*) { host = std::max(host, device) + other_stream; }
  void check_launch(const char*) {}
  double read_clock_hz() { return clock(readings++); }
  double host_seconds() const { return host; }
  void sleep(double seconds) {
    host += seconds;
    pauses.push_back(seconds);
  }
  template <typename Launch>
  bool queues_work(const Launch&) {
    return queues;
  }
};

DeviceSamples measure(FakeDevice& device, CudaMeasureOptions options = {}) {
  const auto launch = [&](int) { device.launch(); };
  return DeviceMeasure<FakeDevice, decltype(launch)>(options, 2e9, device, launch).run();
}

std::string error_of(FakeDevice& device, CudaMeasureOptions options = {}) {
  try {
    measure(device, options);
  } catch (const CudaMeasureError& error) {
    return error.what();
  }
  return "none";
}

TEST(DeviceMeasureTest, ColdAndHotTimesAreTheDevicesOwn) {
  FakeDevice device;
  device.cold_extra = 50e-6;
  const DeviceSamples samples = measure(device);
  EXPECT_NEAR(median_of(samples.cold_seconds), 150e-6, 1e-9);
  EXPECT_NEAR(median_of(samples.hot_seconds), 100e-6, 1e-9);
  EXPECT_NEAR(median_of(samples.cold_launch_seconds), 5e-6, 1e-9);
  EXPECT_EQ(samples.stop, SampleStop::kRelativeDeviation);
  EXPECT_EQ(samples.hot_seconds.size(), 5u);
  EXPECT_FALSE(samples.is_launch_bound);
  EXPECT_NEAR(samples.launch_share, 0.05, 1e-9);
}

TEST(DeviceMeasureTest, WhereTheHostIsSlowerHotBatchesAreQueuedBeforehand) {
  FakeDevice device;
  device.run_seconds = 9e-6;
  device.launch_seconds = 20e-6;
  const DeviceSamples samples = measure(device);
  EXPECT_TRUE(samples.is_launch_bound);
  EXPECT_NEAR(samples.launch_share, 20. / 9, 1e-9);
  EXPECT_EQ(samples.hot_runs_per_batch, kHeldRuns);
  EXPECT_GT(samples.hot_seconds.size(), 5u);
  for (const double seconds : samples.hot_seconds) EXPECT_NEAR(seconds, 9e-6, 1e-9);
}

// A batch of 10,000 runs spends most of the device's time in launches that wait for a place in the queue.
TEST(DeviceMeasureTest, AHostThatWaitsForAFullQueueIsNotSlow) {
  FakeDevice device;
  device.run_seconds = 10e-6;
  device.launch_seconds = 2e-6;
  const DeviceSamples samples = measure(device);
  EXPECT_FALSE(samples.is_launch_bound);
  EXPECT_NEAR(samples.launch_share, 0.2, 1e-9);
  EXPECT_EQ(samples.hot_runs_per_batch, 10'000);
  for (const double seconds : samples.hot_seconds) EXPECT_NEAR(seconds, 10e-6, 1e-9);
}

TEST(DeviceMeasureTest, PausesGrowAndShrinkAgain) {
  ThrottleRule rule(0.75, 2e9);
  std::vector<double> pauses;
  const auto discard = [&](double clock) {
    EXPECT_TRUE(rule.discards(clock));
    pauses.push_back(rule.take_pause());
  };
  discard(1.0e9), discard(1.2e9), discard(1.4e9);
  EXPECT_FALSE(rule.discards(2e9));
  EXPECT_FALSE(rule.discards(2e9));
  discard(1.1e9);
  EXPECT_EQ(pauses, (std::vector<double>{0.05, 0.1, 0.2, 0.1}));
  for (int i = 0; i < 20; ++i) rule.discards(2e9);
  EXPECT_TRUE(rule.discards(1.3e9));
  EXPECT_EQ(rule.take_pause(), 0.05);
}

TEST(DeviceMeasureTest, ThrottledSamplesAreDiscardedWhileTheClockIsLow) {
  FakeDevice device;
  device.clock = [](int reading) { return reading < 3 ? 1.0e9 + 1e8 * reading : 2e9; };
  const DeviceSamples samples = measure(device);
  EXPECT_EQ(samples.throttled, 3);
  EXPECT_EQ(device.pauses, (std::vector<double>{0.05, 0.1, 0.2}));
  EXPECT_EQ(samples.capped_clock_hz, 0);
  EXPECT_EQ(samples.sm_clock_hz, 2e9);
}

TEST(DeviceMeasureTest, ACappedDeviceIsJudgedByItsOwnSteadyClock) {
  FakeDevice device;
  device.clock = [](int reading) { return 1.2e9 + 1e6 * (reading % 3); };
  const DeviceSamples samples = measure(device);
  EXPECT_EQ(samples.throttled, 8);
  EXPECT_NEAR(samples.capped_clock_hz, 1.202e9, 1);
  EXPECT_GE(samples.cold_seconds.size(), 10u);
}

TEST(DeviceMeasureTest, AClockThatNeverSettlesIsAnError) {
  FakeDevice device;
  device.clock = [](int reading) { return 0.8e9 + 1e8 * (reading % 5); };
  EXPECT_EQ(error_of(device).find("every sample was discarded: the SM clock stays below 75 %"), 0u);
}

TEST(DeviceMeasureTest, ADeadlockIsBroken) {
  FakeDevice device;
  device.waits = true;
  EXPECT_EQ(error_of(device), "deadlock");
  EXPECT_EQ(error_of(device, {.statement_synchronises = true}), "none");
}

TEST(DeviceMeasureTest, WorkElsewhereIsAnError) {
  FakeDevice device;
  device.other_stream = 1e-3;
  EXPECT_NE(error_of(device).find("the statement uses another stream"), std::string::npos);
  FakeDevice idle;
  idle.queues = false;
  EXPECT_NE(error_of(idle, {.max_samples = 10}).find("queues nothing on the timed stream"), std::string::npos);
  EXPECT_LT(idle.host, 0.01);  // before samples are taken
}

TEST(DeviceMeasureTest, StopsByNumberByTimeAndByEntropy) {
  FakeDevice device;
  EXPECT_EQ(measure(device, {.max_samples = 4}).cold_seconds.size(), 4u);
  FakeDevice slow;
  slow.run_seconds = 2;
  EXPECT_EQ(measure(slow, {.min_samples = 100}).stop, SampleStop::kTimeOut);
  FakeDevice steady;
  const DeviceSamples samples = measure(steady, {.use_entropy = true});
  EXPECT_EQ(samples.stop, SampleStop::kEntropy);
  EXPECT_GE(samples.cold_seconds.size(), 299u);
}

}  // namespace
}  // namespace icount
