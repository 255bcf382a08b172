#include "icount/suite/fuzz_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/fuzzer/setup_source.h"
#include "icount/harness/build.h"
#include "icount/timer/autorange.h"
#include "icount/timer/steady_timing.h"
#include "icount/timer/stub_timing.h"

namespace icount {
std::optional<std::string> check_compiles(std::span<const TimerArgs> statements, const CollectOptions& options) {
  if (statements.empty() || statements.front().language == Language::kPython) return std::nullopt;
  std::vector<TimerArgs> compiled;
  for (const TimerArgs& statement : statements) compiled.push_back(make_cpp_statement(statement));
  BuildCache cache(options.cache_dir.empty() ? default_cache_dir(options.environment) : options.cache_dir);
  BuildOptions build;
  build.jobs = options.jobs;
  build.cancelled = options.cancelled;
  for (const StubPlan& plan : plan_stubs(compiled)) {
    const Toolchain toolchain = find_toolchain(options.toolchain, plan.torch, options.environment);
    const BuildOutcome built = build_stub(compiled, plan, toolchain, cache, build);
    if (!built.failures.empty()) return built.failures.front().error + "\n" + built.failures.front().details;
  }
  return std::nullopt;
}

namespace {

void time_one(const StubTiming& timing, double min_run_time, CollectResult& result) {
  if (const TimingFailure* failure = timing.failure(result.index)) {
    result.status = CollectStatus::kCompileError;
    result.error = failure->error;
    result.details = failure->details;
    return;
  }
  try {
    const auto source = timing.open(result.index);
    const BlockSizeSearch search = search_block_size(*source, min_run_time);
    if (const auto removed = probe_removed(*source, search)) {
      result.status = CollectStatus::kDead;
      result.error = *removed + "; use its result, as in icount::keep(y)";
      return;
    }
    const Measurement measured = blocked_autorange(*source, {}, {.callback = {}, .min_run_time = min_run_time}, search);
    result.per_run = measured.median();
    result.number_per_run = measured.number_per_run();
    result.status = CollectStatus::kDone;
  } catch (const Error& error) {
    result.status = CollectStatus::kThrew;
    result.error = error.what();
  }
}

}  // namespace

std::vector<CollectResult> collect_wall_time(std::span<const TimerArgs> statements, const CollectOptions& options,
                                             double min_run_time, bool on_device) {
  StubTimingOptions timing_options;
  timing_options.toolchain = options.toolchain;
  timing_options.environment = options.environment;
  timing_options.cache_dir = options.cache_dir;
  timing_options.block_limit = options.time_limit;
  timing_options.cancelled = options.cancelled;
  timing_options.on_device = on_device;
  timing_options.on_progress = [&](const std::string& text) {
    if (options.on_progress) options.on_progress({CollectProgress::Stage::kCompile, text, 0, statements.size()});
  };
  const StubTiming timing(statements, timing_options);
  std::vector<CollectResult> results(statements.size());
  for (size_t i = 0; i < results.size(); ++i) {
    results[i].index = i;
    if (options.cancelled && options.cancelled()) {
      results[i].status = CollectStatus::kCancelled;
      continue;
    }
    time_one(timing, min_run_time, results[i]);
    if (options.on_result) options.on_result(results[i]);
  }
  return results;
}

namespace {

/// The elements that a cost is put beside: of all tensors; in compatible mode of the first one, as PyTorch's examples
/// count them.
int64_t counted_elements(const Sample& sample) {
  const bool of_first = sample.mode == FuzzMode::kCompatible && !sample.tensors.empty();
  return of_first ? tensor_numel(sample.tensors.front()) : sample_numel(sample);
}

std::string dense_text(const DenseTensor& tensor) {
  std::string text = fmt::format("{} {} {}", tensor.name, size_text(tensor.size), to_text(tensor.dtype));
  if (std::any_of(tensor.steps.begin(), tensor.steps.end(), [](int64_t step) { return step != 1; }))
    text += fmt::format(", steps {}", fmt::join(tensor.steps, " "));
  if (tensor.is_permuted) text += fmt::format(", order {}", fmt::join(tensor.order, " "));
  return text;
}

std::string sparse_text(const SparseTensor& tensor) {
  return fmt::format("{} {} {}, {} sparse, nnz {}{}", tensor.name, size_text(tensor.size), to_text(tensor.dtype),
                     tensor.sparse_dim, tensor.nnz, tensor.is_coalesced ? "" : ", not coalesced");
}

// "torch::add(x, y)" is a statement but for its semicolon.
std::string finished_cpp(const std::string& stmt) {
  const std::string_view text = trim(stmt);
  const bool finished = text.ends_with(';') || text.ends_with('}');
  return finished ? stmt : std::string(text) + ";";
}

bool is_final(const FuzzCost& cost) {
  return cost.per_run || (!cost.status.empty() && cost.status != "server-lost" && cost.status != "cancelled");
}

bool is_final(const FuzzPoint& point, bool two_statements) {
  return is_final(point.cost) && (!two_statements || (point.against && is_final(*point.against)));
}

FuzzCost cost_of(const CollectResult& result) {
  FuzzCost cost;
  cost.status = std::string(to_text(result.status));
  cost.error = result.error;
  if (result.status == CollectStatus::kDone) cost.per_run = result.slope ? result.slope->per_run : result.per_run;
  return cost;
}

class FuzzRun {
 public:
  explicit FuzzRun(const FuzzRunOptions& options) : options_(options), two_(!options.against.empty()) {
    result_.stmt = options.stmt;
    result_.against = options.against;
    result_.num_threads = options.num_threads;
    result_.setup = options.setup;
    result_.global_setup = options.global_setup;
    result_.source = options.source;
    result_.circumstances = options.circumstances;
    result_.seed = options.seed;
    result_.unit = options.unit;
    result_.number = options.collect.number;
  }

  FuzzResult run(const CollectFunction& collect, const CompileCheck& compiles) {
    draw();
    for (size_t p = 0; p < points_.size(); ++p)
      if (is_final(points_[p], two_)) ++done_;
    if (!statements_.empty()) {
      check_statements(compiles);
      measure(collect);
    }
    publish();
    return std::move(result_);
  }

 private:
  // What each statement of the batch is for.
  struct Slot {
    size_t point;
    bool second;
  };

  void draw() {
    Fuzzer fuzzer(options_.spec, options_.seed);
    const SetupLanguage language =
        options_.language == Language::kPython ? SetupLanguage::kPython : SetupLanguage::kCpp;
    TorchPosition position;
    for (const Sample& sample : fuzzer.take(options_.samples)) {
      check_fits(sample, options_.memory_limit_bytes);
      add_point(sample, make_setup(sample, position, language));
      advance(position, sample);
    }
    result_.rejection_rate = fuzzer.rejection_rate();
  }

  void add_point(const Sample& sample, const std::string& setup) {
    const auto known = std::find_if(options_.known.begin(), options_.known.end(),
                                    [&](const FuzzPoint& point) { return point.sample == sample.index; });
    if (known != options_.known.end() && is_final(*known, two_)) {
      points_.push_back(*known);
      return;
    }
    FuzzPoint point;
    point.sample = sample.index;
    point.elements = counted_elements(sample);
    point.shape = shape_text(sample);
    point.params = sample_json(sample)["params"];
    if (two_) point.against.emplace();
    const std::string whole = options_.setup.empty() ? setup : setup + options_.setup + "\n";
    add_statement(options_.stmt, whole, false);
    if (two_) add_statement(options_.against, whole, true);
    points_.push_back(std::move(point));
  }

  void add_statement(const std::string& stmt, const std::string& setup, bool second) {
    TimerArgs args;
    args.stmt = options_.language == Language::kCpp ? finished_cpp(stmt) : stmt;
    args.setup = setup;
    args.global_setup = options_.global_setup;
    args.language = options_.language;
    args.num_threads = options_.num_threads;
    args.label = {fmt::format("sample {}", points_.size()), second ? "against" : "stmt"};
    statements_.push_back(std::move(args));
    slots_.push_back({points_.size(), second});
  }

  // The first sample's statements stand for all: a misspelt one would fail once per sample, each with its
  // compiler run.
  void check_statements(const CompileCheck& compiles) {
    CollectOptions options = options_.collect;
    options.cancelled = options_.cancelled;
    say("compiling the statement");
    const size_t count = std::min<size_t>(statements_.size(), two_ ? 2 : 1);
    if (const auto error = compiles(std::span(statements_).first(count), options))
      throw Error(ErrorKind::kUsage, fmt::format("the statement does not compile: {}", *error));
  }

  void measure(const CollectFunction& collect) {
    CollectOptions options = options_.collect;
    options.cancelled = options_.cancelled;
    options.on_result = [this](const CollectResult& result) { take(result); };
    options.on_progress = [this](const CollectProgress& progress) { say(progress.text); };
    collect(statements_, options);
  }

  void take(const CollectResult& result) {
    const Slot& slot = slots_.at(result.index);
    FuzzPoint& point = points_[slot.point];
    (slot.second ? *point.against : point.cost) = cost_of(result);
    if (!is_final(point, two_)) return;
    ++done_;
    if (!point.cost.per_run || (two_ && !point.against->per_run)) ++failed_;
    latest_ = fmt::format("sample {}: {}", point.sample, point.shape);
    say({});
    publish();
    if (options_.on_point) options_.on_point(result_);
  }

  void say(const std::string& stage) const {
    if (options_.on_progress) options_.on_progress({done_, points_.size(), failed_, latest_, stage});
  }

  // Only what is complete: a point with one of two costs would be compared with nothing.
  void publish() {
    result_.points.clear();
    for (const FuzzPoint& point : points_)
      if (is_final(point, two_)) result_.points.push_back(point);
  }

  const FuzzRunOptions& options_;
  bool two_;
  std::vector<FuzzPoint> points_;
  std::vector<TimerArgs> statements_;
  std::vector<Slot> slots_;
  size_t done_ = 0, failed_ = 0;
  std::string latest_;
  FuzzResult result_;
};

}  // namespace

std::string shape_text(const Sample& sample) {
  std::string text;
  for (const SampleTensor& tensor : sample.tensors) {
    if (!text.empty()) text += "; ";
    const auto* dense = std::get_if<DenseTensor>(&tensor);
    text += dense ? dense_text(*dense) : sparse_text(std::get<SparseTensor>(tensor));
  }
  return text;
}

FuzzResult run_fuzz(const FuzzRunOptions& options, const CollectFunction& collect, const CompileCheck& compiles) {
  if (options.samples < 1) throw Error(ErrorKind::kUsage, "a fuzzer run needs at least one sample");
  return FuzzRun(options).run(collect, compiles);
}

}  // namespace icount
