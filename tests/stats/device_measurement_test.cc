#include "icount/stats/device_measurement.h"

#include <gtest/gtest.h>

#include "icount/base/error.h"

namespace icount {
namespace {

DeviceMeasurement example() {
  DeviceMeasurement m;
  m.device.name = "Example \"GPU\"";
  m.device.architecture = "sm_90";
  m.device.driver = "570.1";
  m.device.runtime = "12.8";
  m.device.sm_count = 132;
  m.device.peak_bytes_per_second = 4e12;
  m.device.peak_fp32_flops = 6e13;
  m.device.other_users = {"17, python"};
  m.cold_seconds = {3e-3, 1e-3, 2e-3, 4e-3};
  m.cold_launch_seconds = {5e-6};
  m.hot_seconds = {1e-3, 1e-3};
  m.launch_share = 0.75;
  m.launch_bound = true;
  m.capped_clock_hz = 1.2e9;
  m.bytes_moved = 2e9;
  m.flops = 3e10;
  return m;
}

TEST(DeviceMeasurementTest, FiguresByHand) {
  const DeviceMeasurement m = example();
  EXPECT_DOUBLE_EQ(m.median_cold(), 2.5e-3);
  EXPECT_DOUBLE_EQ(m.median_hot(), 1e-3);
  EXPECT_DOUBLE_EQ(m.cold_noise(), (3.25e-3 - 1.75e-3) / 2.5e-3);
  EXPECT_DOUBLE_EQ(m.share_of_peak_bandwidth(), 0.2);  // 2e9 bytes in 2.5 ms of 4e12 a second
  EXPECT_DOUBLE_EQ(m.share_of_peak_flops(), 0.5);
}

TEST(DeviceMeasurementTest, WhatIsNotKnownIsZero) {
  DeviceMeasurement m;
  m.cold_seconds = {1e-3};
  EXPECT_EQ(m.median_hot(), 0);
  EXPECT_EQ(m.share_of_peak_bandwidth(), 0);
  m.bytes_moved = 1e9;
  EXPECT_EQ(m.share_of_peak_bandwidth(), 0);
}

TEST(DeviceMeasurementTest, JsonKeepsEveryDouble) {
  DeviceMeasurement m = example();
  m.cold_seconds = {0.1 + 0.2, 1.0 / 3};
  const DeviceMeasurement back = parse_device_measurement(parse_json(dump_json(to_json(m)), "x"), "x");
  EXPECT_EQ(dump_json(to_json(back)), dump_json(to_json(m)));
  EXPECT_EQ(back.cold_seconds, m.cold_seconds);
  EXPECT_EQ(back.device.driver, "570.1");
  EXPECT_EQ(back.device.runtime, "12.8");
  EXPECT_EQ(back.device.sm_count, 132);
}

TEST(DeviceMeasurementTest, DamagedJsonIsNamed) {
  Json json = to_json(example());
  json["cold_seconds"] = "fast";
  try {
    parse_device_measurement(json, "r.json");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "r.json: field 'cold_seconds' has the wrong type");
  }
  json["cold_seconds"] = Json::array();
  EXPECT_THROW(parse_device_measurement(json, "r.json"), Error);
}

TEST(DeviceMeasurementTest, NoiseIsToldFromFourSamplesOn) {
  DeviceMeasurement m;
  m.cold_seconds = {1, 2, 3};
  EXPECT_EQ(m.cold_noise(), 0);
  m.cold_seconds = {1, 2, 3, 4};
  EXPECT_DOUBLE_EQ(m.cold_noise(), 1.5 / 2.5);
  m.cold_seconds = {0, 0, 0, 4};
  EXPECT_EQ(m.cold_noise(), 0) << "a median of nothing";
}

TEST(DeviceMeasurementTest, SharesOfThePeakNeedAllThree) {
  DeviceMeasurement m;
  m.cold_seconds = {2};
  m.flops = 6;
  m.device.peak_fp32_flops = 4;
  EXPECT_DOUBLE_EQ(m.share_of_peak_flops(), 0.75) << "of the cold median without batches";
  m.hot_seconds = {1};
  EXPECT_DOUBLE_EQ(m.share_of_peak_flops(), 1.5);
  m.hot_seconds = {0};
  EXPECT_EQ(m.share_of_peak_flops(), 0);
  m.hot_seconds = {1};
  m.device.peak_fp32_flops = 0;
  EXPECT_EQ(m.share_of_peak_flops(), 0);
}

}  // namespace
}  // namespace icount
