#include "icount/gate/past_moves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "icount/base/error.h"
#include "icount/gate/commit_sources.h"
#include "icount/inputs/compare_files.h"
#include "icount/inputs/git_commit.h"
#include "icount/inputs/open_store.h"
#include "icount/stats/fingerprint.h"

namespace icount {
namespace {

constexpr size_t kMostJudged = 5;  // each explains a change

}  // namespace

struct PastMoves::Step {
  int64_t base_run = 0, head_run = 0;
  std::string base, head;  ///< commits
  int64_t before = 0, delta = 0;
};

PastMoves::PastMoves(std::string store, std::filesystem::path inside, std::string now, const CommandContext& context)
    : store_(std::move(store)), inside_(std::move(inside)), now_(std::move(now)), context_(context) {}
PastMoves::~PastMoves() = default;

void PastMoves::open() {
  if (std::exchange(is_opened_, true)) return;
  try {
    history_.emplace(chosen_store(store_, context_), OpenMode::kRead);
    runs_ = history_->runs();
    ancestry_ = load_ancestry(runs_, inside_);
  } catch (const Error& error) {
    history_.reset();
    if (is_asked_for())
      context_.warn(fmt::format("what earlier commits did to the count is not known: {}", error.what()));
  }
}

bool PastMoves::is_asked_for() const { return !store_.empty() || context_.environment.get("ICOUNT_STORE"); }

/// Those that changed the count, measured alike, the largest first.
std::vector<PastMoves::Step> PastMoves::steps(const std::string& key) {
  const auto known = probe_commit(now_, inside_);
  const std::string now = known ? known->hash : std::string();
  std::map<int64_t, std::string> commit_of;
  for (const RunInfo& run : runs_)
    if (const std::string& commit = run.tag.commit.hash; !commit.empty() && commit != now)
      commit_of.emplace(run.id, commit);
  std::map<std::string, HistoryPoint> points;
  std::vector<std::string> order;
  for (const HistoryPoint& point : history_->series(key).points)
    if (const auto commit = commit_of.find(point.run); commit != commit_of.end() && point.median_count)
      if (points.insert_or_assign(commit->second, point).second) order.push_back(commit->second);
  std::vector<Step> steps;
  for (const std::string& commit : order) {
    const auto before = ancestry_.nearest(commit, [&](const std::string& one) { return points.contains(one); });
    if (before.kind != Ancestry::Predecessor::Kind::kFound) continue;
    const HistoryPoint &base = points.at(before.commit), &head = points.at(commit);
    if (*base.median_count == *head.median_count || base.number_per_run != head.number_per_run) continue;
    steps.push_back(
        {base.run, head.run, before.commit, commit, *base.median_count, *head.median_count - *base.median_count});
  }
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Step& a, const Step& b) { return std::abs(a.delta) > std::abs(b.delta); });
  if (steps.size() > kMostJudged) steps.resize(kMostJudged);
  return steps;
}

const ResultFile& PastMoves::file_of(int64_t run) {
  const auto [at, fresh] = files_.try_emplace(run);
  if (fresh) at->second = history_->load(run);
  return at->second;
}

std::optional<PastMove> PastMoves::judge(const Step& step, const std::string& key) {
  try {
    auto [sources, fresh] = sources_.try_emplace({step.base, step.head});
    if (fresh) sources->second = load_commit_sources(inside_, step.base, step.head);
    const ResultFile &before = file_of(step.base_run), &now = file_of(step.head_run);
    const Result *base = find_result(before, key), *head = find_result(now, key);
    if (!sources->second || !base || !head) return std::nullopt;
    CompareResultsOptions comparing;
    comparing.commits = &*sources->second;
    comparing.explain.open_functions = false;
    const ComparedPair pair = compare_results({step.base, &before, base}, {step.head, &now, head}, comparing);
    if (!pair.heading.mine || !is_compilers_alone(*pair.heading.mine)) return std::nullopt;
    return PastMove{.commit = step.head, .base_count = step.before, .delta = step.delta};
  } catch (const Error&) {
    return std::nullopt;  // not measured alike, damaged, or of commits that the repository has no longer
  }
}

std::shared_ptr<const Mine> PastMoves::add_to(std::shared_ptr<const Mine> mine, const std::string& key) {
  if (!mine) return mine;
  const bool may_have_past = mine->delta != 0 && executes_none(*mine);
  if (may_have_past || is_asked_for()) open();
  if (!may_have_past || !history_) return mine;
  for (const Step& step : steps(key))
    if (const auto past = judge(step, key)) {
      Mine with_past = *mine;
      with_past.past = past;
      return std::make_shared<const Mine>(std::move(with_past));
    }
  return mine;
}

}  // namespace icount
