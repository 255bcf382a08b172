#include "icount/timer/count_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "icount/base/command_line.h"
#include "icount/base/compression.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/hash.h"
#include "icount/base/json.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/callgrind/own_profile.h"
#include "icount/callgrind/run.h"
#include "icount/harness/build_cache.h"
#include "icount/harness/build_id.h"
#include "icount/harness/compiler_record.h"
#include "icount/stacks/stack_contexts.h"
#include "icount/timer/collect_fingerprint.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

/// The pins that mean something for a program of the user's own.
Pins program_pins(Pins pins) {
  for (const Pin pin : {Pin::kWorkingDir, Pin::kArgv, Pin::kStack})
    if (pins.holds(pin)) pins.released.push_back(pin);
  return pins;
}

/// `program` as it was given: what made it is read from it.
Fingerprint make_program_fingerprint(const std::string& program, const Valgrind& valgrind, const Pins& pins,
                                     bool aslr_refused) {
  Fingerprint facts;
  facts.set("language", "program", FactClass::kRefuse);
  facts.set("valgrind", valgrind.version, FactClass::kRefuse);
  facts.set("pins", pins.to_text() + (aslr_refused ? ", but aslr was refused" : ""), FactClass::kRefuse);
  facts.set("libc", load_libc_identity(), FactClass::kNameOnly);
  const CompilerRecord record = load_compiler_record(find_program(program));
  if (!record.compilers.empty()) facts.set("compiler", record.compilers, FactClass::kNameOnly);
  if (!record.options.empty()) facts.set("flags", record.options, FactClass::kNameOnly);
  return facts;
}

/// "IDENTITY PATH" of every library that the profile names: what the count stands on besides the program.
std::string objects_of(const CostGraph& graph) {
  std::set<std::string> paths;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    if (graph.object(f).starts_with('/')) paths.insert(std::string(graph.object(f)));
  std::string lines;
  for (const std::string& path : paths) lines += load_file_identity(path) + " " + path + "\n";
  return lines;
}

bool objects_hold(std::string_view lines) {
  for (const std::string_view line : split_lines(lines)) {
    const size_t blank = line.find(' ');
    if (blank == std::string_view::npos || load_file_identity(line.substr(blank + 1)) != line.substr(0, blank))
      return false;
  }
  return true;
}

class ProgramCounter {
 public:
  ProgramCounter(const std::vector<std::string>& argv, const ProgramCountOptions& options)
      : argv_(argv), options_(options), valgrind_(probe_valgrind()), pins_(program_pins(options.pins)) {}

  ProgramCount count() {
    if (options_.cache_dir.empty() || !options_.keep_profile.empty()) return measure({});
    BuildCache cache(options_.cache_dir);
    const std::string key = make_key();
    if (auto known = load_intact(cache, key)) return *known;
    const ScratchDir folder;
    const fs::path raw = folder.path() / "profile";
    ProgramCount result = measure(raw);
    if (result.outcome.ok()) keep(cache, key, raw, result);
    return result;
  }

 private:
  std::string make_key() const {
    const fs::path program = find_program(argv_.at(0));
    std::string text =
        fmt::format("icount-program-1\n{}\n{}\n{}\n{}\n{}\n", shell_quote(argv_), load_file_identity(program),
                    content_hash(load_file(program).view()), valgrind_.version, pins_.to_text());
    if (!pins_.holds(Pin::kEnvironment))
      for (const std::string& entry : options_.environment.block()) text += entry + "\n";
    text += fs::current_path().string() + (options_.follow_children ? " children" : "");
    if (options_.stacks > 0) text += fmt::format(" stacks {}", options_.stacks);
    return content_hash(text);
  }

  ProgramCount measure(const fs::path& raw) {
    const PinnedSurroundings surroundings = apply_pins(pins_, options_.environment);
    CallgrindRunSpec spec;
    spec.argv = argv_;
    spec.environment = surroundings.environment.block();
    spec.disable_aslr = surroundings.disable_aslr;
    spec.follow_children = options_.follow_children;
    spec.callers = options_.stacks;
    spec.inherit_output = options_.inherit_output;
    spec.time_limit = options_.time_limit;
    spec.parse.keep_lines = options_.keep_lines;
    spec.keep = raw.empty() ? options_.keep_profile : raw;
    spec.cancelled = options_.cancelled;
    CallgrindRun run = run_callgrind(spec, valgrind_);
    const bool stopped =
        run.outcome.end == ProcessOutcome::End::kTimedOut || run.outcome.end == ProcessOutcome::End::kCancelled;
    if (stopped || !run.profile)
      throw Error(ErrorKind::kTool,
                  fmt::format("cannot count {}: {}{}{}", shell_quote(argv_), describe_end(run.outcome),
                              run.outcome.end == ProcessOutcome::End::kTimedOut ? "; --timeout sets the limit" : "",
                              run.unhandled_instruction.empty() ? "" : "; " + run.unhandled_instruction));
    ProgramCount result;
    result.outcome = run.outcome;
    result.graph = make_cost_graph(std::move(*run.profile));
    if (options_.stacks > 0) result.stacks = take_call_stacks(result.graph);
    finish(result);
    if (!run.unhandled_instruction.empty()) result.notes.push_back(run.unhandled_instruction);
    if (!run.unread_debug_information.empty()) result.notes.push_back(run.unread_debug_information);
    return result;
  }

  void finish(ProgramCount& result) const {
    result.fingerprint = make_program_fingerprint(argv_[0], valgrind_, pins_, result.outcome.aslr_refused);
    add_routines(result.graph, result.fingerprint);
    if (result.outcome.aslr_refused)
      result.notes.push_back(
          "address space randomization could not be disabled (does the container refuse it?); the result records this");
    if (const std::string broken = find_broken_pin(result.graph, pins_); !broken.empty())
      result.notes.push_back(broken);
  }

  /// An entry of another form is none.
  std::optional<ProgramCount> load_intact(BuildCache& cache, const std::string& key) const {
    try {
      return load(cache, key);
    } catch (const Error&) {
      cache.drop(key);
      return std::nullopt;
    }
  }

  std::optional<ProgramCount> load(BuildCache& cache, const std::string& key) const {
    const auto entry = cache.find(key);
    if (!entry) return std::nullopt;
    if (!objects_hold(load_text(*entry / "objects"))) {
      cache.drop(key);
      return std::nullopt;
    }
    ParseOptions parse;
    parse.keep_lines = options_.keep_lines;
    const fs::path path = *entry / "profile.zst";
    ProgramCount result;
    result.from_cache = true;
    result.outcome.aslr_refused = load_text(*entry / "aslr") == "refused";
    result.graph = make_cost_graph(parse_own_profile(load_file(path).view(), path, parse, LastPart::kProgramsEnd));
    if (options_.stacks > 0) result.stacks = take_call_stacks(result.graph);
    finish(result);
    return result;
  }

  void keep(BuildCache& cache, const std::string& key, const fs::path& raw, const ProgramCount& result) const {
    cache.get(key, [&](const fs::path& folder) {
      save_file(folder / "profile.zst", compress_zstd(load_text(raw)));
      save_file(folder / "objects", objects_of(result.graph));
      save_file(folder / "aslr", result.outcome.aslr_refused ? "refused" : "off");
      return true;
    });
  }

  const std::vector<std::string>& argv_;
  const ProgramCountOptions& options_;
  Valgrind valgrind_;
  Pins pins_;
};

}  // namespace

ProgramCount count_program(const std::vector<std::string>& argv, const ProgramCountOptions& options) {
  if (argv.empty()) throw Error(ErrorKind::kUsage, "no program given");
  return ProgramCounter(argv, options).count();
}

}  // namespace icount
