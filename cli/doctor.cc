#include "icount/cli/doctor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/callgrind/installed_valgrind.h"
#include "icount/gate/git_worktree.h"
#include "icount/harness/build_cache.h"
#include "icount/harness/session_client.h"
#include "icount/inputs/git_commit.h"
#include "icount/kernels/sass.h"
#include "icount/timer/collect_callgrind.h"

namespace icount {
namespace {

constexpr int kNopsPerRun = 1000;
constexpr int kLoopAllowance = 10;

struct PackageManager {
  std::string_view program, install;
};
constexpr std::array<PackageManager, 5> kManagers = {{{"apt-get", "apt-get install"},
                                                      {"dnf", "dnf install"},
                                                      {"pacman", "pacman -S"},
                                                      {"zypper", "zypper install"},
                                                      {"apk", "apk add"}}};

/// Debian's name -> the name that a package manager has for it, where the two differ.
std::string_view package_for(std::string_view package, std::string_view manager) {
  if (manager == "apt-get") return package;
  if (package == "g++")
    return manager == "dnf" || manager == "zypper" ? "gcc-c++" : manager == "pacman" ? "gcc" : package;
  if (package == "libtorch-dev") return "";
  return package;
}

std::string remedy_for(std::string_view package) {
  return install_command(
      package, [](std::string_view program) { return !find_program(program).empty(); }, ::geteuid() == 0);
}

DoctorFinding probe_valgrind_finding(const DoctorOptions& options) {
  try {
    const std::string asked = options.environment.get(kValgrindVariable).value_or("");
    const Valgrind valgrind = choose_valgrind(asked);
    const std::string_view which = valgrind.is_carried                  ? "carried along"
                                   : asked.empty() || asked == "system" ? "the system's"
                                                                        : "named by --valgrind or ICOUNT_VALGRIND";
    return {"Valgrind", DoctorState::kGood, fmt::format("{}, {} ({})", valgrind.version, which, valgrind.path.string()),
            ""};
  } catch (const Error& error) {
    return {"Valgrind", DoctorState::kBad, error.what(), remedy_for("valgrind")};
  }
}

DoctorFinding probe_counter_finding(const DoctorOptions& options) {
  constexpr const char* kName = "icount's own counter";
  try {
    Valgrind valgrind = choose_valgrind(options.environment.get(kValgrindVariable).value_or(""));
    choose_counter("own", "", valgrind);
    return {kName, DoctorState::kGood, fmt::format("for Valgrind {}", valgrind.version), ""};
  } catch (const Error& error) {
    return {kName, DoctorState::kOptional, error.what(), ""};
  }
}

DoctorFinding probe_compiler_finding(const DoctorOptions& options) {
  try {
    const Compiler compiler = probe_compiler(options.toolchain, options.environment);
    return {"C++ compiler", DoctorState::kGood, fmt::format("{} ({})", compiler.version, compiler.path.string()), ""};
  } catch (const Error& error) {
    return {"C++ compiler", DoctorState::kBad, error.what(), remedy_for("g++")};
  }
}

/// The other compiler is slower or faster, never needed; it is only shown.
DoctorFinding probe_clang_finding() {
  if (!find_program("clang++").empty()) {
    const bool lld = !find_program("ld.lld").empty();
    return {"clang++ and lld", lld ? DoctorState::kGood : DoctorState::kOptional,
            lld ? "both installed" : "clang++ without lld", lld ? "" : remedy_for("lld")};
  }
  return {"clang++ and lld", DoctorState::kOptional,
          "not installed; LibTorch statements compile about five times faster with them", remedy_for("clang lld")};
}

/// A folder that was asked for and holds no LibTorch: every statement would fail by it, whatever else is installed.
void probe_named_torches(const DoctorOptions& options, std::vector<DoctorFinding>& findings) {
  const auto probe = [&](const ToolchainOptions& toolchain, const std::string& remedy) {
    try {
      probe_libtorch(toolchain, options.environment);
    } catch (const Error& error) {
      findings.push_back({"LibTorch", DoctorState::kBad, error.what(), remedy});
    }
  };
  ToolchainOptions unnamed = options.toolchain;
  unnamed.torch_dir.clear();
  if (!options.toolchain.torch_dir.empty())
    probe(options.toolchain, "name the folder that include/ and lib/ of a LibTorch are in, or leave --torch out");
  if (!options.environment.get("ICOUNT_TORCH").value_or("").empty())
    probe(unnamed, "set ICOUNT_TORCH to the folder that include/ and lib/ of a LibTorch are in, or unset it");
}

std::vector<DoctorFinding> probe_torch_findings(const DoctorOptions& options) {
  std::vector<DoctorFinding> findings;
  probe_named_torches(options, findings);
  try {
    for (const LibTorch& torch : probe_libtorches(options.toolchain, options.environment))
      findings.push_back({"LibTorch", DoctorState::kGood,
                          fmt::format("{} in {}, found by {}", torch.version, torch.root.string(), torch.found_by),
                          ""});
  } catch (const Error& error) {
    findings.push_back({"LibTorch", DoctorState::kOptional, error.what(), ""});
  }
  if (findings.empty())
    findings.push_back({"LibTorch", DoctorState::kOptional,
                        "none found (looked at --torch, ICOUNT_TORCH, the active Python, the system); needed for "
                        "statements without --no-torch",
                        remedy_for("libtorch-dev")});
  return findings;
}

/// What `icount kernels` needs of the CUDA Toolkit.
DoctorFinding probe_cuda_finding(const DoctorOptions& options) {
  std::string there, missing, packages;
  for (const std::string_view tool : {"nvdisasm", "cuobjdump"}) {
    const std::filesystem::path path = find_cuda_tool(tool, options.environment);
    std::string& list = path.empty() ? missing : there;
    list += fmt::format("{}{}", list.empty() ? "" : ", ", path.empty() ? std::string(tool) : path.string());
    if (path.empty()) packages += fmt::format(" nvidia-cuda-{}", tool);
  }
  if (missing.empty()) return {"CUDA tools", DoctorState::kGood, there, ""};
  return {"CUDA tools", DoctorState::kOptional, fmt::format("no {}; 'icount kernels' needs them", missing),
          "pip install" + packages};
}

DoctorFinding probe_cache_finding(const DoctorOptions& options) {
  try {
    const std::filesystem::path dir = default_cache_dir(options.environment);
    const BuildCache cache(dir);
    const ScratchDir writable("icount", dir);
    sweep_worktrees(dir / kWorktreesFolder);  // of killed ones, as sockets
    return {
        "cache", DoctorState::kGood,
        fmt::format("{}, {} MB of at most {}", dir.string(), cache.info().bytes >> 20, cache.info().max_bytes >> 20),
        ""};
  } catch (const Error& error) {
    return {"cache", DoctorState::kBad, error.what(), "set ICOUNT_CACHE to a writable folder"};
  }
}

/// Servers that stay warm (docs/server.md). Sockets of killed ones are removed: nobody listens at them. Nothing when
/// there are neither.
std::vector<DoctorFinding> probe_server_findings(const DoctorOptions& options) {
  const std::filesystem::path folder = session_folder(options.environment, default_cache_dir(options.environment));
  const RunningSessions sessions = find_sessions(folder);
  std::vector<DoctorFinding> findings;
  if (!sessions.running.empty())
    findings.push_back({"servers", DoctorState::kGood,
                        fmt::format("{} running; 'icount server status' lists what runs", sessions.running.size()),
                        ""});
  for (const std::filesystem::path& socket : sessions.stale) {
    remove_stale_session(socket);
    std::error_code error;
    const bool removed = !std::filesystem::exists(socket, error);
    findings.push_back({"servers", removed ? DoctorState::kGood : DoctorState::kOptional,
                        fmt::format("{}: no server listens at this socket; {}", socket.string(),
                                    removed ? "removed" : "it could not be removed"),
                        ""});
  }
  if (std::filesystem::exists(folder)) {
    try {
      make_session_folder(folder);
    } catch (const Error& error) {
      findings.push_back({"servers", DoctorState::kOptional, error.what(), ""});
    }
  }
  return findings;
}

DoctorFinding check_chain(const DoctorOptions& options) {
  TimerArgs args;
  args.torch = false;
  args.stmt = fmt::format("asm volatile(\".rept {}\\n nop\\n .endr\");", kNopsPerRun);
  CollectOptions collect;
  collect.number = 10;
  collect.time_limit = Seconds(30);
  collect.toolchain = options.toolchain;
  collect.toolchain.torch_dir.clear();
  collect.environment = options.environment;
  collect.cancelled = options.cancelled;
  const auto start = std::chrono::steady_clock::now();
  try {
    const std::vector<CollectResult> results = collect_callgrind(std::span(&args, 1), collect);
    const CollectResult& result = results.at(0);
    if (result.status != CollectStatus::kDone || !result.slope)
      return {"self-check", DoctorState::kBad, result.error, "report this with the output of 'icount doctor'"};
    return judge_self_check(result.slope->per_run, Seconds(std::chrono::steady_clock::now() - start).count());
  } catch (const Error& error) {
    return {"self-check", DoctorState::kBad, error.what(), ""};
  }
}

}  // namespace

std::string_view to_text(DoctorState state) {
  switch (state) {
    case DoctorState::kGood:
      return "ok";
    case DoctorState::kOptional:
      return "optional";
    case DoctorState::kBad:
      return "missing";
  }
  return {};
}

std::string install_command(std::string_view package, const std::function<bool(std::string_view)>& has_program,
                            bool is_root) {
  for (const PackageManager& manager : kManagers) {
    if (!has_program(manager.program)) continue;
    const std::string_view name = package_for(package, manager.program);
    if (name.empty()) break;
    return fmt::format("{}{} {}", is_root ? "" : "sudo ", manager.install, name);
  }
  if (package == "libtorch-dev") return "unpack LibTorch from pytorch.org and set ICOUNT_TORCH to its folder";
  return fmt::format("install {} with this system's package manager", package);
}

DoctorFinding judge_self_check(double slope, double seconds) {
  const std::string counted =
      fmt::format("{:.2f} instructions for {} of them and a loop, in {:.1f} s", slope, kNopsPerRun, seconds);
  if (slope >= kNopsPerRun && slope <= kNopsPerRun + kLoopAllowance)
    return {"self-check", DoctorState::kGood, counted, ""};
  return {"self-check", DoctorState::kBad, counted + ": the count is wrong",
          "report this with the output of 'icount doctor'"};
}

std::vector<DoctorFinding> run_doctor(const DoctorOptions& options) {
  std::vector<DoctorFinding> findings = {probe_valgrind_finding(options), probe_counter_finding(options),
                                         probe_compiler_finding(options), probe_clang_finding()};
  for (DoctorFinding& finding : probe_torch_findings(options)) findings.push_back(std::move(finding));
  findings.push_back(probe_cuda_finding(options));
  findings.push_back(probe_cache_finding(options));
  if (findings.back().state == DoctorState::kGood)
    for (DoctorFinding& finding : probe_server_findings(options)) findings.push_back(std::move(finding));
  bool can_count = true;
  for (const DoctorFinding& finding : findings) can_count = can_count && finding.state != DoctorState::kBad;
  if (options.self_check && can_count) findings.push_back(check_chain(options));
  return findings;
}

}  // namespace icount
