// A machine that loses power: what a command changes on disk is recorded (recorded_writes.c), and every prefix of it is
// made anew in the ways of recorded_disk.h: all of it on disk; data that was not synced lost, names that were not
// synced with their folder as well; writes since a file's last sync on disk in another order than they were made. After
// each the next command works, what was acknowledged before is there, and behind the last write the command's own work
// is.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "faults/recorded_disk.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "support/places.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

std::string result_of(int count) {
  return "{\"schema\":{\"name\":\"icount-result\",\"version\":1},\"command\":\"icount suite run\",\"planned\":1,"
         "\"fingerprint\":[{\"name\":\"valgrind\",\"value\":\"3.19.0\",\"class\":\"refuse\"}]}\n"
         "{\"label\":[\"a\"],\"task\":{\"stmt\":\"f();\",\"setup\":\"\",\"language\":\"c++\",\"num_threads\":1},"
         "\"status\":\"done\",\"event\":\"Ir\",\"number_per_run\":1,\"counts\":[" +
         std::to_string(count) + "]}\n";
}

class CrashConsistencyTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(files_);
    fs::create_directory(inputs_);
    save_file(inputs_ / "base.icount", result_of(100));
    save_file(inputs_ / "head.icount", result_of(120));
    expect_ok({"store", "import", "../inputs/base.icount", "--store", "h.sqlite", "--name", "kept", "--time", "1000"});
    expect_ok({"accept", "../inputs/base.icount", "--expected", "x.expected", "--suite", "none"});
    expect_ok({"store", "import", "../inputs/head.icount", "--store", "../inputs/o.sqlite", "--name", "new", "--time",
               "2000"});
  }

  ProcessOutcome run(const std::vector<std::string>& words, const fs::path& folder,
                     const std::vector<std::string>& more = {}) {
    ProcessSpec spec;
    spec.argv = {binary_dir() + "/icount"};
    spec.argv.insert(spec.argv.end(), words.begin(), words.end());
    spec.working_dir = folder;
    spec.time_limit = Seconds(120);
    spec.environment = std::vector<std::string>{"PATH=/usr/bin:/bin", "HOME=" + dir_.path().string(), "LC_ALL=C"};
    spec.environment->insert(spec.environment->end(), more.begin(), more.end());
    return run_process(spec);
  }
  void expect_ok(const std::vector<std::string>& words) {
    const ProcessOutcome outcome = run(words, files_);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.errors;
  }

  /// What is tried after each prefix: in the folder of files, with words for messages.
  using Works = std::function<void(const fs::path&, const std::string&)>;

  /// Whether the prefix of that length is tried.
  using Chosen = std::function<bool(const std::vector<Change>&, size_t length)>;
  /// All, or on a landing every ninth and the last.
  static bool ninth_or_last(const std::vector<Change>& changes, size_t length) {
    return std::getenv("ICOUNT_LONG_TESTS") != nullptr || length % 9 == 0 || length == changes.size();
  }

  /// Prefixes of what `words` changes in the folder of files; `done` looks whether its work is there behind the last.
  void replay(const std::vector<std::string>& words, const std::function<bool(const fs::path&)>& done) {
    replay(words, done, [&](const fs::path& folder, const std::string& where) { expect_works(folder, where); });
  }
  void replay(const std::vector<std::string>& words, const std::function<bool(const fs::path&)>& done,
              const Works& works, const Chosen& chosen = ninth_or_last, std::vector<std::string> more = {},
              const std::vector<Lost>& ways = all_ways()) {
    const fs::path log = dir_.path() / "log", after = dir_.path() / "after";
    Disk disk(files_);
    more.insert(more.end(), {"LD_PRELOAD=" + binary_dir() + "/tests/recorded_writes.so",
                             "RECORDED_WRITES=" + log.string(), "RECORDED_FOLDER=" + files_.string()});
    const ProcessOutcome outcome = run(words, files_, more);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.errors;
    const std::vector<Change> changes = parse_changes(load_text(log));
    ASSERT_GT(changes.size(), 2u) << "the library is not preloaded";
    size_t tried = 0;
    for (size_t length = 1; length <= changes.size(); ++length) {
      disk.apply(changes[length - 1]);
      if (!chosen(changes, length)) continue;
      ++tried;
      for (const Lost lost : ways) {
        disk.save(after, lost, length);
        const std::string where = words[0] + ", " + std::to_string(length) + " of " + std::to_string(changes.size()) +
                                  " changes, " + std::string(name_of(lost)) + ": ";
        works(after, where);
        if (length == changes.size()) {
          EXPECT_TRUE(done(after)) << where << "what was acknowledged is missing";
        }
      }
    }
    std::cout << words[0] << ": " << tried << " of " << changes.size() << " prefixes, " << ways.size()
              << " ways each\n";
  }

  void expect_works(const fs::path& folder, const std::string& where) {
    const ProcessOutcome check = run({"store", "check", "--store", "h.sqlite"}, folder);
    EXPECT_EQ(check.exit_code, 0) << where << check.errors;
    const ProcessOutcome kept = run({"store", "export", "@kept", "--store", "h.sqlite"}, folder);
    EXPECT_NE(kept.output.find("\"counts\":[100]"), std::string::npos) << where << kept.errors;
    const ProcessOutcome accept =
        run({"accept", "../inputs/head.icount", "--expected", "x.expected", "--suite", "none"}, folder);
    EXPECT_EQ(accept.exit_code, 0) << where << accept.errors;
  }

  bool has_run(const fs::path& folder) {
    return run({"store", "export", "@new", "--store", "h.sqlite"}, folder).exit_code == 0;
  }

  ScratchDir dir_;
  fs::path files_ = dir_.path() / "files", inputs_ = dir_.path() / "inputs";
};

TEST_F(CrashConsistencyTest, Import) {
  replay({"store", "import", "../inputs/head.icount", "--store", "h.sqlite", "--name", "new", "--time", "2000"},
         [&](const fs::path& folder) { return has_run(folder); });
}

TEST_F(CrashConsistencyTest, Merge) {
  replay({"store", "merge", "../inputs/o.sqlite", "--store", "h.sqlite"},
         [&](const fs::path& folder) { return has_run(folder); });
}

TEST_F(CrashConsistencyTest, Collect) {
  expect_ok({"store", "import", "../inputs/head.icount", "--store", "h.sqlite", "--name", "old", "--time", "2000"});
  expect_ok({"store", "drop", "@old", "--store", "h.sqlite"});
  replay({"store", "gc", "--store", "h.sqlite"}, [](const fs::path&) { return true; });
}

/// Asked by the file, for expect_works accepts on.
TEST_F(CrashConsistencyTest, Accept) {
  const fs::path other = files_ / "y.expected";
  fs::copy_file(files_ / "x.expected", other);
  replay({"accept", "../inputs/head.icount", "--expected", "y.expected", "--suite", "none"},
         [](const fs::path& folder) { return load_text(folder / "y.expected").find("\t120") != std::string::npos; });
}

TEST_F(CrashConsistencyTest, OutputFiles) {
  save_file(files_ / "page.json", "old");
  replay(
      {"gate", "../inputs/base.icount", "--baseline", "../inputs/base.icount", "--suite", "none", "--json",
       "page.json"},
      [](const fs::path& folder) { return load_text(folder / "page.json").find("\"schema\"") != std::string::npos; });
}

TEST_F(CrashConsistencyTest, OutputOfCounts) {
  save_file(files_ / "out.icount", result_of(100));
  const auto shown = [&](const fs::path& folder) {
    const ProcessOutcome outcome = run({"suite", "show", "out.icount"}, folder);
    return outcome.exit_code == 0 ? outcome.output : "exit code " + std::to_string(outcome.exit_code) + outcome.errors;
  };
  const std::string before = shown(files_);
  replay(
      {"count", "--stmt", "icount::keep(x);", "--setup", "int x = 1;", "--repeats", "1", "--out", "out.icount"},
      [&](const fs::path& folder) { return shown(folder) == shown(files_) && shown(folder) != before; },
      [&](const fs::path& folder, const std::string& where) {
        const std::string now = shown(folder);
        EXPECT_TRUE(now == before || now == shown(files_)) << where << now;
      },
      ninth_or_last, {"ICOUNT_SERVER=off"});
}

/// The count after each prefix takes what the cache holds, or compiles anew; what is half there is not run. On a
/// landing behind the last change only.
TEST_F(CrashConsistencyTest, BuildCache) {
  const bool whole = std::getenv("ICOUNT_LONG_TESTS") != nullptr;
  const std::vector<std::string> words = {"count",     "--stmt", "icount::keep(x);", "--setup", "int x = 1;",
                                          "--repeats", "1",      "--format",         "json"};
  const auto is_entry = [](const Change& change) {
    return change.kind == 'r' && fs::path(change.second).parent_path().filename() == "entries";
  };
  std::set<std::string> answers;
  fs::remove_all(files_);
  fs::create_directory(files_);
  replay(
      words, [](const fs::path& folder) { return !fs::is_empty(folder / "entries"); },
      [&](const fs::path& folder, const std::string& where) {
        const ProcessOutcome outcome = run(words, inputs_, {"ICOUNT_SERVER=off", "ICOUNT_CACHE=" + folder.string()});
        EXPECT_EQ(outcome.exit_code, 0) << where << outcome.errors;
        const size_t at = outcome.output.find("\"counts\"");
        ASSERT_NE(at, std::string::npos) << where << outcome.output << outcome.errors;
        answers.insert(outcome.output.substr(at, outcome.output.find(']', at) - at));
      },
      [&](const std::vector<Change>& changes, size_t length) {
        return length == changes.size() || (whole && is_entry(changes[length - 1]));
      },
      {"ICOUNT_SERVER=off", "ICOUNT_CACHE=" + files_.string()},
      whole ? all_ways() : std::vector<Lost>{Lost::kHalves, Lost::kNamesToo, Lost::kSomeWrites});
  EXPECT_EQ(answers.size(), 1u) << "other programs were counted";
}

}  // namespace
}  // namespace icount
