#include "icount/base/file_saving.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "icount/base/descriptor.h"
#include "icount/base/file.h"
#include "icount/base/folder_lock.h"
#include "icount/base/scratch_dir.h"
#include "support/error_of.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

class FileSavingTest : public testing::Test {
 protected:
  size_t files_here() const {
    size_t count = 0;
    for (const auto& entry : fs::directory_iterator(dir_.path())) count += entry.path().filename() != ".owner";
    return count;
  }
  fs::path path(const char* name) const { return dir_.path() / name; }

  const ScratchDir dir_;
};

TEST_F(FileSavingTest, TheLockIsWhereALinkLeads) {
  fs::create_directories(path("real"));
  fs::create_directories(path("elsewhere"));
  fs::create_symlink("../real/values", path("elsewhere/hop"));
  fs::create_symlink("elsewhere/hop", path("values"));
  const FolderLock lock(path("values"));
  const Descriptor real = open_descriptor(path("real"), O_RDONLY | O_DIRECTORY);
  EXPECT_NE(::flock(real.get(), LOCK_EX | LOCK_NB), 0) << "a link to a file that is not there yet";
  save_file(path("values"), "x");
  EXPECT_EQ(load_text(path("real/values")), "x");
  EXPECT_TRUE(fs::is_symlink(path("elsewhere/hop")) && fs::is_symlink(path("values")));
  const FolderLock other(path("elsewhere/none"));
  const Descriptor elsewhere = open_descriptor(path("elsewhere"), O_RDONLY | O_DIRECTORY);
  EXPECT_NE(::flock(elsewhere.get(), LOCK_EX | LOCK_NB), 0);
}

TEST_F(FileSavingTest, AChainOfLinksThatLeadsNowhereYetStays) {
  fs::create_symlink("b", path("a"));
  fs::create_symlink("c", path("b"));
  save_file(path("a"), "x");
  EXPECT_TRUE(fs::is_symlink(path("a")) && fs::is_symlink(path("b")));
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(path("c"))));
  EXPECT_EQ(load_text(path("c")), "x");
}

/// root writes the files of others.
TEST_F(FileSavingTest, AFileKeepsItsOwnerItsGroupAndItsMode) {
  save_file(path("out"), "x");
  const bool given_away = ::chown(path("out").c_str(), 12345, 23456) == 0;
  ASSERT_EQ(::chmod(path("out").c_str(), 02640), 0);
  struct stat before {
  }, after{};
  ASSERT_EQ(::stat(path("out").c_str(), &before), 0);
  EXPECT_EQ(before.st_uid == 12345, given_away);
  save_file(path("out"), "y");
  ASSERT_EQ(::stat(path("out").c_str(), &after), 0);
  EXPECT_EQ(after.st_uid, before.st_uid);
  EXPECT_EQ(after.st_gid, before.st_gid);
  EXPECT_EQ(after.st_mode, before.st_mode);
}

TEST_F(FileSavingTest, LinksInACircleAreNotReplaced) {
  fs::create_symlink("b", path("a"));
  fs::create_symlink("a", path("b"));
  EXPECT_NE(error_of([&] { save_file(path("a"), "x"); }).find("Too many levels of symbolic links"), std::string::npos);
  EXPECT_TRUE(fs::is_symlink(path("a")) && fs::is_symlink(path("b")));
}

TEST_F(FileSavingTest, WhatAKilledWriterLeftGoesWithTheNext) {
  const pid_t child = ::fork();
  if (child == 0) {
    const TemporaryBeside left(path("out"), "out");
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  ASSERT_EQ(files_here(), 1U);
  save_file(path("other"), "x");
  save_file(path("out.icount-backup.txt"), "the user's");
  EXPECT_EQ(files_here(), 3U) << "of another file";
  {
    const TemporaryBeside writing(path("out"), "out");
    save_file(path("out"), "x");
    EXPECT_EQ(files_here(), 4U) << "the killed one's is gone; a living one's stays";
  }
  EXPECT_EQ(files_here(), 3U);
}

}  // namespace
}  // namespace icount
