// Facts of a measurement for its fingerprint: what was used to build and run it, and what its profile shows.
#pragma once

#include <span>
#include <string>

#include "icount/callgraph/cost_graph.h"
#include "icount/callgrind/installed_valgrind.h"
#include "icount/harness/pins.h"
#include "icount/harness/stub_protocol.h"
#include "icount/harness/timer_args.h"
#include "icount/harness/toolchain.h"
#include "icount/stats/fingerprint.h"

namespace icount {

/// What is the same for all statements of one server.
struct MeasuringConditions {
  Valgrind valgrind;
  Pins pins;
  bool aslr_refused = false;
  std::string cpu_features;  ///< as the program sees them under Valgrind
  std::string markers;       ///< "dump", "toggle"
};

/// The compiler, the standard and how far it optimises: what describe_build (stats/flag_paths.h) reads.
void add_build(const Toolchain& toolchain, Fingerprint& fingerprint);

/// Ordered facts; `number` is the runs per region.
Fingerprint make_fingerprint(const TimerArgs& args, int64_t number, const Toolchain& toolchain,
                             const MeasuringConditions& conditions);

/// The version of the stub's code where it is not 1: raised when the same statement counts otherwise than it did with
/// the icount before. Python statements: 2 since the warm-up runs the counted copies, 3 for 200 runs and more since the
/// warm-up of their loop ends between two moments at which the interpreter adapts code. C++ ones that throw: 2, for the
/// unwinder's search goes through the stub's functions (1 %, so it is said and compared). C++ ones with LibTorch: 3,
/// for LibTorch no longer goes through the program's copies of functions that both have (4 instructions for each tensor
/// that dies; said and compared, too). Results that do not say have version 1 (stats/fingerprint.h).
void add_stub_version(const CostGraph& graph, Fingerprint& fingerprint);

/// Build id of the system's libc; "unknown" when it is not in a usual place.
std::string load_libc_identity();

/// What was really loaded: the build id of libc, and of LibTorch where the interpreter chose it.
void add_loaded_objects(std::span<const LoadedObject> objects, Fingerprint& fingerprint);

/// Adds "routine NAME" = VARIANT for each routine of libc that the profile shows in a variant for some processor
/// (__memcpy_avx_unaligned -> memcpy: avx_unaligned) and the variant of LibTorch's kernels.
void add_routines(const CostGraph& graph, Fingerprint& fingerprint);

/// Adds the number of cores where the profile shows that it was asked for (sysconf, sched_getaffinity, OpenMP as it
/// starts). The C library asks for itself, too, and nothing depends on that: for its allocator's arenas and in
/// pthread_getattr_np.
void add_cores(const CostGraph& graph, Fingerprint& fingerprint);

/// The same for what asked before the region: libraries start threads as they are loaded where there is more than one
/// core (numpy does), and locks cost more from then on. "more than one" where the process had had a second thread,
/// "one" where there was one core and no thread; nothing otherwise: such a process is the same on any number of cores.
void add_cores_at_start(bool multi_threaded, Fingerprint& fingerprint);

/// Which counter counted. Both count the same, but for forks and the cases of benchmark binaries (docs/counter.md).
enum class CounterEquality { kEqual, kNearly };
void add_counter(const Valgrind& valgrind, CounterEquality equality, Fingerprint& fingerprint);

/// What the profile shows against a pin that was thought to hold; empty when nothing does.
std::string find_broken_pin(const CostGraph& graph, const Pins& pins);

}  // namespace icount
