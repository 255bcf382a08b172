#include "icount/gate/mixture_count.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/error.h"
#include "icount/base/process.h"

namespace icount {

namespace {

constexpr double kLonger = 10, kLeastSeconds = 10;

}  // namespace

void MixtureCounter::learn(const MixtureProgram& side) {
  if (auto outcome = run(side, 0)) known_.push_back(std::move(*outcome));
}

double MixtureCounter::time_limit() const {
  if (time_limit_s_ > 0) return time_limit_s_;
  double slower = 0;
  for (const NativeRun& side : known_) slower = std::max(slower, side.seconds);
  return std::max(kLonger * slower, kLeastSeconds);
}

std::optional<MixtureCounter::NativeRun> MixtureCounter::run(const MixtureProgram& program, double limit) const {
  ProcessSpec spec;
  spec.argv = program.argv;
  if (const std::filesystem::path path = spec.argv[0]; path.is_relative() && path.has_parent_path())
    spec.argv[0] = (program.folder / path).string();
  spec.working_dir = program.folder;
  spec.time_limit = Seconds(limit);
  spec.disable_aslr = true;
  spec.cancelled = context_.cancelled;
  ProcessOutcome outcome = run_process(spec);
  if (outcome.end == ProcessOutcome::End::kCancelled) throw Error(ErrorKind::kTool, "interrupted");
  if (!outcome.ok()) return std::nullopt;
  return NativeRun{std::move(outcome.output), outcome.wall.count()};
}

std::optional<int64_t> MixtureCounter::count(const MixtureProgram& program, const std::string& what,
                                             const std::function<void()>& build, std::string& why_not) const {
  try {
    build();
    const auto outcome = run(program, time_limit());
    if (!outcome)
      why_not = fmt::format("{} fails, or runs longer than {:.0f} s", what, time_limit());
    else if (std::none_of(known_.begin(), known_.end(),
                          [&](const NativeRun& side) { return side.output == outcome->output; }))
      why_not = what + " prints what neither base nor head prints";
    else
      return count_(program);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kCannotJudge && error.kind() != ErrorKind::kTool) throw;
    if (context_.cancelled && context_.cancelled()) throw;
    why_not = what + " does not build";
  }
  return std::nullopt;
}

}  // namespace icount
