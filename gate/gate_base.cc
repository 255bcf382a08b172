#include "icount/gate/gate_base.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "icount/base/error.h"
#include "icount/gate/gate_files.h"
#include "icount/gate/git_worktree.h"
#include "icount/inputs/git_commit.h"
#include "icount/store/history.h"
#include "icount/store/postgresql_url.h"
#include "icount/store/result_file.h"

namespace icount {
namespace {

BaseSide load_saved(const std::string& path, CommandContext& context) {
  MeasuredFile measured = load_measured(path);
  for (const std::string& warning : measured.warnings) context.warn(warning);
  return {.name = path,
          .file = std::move(measured.file),
          .is_profile = measured.is_profile,
          .small_collection = std::move(measured.small_collection)};
}

std::string commit_of(const RunInfo& run) {
  const std::string commit =
      run.tag.commit.hash.empty() ? fmt::format("run {}", run.id) : run.tag.commit.hash.substr(0, 10);
  return commit + (run.tag.branch.empty() ? "" : " of " + run.tag.branch);
}

/// The newest run of the commit that is checked out here, else of its nearest measured ancestor. Where none is known,
/// the newest of all, which is said.
std::optional<RunInfo> find_run_before(History& history, CommandContext& context) {
  std::vector<RunInfo> runs = history.runs();
  if (runs.empty()) return std::nullopt;
  const RunInfo newest = runs.back();
  const std::filesystem::path here = std::filesystem::current_path();
  const std::optional<CommitInfo> head = probe_commit("HEAD", here);
  if (head) {
    const auto newest_of = [&](const std::string& commit) {
      return std::find_if(runs.rbegin(), runs.rend(),
                          [&](const RunInfo& run) { return run.tag.commit.hash == commit; });
    };
    auto found = newest_of(head->hash);
    if (found == runs.rend()) {
      std::vector<RunInfo> with_head = runs;
      with_head.push_back({.tag = {.commit = *head}});
      const auto before = load_ancestry(with_head, here).nearest(head->hash, [&](const std::string& commit) {
        return newest_of(commit) != runs.rend();
      });
      if (before.kind == Ancestry::Predecessor::Kind::kFound) found = newest_of(before.commit);
    }
    if (found != runs.rend()) return *found;
  }
  if (!newest.tag.commit.hash.empty())
    context.warn(fmt::format("{}: {}, so its newest run is the base, {}; STORE:BRANCH names another",
                             history.url().text,
                             head ? "no stored run is of an ancestor of the commit checked out here"
                                  : "the current folder is in no git repository with a commit",
                             commit_of(newest)));
  return newest;
}

/// The newest run with that name, else of that branch, else of that commit.
std::optional<RunInfo> find_run(History& history, const std::string& name, RunFilter& filter) {
  for (const RunFilter& wanted : {RunFilter{.name = name}, RunFilter{.branch = name}, RunFilter{.commit = name}}) {
    if (std::optional<RunInfo> run = history.newest_run(wanted)) {
      if (wanted.commit.empty()) filter = wanted;  // a commit's own runs are no history
      return run;
    }
  }
  return std::nullopt;
}

/// Which of a history's fingerprints can be compared; each pair is asked once.
class Alikeness {
 public:
  explicit Alikeness(History& history) : history_(history) {}
  bool operator()(int64_t one, int64_t other) {
    if (one == other) return true;
    const auto [found, fresh] = known_.try_emplace({one, other}, false);
    if (fresh) found->second = comparable(history_.fingerprint(one), history_.fingerprint(other)).comparable();
    return found->second;
  }

 private:
  History& history_;
  std::map<std::pair<int64_t, int64_t>, bool> known_;
};

/// The runs that `run` comes from, and it: those of its commit and of the commit's ancestors. Where they are not all
/// known, those of its branch too, if that has a name.
std::set<int64_t> runs_of_line(const std::vector<RunInfo>& runs, const RunInfo& run) {
  const std::string& commit = run.tag.commit.hash;
  const Ancestry ancestry = load_ancestry(runs, std::filesystem::current_path());
  const Ancestry::Line line = ancestry.line_of(commit);
  std::set<int64_t> found;
  for (const RunInfo& other : runs) {
    const bool known = commit.empty() ? other.tag.commit.hash.empty() : line.commits.contains(other.tag.commit.hash);
    const bool same_branch = !line.whole && !run.tag.branch.empty() && other.tag.branch == run.tag.branch;
    if (known || same_branch) found.insert(other.id);
  }
  return found;
}

/// Values of the `line` up to and including those of `run`, of the runs that were measured as the last of them was.
std::vector<int64_t> totals_until(const BenchmarkSeries& series, int64_t run, const std::set<int64_t>& line,
                                  Alikeness& alike) {
  std::vector<HistoryPoint> points;
  for (const HistoryPoint& point : series.points) {
    if (point.median_count && point.status == "done" && line.contains(point.run)) points.push_back(point);
    if (point.run == run) break;
  }
  std::vector<int64_t> totals;
  for (const HistoryPoint& point : points)
    if (alike(point.fingerprint, points.back().fingerprint) && point.number_per_run == points.back().number_per_run)
      totals.push_back(*point.median_count);
  return totals;
}

BaseSide load_stored(const std::string& against, CommandContext& context) {
  const auto [store, name] = split_store_name(against);
  History history(
      find_store(store, context.environment.get("ICOUNT_STORE").value_or(""), std::filesystem::current_path()),
      OpenMode::kRead);
  RunFilter filter;
  const std::optional<RunInfo> run = name.empty() ? find_run_before(history, context) : find_run(history, name, filter);
  if (!run)
    throw Error(ErrorKind::kCannotJudge,
                fmt::format("{}: {}", history.url().text,
                            name.empty() ? std::string("holds no run")
                                         : fmt::format("no run has the name, branch or commit '{}'", name)));
  BaseSide side{.name = fmt::format("{} ({})", name.empty() ? history.url().text : name, commit_of(*run)),
                .file = history.load(run->id),
                .commit = run->tag.commit.hash};
  side.history.emplace();
  Alikeness alike(history);
  const std::set<int64_t> line = runs_of_line(history.runs(filter), *run);
  for (const BenchmarkSeries& series : history.all_series(filter))
    (*side.history)[series.key] = totals_until(series, run->id, line, alike);
  return side;
}

}  // namespace

std::pair<std::string, std::string> split_store_name(const std::string& against) {
  const size_t colon = against.rfind(':');
  if (colon == std::string::npos || against.find('/', colon) != std::string::npos) return {against, {}};
  // A URL's login and port are no names: one stands behind the database, and holds no @.
  if (is_postgresql_url(against) &&
      (against.find('/', against.find("://") + 3) > colon || against.find('@', colon) != std::string::npos))
    return {against, {}};
  // "sqlite:history" is a store and no name.
  if (against.substr(0, colon) == "sqlite" || against.substr(0, colon) == "postgresql") return {against, {}};
  return {against.substr(0, colon), against.substr(colon + 1)};
}

BaseSide load_kept_base(const BaseOptions& options, CommandContext& context) {
  return options.baseline.empty() ? load_stored(options.against, context) : load_saved(options.baseline, context);
}

void check_reference(const BaseOptions& options, const std::string& suite) {
  if (!options.suite_from.empty()) check_suite_from(suite, options.suite_from);
  in_context("--base-ref " + options.reference, [&] {
    return resolve_commit(suite.empty() ? std::filesystem::path(".") : folder_of(suite), options.reference);
  });
}

BaseSide measure_reference(const GitWorktree& tree, const BaseOptions& options, const std::string& suite,
                           const MeasureSuite& measure, CommandContext& context) {
  const std::string commit = resolve_commit(tree.path(), "HEAD");
  if (!options.suite_from.empty()) CarriedSuite(tree, suite, options.suite_from).checkout(tree, commit);
  BaseResult measured = measure_in_worktree(tree, {options.reference, options.build, suite, measure}, context);
  return {.name = std::move(measured.name), .file = std::move(measured.file), .absent = std::move(measured.absent)};
}

}  // namespace icount
