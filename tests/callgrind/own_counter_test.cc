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
            "icount's own counter does not have call stacks; use --counter callgrind");
  EXPECT_EQ(error_of([&] { choose_counter("best", "", valgrind); }), "no counter 'best'; it is own or callgrind");
}

// The tool serves one version of Valgrind.
TEST(OwnCounterTest, ProgramsOfAnotherVersionOfValgrindAreCountedByCallgrind) {
  Valgrind valgrind{.path = "valgrind", .version = "1.2.3"};
  choose_counter("", "", valgrind);
  EXPECT_EQ(valgrind.counter_folder, "");
  const std::string error = error_of([&] { choose_counter("own", "", valgrind); });
  EXPECT_NE(error.find("use --counter callgrind"), error.npos) << error;
}

}  // namespace
}  // namespace icount
