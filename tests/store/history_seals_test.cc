// What selects a run (branch, times, commit) is sealed, and tables are as icount makes them: changes are found by
// check(), and no run is chosen by rows that were changed. Stores of earlier versions have no seals until somebody
// writes.
#include <gtest/gtest.h>

#include "icount/store/database.h"
#include "store/history_fixture.h"

namespace icount {
namespace {

class HistorySealsTest : public HistoryFixture {
 protected:
  void SetUp() override {
    HistoryFixture::SetUp();
    if (IsSkipped()) return;
    open().import(sample_run(), tag_at('a', 1000), "r");
    open().import(sample_run(5), tag_at('b', 2000, "a"), "r");
    ASSERT_EQ(open(OpenMode::kRead).check(), std::vector<std::string>{});
  }

  void damage(const std::string& sql) {
    Database database(url_, {});
    if (postgresql()) database.execute("SET search_path TO icount");
    database.execute(sql);
  }
  std::string found() {
    std::string all;
    for (const std::string& problem : open(OpenMode::kRead).check()) all += problem + "\n";
    return all.empty() ? "nothing" : all;
  }
  /// Tables as version 1 had them.
  void take_seals_away() {
    damage("ALTER TABLE commits DROP COLUMN seal");
    damage("ALTER TABLE runs DROP COLUMN seal");
    damage(postgresql() ? "UPDATE schema_version SET version = 1" : "PRAGMA user_version = 1");
  }
};

TEST_P(HistorySealsTest, WhatSelectsARunIsSealed) {
  const std::pair<std::string, std::string> damages[] = {
      {"UPDATE runs SET branch = 'other' WHERE run_id = 2", "UPDATE runs SET branch = 'main'"},
      {"UPDATE runs SET unix_time = 7 WHERE run_id = 2", "UPDATE runs SET unix_time = 2000 WHERE run_id = 2"},
      {"UPDATE runs SET command = 'rm' WHERE run_id = 2", "UPDATE runs SET command = 'icount suite run'"},
      {"UPDATE runs SET commit_id = NULL WHERE run_id = 2", "UPDATE runs SET commit_id = 2 WHERE run_id = 2"},
      {"UPDATE commits SET parents = '' WHERE commit_id = 2",
       "UPDATE commits SET parents = '" + std::string(40, 'a') + "' WHERE commit_id = 2"},
      {"UPDATE commits SET subject = 'evil' WHERE commit_id = 2",
       "UPDATE commits SET subject = 'commit b' WHERE commit_id = 2"},
      {"UPDATE commits SET unix_time = 5 WHERE commit_id = 2",
       "UPDATE commits SET unix_time = 2000 WHERE commit_id = 2"}};
  for (const auto& [change, repair] : damages) {
    SCOPED_TRACE(change);
    damage(change);
    EXPECT_NE(found().find("run #2: its "), std::string::npos) << found();
    History history = open(OpenMode::kRead);
    const std::string expected = url_.text + ": run #2: its ";
    for (const std::string& message :
         {error_of([&] { history.load(2); }), error_of([&] { history.newest_run({.branch = "main"}); }),
          error_of([&] { history.series("group / b1"); }), error_of([&] { history.all_series(); })})
      EXPECT_TRUE(message.starts_with(expected)) << message;
    EXPECT_EQ(history.load(1).results.size(), 3u) << "the other run is not touched";
    damage(repair);
    ASSERT_EQ(found(), "nothing");
  }
}

TEST_P(HistorySealsTest, ADamagedRunIsLeftOutAndTakenOut) {
  damage("UPDATE runs SET branch = 'other' WHERE run_id = 2");
  History damaged = open(OpenMode::kWrite), saved(another_store(), OpenMode::kCreate);
  const MergeOutcome merged = saved.merge(damaged);
  EXPECT_EQ(merged.added, 1);
  EXPECT_EQ(merged.unreadable.size(), 1u);
  EXPECT_EQ(saved.check(), std::vector<std::string>{});
  ASSERT_TRUE(damaged.run(2));
  EXPECT_NE(damaged.run(2)->damage, "");
  damaged.remove_runs({2});
  EXPECT_EQ(damaged.runs().size(), 1u);
  EXPECT_EQ(damaged.check(), std::vector<std::string>{});
}

TEST_P(HistorySealsTest, ACommitThatWasChangedTakesNoMoreRuns) {
  damage("UPDATE commits SET unix_time = 5 WHERE commit_id = 2");
  RunTag again = tag_at('b', 2000, "a");
  again.name = "again";
  EXPECT_NE(error_of([&] { open().import(sample_run(), again, "r"); }).find("was changed since it was stored"),
            std::string::npos);
  damage("DELETE FROM results WHERE run_id = 2");
  damage("DELETE FROM runs WHERE run_id = 2");
  EXPECT_NE(found().find("commit " + std::string(40, 'b') + " was changed"), std::string::npos) << found();
}

TEST_P(HistorySealsTest, WhatALaterImportKnowsOfACommitIsSealed) {
  RunTag tag;
  tag.commit.hash = std::string(40, 'c');
  open().import(sample_run(), tag, "r");
  RunTag more = tag_at('c', 3000, "b");
  more.name = "more";
  open().import(sample_run(), more, "r");
  EXPECT_EQ(found(), "nothing");
  EXPECT_EQ(open().newest_run({.commit = "cccc"})->tag.commit, more.commit);
}

TEST_P(HistorySealsTest, PositionsAreCounted) {
  damage("UPDATE results SET position = 0 WHERE run_id = 2");
  EXPECT_NE(found().find("run #2: the positions of its results are not 0 to 2"), std::string::npos) << found();
  EXPECT_NE(error_of([&] { open(OpenMode::kRead).load(2); }), "no error");
}

TEST_P(HistorySealsTest, ABaseThatATextDoesNotLeanOnIsFound) {
  damage("UPDATE blobs SET base_id = 1 WHERE blob_id = 2 AND base_id IS NULL");
  EXPECT_NE(found().find("blob 2 is stored whole but marked as a difference from blob 1"), std::string::npos)
      << found();
}

TEST_P(HistorySealsTest, TablesAndIndicesAreTheseAndNoOthers) {
  damage("DROP INDEX results_by_run");
  EXPECT_EQ(found(), url_.text + ": lacks the index 'results_by_run'; the store is damaged\n");
  damage("CREATE INDEX results_by_run ON results (run_id)");
  damage("CREATE TABLE evil (x INTEGER)");
  EXPECT_EQ(found(), url_.text + ": holds the table 'evil', which icount did not make\n");
  damage("DROP TABLE evil");
  damage("CREATE UNIQUE INDEX evil ON runs (branch, name, unix_time)");
  EXPECT_EQ(found(), url_.text + ": holds the index 'evil', which icount did not make\n");
  damage("DROP INDEX evil");
  damage("CREATE VIEW evil AS SELECT 1 AS one");
  EXPECT_EQ(found(), url_.text + ": holds the view 'evil', which icount did not make\n");
  damage("DROP VIEW evil");
  EXPECT_EQ(found(), "nothing");
  if (postgresql()) return;
  damage("ALTER TABLE results ADD COLUMN extra INTEGER");
  EXPECT_EQ(found(), url_.text + ": the table 'results' is not as icount makes it; the store is damaged\n");
}

TEST_P(HistorySealsTest, AnEarlierStoreIsReadAsItIsAndSealedByWhoWrites) {
  take_seals_away();
  {
    History history = open(OpenMode::kRead);
    EXPECT_FALSE(history.sealed());
    EXPECT_EQ(history.check(), std::vector<std::string>{});
    EXPECT_EQ(history.runs().size(), 2u);
    EXPECT_EQ(history.load(2).results.size(), 3u);
    History saved(another_store(), OpenMode::kCreate);
    EXPECT_EQ(saved.merge(history).added, 2);
    EXPECT_EQ(saved.check(), std::vector<std::string>{});
  }
  EXPECT_EQ(open(OpenMode::kWrite).sealed_at_opening(), 2);
  EXPECT_EQ(open(OpenMode::kWrite).sealed_at_opening(), std::nullopt) << "once";
  EXPECT_TRUE(open(OpenMode::kRead).sealed());
  EXPECT_EQ(found(), "nothing") << "the migrated tables are as new ones";
  open().import(sample_run(9), tag_at('c', 3000, "b"), "r");
  EXPECT_EQ(found(), "nothing");
  damage("UPDATE runs SET branch = 'other' WHERE run_id = 1");
  EXPECT_NE(found().find("run #1: its row was changed"), std::string::npos) << found();
}

TEST_P(HistorySealsTest, AStoreThatClaimsToBeEarlierIsRefused) {
  damage(postgresql() ? "UPDATE schema_version SET version = 1" : "PRAGMA user_version = 1");
  for (const OpenMode mode : {OpenMode::kRead, OpenMode::kWrite})
    EXPECT_EQ(error_of([&] { open(mode); }),
              url_.text +
                  ": its tables have version 1 and the seals of version 2; the store is damaged, nothing was changed");
}

INSTANTIATE_TEST_SUITE_P(Sqlite, HistorySealsTest, testing::Values(Backend::kSqlite));
INSTANTIATE_TEST_SUITE_P(Postgresql, HistorySealsTest, testing::Values(Backend::kPostgresql));

}  // namespace
}  // namespace icount
