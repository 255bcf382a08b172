// Whose fault a change is: every run is compared with that of its nearest measured ancestor, in a repository with two
// branches and a commit that was never measured.
#include "icount/cli/history_view.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/gate/gate_base.h"
#include "icount/inputs/git_commit.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

class HistoryViewTest : public testing::Test {
 protected:
  void SetUp() override {
    before_ = fs::current_path();
    git("init -q -b main . && git config user.email a@b.c && git config user.name a");
  }
  void TearDown() override { fs::current_path(before_); }

  void git(const std::string& words) const {
    ProcessSpec spec{.argv = {"/bin/sh", "-c", "git " + words}};
    spec.working_dir = dir_.path();
    const ProcessOutcome outcome = run_process(spec);
    ASSERT_TRUE(outcome.ok()) << words << outcome.errors;
  }

  /// A commit on top of what is checked out.
  void commit(const std::string& subject) const { git("commit -q --allow-empty -m " + subject); }

  /// A run of what is checked out.
  void measure(int64_t count, const std::string& branch) {
    ResultFile file;
    Result result;
    result.label = {"b"};
    result.number_per_run = 1;
    result.counts = {count, count};
    result.extra = R"({"key":"b","position":0,"unix_time":1})";
    file.results = {result};
    RunTag tag{.branch = branch, .unix_time = ++time_};
    tag.commit = probe_commit("HEAD", dir_.path()).value();
    tag.commit.unix_time = time_;
    history().import(file, tag, "test");
  }

  History history() const {
    return History(parse_store_url((dir_.path() / "history.sqlite").string()), OpenMode::kCreate);
  }

  /// "SUBJECT from SUBJECT", with "!" where it is a step and "~N" for N commits between, of every run but the first.
  std::string compared(const fs::path& folder) {
    fs::current_path(folder);
    History store = history();
    const std::vector<BenchmarkHistory> histories = make_histories(store, store.all_series(), HistoryMetric::kCounts);
    std::string text;
    if (histories.size() != 1) return "no history";
    std::map<int64_t, std::string> subjects = {{0, "none"}};
    for (const HistoryRow& row : histories[0].rows) {
      subjects[row.run] = row.subject;
      if (&row == &histories[0].rows[0]) continue;
      text += row.subject + (row.step ? "!" : "") + " from " + subjects.at(row.before);
      if (row.between > 0) text += "~" + std::to_string(row.between);
      if (!row.line.empty()) text += "?";
      text += "; ";
    }
    return text;
  }

  /// main: one(100) - two(unmeasured) - three(100) - five(100); side, from one: four(150)
  void make_two_branches() {
    commit("one");
    measure(100, "main");
    git("branch side");
    commit("two");
    commit("three");
    measure(100, "main");
    git("checkout -q side");
    commit("four");
    measure(150, "side");
    git("checkout -q main");
    commit("five");
    measure(100, "main");
  }

  ScratchDir dir_{"icount-history"};
  fs::path before_;
  int64_t time_ = 1'700'000'000;
};

TEST_F(HistoryViewTest, ASiblingBranchIsNeverBlamed) {
  make_two_branches();
  EXPECT_EQ(compared(dir_.path()), "three from one~1; four! from one; five from three; ");
}

TEST_F(HistoryViewTest, AMergeIsComparedWithItsNearestAncestor) {
  make_two_branches();
  git("merge -q --no-ff -m six side");
  measure(150, "main");
  EXPECT_EQ(compared(dir_.path()), "three from one~1; four! from one; five from three; six! from five; ");
}

TEST_F(HistoryViewTest, WhereAncestryIsNotKnownThatIsSaid) {
  make_two_branches();
  const ScratchDir elsewhere;
  EXPECT_EQ(compared(elsewhere.path()), "three from one?; four! from one; five from three; ")
      << "three's parent was not measured, and no repository tells where that comes from";
}

TEST_F(HistoryViewTest, ThereIsNothingToBlameForABranchOfItsOwn) {
  commit("one");
  measure(100, "main");
  git("checkout -q --orphan other");
  commit("two");
  measure(200, "main");
  EXPECT_EQ(compared(dir_.path()), "two from none; ");
}

TEST_F(HistoryViewTest, CreepIsCountedAlongTheLineOfTheBase) {
  make_two_branches();
  fs::current_path(dir_.path());
  std::ostringstream out, err;
  CommandContext context{.out = out, .err = err, .environment = current_environment()};
  const auto totals = [&](const std::string& name) {
    BaseSide side = load_kept_base({.against = (dir_.path() / "history.sqlite").string() + name}, context);
    return (*side.history)["b"];
  };
  EXPECT_EQ(totals(""), (std::vector<int64_t>{100, 100, 100})) << "without the run of the other branch";
  git("checkout -q side");
  commit("six");
  measure(160, "main");  // a branch that is called so elsewhere
  EXPECT_EQ(totals(":main"), (std::vector<int64_t>{100, 160}));
}

}  // namespace
}  // namespace icount
