#include "icount/timer/warm_server.h"

#include <fmt/format.h>
#include <unistd.h>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/hash.h"
#include "icount/callgrind/command.h"
#include "icount/harness/build_cache.h"
#include "icount/harness/reuse.h"
#include "icount/harness/session_client.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

/// From here on a server of the batch's own, which prepares snapshots, is quicker though it has to start.
constexpr size_t kMostChildren = 48;
constexpr Seconds kReadyLimit{600};
constexpr size_t kKeyDigits = 16;
constexpr int kAttempts = 3;  // to find a server: one may end while it is asked

/// Valgrind's tools lie beside it or below its prefix.
std::vector<fs::path> valgrind_files(const Valgrind& valgrind) {
  std::error_code error;
  const fs::path program = fs::canonical(valgrind.path, error);
  std::vector<fs::path> files = {error ? valgrind.path : program};
  const fs::path beside = files[0].parent_path() / "callgrind-amd64-linux";
  if (fs::exists(beside, error)) files.push_back(beside);
  for (const char* folder : {"libexec/valgrind", "lib/valgrind", "lib64/valgrind", "lib/x86_64-linux-gnu/valgrind"})
    for (const fs::path& prefix : {files[0].parent_path().parent_path(), fs::path("/usr")}) {
      const fs::path tool = prefix / folder / "callgrind-amd64-linux";
      if (fs::exists(tool, error)) files.push_back(tool);
    }
  return files;
}

SessionSpec make_spec(const WarmServerProgram& program, const Valgrind& valgrind, const CollectOptions& options) {
  // With jumps for everybody: counts are the same, and who wants none (fuzz, the C++ Timer) finds the server of who
  // does.
  CollectOptions recording = options;
  recording.keep_insides = true;
  const StubServerSpec launch =
      make_server_spec({}, program.program, valgrind, recording, false, fs::path(kSessionFolder));
  SessionSpec spec;
  spec.launcher = launch.launcher;
  spec.program = launch.program;
  spec.environment = launch.surroundings.environment.block();
  spec.working_dir = launch.surroundings.working_dir.empty() ? fs::current_path() : launch.surroundings.working_dir;
  spec.disable_aslr = launch.surroundings.disable_aslr;
  const std::string identity =
      fmt::format("server {}\nicount {}\n{}\nvalgrind {} {}\n{}\nenvironment {}\nin {}\naslr {}\n{}", kSessionVersion,
                  ICOUNT_VERSION, program.identity, valgrind.version, valgrind.path.string(),
                  shell_quote(launch.launcher), shell_quote(spec.environment), spec.working_dir.string(),
                  spec.disable_aslr ? "off" : "on", process_surroundings());
  spec.key = content_hash(identity).substr(0, kKeyDigits);
  spec.description = fmt::format("{}, Valgrind {}{}", program.description, valgrind.version,
                                 options.pins.released.empty() ? "" : ", pins: " + options.pins.to_text());
  spec.watched = program.watched;
  spec.list_watched = program.list_watched;
  for (const fs::path& file : valgrind_files(valgrind)) spec.watched.push_back(file);
  if (!valgrind.counter_folder.empty()) spec.watched.push_back(valgrind.counter_folder / kCounterFile);
  if (!options.server.start_command.empty()) spec.watched.emplace_back(options.server.start_command[0]);
  spec.idle_seconds = options.server.idle_seconds;
  const fs::path cache = options.cache_dir.empty() ? default_cache_dir(options.environment) : options.cache_dir;
  spec.socket = session_socket(session_folder(options.environment, cache), spec.key);
  return spec;
}

std::optional<WarmServer> connect(const SessionSpec& spec, const CollectOptions& options) {
  const auto connection = connect_session(spec.socket, kReadyLimit, options.cancelled);
  if (!connection) return std::nullopt;
  return WarmServer{std::make_unique<StubClient>(*connection, options.cancelled), connection->folder};
}

}  // namespace

bool may_use_warm_server(const CollectOptions& options, size_t children) {
  return options.server.use != SessionUse::kOff && options.markers == Markers::kDump && !options.per_thread &&
         !options.isolate && children <= kMostChildren;
}

std::string cold_start_note(const std::string& why) {
  return fmt::format("counted in a process of its own, not in the running server: {}", why);
}

std::optional<WarmServer> find_warm_server(const WarmServerProgram& program, const Valgrind& valgrind,
                                           const CollectOptions& options, std::string& why) {
  const bool may_start = options.server.use == SessionUse::kStart && !options.server.start_command.empty();
  try {
    SessionSpec spec = make_spec(program, valgrind, options);
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      if (auto server = connect(spec, options)) return server;
      if (!may_start) return std::nullopt;
      if (program.make_prefix && attempt == 0) {
        const std::vector<std::string> prefix = program.make_prefix();
        spec.launcher.insert(spec.launcher.begin(), prefix.begin(), prefix.end());
      }
      start_session(options.server.start_command, spec);
      if (options.on_progress)  // not before: it may be that none can be started here
        options.on_progress({CollectProgress::Stage::kServer,
                             fmt::format("starting a server for {} (later counts need no start; 'icount server stop' "
                                         "ends it)",
                                         program.description),
                             0, 1});
    }
    why = "the server ended before it answered";
  } catch (const Error& error) {
    if (options.cancelled && options.cancelled()) throw;
    why = error.what();
  }
  return std::nullopt;
}

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
