#include "icount/timer/statement_source.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/timer/collect_callgrind.h"
#include "icount/timer/timer.h"

namespace icount {
namespace {

[[noreturn]] void fail(const std::string& status, const std::string& error, const std::string& details) {
  throw Error(ErrorKind::kTool, fmt::format("{}: {}{}{}", status, error, details.empty() ? "" : "\n", details));
}

CallgrindStats make_stats(const CollectResult& result, const TaskSpec& spec, const CollectCallgrindOptions& options,
                          const std::filesystem::path& kept) {
  if (result.status != CollectStatus::kDone) fail(std::string(to_text(result.status)), result.error, result.details);
  CallgrindStats::Parts parts;
  parts.task_spec = spec;
  parts.number_per_run = result.number_per_run;
  parts.built_with_debug_symbols = true;  // the stub is; what LibTorch lacks shows as names without a file
  parts.stmt_inclusive = make_function_counts(result.graph, 0, true);
  parts.stmt_exclusive = make_function_counts(result.graph, 0, false);
  if (options.retain_out_file)
    parts.stmt_callgrind_out = load_text(kept / fmt::format("callgrind.out.{}", result.index));
  if (options.collect_baseline && !result.baseline_counts.empty()) {
    parts.baseline_inclusive = make_function_counts(result.baseline, 0, true);
    parts.baseline_exclusive = make_function_counts(result.baseline, 0, false);
  }
  return CallgrindStats(std::move(parts));
}

}  // namespace

void StatementSource::expect_another() {
  if (session_) session_->expect_another();
}

double StatementSource::run_block(int64_t number) {
  if (!built_) built_ = std::make_unique<StubTiming>(std::span(&args_, 1), options_);
  if (const TimingFailure* failure = built_->failure(0)) fail(failure->status, failure->error, failure->details);
  if (!session_) session_ = built_->open(0);
  try {
    return session_->run_block(number);
  } catch (...) {
    session_.reset();
    throw;
  }
}

std::vector<CallgrindStats> StatementSource::collect(const TaskSpec& spec,
                                                     const CollectCallgrindOptions& options) const {
  if (options.repeats < 1)
    throw Error(ErrorKind::kUsage,
                fmt::format("collect_callgrind with {} repeats: at least one is needed", options.repeats));
  const ScratchDir kept;
  CollectOptions collect;
  collect.number = options.number;
  if (options.retain_out_file) collect.keep_dir = kept.path();
  collect.slope = false;
  collect.toolchain = options_.toolchain;
  collect.environment = options_.environment;
  collect.cache_dir = options_.cache_dir;
  collect.cancelled = options_.cancelled;
  collect.server = options_.server.value_or(ServerUse{});
  if (!options_.server && session_use(options_.environment) != SessionUse::kOff) collect.server.use = SessionUse::kFind;
  // Tables are wanted of each repeat, and a batch keeps one graph for each statement: so each repeat is a statement.
  const std::vector<TimerArgs> copies(static_cast<size_t>(options.repeats), args_);
  std::vector<CallgrindStats> stats;
  for (const CollectResult& result : collect_callgrind(copies, collect))
    stats.push_back(make_stats(result, spec, options, kept.path()));
  return stats;
}

}  // namespace icount
