// Which of Valgrind's tools counts, without either.
#include "icount/callgrind/own_counter.h"

#include <gtest/gtest.h>

#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "support/error_of.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

void make_tool(const fs::path& folder) {
  fs::create_directories(folder);
  save_file(folder / kCounterFile, "x");
}

TEST(OwnCounterTest, TheToolLiesInTheBuildTreeOrBesideTheCarriedValgrind) {
  const ScratchDir build, prefix;
  for (const char* file : {"icount", "tests/timer_test", "python/icount/_core.so"})
    EXPECT_EQ(find_counter_folder(build.path() / file), "") << "there is none";
  make_tool(build.path() / "tool/lib");
  for (const char* file : {"icount", "tests/timer_test", "python/icount/_core.so"})
    EXPECT_EQ(find_counter_folder(build.path() / file), build.path() / "tool/lib") << file;
  make_tool(prefix.path() / "libexec/icount/valgrind");
  for (const char* file : {"bin/icount", "_core.so"})
    EXPECT_EQ(find_counter_folder(prefix.path() / file), prefix.path() / "libexec/icount/valgrind") << file;
  EXPECT_EQ(find_counter_folder(""), "");
}

TEST(OwnCounterTest, CallgrindCountsWhatItAloneHas) {
  Valgrind valgrind{.path = "valgrind", .version = "3.19.0"};
  choose_counter("callgrind", "", valgrind);
  EXPECT_EQ(valgrind.counter_folder, "");
  choose_counter("", "call stacks", valgrind);
  EXPECT_EQ(valgrind.counter_folder, "");
  EXPECT_EQ(error_of([&] { choose_counter("own", "call stacks", valgrind); }),
            "icount's own counter does not support call stacks; use --counter callgrind");
  EXPECT_EQ(error_of([&] { choose_counter("best", "", valgrind); }), "unknown counter 'best'; use own or callgrind");
}

// The tool serves one version of Valgrind. Whatever keeps it from counting is said where it was asked for.
TEST(OwnCounterTest, ToolsThatCannotBeUsedLeaveCountingToCallgrind) {
  Valgrind valgrind{.path = "valgrind", .version = "1.2.3"};
  choose_counter("", "", valgrind);
  EXPECT_EQ(valgrind.counter_folder, "");
  const std::string error = error_of([&] { choose_counter("own", "", valgrind); });
  EXPECT_NE(error.find(", or use --counter callgrind"), error.npos) << error;

  const ScratchDir scratch;
  const fs::path folder = scratch.path(), tool = folder / kCounterFile;
  EXPECT_TRUE(why_counter_unusable("", valgrind).starts_with("icount's own counter is not installed: "));
  make_tool(folder);
  EXPECT_EQ(why_counter_unusable(folder, valgrind),
            "icount's own counter is incomplete: " + (folder / kCounterVersionFile).string() +
                ": cannot read: No such file or directory; install icount again");
  save_file(folder / kCounterVersionFile, "1.2.3\n");
  fs::permissions(tool, fs::perms::owner_read);
  EXPECT_EQ(why_counter_unusable(folder, valgrind),
            "icount's own counter cannot be run: " + tool.string() + ": Permission denied; install icount again");
  fs::permissions(tool, fs::perms::owner_all);
  EXPECT_EQ(why_counter_unusable(folder, valgrind), "");
  save_file(folder / kCounterVersionFile, "1.2.4\n");
  EXPECT_EQ(why_counter_unusable(folder, valgrind),
            "icount's own counter was built for Valgrind 1.2.4, and valgrind is 1.2.3; build icount with that one");
}

}  // namespace
}  // namespace icount
