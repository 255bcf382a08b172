#include "icount/store/history.h"

#include <gtest/gtest.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/store/result_file.h"
#include "icount/store/run_order.h"
#include "store/history_fixture.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

/// A result file in which everything is, with names that hurt.
ResultFile full_file() {
  ResultFile file = sample_run();
  file.planned = 5;
  Result& timed = file.results[1];
  timed.label = {"it's; DROP TABLE runs --", "\"quoted\" :name \\x00", "h\xc3\xa4\xc3\x9flich\n\x1b[31m"};
  timed.measurement =
      R"({"task_spec":{"stmt":"x","setup":"","global_setup":"","label":null,"sub_label":null,"description":null,"env":null,"num_threads":1},)"
      R"("number_per_run":2,"raw_times":[0.1,0.30000000000000004,2.5e-9],"metadata":{"device":"cpu"}})";
  timed.extra = R"({"a":1.5,"b":"text","c":-9223372036854775808,"d":{"e":7},"f":18446744073709551615})";
  timed.notes = {"a note"};
  file.results[2].graph.reset();
  file.results[2].top = {{"hash", 600, 700}};
  file.results[2].counts = {std::numeric_limits<int64_t>::max()};
  Result failed;
  failed.label = {std::string("zero\0byte", 9)};
  failed.status = "compile-error";
  failed.error = "stmt:1:3: expected ';'";
  failed.details = "long\ntext";
  file.results.push_back(failed);
  return file;
}

std::string canonical_text(ResultFile file) {
  for (Result& result : file.results) {
    result.graph = unpack_graph(result, "test");
    result.graph_blob.clear();
  }
  return result_file_text(file);
}

class HistoryTest : public HistoryFixture {};

TEST_P(HistoryTest, ARunComesBackByteForByte) {
  const ResultFile file = full_file();
  const ImportOutcome outcome = open().import(file, tag_at('a', 1000), "r.icount");
  EXPECT_TRUE(outcome.added);
  EXPECT_EQ(outcome.results, 4);
  EXPECT_EQ(outcome.graphs, 2);
  EXPECT_EQ(outcome.new_graphs, 2);
  History history = open(OpenMode::kRead);
  EXPECT_EQ(canonical_text(history.load(outcome.run)), result_file_text(file));
  EXPECT_EQ(history.check(), std::vector<std::string>{});
  const auto run = history.newest_run({.commit = "aaaa"});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->tag.commit, tag_at('a', 1000).commit);
  EXPECT_EQ(run->tag.branch, "main");
  EXPECT_EQ(run->command, "icount suite run");
  EXPECT_EQ(run->results, 4);
}

TEST_P(HistoryTest, ARunOfNothingComesBack) {
  History history = open();
  const ImportOutcome outcome = history.import({}, {}, "r");
  EXPECT_EQ(result_file_text(history.load(outcome.run)), result_file_text({}));
  EXPECT_EQ(history.runs().at(0).tag.commit.hash, "");
}

TEST_P(HistoryTest, TheSameRunIsKeptOnce) {
  History history = open();
  const ImportOutcome first = history.import(sample_run(), tag_at('a', 1000), "r");
  const ImportOutcome again = history.import(sample_run(), tag_at('a', 2000), "r");
  EXPECT_FALSE(again.added);
  EXPECT_EQ(again.run, first.run);
  EXPECT_TRUE(history.import(sample_run(), tag_at('b', 2000), "r").added) << "another commit";
  RunTag named = tag_at('a', 1000);
  named.name = "nightly";
  EXPECT_TRUE(history.import(sample_run(), named, "r").added) << "another name";
  EXPECT_EQ(history.runs().size(), 3u);
  EXPECT_EQ(history.size().commits, 2);
}

TEST_P(HistoryTest, EqualGraphsAreKeptOnceAndSimilarOnesAsDifferences) {
  History history = open();
  history.import(sample_run(), tag_at('a', 1000), "r");
  const HistorySize one = history.size();
  EXPECT_EQ(one.blobs, 6) << "three records and three graphs";
  EXPECT_EQ(history.import(sample_run(), tag_at('b', 2000), "r").new_graphs, 0);
  EXPECT_EQ(history.size().blob_bytes, one.blob_bytes) << "nothing changed, nothing added";
  EXPECT_EQ(history.import(sample_run(5), tag_at('c', 3000), "r").new_graphs, 3);
  const int64_t added = history.size().blob_bytes - one.blob_bytes;
  EXPECT_GT(added, 0);
  EXPECT_LT(added, one.blob_bytes / 4);
  EXPECT_EQ(canonical_text(history.load(3)), result_file_text(sample_run(5)));
}

TEST_P(HistoryTest, ValuesFollowTheCommitsNotTheClocks) {
  History history = open();
  history.import(sample_run(30), tag_at('c', 500, "b"), "r");  // its clock was behind
  history.import(sample_run(10), tag_at('a', 1000), "r");
  history.import(sample_run(20), tag_at('b', 2000, "a"), "r");
  const BenchmarkSeries series = history.series("group / b1");
  ASSERT_EQ(series.points.size(), 3u);
  const int64_t base = *series.points[0].median_count;
  EXPECT_EQ(series.points[1].median_count, base + 10);
  EXPECT_EQ(series.points[2].median_count, base + 20);
  EXPECT_EQ(series.points[0].number_per_run, 100);
  EXPECT_EQ(series.points[0].spread, 0);
  EXPECT_EQ(history.fingerprint(series.points[0].fingerprint).facts.size(), 2u);
  EXPECT_EQ(history.benchmarks(), (std::vector<std::string>{"group / b0", "group / b1", "group / b2"}));
  EXPECT_TRUE(history.series("no such").points.empty());
  const std::vector<BenchmarkSeries> all = history.all_series();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[1].key, "group / b1");
  EXPECT_EQ(all[1].points.size(), 3u);
  EXPECT_EQ(all[1].points[2].median_count, base + 20);
}

TEST_P(HistoryTest, RunsAreFoundByNameBranchCommitAndTime) {
  History history = open();
  RunTag tag = tag_at('a', 1000);
  tag.name = "nightly";
  history.import(sample_run(1), tag, "r");
  tag = tag_at('b', 2000, "a");
  tag.branch = "topic";
  history.import(sample_run(2), tag, "r");
  history.import(sample_run(3), tag_at('c', 3000, "b"), "r");
  const auto ids = [&](const RunFilter& filter) {
    std::string text;
    for (const RunInfo& run : history.runs(filter)) text += std::to_string(run.id);
    return text;
  };
  EXPECT_EQ(ids({}), "123");
  EXPECT_EQ(ids({.name = "nightly"}), "1");
  EXPECT_EQ(ids({.branch = "main"}), "13");
  EXPECT_EQ(ids({.commit = "bbb"}), "2");
  EXPECT_EQ(ids({.commit = "bbbc"}), "");
  EXPECT_EQ(ids({.since_time = 2000}), "23");
  EXPECT_EQ(ids({.newest = 2}), "23");
  EXPECT_EQ(history.newest_run({.branch = "main"})->id, 3);
  EXPECT_FALSE(history.newest_run({.name = "weekly"}));
  EXPECT_EQ(history.series("group / b0", {.newest = 1}).points.size(), 1u);
  EXPECT_EQ(history.all_series({.branch = "topic"}).at(0).points.size(), 1u);
}

TEST_P(HistoryTest, WallTimesComeAsMedians) {
  History history = open();
  const ResultFile file = full_file();
  history.import(file, tag_at('a', 1000), "r");
  const BenchmarkSeries series = history.series(result_key(file.results[1]));
  ASSERT_EQ(series.points.size(), 1u);
  EXPECT_EQ(series.points[0].wall_median_s, 0.05);
  EXPECT_FALSE(history.series("group / b0").points.at(0).wall_median_s);
}

TEST_P(HistoryTest, MergingTakesWhatIsMissing) {
  History mine = open();
  mine.import(full_file(), tag_at('a', 1000), "r");
  History theirs(another_store(), OpenMode::kCreate);
  theirs.import(full_file(), tag_at('a', 1000), "r");
  theirs.import(sample_run(5), tag_at('b', 2000, "a"), "r");
  EXPECT_EQ(mine.merge(theirs).added, 1);
  EXPECT_EQ(mine.merge(theirs).added, 0);
  EXPECT_EQ(canonical_text(mine.load(2)), result_file_text(sample_run(5)));
  EXPECT_EQ(mine.runs().back().tag.commit, tag_at('b', 2000, "a").commit);
  EXPECT_EQ(mine.check(), std::vector<std::string>{});
  // And across the kinds: what one holds, a file of SQLite holds just as well.
  History file(parse_store_url((dir_.path() / "copy.sqlite").string()), OpenMode::kCreate);
  EXPECT_EQ(file.merge(mine).added, 2);
  EXPECT_EQ(canonical_text(file.load(1)), result_file_text(full_file()));
}

TEST_P(HistoryTest, GcTakesWhatNoRunUses) {
  History history = open();
  history.import(sample_run(), tag_at('a', 1000), "r");
  history.import(sample_run(5), tag_at('b', 2000), "r");
  history.import(full_file(), tag_at('c', 3000), "r");
  EXPECT_EQ(history.gc(), 0) << "everything is in use";
  history.remove_runs({3});
  EXPECT_GT(history.gc(), 0);
  history.remove_runs({1});
  EXPECT_EQ(history.gc(), 0) << "the graphs of run 1 are what those of run 2 lean on";
  EXPECT_EQ(history.runs().size(), 1u);
  EXPECT_EQ(history.size().commits, 1);
  EXPECT_EQ(history.benchmarks().size(), 3u);
  EXPECT_EQ(canonical_text(history.load(2)), result_file_text(sample_run(5)));
  EXPECT_EQ(history.check(), std::vector<std::string>{});
  history.remove_runs({2});
  history.gc();
  EXPECT_EQ(history.size().blobs, 0);
}

TEST_P(HistoryTest, WhatIsNotThereIsSaid) {
  open();
  History history = open(OpenMode::kRead);
  EXPECT_EQ(error_of([&] { history.load(7); }), url_.text + ": there is no run #7");
  EXPECT_FALSE(history.run(7));
  EXPECT_FALSE(history.newest_run({}));
}

TEST_P(HistoryTest, ADamagedGraphIsRefusedAsAWhole) {
  History history = open();
  ResultFile file = sample_run();
  file.results[2].graph.reset();
  file.results[2].graph_blob = "(\xb5/\xfd nonsense";
  EXPECT_NE(error_of([&] { history.import(file, {}, "r.icount"); }).find("r.icount: graph of 'group / b2'"),
            std::string::npos);
  EXPECT_TRUE(history.runs().empty());
  EXPECT_TRUE(history.benchmarks().empty());
}

INSTANTIATE_TEST_SUITE_P(Sqlite, HistoryTest, testing::Values(Backend::kSqlite));
INSTANTIATE_TEST_SUITE_P(Postgresql, HistoryTest, testing::Values(Backend::kPostgresql));

TEST(RunOrderTest, ParentsComeFirstAndCirclesAreBroken) {
  std::vector<RunInfo> runs;
  const auto add = [&](char hash, int64_t time, std::string parents) {
    runs.push_back({.id = static_cast<int64_t>(runs.size()) + 1, .tag = tag_at(hash, time, std::move(parents))});
  };
  add('d', 100, "cb");
  add('c', 400, "a");
  add('b', 300, "a");
  add('a', 900, "zz");
  add('x', 50, "y");
  add('y', 60, "x");
  runs.push_back({.id = 7, .tag = {.unix_time = 350}});
  runs.push_back({.id = 8, .tag = tag_at('b', 300, "a")});
  std::string order;
  for (const RunInfo& run : in_history_order(runs)) order += std::to_string(run.id);
  EXPECT_EQ(order, "74382156");
}

TEST(StoreUrlTest, KindsOfStores) {
  EXPECT_EQ(parse_store_url("a/b.sqlite").path, "a/b.sqlite");
  EXPECT_EQ(parse_store_url("sqlite:a/b.sqlite").path, "a/b.sqlite");
  EXPECT_EQ(parse_store_url("sqlite:///a/b.sqlite").path, "/a/b.sqlite");
  const StoreUrl url = parse_store_url("postgresql://me:secret@db.example/x?password=also&a=b");
  EXPECT_TRUE(url.postgresql);
  EXPECT_EQ(url.text, "postgresql://me:***@db.example/x?password=***&***");
  EXPECT_EQ(url.connection, "postgresql://me:secret@db.example/x?password=also&a=b");
  EXPECT_EQ(parse_store_url("postgres://db/x").text, "postgres://db/x");
  EXPECT_EQ(error_of([] { parse_store_url("mysql://x"); }),
            "store '***': icount knows no such kind of store (the text is hidden, it may hold a password); a store "
            "is a path, sqlite:PATH or postgresql://USER@HOST/DATABASE; a file whose name looks like an address is "
            "written ./NAME");
  EXPECT_EQ(error_of([] { parse_store_url("sqlite:"); }),
            "store 'sqlite:': no path; a store is a path, sqlite:PATH or postgresql://USER@HOST/DATABASE");
  EXPECT_EQ(error_of([] { parse_store_url("a\"b"); }), "a\"b: a store's path can't hold a double quote");
}

TEST(StoreUrlTest, HowLongAServerMayTake) {
  const auto limit = [](const std::string& parameters) {
    return parse_store_url("postgresql://u@h/db" + parameters).answer_limit;
  };
  EXPECT_EQ(limit(""), std::nullopt);
  EXPECT_EQ(limit("?icount_timeout=1"), std::chrono::seconds(1));
  EXPECT_EQ(limit("?sslmode=disable&icount%5Ftimeout=86400"), std::chrono::hours(24));
  const StoreUrl url = parse_store_url("postgresql://u@h/db?icount_timeout=600&user=a&port=5");
  EXPECT_EQ(url.text, "postgresql://u@h/db?icount_timeout=600&user=a&port=5");
  EXPECT_EQ(url.connection, "postgresql://u@h/db?user=a&port=5") << "libpq does not know it";
  EXPECT_EQ(parse_store_url("postgresql://u@h/db?icount_timeout=600").connection, "postgresql://u@h/db");
  for (const std::string bad : {"0", "86401", "-1", "1.5", "1min", "", "SECRET", "99999999999999999999"})
    EXPECT_EQ(
        error_of(ErrorKind::kUsage, [&] { limit("?icount_timeout=" + bad); }),
        "store postgresql://***: its icount_timeout is not a whole number from 1 to 86400; it says how many seconds "
        "a server may take for one statement, such as icount_timeout=600");
  EXPECT_EQ(error_of(ErrorKind::kUsage, [&] { limit("?icount_timeout=5&icount_timeout=6"); }),
            "store postgresql://***: its icount_timeout is given twice; it says how many seconds a server may take for "
            "one statement, such as icount_timeout=600");
}

TEST(StoreUrlTest, TheNearestOneIsTaken) {
  const ScratchDir dir("icount-store");
  const auto root = dir.path(), deep = root / "a" / "b";
  std::filesystem::create_directories(deep);
  EXPECT_EQ(find_store("x.sqlite", "y.sqlite", deep).path, "x.sqlite");
  EXPECT_EQ(find_store("", "y.sqlite", deep).path, "y.sqlite");
  std::filesystem::create_directories(root / ".git");
  EXPECT_EQ(find_store("", "", deep).path, root / ".icount" / "history.sqlite")
      << "a new one belongs to the repository";
  std::filesystem::create_directories(root / "a" / ".icount");
  save_file(root / "a" / ".icount" / "history.sqlite", "");
  EXPECT_EQ(find_store("", "", deep).path, root / "a" / ".icount" / "history.sqlite");
}

}  // namespace
}  // namespace icount
