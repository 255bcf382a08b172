// Every command that measures or keeps something, on a disk that is full after so many bytes: what it says is right, or
// it says that it failed. Two kinds of disk: one for the writes of icount and the compilers (small_disk.c), one for
// those of Callgrind (a limit of the file size, which the kernel keeps).
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <set>

#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "support/places.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kPlenty = int64_t{1} << 40;

constexpr const char* kProgram = R"(#include <map>
#include <string>
int main() {
  std::map<int, std::string> map;
  for (int i = 0; i < 300; ++i) map[i * 7919 % 1000] = std::to_string(i);
  return map.size() == 300 ? 0 : 1;
})";

constexpr const char* kSuite = R"(name = "small"
[library]
torch = false
[[stmts]]
label = "fill"
cpp_stmt = "std::vector<int> v(50, 1); icount::keep(v);"
[[stmts]]
label = "text"
cpp_stmt = "std::string s(40, 'x'); icount::keep(s);"
)";

class FullDiskTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* program : {"valgrind", "g++", "prlimit"})
      if (find_program(program).empty()) GTEST_SKIP() << "no " << program << " here";
    save_file(dir_.path() / "p.cc", kProgram);
    save_file(dir_.path() / "small.toml", kSuite);
    ASSERT_TRUE(run({"g++", "-O1", "-o", "p", "p.cc"}).ok());
  }

  /// In the test's folder; below `words` the disk has room for `bytes`.
  ProcessOutcome run(std::vector<std::string> words, int64_t bytes = kPlenty) {
    std::string left(sizeof bytes, '\0');
    std::memcpy(left.data(), &bytes, sizeof bytes);
    save_file(dir_.path() / "left", left);
    ProcessSpec spec;
    for (std::string& word : words)
      if (word == "icount") word = binary_dir() + "/icount";
    spec.argv = std::move(words);
    spec.working_dir = dir_.path();
    spec.time_limit = Seconds(1200);
    spec.environment = std::vector<std::string>{"PATH=" + binary_dir() + ":/usr/local/bin:/usr/bin:/bin",
                                                "HOME=" + dir_.path().string(),
                                                "ICOUNT_CACHE=" + (dir_.path() / "cache").string(),
                                                "LC_ALL=C",
                                                "SMALL_DISK=" + (dir_.path() / "left").string(),
                                                "LD_PRELOAD=" + binary_dir() + "/tests/small_disk.so"};
    return run_process(spec);
  }

  int64_t left() const {
    int64_t bytes = 0;
    std::memcpy(&bytes, load_text(dir_.path() / "left").data(), sizeof bytes);
    return bytes;
  }

  /// `outputs` are files that the command writes: whole, or not there.
  struct Command {
    std::vector<std::string> words;
    std::vector<std::string> outputs;
    int exit_code = 0;
    std::function<void()> before = [] {};  // so that each run starts alike
  };

  void remove_outputs(const Command& command) {
    for (const std::string& output : command.outputs) fs::remove(dir_.path() / output);
    command.before();
  }

  void expect_right_or_failed(const Command& command, const ProcessOutcome& expected, const ProcessOutcome& outcome,
                              const std::string& where) {
    ASSERT_EQ(outcome.end, ProcessOutcome::End::kExited) << where << ": " << describe_end(outcome);
    if (outcome.exit_code == command.exit_code) {
      EXPECT_EQ(outcome.output, expected.output) << where;
      for (const std::string& output : command.outputs)
        EXPECT_TRUE(fs::exists(dir_.path() / output)) << where << ": " << output;
    } else {
      EXPECT_EQ(outcome.exit_code, 1) << where << outcome.output << outcome.errors;
      const std::string said = outcome.errors + outcome.output;  // a failed benchmark is told among the others
      EXPECT_TRUE(said.find("icount: ") != std::string::npos || said.find("whole profile") != std::string::npos)
          << where << " is silent: " << said;
      EXPECT_EQ(outcome.errors.find("unexpected failure"), std::string::npos) << where << outcome.errors;
    }
  }

  /// The command on a disk that takes the first 0 to all of the bytes that it writes, in `steps` steps and one byte
  /// below.
  void try_small_disks(const Command& command, int steps) {
    remove_outputs(command);
    const ProcessOutcome expected = run(command.words);
    ASSERT_EQ(expected.exit_code, command.exit_code) << expected.errors;
    remove_outputs(command);
    ASSERT_EQ(run(command.words).output, expected.output);
    const int64_t written = kPlenty - left();
    ASSERT_GT(written, 0) << "the library is not preloaded";
    std::set<int64_t> rooms = {written - 1};
    for (int step = 0; step < steps; ++step) rooms.insert(written * step / steps);
    int failed = 0;
    for (const int64_t room : rooms) {
      remove_outputs(command);
      const ProcessOutcome outcome = run(command.words, room);
      failed += outcome.exit_code != command.exit_code;
      expect_right_or_failed(command, expected, outcome,
                             command.words.at(1) + " with room for " + std::to_string(room) + " bytes: ");
    }
    EXPECT_GT(failed, 0) << "no disk was too small";
  }

  /// The command where no file may be longer than so many bytes.
  void try_small_files(const Command& command, const std::vector<int64_t>& lengths) {
    remove_outputs(command);
    const ProcessOutcome expected = run(command.words);
    ASSERT_EQ(expected.exit_code, command.exit_code) << expected.errors;
    for (const int64_t length : lengths) {
      remove_outputs(command);
      std::vector<std::string> words = {"prlimit", "--fsize=" + std::to_string(length)};
      words.insert(words.end(), command.words.begin(), command.words.end());
      expect_right_or_failed(command, expected, run(words),
                             command.words.at(1) + " with files of at most " + std::to_string(length) + " bytes: ");
    }
  }

  Command count_statement() const {
    return {{"icount", "count", "--no-torch", "--stmt", "std::vector<int> v(50, 1); icount::keep(v);", "--format",
             "json", "--out", "r.icount"},
            {"r.icount"}};
  }
  Command count_program() const { return {{"icount", "count", "--out", "r.icount", "--", "./p"}, {"r.icount"}}; }

  ScratchDir dir_;
};

TEST_F(FullDiskTest, CountsAreRightOrFail) {
  try_small_files(count_program(), {0, 700, 9000, 60000, 130000});
  try_small_files(count_statement(), {0, 1000, 3000, 5000});
}

TEST_F(FullDiskTest, ResultsAreWholeOrFail) {
  try_small_disks(count_program(), 4);
  try_small_disks(count_statement(), 4);
}

TEST_F(FullDiskTest, CompilersOutputIsWholeOrFails) {
  Command command = count_statement();
  command.words.insert(command.words.end(), {"--compiler", "g++"});
  command.before = [&] { fs::remove_all(dir_.path() / "cache"); };
  try_small_disks(command, 4);
  command.before = [] {};
  const ProcessOutcome healed = run(command.words);
  EXPECT_EQ(healed.exit_code, 0) << healed.errors;
}

TEST_F(FullDiskTest, SuitesAndGatesAreRightOrFail) {
  ASSERT_EQ(run({"icount", "suite", "run", "small.toml", "--out", "base.icount"}).exit_code, 0);
  const Command suite{{"icount", "suite", "run", "small.toml", "--out", "r.icount"}, {"r.icount"}};
  try_small_disks(suite, 3);
  try_small_files(suite, {0, 4000});
  const Command gate{{"icount", "gate", "small.toml", "--baseline", "base.icount", "--json", "g.json"}, {"g.json"}};
  try_small_disks(gate, 3);
  try_small_files(gate, {0, 4000});
}

TEST_F(FullDiskTest, WhatIsKeptIsWholeOrFails) {
  ASSERT_EQ(run({"icount", "count", "--out", "kept.icount", "--", "./p"}).exit_code, 0);
  try_small_disks({{"icount", "report", "kept.icount", "-o", "r.html"}, {"r.html"}}, 5);
  try_small_disks({{"icount", "store", "import", "kept.icount", "--store", "s.sqlite", "--name", "n"},
                   {"s.sqlite"},
                   0,
                   [&] {
                     for (const char* file : {"s.sqlite", "s.sqlite-wal", "s.sqlite-shm", "s.sqlite-journal"})
                       fs::remove(dir_.path() / file);
                   }},
                  8);
  try_small_disks({{"icount", "export", "kept.icount", "--to", "callgrind", "-o", "e.out"}, {"e.out"}}, 5);
}

}  // namespace
}  // namespace icount
