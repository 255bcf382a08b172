#include "icount/timer/stub_timing.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/harness/build.h"
#include "icount/harness/object_check.h"
#include "icount/harness/python_stub.h"
#include "icount/harness/stub_source.h"
#include "icount/stats/flag_paths.h"
#include "icount/timer/collect_fingerprint.h"

namespace icount {
namespace {

/// One server, one session. The server is a child of ours and dies with us.
class StubTimeSource : public TimeSource {
 public:
  StubTimeSource(ScratchDir folder, StubServerSpec spec, const StubTimingOptions& options)
      : folder_(std::move(folder)), options_(options), client_(std::move(spec)) {
    if (options.cold_bytes > 0 && !client_.hello().has("cold"))
      throw Error(ErrorKind::kUsage,
                  fmt::format("cold runs are not supported for {} statements", client_.hello().language));
  }

  void begin(int64_t benchmark, int threads, const Toolchain& toolchain) {
    if (options_.on_device) client_.wait_for_device();
    client_.begin_session(benchmark, threads, limit());
    const std::string other = ObjectCheck(toolchain).find_other(client_.session_objects());
    if (!other.empty()) throw Error(ErrorKind::kTool, other);
  }

  void expect_another() override { another_ = true; }

  std::string remark() const override {
    std::string text = describe_lost_threads(client_.hello().lost_threads, "timed");
    if (event_seconds_.empty()) return text;
    std::vector<double> per_run = event_seconds_;
    std::nth_element(per_run.begin(), per_run.begin() + static_cast<std::ptrdiff_t>(per_run.size() / 2), per_run.end());
    if (!text.empty()) text += "; ";
    return text + fmt::format("by events on the current stream: {:.3f} us per run, median of {} blocks",
                              per_run[per_run.size() / 2] * 1e6, per_run.size());
  }

  double run_block(int64_t number) override {
    const bool another = std::exchange(another_, false);
    const auto begin = std::chrono::steady_clock::now();
    try {
      const double seconds = client_.run_block(number, 1, limit(), options_.cold_bytes, another);
      if (options_.on_device && client_.session_device().empty())
        throw Error(ErrorKind::kUsage, "the statement does nothing on a CUDA device: time it without --device cuda");
      if (const auto events = client_.session_event_seconds(); events && number > 0)
        event_seconds_.push_back(*events / static_cast<double>(number));
      if (!client_.session_device().empty() && !options_.waits_for_device && !options_.on_device)
        throw Error(ErrorKind::kUsage,
                    "the statement uses a CUDA device, and this clock does not wait for it: use --device cuda, or "
                    "--cuda-sync if the statement itself waits for the device");
      return seconds;
    } catch (const StubServerLost& lost) {
      if (std::chrono::steady_clock::now() - begin < limit()) throw Error(ErrorKind::kTool, lost.what());
      throw Error(ErrorKind::kTool,
                  fmt::format("a block did not finish within {:g} s and was stopped; --timeout sets the limit",
                              limit().count()));
    }
  }

 private:
  /// Zero would wait for ever; a day is as good.
  Seconds limit() const { return options_.block_limit.count() > 0 ? options_.block_limit : Seconds(86400); }

  ScratchDir folder_;  // of the server's log; outlives the client
  const StubTimingOptions& options_;
  StubClient client_;
  bool another_ = false;
  std::vector<double> event_seconds_;  // per run, of each block
};

std::string first_line_of(const std::filesystem::path& path) {
  try {
    const std::string text = load_text(path);
    const auto lines = split_lines(text);
    return lines.empty() ? std::string() : std::string(trim(lines.front()));
  } catch (const Error&) {
    return {};  // not there on this kernel: the fact is left out
  }
}

std::string cpu_model() {
  std::string text;
  try {
    text = load_text("/proc/cpuinfo");
  } catch (const Error&) {
    return {};
  }
  for (const std::string_view line : split_lines(text))
    if (line.starts_with("model name")) return std::string(trim(line.substr(line.find(':') + 1)));
  return {};
}

}  // namespace

StubTiming::StubTiming(std::span<const TimerArgs> statements, StubTimingOptions options)
    : options_(std::move(options)),
      statements_(statements.begin(), statements.end()),
      cache_(options_.cache_dir.empty() ? default_cache_dir(options_.environment) : options_.cache_dir),
      programs_(statements.size()),
      failures_(statements.size()) {
  build();
}

StubTiming::~StubTiming() = default;

void StubTiming::lower() {
  for (size_t i = 0; i < statements_.size(); ++i) {
    try {
      const Language language = statements_[i].language;
      statements_[i] = make_cpp_statement(statements_[i]);
      statements_[i].language = language;
    } catch (const Error& error) {
      failures_[i] = TimingFailure{"compile-error", error.what(), {}};
    }
  }
}

void StubTiming::build() {
  lower();
  if (options_.torch_as_needed) needs_.decide(statements_, options_.toolchain, options_.environment);
  std::vector<size_t> members(statements_.size());
  std::iota(members.begin(), members.end(), size_t{0});
  build_members(members);
  const std::vector<size_t> again = needs_.take_second_builds();
  for (const size_t member : again) {
    statements_[member].torch = true;
    failures_[member].reset();
  }
  if (!again.empty()) build_members(again);
}

/// `members` in rising order.
void StubTiming::build_members(const std::vector<size_t>& members) {
  const auto is_left_out = [&](size_t member) {
    return failures_[member] || !std::binary_search(members.begin(), members.end(), member);
  };
  for (StubPlan& plan : plan_stubs(statements_)) {
    for (auto& unit : plan.units) std::erase_if(unit, is_left_out);
    std::erase_if(plan.units, [](const auto& unit) { return unit.empty(); });
    if (plan.units.empty()) continue;
    const bool python = statements_[plan.units[0][0]].language == Language::kPython;
    python ? build_python(plan) : build_cpp(plan);
  }
}

void StubTiming::build_cpp(const StubPlan& plan) {
  BuildOptions build;
  build.on_progress = options_.on_progress;
  build.cancelled = options_.cancelled;
  const Toolchain toolchain = find_toolchain(options_.toolchain, plan.torch, options_.environment, needs_.found());
  if (options_.on_progress) options_.on_progress("compiling");
  const BuildOutcome built = build_stub(statements_, plan, toolchain, cache_, build);
  for (const BuildFailure& failure : built.failures) {
    const std::string missing = needs_.explain_failure(failure.statement, failure.details);
    needs_.wants_second_build(failure.statement, failure.details);
    failures_[failure.statement] =
        TimingFailure{"compile-error", missing.empty() ? failure.error : missing, failure.details};
  }
  for (const size_t statement : built.statements)
    programs_[statement] = Program{{}, {built.executable.string()}, static_cast<int64_t>(statement), toolchain};
}

void StubTiming::build_python(const StubPlan& plan) {
  std::vector<size_t> members;
  for (const auto& unit : plan.units) members.insert(members.end(), unit.begin(), unit.end());
  const bool any_torch =
      std::any_of(members.begin(), members.end(), [&](size_t member) { return wants_torch(statements_[member]); });
  const std::vector<std::string> path = python_path(options_.toolchain, options_.environment);
  const PythonInterpreter python =
      probe_python(choose_python(options_.toolchain.python, options_.environment), any_torch, path, &cache_);
  const Compiler compiler = probe_compiler(options_.toolchain, options_.environment);
  const TorchSplit split = split_by_torch(statements_, members, python);
  for (const size_t member : split.refused)
    failures_[member] = TimingFailure{"compile-error", describe_missing_torch(python), {}};
  for (const bool torch : {false, true}) {
    const std::vector<size_t>& group = torch ? split.with : split.without;
    if (group.empty()) continue;
    const PythonStubOptions stub_options{
        .torch = torch, .path = path, .here = std::filesystem::current_path().string()};
    PythonStub stub = make_python_stub(statements_, group, python, compiler, cache_, stub_options);
    for (const BuildFailure& failure : stub.failures)
      failures_[failure.statement] = TimingFailure{"compile-error", failure.error, failure.details};
    for (const size_t statement : stub.statements)
      programs_[statement] = Program{stub.prefix, stub.program, static_cast<int64_t>(statement), std::nullopt};
    keep_.push_back(std::make_shared<PythonStub>(std::move(stub)));
  }
}

const TimingFailure* StubTiming::failure(size_t statement) const {
  return failures_[statement] ? &*failures_[statement] : nullptr;
}

std::string StubTiming::build_of(size_t statement) const {
  const auto& program = programs_[statement];
  Fingerprint facts;
  if (program && program->toolchain) add_build(*program->toolchain, facts);
  return describe_build(facts);
}

std::unique_ptr<TimeSource> StubTiming::open(size_t statement) const {
  const auto& program = programs_[statement];
  if (!program)
    throw Error(ErrorKind::kTool, failures_[statement] ? failures_[statement]->error : "the statement was not built");
  ScratchDir folder;
  StubServerSpec spec = server_of(*program, folder.path());
  auto source = std::make_unique<StubTimeSource>(std::move(folder), std::move(spec), options_);
  source->begin(program->benchmark, statements_[statement].num_threads, program->toolchain.value_or(Toolchain{}));
  return source;
}

StubServerSpec StubTiming::server_of(const Program& program, const std::filesystem::path& folder) const {
  StubServerSpec spec;
  spec.launcher = program.prefix;
  if (options_.pin_core) {
    const std::vector<std::string> taskset = {"taskset", "--cpu-list", std::to_string(*options_.pin_core)};
    spec.launcher.insert(spec.launcher.end(), taskset.begin(), taskset.end());
  }
  spec.program = program.command;
  spec.surroundings.environment = options_.environment;
  spec.log = folder / "log";
  const TimerArgs& args = statements_[static_cast<size_t>(program.benchmark)];
  spec.runs_global_setup = args.language != Language::kPython && acts_before_main(args.global_setup);
  spec.cancelled = options_.cancelled;
  return spec;
}

std::string StubTiming::probe_device(size_t statement) const {
  const auto& program = programs_[statement];
  if (!program) return {};
  const ScratchDir folder;
  try {
    StubClient client(server_of(*program, folder.path()));
    StubJob job;
    job.benchmark = program->benchmark;
    job.warmup = 0;
    job.threads = statements_[statement].num_threads;
    job.limit_seconds = options_.block_limit.count();
    client.submit(job);
    return client.wait_ended(Seconds(0)).device;
  } catch (const StubServerLost&) {
    return {};
  }
}

Json probe_timing_surroundings(std::optional<int> pin_core) {
  Json facts = Json::object();
  if (pin_core) facts["core"] = *pin_core;
  const int core = pin_core.value_or(0);
  const std::string governor =
      first_line_of(fmt::format("/sys/devices/system/cpu/cpu{}/cpufreq/scaling_governor", core));
  if (!governor.empty()) facts["governor"] = governor;
  const std::string load = first_line_of("/proc/loadavg");
  if (!load.empty()) facts["load"] = std::string(split(load, ' ').front());
  facts["cpus"] = static_cast<int64_t>(::sysconf(_SC_NPROCESSORS_ONLN));
  const std::string model = cpu_model();
  if (!model.empty()) facts["cpu_model"] = model;
  return facts;
}

int64_t probe_cold_bytes() {
  constexpr int64_t kUnknown = int64_t{64} << 20;
  // Virtual machines report the whole socket's cache, of which a core sees a part; more than this only costs time.
  constexpr int64_t kMost = int64_t{128} << 20;
  const int64_t last_level = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
  return last_level > 0 ? std::min(2 * last_level, kMost) : kUnknown;
}

}  // namespace icount
