#include "icount/timer/collect_fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <set>

#include "icount/base/parallel.h"
#include "icount/base/process.h"
#include "icount/harness/elf_file.h"
#include "icount/harness/object_check.h"

namespace icount {
namespace {

/// Runs of a Python statement from which on a block is a loop (harness/stubs/python_compile.py).
constexpr int64_t kLeastLoopedRuns = 200;

/// "memcpy", "avx_unaligned" from "__memcpy_avx_unaligned"; an empty variant for names of another form.
std::pair<std::string, std::string> take_apart(std::string_view name) {
  if (!name.starts_with("__")) return {};
  name.remove_prefix(2);
  for (const std::string_view family : {"mem", "str", "wcs", "wmem", "rawmem", "stp"}) {
    if (!name.starts_with(family)) continue;
    for (const std::string_view variant :
         {"_avx512", "_avx2", "_avx", "_evex", "_sse2", "_sse4", "_sse42", "_ssse3", "_erms"}) {
      const size_t at = name.find(variant);
      if (at != std::string_view::npos) return {std::string(name.substr(0, at)), std::string(name.substr(at + 1))};
    }
  }
  return {};
}

/// "c++20" of "-std=c++20", the last of several; empty: the compiler's own.
std::string standard_of(const std::vector<std::string>& flags) {
  std::string standard;
  for (const std::string& flag : flags)
    if (flag.starts_with("-std=")) standard = flag.substr(5);
  return standard;
}

/// "-O2 -DNDEBUG": how far the code is optimised, and whether it checks itself.
std::string build_type_of(const std::vector<std::string>& flags) {
  std::string optimisation = "-O0";
  bool unchecked = false;
  for (const std::string& flag : flags) {
    if (flag.starts_with("-O")) optimisation = flag;
    if (flag == "-DNDEBUG" || flag.starts_with("-DNDEBUG=") || flag == "-UNDEBUG") unchecked = flag[1] == 'D';
  }
  return unchecked ? optimisation + " -DNDEBUG" : optimisation;
}

}  // namespace

std::string load_libc_identity() {
  for (const char* path : {"/lib/x86_64-linux-gnu/libc.so.6", "/lib64/libc.so.6", "/usr/lib/libc.so.6",
                           "/lib/aarch64-linux-gnu/libc.so.6"}) {
    std::string id = load_build_id(path);
    if (!id.empty()) return id;
  }
  return "unknown";
}

namespace {

/// The objects of a suite's [library] by their name alone: their folder in the cache is another one for each version.
std::vector<std::string> without_cache_entries(std::vector<std::string> flags) {
  for (std::string& flag : flags)
    if (flag.starts_with('/') && flag.find("/entries/") != std::string::npos && flag.ends_with("/unit.o"))
      flag = "unit.o";
  return flags;
}

}  // namespace

void add_counter(const Valgrind& valgrind, CounterEquality equality, Fingerprint& fingerprint) {
  fingerprint.set("counter", valgrind.counter_folder.empty() ? "callgrind" : "own",
                  equality == CounterEquality::kEqual ? FactClass::kNameOnly : FactClass::kRefuse);
}

void add_build(const Toolchain& toolchain, Fingerprint& fingerprint) {
  const std::vector<std::string> flags = toolchain.compile_flags();
  fingerprint.set("compiler", toolchain.compiler.version, FactClass::kNameOnly);
  fingerprint.set("standard", standard_of(flags), FactClass::kNameOnly);
  fingerprint.set("build type", build_type_of(flags), FactClass::kNameOnly);
}

Fingerprint make_fingerprint(const TimerArgs& args, int64_t number, const Toolchain& toolchain,
                             const MeasuringConditions& conditions) {
  Fingerprint facts;
  facts.set("language", to_text(args.language), FactClass::kRefuse);
  facts.set("runs per count", fmt::format("{}", number), FactClass::kRefuse);
  facts.set("threads", fmt::format("{}", args.num_threads), FactClass::kRefuse);
  facts.set("markers", conditions.markers, FactClass::kRefuse);
  facts.set("valgrind", conditions.valgrind.version, FactClass::kRefuse);
  add_counter(conditions.valgrind, CounterEquality::kEqual, facts);
  facts.set("cpu features under Valgrind", conditions.cpu_features, FactClass::kRefuse);
  facts.set("pins", conditions.pins.to_text() + (conditions.aslr_refused ? ", but aslr was refused" : ""),
            FactClass::kRefuse);
  add_build(toolchain, facts);
  facts.set("flags", shell_quote(toolchain.cxxflags), FactClass::kNameOnly);
  if (!args.unit.empty()) facts.set(kUnitFact, args.unit, FactClass::kNameOnly);
  facts.set("link flags", shell_quote(without_cache_entries(toolchain.link_flags)), FactClass::kNameOnly);
  facts.set("libc", load_libc_identity(), FactClass::kNameOnly);
  const auto& torch = toolchain.torch;
  facts.set("LibTorch", torch ? fmt::format("{} ({})", torch->version, torch->build_id) : "none", FactClass::kNameOnly);
  if (torch && conditions.pins.holds(Pin::kAtenCapability))
    facts.set("ATEN_CPU_CAPABILITY", std::string(probe_aten_capability()), FactClass::kNameOnly);
  return facts;
}

void add_stub_version(const CostGraph& graph, Fingerprint& fingerprint) {
  const std::string* language = fingerprint.find("language");
  if (language && *language == to_text(Language::kPython)) {
    const std::string* runs = fingerprint.find("runs per count");
    const bool loops = runs && std::strtoll(runs->c_str(), nullptr, 10) >= kLeastLoopedRuns;
    return fingerprint.set(kStubFact, loops ? "3" : "2", FactClass::kRefuse);
  }
  const std::string* torch = fingerprint.find("LibTorch");
  if (torch && *torch != "none") return fingerprint.set(kStubFact, "3", FactClass::kNameOnly);
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    if (graph.name(f).starts_with("_Unwind_Find_FDE")) return fingerprint.set(kStubFact, "2", FactClass::kNameOnly);
}

void add_cores(const CostGraph& graph, Fingerprint& fingerprint) {
  const auto is_one_of = [&](FunctionIndex f, std::initializer_list<std::string_view> names) {
    std::string_view name = graph.name(f);
    name.remove_prefix(std::min(name.find_first_not_of('_'), name.size()));
    name = name.substr(0, name.find_first_of("@'"));
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const bool is_asked = std::any_of(graph.edges.begin(), graph.edges.end(), [&](const Edge& edge) {
    return is_one_of(edge.callee, {"get_nprocs", "get_nprocs_conf", "sched_getaffinity", "pthread_getaffinity_np",
                                   "runtime.sched_getaffinity", "runtime.sched_getaffinity.abi0"}) &&
           !is_one_of(edge.caller, {"arena_get2", "get_nprocs", "pthread_getattr_np"});
  });
  if (is_asked) fingerprint.set(kCoresFact, std::to_string(count_usable_cores()), FactClass::kRefuse);
}

void add_cores_at_start(bool multi_threaded, Fingerprint& fingerprint) {
  const bool is_one = count_usable_cores() == 1;
  if (multi_threaded != is_one) fingerprint.set(kCoresFact, is_one ? "one" : "more than one", FactClass::kRefuse);
}

void add_loaded_objects(std::span<const LoadedObject> objects, Fingerprint& fingerprint) {
  if (const std::string libc = loaded_build_id(objects, "libc.so.6"); !libc.empty())
    fingerprint.set("libc", libc, FactClass::kNameOnly);
  const std::string torch = loaded_build_id(objects, "libtorch_cpu.so");
  const std::string* language = fingerprint.find("language");
  if (!torch.empty() && language && *language == to_text(Language::kPython))
    fingerprint.set("LibTorch build", torch, FactClass::kNameOnly);
}

void add_routines(const CostGraph& graph, Fingerprint& fingerprint) {
  std::map<std::string, std::set<std::string>> routines;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) {
    const std::string_view name = graph.name(f);
    if (const auto [routine, variant] = take_apart(name); !variant.empty()) routines[routine].insert(variant);
    for (const std::string_view capability : {"::AVX512::", "::AVX2::", "::DEFAULT::"})
      if (name.starts_with("at::native::") && name.find(capability) != std::string_view::npos)
        routines["at::native kernels"].insert(std::string(capability.substr(2, capability.size() - 4)));
  }
  for (const auto& [routine, variants] : routines) {
    std::string text;
    for (const std::string& variant : variants) text += (text.empty() ? "" : " ") + variant;
    fingerprint.set("routine " + routine, text, FactClass::kNameOnly);
  }
}

std::string find_broken_pin(const CostGraph& graph, const Pins& pins) {
  if (!pins.holds(Pin::kLibcRoutines)) return {};
  const std::vector<int64_t> calls = calls_into(graph);  // other variants run pieces of it
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) {
    const auto [routine, variant] = take_apart(graph.name(f));
    if (calls[f] > 0 && variant.ends_with("_erms") &&
        (routine == "memcpy" || routine == "memmove" || routine == "memset"))
      return fmt::format("the pin 'libc' does not hold: the profile shows {} although ERMS is hidden", graph.name(f));
  }
  return {};
}

}  // namespace icount
