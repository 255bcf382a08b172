// What can go wrong around a history, with real processes: nothing that was in is lost, and the words are clear.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/store/database.h"
#include "icount/store/measurement_file.h"
#include "store/history_fixture.h"
#include "support/error_of.h"
#include "support/postgresql_server.h"

namespace icount {
namespace {

using std::chrono::milliseconds;

class HistorySafetyTest : public HistoryFixture {
 protected:
  /// Whether the store holds exactly the runs 1..n, all of them sound.
  void expect_sound(size_t n) {
    History history = open(OpenMode::kRead);
    EXPECT_EQ(history.check(), std::vector<std::string>{});
    EXPECT_EQ(history.runs().size(), n);
  }
};

TEST_P(HistorySafetyTest, TwoWritersAtOnce) {
  constexpr int kRuns = 8;
  const auto write = [&](char name) {
    History history = open();
    for (int i = 0; i < kRuns; ++i)
      history.import(sample_run(i), tag_at(name, 1000 + i, std::string(1, static_cast<char>('A' + i))),
                     std::string(1, name));
    for (int i = 0; i < kRuns; ++i) {
      RunTag tag = tag_at(name, 1000);
      tag.name = std::to_string(i);
      history.import(sample_run(100 * i), tag, "r");
    }
  };
  const pid_t one = in_process([&] { write('a'); });
  const pid_t other = in_process([&] { write('b'); });
  EXPECT_TRUE(ended_well(one));
  EXPECT_TRUE(ended_well(other));
  expect_sound(4 * kRuns);
}

TEST_P(HistorySafetyTest, AKillInTheMiddleOfAWriteTakesNothingBack) {
  open().import(sample_run(), tag_at('a', 1000), "r");
  const ScratchDir flags("icount-kill");
  size_t kept = 1;
  for (int round = 0; round < 4; ++round) {
    const auto flag = flags.path() / std::to_string(round);
    const pid_t writer = in_process([&] {
      History history = open();
      const ResultFile file = sample_run(round + 1, 150);
      save_file(flag, "x");
      for (int i = 0;; ++i) {
        RunTag tag = tag_at('b', 2000);
        tag.name = std::to_string(round) + "-" + std::to_string(i);
        history.import(file, tag, "r");
      }
    });
    while (!std::filesystem::exists(flag)) std::this_thread::sleep_for(milliseconds(5));
    std::this_thread::sleep_for(milliseconds(40 + 45 * round));
    ::kill(writer, SIGKILL);
    ::waitpid(writer, nullptr, 0);
    const size_t now = open(OpenMode::kRead).runs().size();
    EXPECT_GE(now, kept);
    kept = now;
  }
  expect_sound(kept);
  open().import(sample_run(9), tag_at('c', 3000), "r");
  expect_sound(kept + 1);
}

TEST_P(HistorySafetyTest, ALockedStoreIsSaid) {
  open().import(sample_run(), tag_at('a', 1000), "r");
  const auto flag = dir_.path() / "locked";
  const pid_t holder = in_process([&] {
    Database database(url_, {});
    Transaction transaction(database, Transaction::Kind::kWrite);
    save_file(flag, "x");
    std::this_thread::sleep_for(std::chrono::seconds(60));
  });
  while (!std::filesystem::exists(flag)) std::this_thread::sleep_for(milliseconds(5));
  const std::string message =
      error_of([&] { open(OpenMode::kWrite, 1).import(sample_run(1), tag_at('b', 2000), "r"); });
  EXPECT_TRUE(message.starts_with(url_.text + ": another process is writing it and did not finish in time; try again"))
      << message;
  EXPECT_EQ(open(OpenMode::kRead).runs().size(), 1u) << "reading goes on";
  ::kill(holder, SIGKILL);
  ::waitpid(holder, nullptr, 0);
  EXPECT_EQ(error_of([&] { open(OpenMode::kWrite, 5).import(sample_run(1), tag_at('b', 2000), "r"); }), "no error");
  expect_sound(2);
}

TEST_P(HistorySafetyTest, NewerTablesAreLeftAlone) {
  open().import(sample_run(), tag_at('a', 1000), "r");
  {
    Database database(url_, {});
    database.execute(postgresql() ? "UPDATE icount.schema_version SET version = 7" : "PRAGMA user_version = 7");
  }
  const std::string expected =
      url_.text +
      ": its tables have version 7, written by a newer icount; this one knows versions up to 2: update icount, "
      "nothing was changed";
  EXPECT_EQ(error_of([&] { open(OpenMode::kRead); }), expected);
  EXPECT_EQ(error_of([&] { open(OpenMode::kCreate); }), expected);
}

TEST_P(HistorySafetyTest, NoHistoryIsNoEmptyHistory) {
  const std::string message = error_of([&] { open(OpenMode::kRead); });
  EXPECT_EQ(message, url_.text + (postgresql() ? ": there is no history yet; `icount store import` makes one"
                                               : ": there is no history; `icount store import` makes one"));
  EXPECT_FALSE(!postgresql() && std::filesystem::exists(url_.path)) << "and looking makes none";
}

TEST_P(HistorySafetyTest, ADamagedTextIsFound) {
  open().import(sample_run(), tag_at('a', 1000), "r");
  {
    Database database(url_, {});
    database.execute(
        postgresql() ? "UPDATE icount.blobs SET bytes = set_byte(bytes, 20, get_byte(bytes, 20) # 64) WHERE blob_id = 1"
                     : "UPDATE blobs SET bytes = substr(bytes, 1, 40) || x'00' || substr(bytes, 42) WHERE blob_id = 1");
  }
  const std::vector<std::string> problems = open(OpenMode::kRead).check();
  ASSERT_FALSE(problems.empty());
  EXPECT_NE(problems[0].find("blob 1"), std::string::npos) << problems[0];
  EXPECT_NE(error_of([&] { open(OpenMode::kRead).load(1); }).find("blob 1"), std::string::npos);
  // The rest is saved by taking it over.
  ResultFile other = sample_run(3);
  for (Result& result : other.results) result.label.push_back("of its own");
  open().import(other, tag_at('b', 2000), "r");
  History damaged = open(OpenMode::kRead), saved(another_store(), OpenMode::kCreate);
  const MergeOutcome merged = saved.merge(damaged);
  EXPECT_EQ(merged.added, 1);
  ASSERT_EQ(merged.unreadable.size(), 1u);
  EXPECT_NE(merged.unreadable[0].find("blob 1"), std::string::npos);
  EXPECT_EQ(saved.check(), std::vector<std::string>{});
}

TEST_P(HistorySafetyTest, MissingRowsAreFound) {
  open().import(sample_run(), tag_at('a', 1000), "r");
  {
    Database database(url_, {});
    database.execute(postgresql() ? "DELETE FROM icount.results WHERE position = 1"
                                  : "DELETE FROM results WHERE position = 1");
  }
  EXPECT_EQ(open(OpenMode::kRead).check(),
            std::vector<std::string>{url_.text + ": run #1 has 2 of its 3 results; the store is damaged"});
}

TEST_P(HistorySafetyTest, GraphsThatAreGoneAreFound) {
  open().import(sample_run(), tag_at('a', 1000), "r");
  ASSERT_EQ(open(OpenMode::kRead).check(), std::vector<std::string>{});
  {
    Database database(url_, {});
    database.execute(postgresql() ? "DELETE FROM icount.blobs WHERE blob_id IN (SELECT graph_id FROM icount.results)"
                                  : "DELETE FROM blobs WHERE blob_id IN (SELECT graph_id FROM results)");
  }
  std::string all;
  for (const std::string& problem : open(OpenMode::kRead).check()) all += problem + "\n";
  EXPECT_NE(all.find("of results lack their row of blobs (graph_id); the store is damaged"), std::string::npos) << all;
  EXPECT_EQ(error_of([&] { open(OpenMode::kRead).load(1); }),
            url_.text + ": run #1: it is not the run that was stored; the store is damaged")
      << "nothing comes out with a part of it left out";
  History damaged = open(OpenMode::kRead), saved(another_store(), OpenMode::kCreate);
  EXPECT_EQ(saved.merge(damaged).unreadable.size(), 1u);
}

TEST_P(HistorySafetyTest, RowsThatWereChangedAreFound) {
  ResultFile file = sample_run();
  file.results[0].measurement = dump_json(to_json(Measurement(10, {0.5, 0.25, 0.75}, {})), -1);
  open().import(file, tag_at('a', 1000), "r");
  ASSERT_EQ(open(OpenMode::kRead).check(), std::vector<std::string>{});
  const auto found_after = [&](const std::string& damage, const std::string& repair) {
    const std::string before = postgresql() ? "SET search_path TO icount" : "PRAGMA user_version";
    Database database(url_, {});
    database.execute(before);
    database.execute(damage);
    const std::vector<std::string> problems = open(OpenMode::kRead).check();
    database.execute(repair);
    return problems.empty() ? std::string("nothing") : problems[0];
  };
  for (const std::string column : {"median_count", "spread", "number_per_run"}) {
    const std::string set = "UPDATE results SET " + column + " = " + column;
    const std::string found = found_after(set + " + 1 WHERE position = 1", set + " - 1 WHERE position = 1");
    EXPECT_NE(found.find("of 'group / b1' does not belong to it; the store is damaged"), std::string::npos)
        << column << ": " << found;
  }
  EXPECT_NE(found_after("UPDATE results SET wall_median_s = wall_median_s * 2 WHERE position = 0",
                        "UPDATE results SET wall_median_s = wall_median_s / 2 WHERE position = 0")
                .find("wall-clock median of 'group / b0'"),
            std::string::npos);
  EXPECT_NE(found_after("UPDATE results SET status = 'threw' WHERE position = 2",
                        "UPDATE results SET status = 'done' WHERE position = 2")
                .find("status of 'group / b2'"),
            std::string::npos);
  for (const std::string change : {"UPDATE runs SET planned = planned * 2",
                                   "UPDATE results SET counts = '7 7', "
                                   "median_count = 7 WHERE position = 1",
                                   "DELETE FROM wall_samples"})
    EXPECT_NE(found_after(change, "UPDATE runs SET planned = 3").find("not the run that was stored"), std::string::npos)
        << change;
}

TEST_P(HistorySafetyTest, FingerprintsThatWereChangedAreFound) {
  ResultFile file = sample_run();
  file.fingerprint.set("valgrind", "3.19.0", FactClass::kRefuse);
  open().import(file, tag_at('a', 1000), "r");
  file.fingerprint.set("valgrind", "3.20.0", FactClass::kRefuse);
  open().import(file, tag_at('b', 2000), "r");
  ASSERT_EQ(open(OpenMode::kRead).check(), std::vector<std::string>{});
  const auto damage = [&](const std::string& sql) {
    Database database(url_, {});
    database.execute(postgresql() ? "SET search_path TO icount" : "PRAGMA user_version");
    database.execute(sql);
  };
  damage("UPDATE results SET fingerprint_id = 3 - fingerprint_id WHERE position = 1 AND run_id = 2");
  History swapped = open(OpenMode::kRead);
  EXPECT_EQ(swapped.check().size(), 1u) << "the other run is sound";
  EXPECT_EQ(swapped.load(1).results.size(), file.results.size());
  EXPECT_NE(error_of([&] { swapped.load(2); }).find("the fingerprint of 'group / b1' does not belong to it"),
            std::string::npos);
  damage("UPDATE fingerprints SET facts = replace(facts, '3.20', '3.28')");
  History changed = open(OpenMode::kRead);
  EXPECT_NE(error_of([&] { changed.load(2); }).find("a fingerprint differs from what was stored"), std::string::npos);
  EXPECT_NE(error_of([&] { changed.fingerprint(2); }).find("a fingerprint differs from what was stored"),
            std::string::npos);
  EXPECT_NE(error_of([&] { changed.fingerprint(7); }).find("fingerprint 7 is missing"), std::string::npos);
}

TEST_P(HistorySafetyTest, ASnapshotIsOfOneMoment) {
  for (int i = 0; i < 4; ++i) open().import(sample_run(i), tag_at(static_cast<char>('a' + i), 1000 + i), "r");
  const auto begun = dir_.path() / "begun", dropping = dir_.path() / "dropping";
  const auto wait_for = [](const std::filesystem::path& flag) {
    while (!std::filesystem::exists(flag)) std::this_thread::sleep_for(milliseconds(5));
  };
  // Begun before this process opens the store: SQLite's locks and fork don't mix.
  const pid_t other = in_process([&] {
    wait_for(begun);
    History writer = open(OpenMode::kWrite);
    save_file(dropping, "x");
    writer.remove_runs({1, 2, 3});
    writer.gc();
  });
  History history = open(OpenMode::kRead);
  {
    const HistorySnapshot moment(history);
    ASSERT_EQ(history.runs().size(), 4u);
    save_file(begun, "x");
    wait_for(dropping);
    std::this_thread::sleep_for(milliseconds(200));
    EXPECT_EQ(history.runs().size(), 4u);
    EXPECT_EQ(history.all_series().size(), 3u);
    EXPECT_EQ(history.all_series()[0].points.size(), 4u);
    EXPECT_EQ(history.load(1).results.size(), 3u) << "reading inside is a part of it";
  }
  EXPECT_TRUE(ended_well(other));
  EXPECT_EQ(history.runs().size(), 1u);
  EXPECT_EQ(history.check(), std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(Sqlite, HistorySafetyTest, testing::Values(Backend::kSqlite));
INSTANTIATE_TEST_SUITE_P(Postgresql, HistorySafetyTest, testing::Values(Backend::kPostgresql));

class SqliteSafetyTest : public HistorySafetyTest {};

TEST_P(SqliteSafetyTest, AFullDiskLosesNothing) {
  open().import(sample_run(), tag_at('a', 1000), "r");
  const auto before = std::filesystem::file_size(url_.path);
  const pid_t writer = in_process([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{before + 8192, before + 8192};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const std::string message = error_of([&] { open().import(sample_run(1, 400), tag_at('b', 2000), "r"); });
    const std::string expected =
        url_.text + ": the disk refused the write (full, a limit on file sizes, or failing); nothing was changed";
    if (!message.starts_with(expected)) throw std::runtime_error(message);
  });
  EXPECT_TRUE(ended_well(writer));
  expect_sound(1);
  Database database(url_, {});
  database.execute("PRAGMA max_page_count = 1");  // SQLite's own word for a device without room
  const std::string full = error_of([&] {
    database.execute("CREATE TABLE filler (x BLOB)");
    database.execute("INSERT INTO filler VALUES (zeroblob(1000000))");
  });
  EXPECT_TRUE(full.starts_with(url_.text + ": the disk is full; nothing was changed")) << full;
}

/// A store may be anybody's file.
TEST_P(SqliteSafetyTest, ForeignSchemasRunNothing) {
  open().import(sample_run(), tag_at('a', 1000), "r");
  {
    Database database(url_, {});
    EXPECT_EQ(database.integer("PRAGMA trusted_schema"), 0);
    database.execute("CREATE TRIGGER thief AFTER INSERT ON runs BEGIN DELETE FROM results; END");
    database.execute("CREATE VIEW peep AS SELECT 1 AS one");
    database.execute("PRAGMA writable_schema = ON");
    EXPECT_NE(error_of([&] { database.execute("UPDATE sqlite_master SET sql = 'x'"); }), "no error") << "defensive";
  }
  open().import(sample_run(1), tag_at('b', 2000), "r");
  EXPECT_EQ(open(OpenMode::kRead).load(1).results.size(), 3u) << "the trigger ran";
  EXPECT_EQ(open(OpenMode::kRead).check(),
            (std::vector<std::string>{url_.text + ": holds the view 'peep', which icount did not make",
                                      url_.text + ": holds the trigger 'thief', which icount did not make"}));
}

TEST_P(SqliteSafetyTest, AColumnOfAnotherKindIsAnError) {
  open().import(sample_run(), tag_at('a', 1000), "r");
  {
    Database database(url_, {});
    database.execute("UPDATE runs SET results = 'many', unix_time = x'ff'");
    database.execute("UPDATE results SET counts = x'00ff', median_count = 'x'");
  }
  for (const auto& read : std::vector<std::function<void(History&)>>{
           [](History& h) { h.load(1); }, [](History& h) { h.runs(); }, [](History& h) { h.all_series(); }})
    try {
      History history = open(OpenMode::kRead);
      read(history);
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with(url_.text)) << error.what();
    }
  EXPECT_FALSE(open(OpenMode::kRead).check().empty());
}

TEST_P(SqliteSafetyTest, AReadOnlyFolderIsReadAndNotWritten) {
  open().import(sample_run(), tag_at('a', 1000), "r");
  std::filesystem::permissions(url_.path, std::filesystem::perms(0444));
  std::filesystem::permissions(dir_.path(), std::filesystem::perms(0555));
  const pid_t other = in_process([&] {
    if (::geteuid() == 0 && ::setuid(65534) != 0) throw std::runtime_error("setuid");  // root may write anywhere
    if (open(OpenMode::kRead).runs().size() != 1) throw std::runtime_error("reading failed");
    const std::string message = error_of([&] { open(OpenMode::kWrite).import(sample_run(1), tag_at('b', 2000), "r"); });
    if (!message.starts_with(url_.text + ": it, or its folder, is read-only; nothing was changed"))
      throw std::runtime_error(message);
    const StoreUrl fresh = parse_store_url((dir_.path() / "sub" / "history.sqlite").string());
    const std::string no_folder = error_of([&] { History(fresh, OpenMode::kCreate); });
    if (no_folder != fresh.text + ": its folder cannot be made: Permission denied") throw std::runtime_error(no_folder);
    const StoreUrl beside = parse_store_url((dir_.path() / "new.sqlite").string());
    const std::string no_file = error_of([&] { History(beside, OpenMode::kCreate); });
    if (!no_file.starts_with(beside.text + ": cannot be opened: missing, or no permission on it or its folder"))
      throw std::runtime_error(no_file);
  });
  EXPECT_TRUE(ended_well(other));
  std::filesystem::permissions(dir_.path(), std::filesystem::perms(0755));
  expect_sound(1);
}

TEST_P(SqliteSafetyTest, ADamagedFileIsSaid) {
  open().import(sample_run(0, 40), tag_at('a', 1000), "r");
  const auto size = std::filesystem::file_size(url_.path);
  {
    std::fstream file(url_.path, std::ios::in | std::ios::out | std::ios::binary);
    for (size_t at = 8192; at + 4096 < size; at += 8192)
      file.seekp(static_cast<std::streamoff>(at)).write(std::string(4096, '\x5a').data(), 4096);
  }
  const std::string message = error_of([&] { open(OpenMode::kRead).load(1); });
  EXPECT_TRUE(message.starts_with(url_.text + ": ")) << message;
  EXPECT_NE(message, "no error");
  EXPECT_FALSE(open(OpenMode::kRead).check().empty());
  save_file(url_.path,
            "this is no database, whatever its name says; but it is long enough to be read as one page of one, maybe");
  EXPECT_TRUE(error_of([&] {
                open(OpenMode::kRead);
              }).starts_with(url_.text + ": it is not an SQLite database, or its first page is damaged"));
}

TEST_P(SqliteSafetyTest, AnotherProgramsDatabaseIsLeftAlone) {
  {
    Database database(url_, {.create = true});
    database.execute("CREATE TABLE mine (x INTEGER)");
  }
  EXPECT_EQ(error_of([&] { open(); }),
            url_.text + ": this SQLite database belongs to another program; a history of icount is a file of its own");
}

TEST_P(SqliteSafetyTest, AFolderIsNoHistory) {
  std::filesystem::create_directory(url_.path);
  EXPECT_EQ(error_of([&] { open(); }), url_.text + ": is a folder, not a history");
}

INSTANTIATE_TEST_SUITE_P(Sqlite, SqliteSafetyTest, testing::Values(Backend::kSqlite));

class PostgresqlSafetyTest : public HistorySafetyTest {};

TEST_P(PostgresqlSafetyTest, NoServerIsSaid) {
  const StoreUrl url = parse_store_url(PostgresqlServer::shared().dead_url());
  const std::string message = error_of([&] { History(url, OpenMode::kRead); });
  EXPECT_TRUE(message.starts_with(url.text + ": ")) << message;
  EXPECT_NE(message.find("Connection refused"), std::string::npos) << message;
}

TEST_P(PostgresqlSafetyTest, WordsThatQuoteAPasswordAreHidden) {
  std::string server = url_.connection;
  server.replace(0, server.find('@'), "postgresql://u%3ASECRET");
  for (const std::string& given : {server, url_.connection + "?sslmode=SECRET", url_.connection + "?SECRET=a"}) {
    const StoreUrl url = parse_store_url(given);
    const std::string message = error_of([&] { History(url, OpenMode::kRead); });
    EXPECT_TRUE(message.starts_with(url.text + ": ")) << message;
    EXPECT_EQ(message.find("SECRET"), std::string::npos) << message;
    EXPECT_NE(message.find("message is hidden"), std::string::npos) << message;
  }
}

INSTANTIATE_TEST_SUITE_P(Postgresql, PostgresqlSafetyTest, testing::Values(Backend::kPostgresql));

// What selects a run (branch, times, commit) is sealed, and tables are as icount makes them: changes are found by
// check(), and no run is chosen by rows that were changed. Stores of earlier versions have no seals until somebody
// writes.

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
