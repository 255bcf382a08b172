#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "icount/base/disk_room.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/spawn.h"
#include "support/error_of.h"

namespace icount {
namespace {

TEST(DiskRoomTest, OfTheNearestFolderThatIsThere) {
  const ScratchDir dir;
  const std::string room = describe_room(dir.path() / "not" / "made");
  EXPECT_TRUE(room.starts_with(dir.path().string() + " has ")) << room;
  EXPECT_NE(room.find(" MB free"), std::string::npos) << room;
  EXPECT_EQ(describe_room("/proc").find("/proc has 0.0 MB free"), 0u) << "a system without files of its own";
}

TEST(DiskRoomTest, ALimitOnFilesIsNamed) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{rlim_t{1} << 30, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string room = describe_room("/");
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_NE(room.find(", and no file may pass 1073741824 bytes (ulimit -f)"), std::string::npos) << room;
}

TEST(DiskRoomTest, TheLineThatTellsOfIt) {
  EXPECT_EQ(find_want_of_room("ld: a\n  ld: final link failed: No space left on device \nb"),
            "ld: final link failed: No space left on device");
  EXPECT_EQ(find_want_of_room("Disk quota exceeded"), "Disk quota exceeded");
  EXPECT_EQ(find_want_of_room("x: File too large"), "x: File too large");
  EXPECT_EQ(find_want_of_room("killed by signal 25 (SIGXFSZ)"), "killed by signal 25 (SIGXFSZ)");
  EXPECT_EQ(find_want_of_room("no such file\nand more"), "");
}

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
