#include "icount/suite/shards.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <tuple>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/parallel.h"
#include "icount/base/process.h"
#include "icount/base/text.h"
#include "icount/harness/reuse.h"
#include "icount/suite/suite_record.h"

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

namespace {

std::string suite_of(const ShardFile& shard) {
  const std::string* suite = shard.file.fingerprint.find(kSuiteFact);
  if (!suite) throw Error(ErrorKind::kUsage, fmt::format("{}: not a result of `icount suite run`", shard.name));
  return *suite;
}

/// What the run as a whole was to measure. A file of a run without --shard says so by its results alone.
std::vector<PlannedBenchmark> plan_of(const ShardFile& shard) {
  if (shard.file.shard) return shard.file.shard->plan;
  std::map<int64_t, std::string> found;
  for (const Result& result : shard.file.results)
    found.emplace(parse_record(result.extra).position, result_key(result));
  std::vector<PlannedBenchmark> plan;
  for (auto& [position, name] : found) plan.push_back({position, name});
  return plan;
}

void check_same_run(const ShardFile& first, const ShardFile& other) {
  if (suite_of(first) != suite_of(other))
    throw Error(ErrorKind::kCannotJudge, fmt::format("shards of different suites: {} is of \"{}\", {} of \"{}\"",
                                                     first.name, suite_of(first), other.name, suite_of(other)));
  const auto one = plan_of(first), two = plan_of(other);
  if (one == two) return;
  std::string differs;
  for (size_t i = 0; i < std::max(one.size(), two.size()) && differs.empty(); ++i) {
    if (i < one.size() && i < two.size() && one[i] == two[i]) continue;
    differs = i < one.size() ? one[i].name : two[i].name;
  }
  throw Error(
      ErrorKind::kCannotJudge,
      fmt::format("shards of different runs of the suite: {} was to measure {} benchmarks in all shards together, {} "
                  "was to measure {}; the first that differs is \"{}\" (were --filter and --language the same?)",
                  first.name, one.size(), other.name, two.size(), differs));
}

/// Conditions of the files that have counts in one language with one number of threads: those of the first such result.
class Conditions {
 public:
  void check(const ShardFile& shard) {
    std::set<Kind> seen;
    for (const Result& result : shard.file.results) {
      const Kind kind{result.task.language, result.task.num_threads, !result.task.program.empty()};
      if (!result.ok() || !seen.insert(kind).second) continue;
      const Fingerprint facts = run_facts(result, full_fingerprint(shard.file, result));
      const auto [at, is_new] = first_.emplace(kind, std::pair(shard.name, facts));
      if (!is_new) compare(at->second.first, at->second.second, shard.name, facts);
    }
  }

 private:
  using Kind = std::tuple<std::string, int, bool>;

  static void compare(const std::string& one, const Fingerprint& base, const std::string& two,
                      const Fingerprint& head) {
    const Comparability answer = comparable(base, head);
    std::vector<std::string> why = answer.refusals;
    why.insert(why.end(), answer.differences.begin(), answer.differences.end());
    if (!why.empty())
      throw Error(ErrorKind::kCannotJudge, fmt::format("{} and {} were measured under different conditions: {}", one,
                                                       two, fmt::join(why, "; ")));
  }

  std::map<Kind, std::pair<std::string, Fingerprint>> first_;
};

/// The results of all files by name, each once.
class Joined {
 public:
  void add(const std::string& file, Result result) {
    const std::string key = result_key(result);
    const auto found = at_.find(key);
    if (found == at_.end()) {
      at_.emplace(key, results_.size());
      results_.push_back(std::move(result));
      files_.push_back(file);
      return;
    }
    Result& known = results_[found->second];
    if (known.ok() && result.ok() && (known.counts != result.counts || known.event != result.event))
      throw Error(
          ErrorKind::kCannotJudge,
          fmt::format("\"{}\" was measured twice with different counts: {} in {}, {} in {}", key,
                      fmt::join(known.counts, ", "), files_[found->second], fmt::join(result.counts, ", "), file));
    if (!known.ok() && result.ok()) {
      known = std::move(result);
      files_[found->second] = file;
    }
    ++doubles_[file];
  }

  std::vector<Result> take() { return std::move(results_); }
  const std::map<std::string, size_t>& doubles() const { return doubles_; }

 private:
  std::map<std::string, size_t> at_;
  std::vector<Result> results_;
  std::vector<std::string> files_;
  std::map<std::string, size_t> doubles_;
};

/// The command line of the run as one: without the shard, with the merged file as --out.
std::string command_of_whole(const std::string& command, const std::string& out) {
  std::vector<std::string> words;
  const std::vector<std::string> given = split_command(command);
  for (size_t i = 0; i < given.size(); ++i) {
    const std::string& word = given[i];
    if (word.starts_with("--shard=") || word.starts_with("--balance=") || word == "--resume") continue;
    const bool drops = word == "--shard" || word == "--balance";
    const bool is_out = word == "--out" || word == "-o";
    if (word.starts_with("--out=")) {
      words.push_back("--out=" + out);
    } else if (drops || is_out) {
      ++i;
      if (is_out) words.insert(words.end(), {word, out});
    } else {
      words.push_back(word);
    }
  }
  return shell_quote(words);
}

/// What the results of a file were made from.
ReuseRecord sources_of(const ResultFile& file) {
  std::string lines;
  for (const Result& result : file.results)
    for (const std::string& line : parse_record(result.extra).code.files) lines += line + "\n";
  return ReuseRecord::parse(lines);
}

}  // namespace

MergedShards merge_shards(std::vector<ShardFile> files, const std::string& out) {
  if (files.empty()) throw Error(ErrorKind::kUsage, "no files to merge");
  Conditions conditions;
  Joined joined;
  const std::vector<PlannedBenchmark> plan = plan_of(files[0]);
  MergedShards merged;
  std::vector<ReuseRecord> sources;
  for (ShardFile& shard : files) {
    check_same_run(files[0], shard);
    conditions.check(shard);
    sources.push_back(sources_of(shard.file));
    for (size_t i = 0; i + 1 < sources.size(); ++i)
      if (const std::string path = sources[i].find_other_content(sources.back()); !path.empty())
        merged.notes.push_back(
            fmt::format("{} and {} were made from different contents of {}: measure one of them again", files[i].name,
                        shard.name, path));
    for (const Result& result : shard.file.results) joined.add(shard.name, result);
  }
  for (const auto& [file, count] : joined.doubles())
    merged.notes.push_back(
        fmt::format("{}: {} of its results are in another file, too, with the same counts; taken once", file, count));
  merged.file.command = command_of_whole(files[0].file.command, out);
  merged.file.planned = static_cast<int64_t>(plan.size());
  merged.file.fingerprint = files[0].file.fingerprint;
  merged.file.results = joined.take();
  sort_by_position(merged.file.results);
  std::set<int64_t> there;
  for (const Result& result : merged.file.results) there.insert(parse_record(result.extra).position);
  for (const PlannedBenchmark& planned : plan)
    if (!there.contains(planned.position)) merged.missing.push_back(planned.name);
  if (!merged.missing.empty()) merged.file.shard = ShardOf{1, 1, plan};  // to be merged again with what is missing
  return merged;
}

}  // namespace icount
