// One folder of a command on a disk that is full after so many bytes (small_disk.c), the others with all the room there
// is: temporary files, the build cache, the store, the outputs. The command gives the right answer, or fails with a
// message that names the folder, a file in it or that the disk is full; what was acknowledged stays, and with room the
// same command works.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "faults/failing_sites.h"
#include "faults/kept_entries.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "support/places.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kPlenty = int64_t{1} << 40;

constexpr const char* kSuite = R"(name = "small"
[library]
torch = false
[[stmts]]
label = "a"
cpp_setup = "int x = 1;"
cpp_stmt = "icount::keep(x);"
)";

class FullFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* program : {"valgrind", "g++"})
      if (find_program(program).empty()) GTEST_SKIP() << "no " << program << " here";
    for (const char* folder : kFolders) fs::create_directory(dir_.path() / folder);
    fs::permissions(dir_.path() / "cache", fs::perms::owner_all);
    save_file(dir_.path() / "s.toml", kSuite);
    expect_ok({"count", "--no-torch", "--stmt", "icount::keep(y);", "--setup", "int y = 1;", "--repeats", "1"});
    compiled_ = KeptEntries(dir_.path() / "cache");
    expect_ok({"suite", "run", "s.toml", "--out", "base.icount"});
    expect_ok({"store", "import", "base.icount", "--store", "store/s.sqlite", "--name", "kept", "--time", "1000"});
    kept_run_ = run({"store", "export", "@kept", "--store", "store/s.sqlite"}).output;
    fs::copy_file(dir_.path() / "store/s.sqlite", dir_.path() / "kept.sqlite");
  }

  ProcessOutcome run(const std::vector<std::string>& words, const std::string& folder = {}, int64_t bytes = kPlenty) {
    std::string left(sizeof bytes, '\0');
    std::memcpy(left.data(), &bytes, sizeof bytes);
    save_file(dir_.path() / "left", left);
    const std::string root = fs::canonical(dir_.path()).string() + "/";
    ProcessSpec spec;
    spec.argv = {binary_dir() + "/icount"};
    spec.argv.insert(spec.argv.end(), words.begin(), words.end());
    spec.working_dir = dir_.path();
    spec.time_limit = Seconds(300);
    spec.environment =
        std::vector<std::string>{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + root + "home", "TMPDIR=" + root + "tmp",
                                 "ICOUNT_CACHE=" + root + "cache",    "ICOUNT_SERVER=off",     "LC_ALL=C"};
    if (!folder.empty()) {
      spec.environment->push_back("LD_PRELOAD=" + binary_dir() + "/tests/small_disk.so");
      spec.environment->push_back("SMALL_DISK=" + root + "left");
      spec.environment->push_back("SMALL_DISK_FOLDER=" + root + folder);
    }
    return run_process(spec);
  }
  void expect_ok(const std::vector<std::string>& words) {
    const ProcessOutcome outcome = run(words);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.errors;
  }

  /// What a command finds: its statements are not compiled, the store has what was acknowledged, and there is no
  /// output.
  void lay_out() {
    compiled_.restore();
    for (const char* folder : {"tmp", "store", "out"}) {
      fs::remove_all(dir_.path() / folder);
      fs::create_directory(dir_.path() / folder);
    }
    fs::copy_file(dir_.path() / "kept.sqlite", dir_.path() / "store/s.sqlite");
    fs::create_directories(dir_.path() / "tmp");
  }

  int64_t written() const {
    int64_t bytes = 0;
    std::memcpy(&bytes, load_text(dir_.path() / "left").data(), sizeof bytes);
    return kPlenty - bytes;
  }

  void expect_right_or_named(const ProcessOutcome& outcome, const ProcessOutcome& expected, const std::string& folder,
                             const std::string& where) {
    ASSERT_EQ(outcome.end, ProcessOutcome::End::kExited) << where << describe_end(outcome);
    if (outcome.exit_code == expected.exit_code) {
      EXPECT_EQ(outcome.output, expected.output) << where;
      return;
    }
    EXPECT_EQ(outcome.exit_code, 1) << where << outcome.output << outcome.errors;
    const std::string said = outcome.errors + outcome.output;
    const bool named = said.find(folder + "/") != std::string::npos || said.find("/" + folder) != std::string::npos;
    EXPECT_TRUE(named) << where << "names no file: " << said;
    EXPECT_TRUE(said.find("No space left") != std::string::npos || said.find("full") != std::string::npos)
        << where << "gives no reason: " << said;
    EXPECT_EQ(outcome.errors.find("unexpected failure"), std::string::npos) << where << outcome.errors;
  }

  void expect_nothing_lost(const std::string& where) {
    const ProcessOutcome check = run({"store", "check", "--store", "store/s.sqlite"});
    EXPECT_EQ(check.exit_code, 0) << where << check.errors;
    const ProcessOutcome kept = run({"store", "export", "@kept", "--store", "store/s.sqlite"});
    EXPECT_EQ(kept.output, kept_run_) << where << kept.errors;
    for (const auto& file : fs::directory_iterator(dir_.path() / "out"))
      EXPECT_EQ(file.path().filename().string().substr(0, 2), "r.") << where << "left " << file.path();
  }

  /// With each folder in turn full in the middle of what is written to it; with ICOUNT_LONG_TESTS at once, at seven
  /// places between and at the last bytes, too.
  void fill_each_folder(const std::vector<std::string>& words) {
    const std::string name = words[0] + " " + words[1];
    for (const std::string folder : kFolders) {
      lay_out();
      const ProcessOutcome expected = run(words, folder);
      ASSERT_EQ(expected.exit_code, 0) << name << expected.errors;
      const int64_t bytes = written();
      if (bytes == 0) continue;
      std::set<int64_t> rooms = {bytes / 2};
      if (all_sites_fail())
        for (int64_t step = 0; step < 8; ++step) rooms.insert({bytes * step / 8, bytes - 1 - step});
      int failed = 0;
      for (const int64_t room : rooms) {
        lay_out();
        const std::string where = name + ", room for " + std::to_string(room) + " bytes in " + folder + ": ";
        const ProcessOutcome outcome = run(words, folder, room);
        failed += outcome.exit_code != 0;
        expect_right_or_named(outcome, expected, folder, where);
        expect_nothing_lost(where);
        const ProcessOutcome again = run(words);
        EXPECT_EQ(again.output, expected.output) << where << "with room: " << again.errors;
      }
      EXPECT_GT(failed, 0) << name << ": " << folder << " was never too small";
      std::cout << name << ": " << bytes << " bytes in " << folder << ", " << failed << " of " << rooms.size()
                << " sizes too small\n";
    }
  }

  static constexpr const char* kFolders[] = {"tmp", "cache", "store", "out"};
  ScratchDir dir_;
  KeptEntries compiled_;
  std::string kept_run_;
};

TEST_F(FullFolderTest, CountsAreRightOrAnErrorThatNamesIt) {
  fill_each_folder({"count", "--no-torch", "--stmt", "icount::keep(x);", "--setup", "int x = 1;", "--repeats", "1",
                    "--format", "json", "--out", "out/r.icount"});
  fill_each_folder({"suite", "run", "s.toml", "--out", "out/r.icount"});
  fill_each_folder({"gate", "s.toml", "--baseline", "base.icount", "--json", "out/r.json"});
}

TEST_F(FullFolderTest, WhatIsKeptIsWholeOrAnErrorThatNamesIt) {
  fill_each_folder({"report", "base.icount", "-o", "out/r.html"});
  fill_each_folder({"store", "import", "base.icount", "--store", "store/s.sqlite", "--name", "n", "--time", "2000"});
  fill_each_folder({"store", "export", "@kept", "--store", "store/s.sqlite", "--out", "out/r.icount"});
}

}  // namespace
}  // namespace icount
