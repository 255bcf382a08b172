// Pins: what the harness holds still so that a count is the same everywhere. Each can be released by name, and what
// was pinned, released or refused is part of the fingerprint. Used by whoever starts a measured process.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "icount/harness/environment.h"

namespace icount {

/// The pins by name; to_text gives the names that --release takes.
enum class Pin {
  kEnvironment,     ///< "env": a fixed environment block instead of the caller's
  kWorkingDir,      ///< "cwd": the working directory is /
  kArgv,            ///< "argv": a fixed argument vector
  kAslr,            ///< "aslr": no address space randomisation
  kHashSeed,        ///< "hash-seed": PYTHONHASHSEED=0, PERL_HASH_SEED=0
  kBindNow,         ///< "bind-now": LD_BIND_NOW=1
  kAtenCapability,  ///< "aten": ATEN_CPU_CAPABILITY=avx2 (or default where the CPU has no AVX2)
  kLibcRoutines,    ///< "libc": GLIBC_TUNABLES hides ERMS and FSRM, whose rep loops Callgrind counts per iteration
  kStack,           ///< "stack": the measured process runs on a stack that begins at a multiple of 64 kB
};
inline constexpr int kPinCount = 9;

/// "env", "cwd", "argv", "aslr", "hash-seed", "bind-now", "aten", "libc", "stack".
std::string_view to_text(Pin pin);
/// Error{kUsage} naming all pins for anything else.
Pin parse_pin(std::string_view name);

/// Which pins hold. All do unless released.
struct Pins {
  std::vector<Pin> released;

  bool holds(Pin pin) const;
  /// "all", or "all but aslr, env"; in the order of the enum.
  std::string to_text() const;
};

/// The most that LibTorch can use under Valgrind, which shows a program the processor's AVX2 and never its AVX-512:
/// "avx2", or "default" where there is none.
std::string_view probe_aten_capability();

/// What a measured process starts with once the pins are applied.
struct PinnedSurroundings {
  Environment environment;
  std::filesystem::path working_dir;  ///< empty: the caller's
  bool disable_aslr = false;
};

/// `caller` is the block that released pins let through; `extra` entries (threads, library paths) are set last.
PinnedSurroundings apply_pins(const Pins& pins, const Environment& caller, const std::vector<std::string>& extra = {});

}  // namespace icount
