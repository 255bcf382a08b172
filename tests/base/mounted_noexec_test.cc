#include "icount/base/mounted_noexec.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/spawn.h"
#include "support/error_of.h"

namespace icount {
namespace {

/// In a child that may mount: what icount says of a program on such a file system goes into `said`. 2: it may not.
[[noreturn]] void start_there(const std::filesystem::path& folder, const std::filesystem::path& said) noexcept {
  if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      ::mount("none", folder.c_str(), "tmpfs", MS_NOEXEC, "") != 0)
    ::_exit(2);
  const std::filesystem::path program = folder / "program";
  save_file(program, "#!/bin/sh\n");
  ::chmod(program.c_str(), 0700);
  save_file(said, error_of([&] { spawn({.argv = {program.string()}}); }));
  ::_exit(0);
}

TEST(MountedNoexecTest, IsWhyAProgramCannotBeStarted) {
  const ScratchDir scratch;
  const std::filesystem::path folder = scratch.path() / "there", said = scratch.path() / "said";
  std::filesystem::create_directory(folder);
  const pid_t child = ::fork();
  if (child == 0) start_there(folder, said);
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 2) GTEST_SKIP() << "this process may not mount";
  const std::string program = (folder / "program").string();
  const std::string why = "it is on a file system that is mounted noexec; put it elsewhere";
  EXPECT_EQ(load_text(said), "cannot start " + program + ": " + why + " (ICOUNT_CACHE moves the build cache)");
}

TEST(MountedNoexecTest, IsNotSaidOfAnother) {
  const ScratchDir scratch;
  EXPECT_EQ(describe_noexec(scratch.path()), "");
  EXPECT_EQ(describe_noexec(scratch.path() / "none"), "");
}

}  // namespace
}  // namespace icount
