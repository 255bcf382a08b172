// Which Valgrind is found, without one: scripts that say which version they are.
#include <gtest/gtest.h>

#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/callgrind/installed_valgrind.h"
#include "support/error_of.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

/// A program that prints `text` and ends with `status`.
fs::path make_script(const fs::path& file, const std::string& text, int status = 0) {
  fs::create_directories(file.parent_path());
  save_file(file, "#!/bin/sh\necho '" + text + "'\nexit " + std::to_string(status) + "\n");
  fs::permissions(file, fs::perms::owner_all);
  return file;
}

TEST(CarriedValgrindTest, ItLiesBesideTheFolderOfTheProgram) {
  const ScratchDir folder;
  const fs::path carried = folder.path() / "libexec/icount/valgrind/valgrind";
  EXPECT_EQ(find_carried_valgrind(folder.path() / "bin/icount"), "") << "there is none";
  fs::create_directories(carried);
  EXPECT_EQ(find_carried_valgrind(folder.path() / "bin/icount"), "") << "a folder is none";
  fs::remove(carried);
  save_file(carried, "x");
  EXPECT_EQ(find_carried_valgrind(folder.path() / "bin/icount"), carried);
  EXPECT_EQ(find_carried_valgrind(folder.path() / "icount"), "") << "one folder too high";
  EXPECT_EQ(find_carried_valgrind(""), "");
}

TEST(CarriedValgrindTest, OneThatIsNamedIsAskedForItsVersion) {
  const ScratchDir folder;
  const Valgrind found = choose_valgrind(make_script(folder.path() / "good", "valgrind-3.25.1").string());
  EXPECT_EQ(found.path, folder.path() / "good");
  EXPECT_EQ(found.version, "3.25.1");
  EXPECT_FALSE(found.is_carried);
  const auto problem = [&](const std::string& text, int status) {
    const fs::path script = make_script(folder.path() / "bad", text, status);
    return error_of(ErrorKind::kTool, [&] { choose_valgrind(script.string()); });
  };
  EXPECT_NE(problem("valgrind-3.25.1", 3).find("is it a working Valgrind?"), std::string::npos);
  EXPECT_NE(problem("other", 0).find("output \"other\"; is it a working Valgrind?"), std::string::npos);
  EXPECT_NE(error_of(ErrorKind::kTool, [&] { choose_valgrind((folder.path() / "none").string()); }).find("no "),
            std::string::npos);
}

TEST(CarriedValgrindTest, WithoutOneAlongAskingForItIsAnError) {
  const std::string message = error_of(ErrorKind::kTool, [] { choose_valgrind("carried"); });
  EXPECT_NE(message.find(" carries no Valgrind along "), std::string::npos) << message;
}

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
