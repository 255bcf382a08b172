#include "icount/cli/named_folders.h"

#include <gtest/gtest.h>

#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

TEST(NamedFoldersTest, CheckoutBuildAndCacheAreNamed) {
  const ScratchDir scratch;
  const fs::path source = scratch.path() / "project", build = scratch.path() / "build",
                 other = scratch.path() / "other";
  fs::create_directories(source / "suites");
  fs::create_directories(build / "generated");
  fs::create_directories(other);
  save_file(source / ".git", "gitdir: elsewhere\n");  // as a worktree has it
  save_file(build / "CMakeCache.txt", "# CMake\nCMAKE_HOME_DIRECTORY:INTERNAL=" + source.string() + "\n");
  save_file(other / "CMakeCache.txt", "# CMake\nCMAKE_HOME_DIRECTORY:INTERNAL=/another\n");
  Environment environment;
  environment.set("ICOUNT_CACHE", "/cache");
  const auto folders = probe_named_folders({source / "suites" / "."}, {build / "generated", other}, environment);
  const std::string flags = "-I" + source.string() + "/include -I" + build.string() + "/generated -I" + other.string() +
                            " /cache/entries/0a1b/x.o";
  EXPECT_EQ(with_named_folders(flags, folders),
            "-I<source>/include -I<build>/generated -I" + other.string() + " <cache>/x.o");
}

}  // namespace
}  // namespace icount
