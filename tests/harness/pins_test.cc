#include "icount/harness/pins.h"

#include <gtest/gtest.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "support/no_pins.h"

namespace icount {
namespace {

TEST(PinsTest, AtenGetsWhatTheProcessorHas) {
  const std::string features = load_text("/proc/cpuinfo");
  const bool avx2 = features.find(" avx2 ") != std::string::npos && features.find(" fma ") != std::string::npos;
  EXPECT_EQ(probe_aten_capability(), avx2 ? "avx2" : "default");
  EXPECT_EQ(apply_pins({}, {}).environment.get("ATEN_CPU_CAPABILITY"), std::string(probe_aten_capability()));
}

TEST(PinsTest, HoldTheSurroundingsWhateverTheCallerHas) {
  const Environment a({"HOME=/a", "FOO=1", "ATEN_CPU_CAPABILITY=default"});
  const Environment b({"BAR=2"});
  const PinnedSurroundings one = apply_pins({}, a);
  EXPECT_EQ(one.environment.block(), apply_pins({}, b).environment.block());
  EXPECT_EQ(one.environment.get("ATEN_CPU_CAPABILITY"), "avx2");
  EXPECT_EQ(one.environment.get("GLIBC_TUNABLES"), "glibc.cpu.hwcaps=-ERMS,-FSRM,");
  EXPECT_EQ(one.environment.get("LD_BIND_NOW"), "1");
  EXPECT_EQ(one.environment.get("PYTHONHASHSEED"), "0");
  EXPECT_EQ(one.working_dir, "/");
  EXPECT_TRUE(one.disable_aslr);
}

TEST(PinsTest, WhereLibrariesLieIsLetThrough) {
  EXPECT_EQ(apply_pins({}, Environment({"LD_LIBRARY_PATH=/opt/lib"})).environment.get("LD_LIBRARY_PATH"), "/opt/lib");
}

TEST(PinsTest, EachIsReleasedByItsName) {
  for (int i = 0; i < kPinCount; ++i) {
    const Pin pin = static_cast<Pin>(i);
    const Pins pins{{parse_pin(to_text(pin))}};
    EXPECT_FALSE(pins.holds(pin));
    EXPECT_EQ(pins.to_text(), "all but " + std::string(to_text(pin)));
  }
  const Environment caller({"FOO=1"});
  EXPECT_EQ(apply_pins({{Pin::kEnvironment}}, caller).environment.get("FOO"), "1");
  EXPECT_FALSE(apply_pins({{Pin::kAslr}}, caller).disable_aslr);
  EXPECT_EQ(apply_pins({{Pin::kWorkingDir}}, caller).working_dir, "");
  EXPECT_FALSE(apply_pins({{Pin::kAtenCapability}}, caller).environment.get("ATEN_CPU_CAPABILITY"));
  EXPECT_FALSE(apply_pins({{Pin::kLibcRoutines}}, caller).environment.get("GLIBC_TUNABLES"));
  EXPECT_FALSE(apply_pins({{Pin::kBindNow}}, caller).environment.get("LD_BIND_NOW"));
  EXPECT_FALSE(apply_pins({{Pin::kHashSeed}}, caller).environment.get("PYTHONHASHSEED"));
}

TEST(PinsTest, WithoutPinsTheCallersBlockIsWhole) {
  const Environment caller({"FOO=1", "PATH=/x"});
  EXPECT_EQ(apply_pins(no_pins(), caller).environment.block(), caller.block());
  EXPECT_EQ(no_pins().to_text(), "none");
  EXPECT_EQ(Pins{}.to_text(), "all");
}

TEST(PinsTest, UnknownNamesAreToldTheKnownOnes) {
  try {
    parse_pin("cpu");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "unknown pin 'cpu'; use env, cwd, argv, aslr, hash-seed, bind-now, aten, libc or stack");
  }
}

}  // namespace
}  // namespace icount
