#include "icount/suite/merge_shards.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/harness/reuse.h"
#include "icount/suite/run_facts.h"
#include "icount/suite/suite_record.h"

namespace icount {
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
