#include "icount/harness/pins.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/error.h"

namespace icount {
namespace {

constexpr std::string_view kNames[kPinCount] = {"env",      "cwd",  "argv", "aslr", "hash-seed",
                                                "bind-now", "aten", "libc", "stack"};

/// The fixed block: what programs need to run at all, and nothing that differs between people.
Environment make_fixed_block() {
  return Environment({"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/", "LANG=C", "LC_ALL=C", "TZ=UTC"});
}

}  // namespace

std::string_view to_text(Pin pin) { return kNames[static_cast<int>(pin)]; }

Pin parse_pin(std::string_view name) {
  std::string all;
  for (int i = 0; i < kPinCount; ++i) {
    if (kNames[i] == name) return static_cast<Pin>(i);
    all += fmt::format("{}{}", i == 0 ? "" : i + 1 == kPinCount ? " or " : ", ", kNames[i]);
  }
  throw Error(ErrorKind::kUsage, fmt::format("unknown pin '{}'; use {}", name, all));
}

bool Pins::holds(Pin pin) const { return std::find(released.begin(), released.end(), pin) == released.end(); }

std::string Pins::to_text() const {
  std::string missing;
  int count = 0;
  for (int i = 0; i < kPinCount; ++i) {
    if (holds(static_cast<Pin>(i))) continue;
    missing += fmt::format("{}{}", missing.empty() ? "" : ", ", kNames[i]);
    ++count;
  }
  if (count == 0) return "all";
  return count == kPinCount ? "none" : "all but " + missing;
}

std::string_view probe_aten_capability() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "avx2";
#endif
  return "default";
}

PinnedSurroundings apply_pins(const Pins& pins, const Environment& caller, const std::vector<std::string>& extra) {
  PinnedSurroundings result;
  result.environment = pins.holds(Pin::kEnvironment) ? make_fixed_block() : caller;
  // Where libraries lie is part of what runs, not of its surroundings.
  if (const auto path = caller.get("LD_LIBRARY_PATH"); path && !path->empty())
    result.environment.set("LD_LIBRARY_PATH", *path);
  if (pins.holds(Pin::kWorkingDir)) result.working_dir = "/";
  result.disable_aslr = pins.holds(Pin::kAslr);
  if (pins.holds(Pin::kHashSeed)) {
    result.environment.set("PYTHONHASHSEED", "0");
    result.environment.set("PERL_HASH_SEED", "0");
  }
  if (pins.holds(Pin::kBindNow)) result.environment.set("LD_BIND_NOW", "1");
  if (pins.holds(Pin::kAtenCapability))
    result.environment.set("ATEN_CPU_CAPABILITY", std::string(probe_aten_capability()));
  // Without the comma at its end, ld.so of glibc 2.36 takes some 4 to 30 instructions more for it in one run of ten.
  if (pins.holds(Pin::kLibcRoutines)) result.environment.set("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-ERMS,-FSRM,");
  for (const std::string& entry : extra) {
    const size_t equals = entry.find('=');
    result.environment.set(entry.substr(0, equals), equals == std::string::npos ? "" : entry.substr(equals + 1));
  }
  return result;
}

}  // namespace icount
