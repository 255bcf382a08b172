#include "icount/suite/take_over.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <system_error>
#include <thread>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/hash.h"
#include "icount/base/text.h"
#include "icount/harness/compile.h"
#include "icount/harness/stub_source.h"
#include "icount/stats/fingerprint.h"
#include "icount/suite/plan.h"
#include "icount/suite/suite_spec.h"
#include "icount/suite/work_order.h"
#include "icount/timer/program_conditions.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFilesOfFolder = 10'000;

/// What /proc/cpuinfo says about the first processor and does not change while it runs: routines of libc and the sizes
/// that they switch at follow from it.
std::string load_processor() {
  std::string kept;
  const std::string all = load_text("/proc/cpuinfo");
  for (const std::string_view line : split_lines(all)) {
    if (line.empty()) break;
    for (const char* field : {"vendor_id", "cpu family", "model", "stepping", "cache size", "flags"})
      if (line.starts_with(field)) kept += std::string(line) + "\n";
  }
  return kept;
}

/// A program that runs what others wrote: which files that are follows from files.
bool is_interpreter(const fs::path& program) {
  const std::string name = program.filename().string();
  for (const char* family : {"python", "perl", "ruby", "php", "lua", "tclsh", "guile"})
    if (name.starts_with(family)) return true;
  static const std::set<std::string> kOthers = {"node", "nodejs", "deno", "java",   "sh",  "bash",  "dash",   "zsh",
                                                "ksh",  "fish",   "mono", "dotnet", "env", "julia", "Rscript"};
  return kOthers.contains(name);
}

fs::path program_file(const std::string& name, const fs::path& folder) {
  return name.find('/') == std::string::npos ? find_program(name) : folder / name;
}

/// Every file of a folder, or the file itself; nullopt: too many.
std::optional<std::vector<fs::path>> files_of(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return std::vector<fs::path>{path};
  std::vector<fs::path> files = files_below(path, kMostFilesOfFolder);
  if (files.size() > kMostFilesOfFolder) return std::nullopt;
  return files;
}

/// Of a program's argument; where they are too many or cannot be listed, none, and why in `identity`.
std::vector<fs::path> argument_files(const fs::path& path, const std::string& word, CodeIdentity& identity) {
  try {
    if (auto files = files_of(path)) return std::move(*files);
    identity.unknown = fmt::format("its argument {} is a folder of too many files", word);
  } catch (const Error& error) {
    identity.unknown = fmt::format("its argument {}: {}", word, error.what());
  }
  return {};
}

const std::vector<std::string>& environment_of(const Benchmark& benchmark) {
  return benchmark.program ? benchmark.program->run.environment : benchmark.bench->binary.environment;
}

fs::path executable_of(const Benchmark& benchmark) {
  if (benchmark.program) return program_file(benchmark.program->run.command.at(0), benchmark.program->run.folder);
  return program_file(benchmark.bench->binary.command.at(0), benchmark.bench->binary.folder);
}

std::string text_of(const TimerArgs& args, FileIdentities& files) {
  std::string text = fmt::format("{}\x1e{}\x1e{}\x1e{}\x1e{}\x1e{}\x1e{}\x1e", to_text(args.language),
                                 args.global_setup, args.setup, args.stmt, args.backward, args.num_threads, args.torch);
  for (const GlobalValue& value : args.globals) {
    text += fmt::format("{}\x1f{}\x1f{}\x1f{}\x1e", static_cast<int>(value.kind), value.name, value.value, value.setup);
    if (value.kind == GlobalValue::Kind::kTensorFile || value.kind == GlobalValue::Kind::kModuleFile)
      text += files.line(value.value);
  }
  return text;
}

std::string text_of(const ProgramTask& task) {
  return fmt::format("{}\x1e{}\x1e{}\x1e{}\x1e{}\x1e{}\x1e{}", shell_quote(task.run.command), task.run.input,
                     shell_quote(task.run.environment), task.run.folder.string(), task.run.exit_code,
                     shell_quote(task.run.within), task.region);
}

std::string text_of(const BenchTask& task) {
  const BenchBinary& binary = task.binary;
  return fmt::format("{}{}\x1e{}\x1e{}\x1e{}\x1e{}\x1e{}", binary.kind == CaseKind::kTests ? "tests\x1e" : "",
                     shell_quote(binary.command), binary.folder.string(), shell_quote(binary.environment),
                     binary.functions, binary.number.value_or(0), shell_quote(task.case_label));
}

}  // namespace

BenchmarkIdentities::BenchmarkIdentities(IdentityOptions options)
    : options_(std::move(options)), processor_(load_processor()) {
  for (const fs::path& pattern : options_.inputs) {
    const std::vector<std::string> found = find_files(pattern.string(), {});
    if (found.empty()) throw Error(ErrorKind::kUsage, fmt::format("inputs: no file matches \"{}\"", pattern.string()));
    for (const std::string& name : found) {
      const auto files = files_of(name);
      if (!files)
        throw Error(ErrorKind::kUsage,
                    fmt::format("inputs: the folder {} holds more than {} files", name, kMostFilesOfFolder));
      for (const fs::path& file : *files) inputs_ += files_.line(file) + "\n";
    }
  }
}

std::string BenchmarkIdentities::unknown_of(const Benchmark& benchmark) {
  if (benchmark.is_statement())
    return benchmark.timer_args.language == Language::kPython ? "Python is interpreted" : "";
  if (benchmark.bench && benchmark.bench->case_label.empty()) return "its cases could not be listed";
  const fs::path program = executable_of(benchmark);
  if (program.empty()) return "there is no such program";
  if (is_interpreter(program)) return fmt::format("{} is an interpreter", program.filename().string());
  return needed(program, environment_of(benchmark)).unknown;
}

std::string BenchmarkIdentities::conditions_of(const Benchmark& benchmark) const {
  const CollectOptions& collect = options_.collect;
  const bool is_statement = benchmark.is_statement();
  std::string text = fmt::format(
      "{}\n{}cores {}\nrepeats {} markers {} stacks {} lines {} insides {} graphs {} memory {}\n{}\n{}\n",
      options_.tools, processor_, std::thread::hardware_concurrency(), collect.repeats,
      static_cast<int>(collect.markers), collect.stacks, collect.keep_lines, collect.keep_insides, options_.keep_graphs,
      options_.memory && !is_statement, shell_quote(collect.callgrind_options), collect.pins.to_text());
  if (is_statement)
    text += fmt::format("number {} slope {} dead {} warm {} isolate {}\n", collect.number, collect.slope,
                        collect.allow_dead, collect.warm, collect.isolate);
  const Pins pins = is_statement ? collect.pins : program_pins(collect.pins);
  const PinnedSurroundings surroundings = apply_pins(pins, collect.environment);
  for (const std::string& entry : surroundings.environment.block()) text += entry + "\n";
  return text;
}

std::string BenchmarkIdentities::python_build() {
  const ToolchainOptions& options = options_.collect.toolchain;
  std::string text = files_.line(find_program(options.python.empty() ? "python3" : options.python)) + "\n";
  for (const std::string& folder : options.python_path) text += folder + "\n";
  return text;
}

std::string BenchmarkIdentities::statement_build(const TimerArgs& args) {
  const auto [at, is_new] = builds_.try_emplace(args.torch ? "torch" : "plain");
  if (is_new) {
    const CollectOptions& collect = options_.collect;
    const Toolchain toolchain = find_toolchain(collect.toolchain, args.torch, collect.environment);
    BuildCache cache(collect.cache_dir.empty() ? default_cache_dir(collect.environment) : collect.cache_dir);
    StubCompiler compiler(toolchain, cache, collect.cancelled);
    compiler.prepare(make_stub_prelude(args.torch), {});
    at->second = compiler.identity();
  }
  return at->second + place_of(args.global_setup + args.setup + args.stmt, options_.collect.toolchain.cxxflags);
}

const NeededLibraries& BenchmarkIdentities::needed(const fs::path& program,
                                                   const std::vector<std::string>& environment) {
  const auto [at, is_new] = needed_.try_emplace(program.string() + '\n' + shell_quote(environment));
  if (is_new) {
    const CollectOptions& collect = options_.collect;
    at->second = load_needed_libraries(
        program, apply_pins(program_pins(collect.pins), collect.environment, environment).environment);
  }
  return at->second;
}

std::string BenchmarkIdentities::program_text(const std::vector<std::string>& command, const fs::path& folder,
                                              const std::vector<std::string>& environment, CodeIdentity& identity) {
  const fs::path program = program_file(command.at(0), folder);
  std::string text = files_.line(program) + "\n";
  for (const fs::path& library : needed(program, environment).libraries) text += files_.line(library) + "\n";
  for (size_t i = 1; i < command.size(); ++i) {
    const size_t equals = command[i].find('=');
    for (const std::string& word :
         {command[i], equals == std::string::npos ? std::string() : command[i].substr(equals + 1)}) {
      std::error_code error;
      if (word.empty() || !fs::exists(folder / word, error)) continue;
      for (const fs::path& file : argument_files(folder / word, word, identity)) text += files_.line(file) + "\n";
    }
  }
  return text;
}

CodeIdentity BenchmarkIdentities::of(const Benchmark& benchmark) {
  CodeIdentity found;
  found.unknown = unknown_of(benchmark);
  std::string own, build;
  try {
    if (benchmark.program) {
      const ProgramRun& run = benchmark.program->run;
      own = text_of(*benchmark.program);
      build = program_text(run.command, run.folder, run.environment, found);
      if (!run.input.empty()) build += files_.line(run.folder / run.input);
    } else if (benchmark.bench) {
      const BenchBinary& binary = benchmark.bench->binary;
      own = text_of(*benchmark.bench);
      build = program_text(binary.command, binary.folder, binary.environment, found);
    } else {
      const TimerArgs& args = benchmark.timer_args;
      own = text_of(args, files_);
      if (!args.module_path.empty()) own += files_.line(args.module_path);
      build = args.language == Language::kPython ? python_build() : statement_build(args);
    }
  } catch (const Error& error) {
    if (found.unknown.empty()) found.unknown = error.what();
    return found;
  }
  found.parts = {{benchmark.is_statement() ? "statement" : "command", content_hash(own)},
                 {benchmark.is_statement() ? "compiler, flags or libraries" : "program, libraries or files named",
                  content_hash(build)},
                 {"conditions of measuring", content_hash(conditions_of(benchmark))},
                 {"inputs", content_hash(inputs_)}};
  return found;
}

CodeIdentity BenchmarkIdentities::of_measured(const Benchmark& benchmark, const Result& result,
                                              const StatementFiles& files) {
  CodeIdentity found = of(benchmark);
  found.files = files.lines;
  if (!found.unknown.empty()) return found;
  if (benchmark.bench)
    found.unknown = "what a benchmark binary reads is not known";
  else
    found.unknown = result.processes.empty() ? files.unknown : "it starts other processes";
  return found;
}

CodeChange BenchmarkIdentities::change_since(const CodeIdentity& base, const Benchmark& benchmark) {
  const CodeIdentity now = of(benchmark);
  if (const std::string part = changed_part(base, now); !part.empty()) return {fmt::format("changed: {}", part), {}};
  std::string lines;
  for (const std::string& line : base.files) lines += line + "\n";
  if (std::string change = ReuseRecord::parse(lines).find_change(); !change.empty()) return {std::move(change), {}};
  return {{}, now.unknown.empty() ? base.unknown : now.unknown};
}

namespace {

Result taken(const ResultFile& base, const Result& result, const Benchmark& benchmark, const std::string& name) {
  Result over = result;
  over.fingerprint = full_fingerprint(base, result);
  std::erase_if(over.fingerprint.facts, [](const Fact& fact) { return fact.name == kSuiteFact; });
  over.fingerprint.set(kTakenOverFact, kTakenOverValue, FactClass::kNameOnly);
  SuiteRecord record = parse_record(result.extra);
  record.position = static_cast<int64_t>(benchmark.position);
  over.extra = record_text(record);
  over.measurement.clear();
  over.taken_over = name;
  return over;
}

}  // namespace

TakenOver take_over(std::span<const Benchmark> benchmarks, const ResultFile& base, const std::string& name,
                    BenchmarkIdentities& identities) {
  std::map<std::string, const Result*> by_key;
  for (const Result& result : base.results) by_key[parse_record(result.extra).key] = &result;
  TakenOver answer;
  for (const Benchmark& benchmark : benchmarks) {
    const auto found = by_key.find(work_order_key(benchmark));
    std::string why;
    if (found == by_key.end())
      why = "not in the baseline";
    else if (!found->second->ok())
      why = "no count in the baseline";
    else if (const CodeChange change = identities.change_since(parse_record(found->second->extra).code, benchmark);
             !change.none())
      why = change.changed + change.unknown;
    if (why.empty()) {
      answer.results.push_back(taken(base, *found->second, benchmark, name));
    } else {
      answer.rest.push_back(benchmark);
      answer.reasons[why].push_back(benchmark_name(benchmark));
    }
  }
  return answer;
}

Resumed resume_results(std::span<const Benchmark> benchmarks, std::vector<Result> results,
                       BenchmarkIdentities& identities) {
  std::map<std::string, const Benchmark*> by_key;
  for (const Benchmark& benchmark : benchmarks) by_key[work_order_key(benchmark)] = &benchmark;
  Resumed resumed;
  for (Result& result : results) {
    const SuiteRecord record = parse_record(result.extra);
    const auto at = by_key.find(record.key);
    CodeChange change;
    if (at == by_key.end())
      change.unknown = "this run does not select it";
    else if (!result.ok())
      change.changed = result.status;
    else
      change = identities.change_since(record.code, *at->second);
    if (!change.changed.empty()) {
      resumed.changed[change.changed].push_back(result_key(result));
      continue;
    }
    if (!change.unknown.empty()) {
      resumed.unknown[change.unknown].push_back(result_key(result));
      std::string note = fmt::format(
          "measured before an interruption; whether it would have the same count now is not known: {}", change.unknown);
      if (std::find(result.notes.begin(), result.notes.end(), note) == result.notes.end())
        result.notes.push_back(std::move(note));
    }
    resumed.results.push_back(std::move(result));
  }
  return resumed;
}

std::string describe(const TakenOver& taken, const std::string& name) {
  const size_t count = taken.results.size();
  std::string text =
      fmt::format("{} {} taken over from {}", counted(static_cast<int64_t>(count), "unchanged benchmark"),
                  count == 1 ? "is" : "are", name);
  return taken.rest.empty() ? text : text + "; measuring " + describe(taken.reasons);
}

std::string describe(const Reasons& reasons, std::string_view which) {
  constexpr size_t kNamed = 3;
  size_t count = 0;
  std::string text, separator = ": ";
  for (const auto& [why, names] : reasons) {
    count += names.size();
    std::string list;
    for (size_t i = 0; i < names.size() && i < kNamed; ++i) list += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > kNamed) list += fmt::format(" and {} more", names.size() - kNamed);
    text += fmt::format("{}{} ({})", separator, list, why);
    separator = "; ";
  }
  return fmt::format("{}{}{}", count, which, text);
}

}  // namespace icount
