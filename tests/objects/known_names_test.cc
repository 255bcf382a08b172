// Names that are kept between processes: of the same file the same, whatever was asked before; of any other one, and of
// a damaged entry, none.
#include "icount/objects/known_names.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/harness/elf_file.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

// Large enough to be kept.
constexpr std::string_view kSource = R"(int many[400000] = {1};
volatile int sink;
static inline __attribute__((always_inline)) int mix(int a) { return a * 31 + sink; }
static inline __attribute__((always_inline)) int twice(int a) { return mix(a) + mix(a + 1); }
__attribute__((noinline)) int outer(int n) {
  for (int i = 0; i < n; ++i) sink = twice(i);
  return sink;
}
int main(int argc, char**) { return outer(argc) + many[argc]; }
)";

std::string describe(const std::optional<DebugNames>& names) {
  if (!names) return "none";
  std::string text = names->producer + "\n";
  for (size_t i = 0; i < names->lines.size(); ++i) {
    const auto& [file, line] = names->lines[i];
    text += (line == 0 ? "?" : names->files[file]) + ":" + std::to_string(line);
    for (uint32_t at = names->inlined_at[i]; at != 0; at = names->inlined[at - 1].outer) {
      const InlinedFunction& one = names->inlined[at - 1];
      text += " " + one.name + " " + one.file + ":" + std::to_string(one.line) + " " + std::to_string(one.call_line);
    }
    text += "\n";
  }
  return text;
}

class KnownNamesTest : public testing::Test {
 protected:
  void SetUp() override {
    build(kSource);
    for (const ElfSymbol& symbol : load_elf_symbols(program_).symbols)
      if (symbol.name == "_Z5outeri")
        for (uint64_t i = 0; i < symbol.size; ++i) addresses_.push_back(symbol.address + i);
    ASSERT_GT(addresses_.size(), 20u);
    fresh_ = read();
    ASSERT_NE(fresh_.find("twice"), std::string::npos) << fresh_;
    keep_names_in(cache_);
  }
  void TearDown() override { keep_names_in({}); }

  void build(std::string_view source) {
    save_file(folder_.path() / "turn.cc", source);
    const ProcessOutcome outcome =
        run_process({.argv = {"g++", "-O2", "-g", "-Wl,--build-id=none", (folder_.path() / "turn.cc").string(), "-o",
                              (folder_.path() / "made").string()},
                     .time_limit = Seconds(300)});
    ASSERT_TRUE(outcome.ok()) << outcome.errors;
    // At the same place: not even the inode tells.
    std::ofstream(program_, std::ios::in | std::ios::out | std::ios::app).close();
    std::ofstream(program_, std::ios::in | std::ios::out) << load_text(folder_.path() / "made");
  }
  std::string read(DebugDetail detail = DebugDetail::kLinesAndInlined) {
    return describe(DebugInformation(program_).find(addresses_, detail));
  }
  /// What another process finds without reading the program.
  std::string kept() {
    KnownNames known(program_);
    known.load();
    if (!known.find_unknown(addresses_, DebugDetail::kLinesAndInlined).empty()) return "unknown";
    return describe(known.find(addresses_, DebugDetail::kLinesAndInlined));
  }
  fs::path entry() const {
    const std::vector<fs::path> entries = folder_entries(cache_ / "entries");
    return entries.size() == 1 ? entries[0] / "names" : fs::path("not one entry");
  }

  ScratchDir folder_;
  const fs::path program_ = folder_.path() / "turn", cache_ = folder_.path() / "cache";
  std::vector<uint64_t> addresses_;
  std::string fresh_;
};

TEST_F(KnownNamesTest, AnotherProcessFindsTheSame) {
  EXPECT_EQ(kept(), "unknown");
  EXPECT_EQ(read(), fresh_);
  EXPECT_EQ(kept(), fresh_);
  EXPECT_EQ(read(), fresh_);
}

TEST_F(KnownNamesTest, WhatWasAskedBeforeChangesNothing) {
  const std::vector<uint64_t> all = addresses_;
  const std::string lines = read(DebugDetail::kLines);
  EXPECT_EQ(kept(), "unknown") << "lines alone are less";
  addresses_.assign(all.begin() + 7, all.begin() + 12);
  keep_names_in({});
  const std::string few = read();
  keep_names_in(cache_);
  EXPECT_EQ(read(), few);
  addresses_ = all;
  EXPECT_EQ(kept(), "unknown");
  EXPECT_EQ(read(), fresh_);
  EXPECT_EQ(read(DebugDetail::kLines), lines);
  addresses_.assign(all.begin() + 7, all.begin() + 12);
  EXPECT_EQ(kept(), few);
}

TEST_F(KnownNamesTest, AFileThatWasBuiltAnewHasItsOwnNames) {
  EXPECT_EQ(read(), fresh_);
  const auto changed = fs::last_write_time(program_);
  const uintmax_t size = fs::file_size(program_);
  std::string other(kSource);
  other.replace(other.find("\nvolatile"), 1, " ");  // other lines, and not a byte more
  other += "\n";
  build(other);
  fs::last_write_time(program_, changed);
  ASSERT_EQ(fs::file_size(program_), size);
  EXPECT_EQ(kept(), "unknown");
  EXPECT_NE(read(), fresh_);
}

TEST_F(KnownNamesTest, ADamagedEntryIsNone) {
  read();
  const std::string whole = load_text(entry());
  ASSERT_GT(whole.size(), 100u);
  for (size_t at = 0; at < whole.size(); at += 41) {
    std::string bytes = whole;
    if (at % 2 == 0)
      bytes.resize(at);
    else
      bytes[at] = static_cast<char>(bytes[at] ^ 4);
    fs::create_directories(entry().parent_path());
    save_file(cache_ / "entries" / entry().parent_path().filename() / "names", bytes);
    ASSERT_EQ(kept(), "unknown") << at;
    ASSERT_TRUE(folder_entries(cache_ / "entries").empty()) << "it is dropped";
    ASSERT_EQ(read(), fresh_);
    ASSERT_EQ(load_text(entry()), whole);
  }
}

TEST_F(KnownNamesTest, WithoutAFolderTheyAreRead) {
  save_file(folder_.path() / "file", "");
  keep_names_in(folder_.path() / "file");
  EXPECT_EQ(read(), fresh_);
  fs::create_directory(folder_.path() / "everyones");
  fs::permissions(folder_.path() / "everyones", fs::perms::all);
  keep_names_in(folder_.path() / "everyones");
  EXPECT_EQ(read(), fresh_);
  EXPECT_EQ(kept(), "unknown") << "who may write there could put names into it";
}

}  // namespace
}  // namespace icount
