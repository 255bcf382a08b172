// Facts of a measurement for its fingerprint: what was used to build and run it, and what its profile shows.
#pragma once

#include <string>

#include "icount/callgraph/cost_graph.h"
#include "icount/callgrind/version.h"
#include "icount/harness/pins.h"
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

/// Ordered facts; `number` is the runs per region.
Fingerprint make_fingerprint(const TimerArgs& args, int64_t number, const Toolchain& toolchain,
                             const MeasuringConditions& conditions);

/// Build id of the system's libc; "unknown" when it is not in a usual place.
std::string load_libc_identity();

/// Adds "routine NAME" = VARIANT for each routine of libc that the profile shows in a variant for some processor
/// (__memcpy_avx_unaligned -> memcpy: avx_unaligned) and the variant of LibTorch's kernels.
void add_routines(const CostGraph& graph, Fingerprint& fingerprint);

/// What the profile shows against a pin that was thought to hold; empty when nothing does.
std::string find_broken_pin(const CostGraph& graph, const Pins& pins);

}  // namespace icount
