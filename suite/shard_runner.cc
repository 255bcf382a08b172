#include "icount/suite/shard_runner.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <thread>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/parallel.h"
#include "icount/base/process.h"
#include "icount/base/text.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr auto kPoll = std::chrono::milliseconds(500);
constexpr Seconds kMostSilence{300};  // of squeue, before it is taken to be gone

bool is_cancelled(const ShardRun& run) { return run.cancelled && run.cancelled(); }

fs::path log_of(const ShardRun& run, int index) { return run.folder / fmt::format("shard-{}.log", index); }

/// Runs to its end; what it printed goes to the shard's log. How it ended, for people; empty when well.
std::string run_logged(const ShardRun& run, int index, const std::vector<std::string>& argv) {
  const ProcessOutcome outcome = run_process({.argv = argv, .cancelled = run.cancelled});
  save_file(log_of(run, index), outcome.output + outcome.errors);
  return outcome.ok() ? std::string() : describe_end(outcome);
}

std::string replaced(std::string text, std::string_view what, const std::string& by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

std::string index_list(const std::vector<int>& indices) { return fmt::format("{}", fmt::join(indices, ",")); }

std::string submit(const ShardRun& run) {
  const ProcessOutcome outcome = run_process(
      {.argv = {"sbatch", "--parsable", "--requeue", "--job-name=icount", "--array=" + index_list(run.indices),
                "--output=" + (run.folder / "shard-%a.log").string(), run.script.string()}});
  std::string id(trim(outcome.output.substr(0, outcome.output.find(';'))));
  if (!outcome.ok() || id.empty())
    throw Error(ErrorKind::kTool,
                fmt::format("sbatch refused the jobs: {}: {}", describe_end(outcome), trim(outcome.errors)));
  return id;
}

/// Whether squeue still lists jobs of the array; nullopt when it does not answer. One that it has forgotten is not
/// listed.
std::optional<bool> probe_queued(const std::string& id) {
  const ProcessOutcome outcome =
      run_process({.argv = {"squeue", "-h", "-j", id, "-o", "%i"}, .time_limit = Seconds(60)});
  if (outcome.ok()) return !trim(outcome.output).empty();
  if (outcome.errors.find("Invalid job id") != std::string::npos) return false;
  return std::nullopt;
}

}  // namespace

std::string shard_script(const std::vector<std::string>& argv, const fs::path& where, const fs::path& folder,
                         int count) {
  const std::string out = shell_quote({(folder / "shard-").string()});
  return fmt::format(
      "#!/bin/sh\n# One shard of a suite; made by icount suite submit.\n"
      "cd {0} || exit 1\ni=${{1:-$SLURM_ARRAY_TASK_ID}}\n"
      "out={1}$i.icount\nearlier={1}$i.earlier\npart=$out.$(uname -n).$$.part\n"
      "if [ -f \"$earlier\" ]; then cp \"$earlier\" \"$part\" || exit 3; fi\n"
      "{2} --shard \"$i/{3}\" --out \"$part\" --resume\ncode=$?\n"
      "if [ -f \"$part\" ] && {{ [ $code = 0 ] || [ $code = 1 ]; }}; then mv -f \"$part\" \"$out\"; fi\n"
      "rm -f \"$part\"\nexit $code\n",
      shell_quote({where.string()}), out, shell_quote(argv), count);
}

void run_shards_here(const ShardRun& run) {
  for (const int index : run.indices) {
    if (is_cancelled(run)) return;
    run.say(fmt::format("shard {}/{}", index, run.count));
    const std::string end = run_logged(run, index, {"/bin/sh", run.script.string(), std::to_string(index)});
    if (!end.empty())
      run.say(fmt::format("shard {}/{}: {}; see {}", index, run.count, end, log_of(run, index).string()));
  }
}

void run_shards_on_slurm(const ShardRun& run) {
  const std::string id = submit(run);
  run.say(fmt::format("job {} with shards {} is in Slurm's queue", id, index_list(run.indices)));
  auto answered = std::chrono::steady_clock::now();
  for (;;) {
    if (is_cancelled(run)) {
      run_process({.argv = {"scancel", id}});
      return;
    }
    const std::optional<bool> queued = probe_queued(id);
    if (queued && !*queued) return;
    const auto now = std::chrono::steady_clock::now();
    if (queued) answered = now;
    if (Seconds(now - answered) > kMostSilence)
      throw Error(
          ErrorKind::kTool,
          fmt::format("squeue has not answered for {} s; the jobs of {} may still run. When they are done, the same "
                      "command joins their results",
                      kMostSilence.count(), id));
    std::this_thread::sleep_for(kPoll);
  }
}

void run_shards_by_template(const ShardRun& run, const std::string& command_template) {
  for (const char* needed : {"{script}", "{index}"})
    if (command_template.find(needed) == std::string::npos)
      throw Error(ErrorKind::kUsage,
                  fmt::format("--runner '{}': {} is missing; the form is 'ssh node{{index}} sh {{script}} "
                              "{{index}}'",
                              command_template, needed));
  std::vector<std::string> ends(run.indices.size());
  run_parallel(run.indices.size(), static_cast<int>(run.indices.size()), [&](size_t i) {
    const int index = run.indices[i];
    std::string command = replaced(command_template, "{script}", shell_quote({run.script.string()}));
    command = replaced(command, "{index}", std::to_string(index));
    command = replaced(command, "{count}", std::to_string(run.count));
    command = replaced(command, "{log}", shell_quote({log_of(run, index).string()}));
    try {
      ends[i] = run_logged(run, index, {"/bin/sh", "-c", command});
    } catch (const std::exception& error) {
      ends[i] = reason_of(error);
    }
  });
  for (size_t i = 0; i < ends.size(); ++i)
    if (!ends[i].empty())
      run.say(fmt::format("shard {}/{}: {}; see {}", run.indices[i], run.count, ends[i],
                          log_of(run, run.indices[i]).string()));
}

}  // namespace icount
