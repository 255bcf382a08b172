#include "icount/timer/server_launch.h"

#include "icount/callgrind/command.h"

namespace icount {
namespace {

// Ten seconds of work with LibTorch under Python; on a machine that others use as well, many times that.
constexpr Seconds kServerStartLimit{600};

}  // namespace

StubServerSpec make_server_spec(const std::vector<std::string>& prefix, const std::vector<std::string>& program,
                                const Valgrind& valgrind, const CollectOptions& options, bool threads,
                                const std::filesystem::path& folder) {
  const bool toggling = options.markers == Markers::kToggle;
  CallgrindOptions callgrind;
  callgrind.out_file = std::filesystem::path(valgrind_path(folder)) / "cg.%p";
  callgrind.instrument_at_start = false;
  callgrind.collect_at_start = !toggling;
  callgrind.callers = options.stacks;
  callgrind.collect_jumps = options.keep_insides && options.stacks == 0;
  callgrind.extra = probe_stack_options();
  callgrind.extra.insert(callgrind.extra.end(), options.callgrind_options.begin(), options.callgrind_options.end());
  if (options.per_thread && !toggling) callgrind.extra.emplace_back("--separate-threads=yes");
  StubServerSpec spec;
  spec.launcher = prefix;
  // What a run of icount's own beside the count asks of Callgrind alone, it gets from Callgrind.
  Valgrind counting = valgrind;
  if (!options.callgrind_options.empty() || options.stacks > 0) counting.counter_folder.clear();
  const auto command = make_callgrind_command(counting, callgrind);
  spec.launcher.insert(spec.launcher.end(), command.begin(), command.end());
  spec.program = program;
  spec.log = folder / "log";
  spec.cancelled = options.cancelled;
  spec.start_limit = kServerStartLimit;
  std::vector<std::string> waiting;
  // With the fixed block always: a count must not depend on whether a neighbour has threads.
  if (threads || options.pins.holds(Pin::kEnvironment)) waiting = {"OMP_WAIT_POLICY=passive", "GOMP_SPINCOUNT=0"};
  spec.surroundings = apply_pins(options.pins, options.environment, waiting);
  return spec;
}

}  // namespace icount
