// A machine that loses power: what a command changes on disk is recorded (recorded_writes.c), and every prefix of it is
// made anew in three ways: all of it on disk; data that was not synced lost; names that were not synced with their
// folder lost as well. After each the next command works, what was acknowledged before is there, and behind the last
// write the command's own work is.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "support/places.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

enum class Lost { kNothing, kData, kNamesToo };

struct Change {
  char kind;
  int64_t offset = 0;
  std::string path, second, bytes;
};

std::vector<Change> parse_changes(std::string_view log) {
  std::vector<Change> changes;
  while (!log.empty()) {
    const std::string_view line = log.substr(0, log.find('\n'));
    log.remove_prefix(line.size() + 1);
    Change change{line[0], 0, {}, {}, {}};
    const size_t offset_end = line.find(' ', 2), size_end = line.find(' ', offset_end + 1), tab = line.find('\t');
    change.offset = parse_int64(line.substr(2, offset_end - 2)).value_or(-1);
    const auto size =
        static_cast<size_t>(parse_int64(line.substr(offset_end + 1, size_end - offset_end - 1)).value_or(0));
    change.path = line.substr(size_end + 1, tab - size_end - 1);
    change.second = line.substr(tab + 1);
    change.bytes = log.substr(0, size);
    log.remove_prefix(size);
    changes.push_back(std::move(change));
  }
  return changes;
}

/// Files as they are in memory, and what of them a disk would have. A file is known by where it began.
class Disk {
 public:
  explicit Disk(const fs::path& folder) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (!entry.is_regular_file()) continue;
      const int file = static_cast<int>(now_.size());
      now_.push_back(load_text(entry.path()));
      synced_.push_back(now_.back());
      names_[entry.path().string()] = synced_names_[entry.path().string()] = file;
    }
  }

  void apply(const Change& change) {
    const auto found = names_.find(change.path);
    if (change.kind == 'd') synced_names_ = names_;
    if (change.kind == 'c') return create(change, found);
    if (found == names_.end()) return;
    const auto file = static_cast<size_t>(found->second);
    std::string& bytes = now_[file];
    if (change.kind == 't') bytes.resize(static_cast<size_t>(change.offset));
    if (change.kind == 's') synced_[file] = bytes;
    if (change.kind == 'w') {
      const auto at = static_cast<size_t>(change.offset);
      if (bytes.size() < at + change.bytes.size()) bytes.resize(at + change.bytes.size());
      bytes.replace(at, change.bytes.size(), change.bytes);
    }
    if (change.kind == 'u' || change.kind == 'r') names_.erase(found);
    if (change.kind == 'r') names_[change.second] = static_cast<int>(file);
  }

  void save(const fs::path& folder, Lost lost) const {
    fs::remove_all(folder);
    fs::create_directory(folder);
    for (const auto& [path, file] : lost == Lost::kNamesToo ? synced_names_ : names_) {
      const auto& bytes = lost == Lost::kNothing ? now_ : synced_;
      save_file(folder / fs::path(path).filename(), bytes[static_cast<size_t>(file)]);
    }
  }

 private:
  void create(const Change& change, std::map<std::string, int>::iterator found) {
    if (found == names_.end()) {
      names_[change.path] = static_cast<int>(now_.size());
      now_.emplace_back();
      synced_.emplace_back();
    } else if (change.offset == 1) {
      now_[static_cast<size_t>(found->second)].clear();
    }
  }

  std::vector<std::string> now_, synced_;
  std::map<std::string, int> names_, synced_names_;
};

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

  /// Every prefix of what `words` changes in the folder of files; `done` looks whether its work is there.
  void replay(const std::vector<std::string>& words, const std::function<bool(const fs::path&)>& done) {
    const fs::path log = dir_.path() / "log", after = dir_.path() / "after";
    Disk disk(files_);
    const ProcessOutcome outcome = run(words, files_,
                                       {"LD_PRELOAD=" + binary_dir() + "/tests/recorded_writes.so",
                                        "RECORDED_WRITES=" + log.string(), "RECORDED_FOLDER=" + files_.string()});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.errors;
    const std::vector<Change> changes = parse_changes(load_text(log));
    ASSERT_GT(changes.size(), 2u) << "the library is not preloaded";
    for (size_t length = 1; length <= changes.size(); ++length) {
      disk.apply(changes[length - 1]);
      const bool all = std::getenv("ICOUNT_LONG_TESTS") != nullptr;  // else every ninth prefix and the last
      if (!all && length % 9 != 0 && length != changes.size()) continue;
      for (const Lost lost : {Lost::kNothing, Lost::kData, Lost::kNamesToo}) {
        disk.save(after, lost);
        const std::string where = words[0] + ", " + std::to_string(length) + " of " + std::to_string(changes.size()) +
                                  " changes, lost " + std::to_string(static_cast<int>(lost)) + ": ";
        expect_works(after, where);
        if (length == changes.size()) {
          EXPECT_TRUE(done(after)) << where << "what was acknowledged is missing";
        }
      }
    }
    std::cout << words[0] << ": " << changes.size() << " prefixes, three ways each\n";
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

}  // namespace
}  // namespace icount
