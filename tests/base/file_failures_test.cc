// What the system refuses to files and folders is an Error that names them, or is passed over where nothing is lost.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <optional>
#include <string>

#include "icount/base/descriptor.h"
#include "icount/base/file.h"
#include "icount/base/file_reading.h"
#include "icount/base/file_saving.h"
#include "icount/base/folder_lock.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/unix_socket.h"
#include "support/error_of.h"
#include "support/few_descriptors.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

class FileFailuresTest : public testing::Test {
 protected:
  fs::path path(const std::string& name) const { return dir_.path() / name; }
  const ScratchDir dir_;
};

TEST_F(FileFailuresTest, WhatCannotBeReadOrMappedIsNamed) {
  EXPECT_EQ(error_of(ErrorKind::kIo, [] { load_text("/proc/self/mem"); }),
            "/proc/self/mem: cannot read: Input/output error");
  EXPECT_EQ(error_of(ErrorKind::kIo, [] { load_regular_file("/proc/self/mem"); }),
            "/proc/self/mem: cannot read: Input/output error");
  const Descriptor large(::memfd_create("large", MFD_CLOEXEC));
  ASSERT_EQ(::ftruncate(large.get(), off_t{1} << 50), 0);
  const std::string name = "/proc/self/fd/" + std::to_string(large.get());
  EXPECT_EQ(error_of(ErrorKind::kIo, [&] { map_file(name); }), name + ": Cannot allocate memory");
}

TEST_F(FileFailuresTest, WhatCannotBeWrittenIsNamed) {
  EXPECT_EQ(error_of(ErrorKind::kIo, [] { save_file("/dev/full", "x"); }),
            "/dev/full: cannot write: No space left on device");
  const Descriptor socket(listen_at(path("s")));
  EXPECT_EQ(error_of(ErrorKind::kIo, [&] { save_file(path("s"), "x"); }),
            path("s").string() + ": cannot write: No such device or address");
  EXPECT_EQ(error_of(ErrorKind::kIo, [&] { save_file(path("none/f"), "x"); }),
            path("none/f").string() + ": cannot write: No such file or directory");
}

TEST_F(FileFailuresTest, AFolderThatComesBetweenIsNotReplaced) {
  std::string message;
  {
    TemporaryBeside temporary(path("f"), "the name given");
    fs::create_directories(path("f"));
    message = error_of(ErrorKind::kIo, [&] { temporary.take_place(); });
  }
  EXPECT_EQ(message, "the name given: cannot replace: Is a directory");
  EXPECT_TRUE(fs::is_empty(path("f")));
  size_t left = 0;
  for (const auto& entry : fs::directory_iterator(dir_.path())) left += entry.path().filename() != ".owner";
  EXPECT_EQ(left, 1u) << "the temporary file is gone";
}

TEST_F(FileFailuresTest, ANameWithoutAFolderIsOfTheCurrentOne) {
  const fs::path before = fs::current_path();
  fs::current_path(dir_.path());
  save_file("f", "one");
  save_file("f", "two");
  fs::current_path(before);
  EXPECT_EQ(load_text(path("f")), "two");
}

TEST_F(FileFailuresTest, TheLinksOfACircleEndSomewhere) {
  fs::create_symlink("b", path("a"));
  fs::create_symlink("a", path("b"));
  const fs::path end = end_of_links(path("a"));
  EXPECT_TRUE(end == path("a") || end == path("b")) << end;
  EXPECT_EQ(end_of_links(path(std::string(300, 'x'))), path(std::string(300, 'x')));
}

TEST_F(FileFailuresTest, APathThatTheSystemDoesNotTakeStaysAsItIs) {
  const fs::path too_long = path(std::string(300, 'x') + "/y");
  EXPECT_EQ(real_path(too_long), too_long);
  EXPECT_EQ(real_path(path("none/../f")), fs::canonical(dir_.path()) / "f");
}

TEST_F(FileFailuresTest, ALockWhereThereIsNoFolderIsNone) {
  const FolderLock lock(path("none") / "f");
  EXPECT_FALSE(fs::exists(path("none")));
}

/// What looks like a leftover of "f" but is not one: other kinds of files, other names, files of others.
TEST_F(FileFailuresTest, OnlyLeftoversOfOnesOwnAreSwept) {
  std::ofstream(path("g.icount-abcdef")) << "of another file";
  std::ofstream(path("f.icount-abcde")) << "of another length";
  std::ofstream(path("kept")) << "behind a link";
  fs::create_symlink("kept", path("f.icount-linked"));
  fs::create_directories(path("f.icount-folder"));
  std::ofstream(path("f.icount-others")) << "of another user";
  const bool is_root = ::geteuid() == 0;
  if (is_root) {
    ASSERT_EQ(::chown(path("f.icount-others").c_str(), 65534, 65534), 0);
  }
  save_file(path("f"), "x");
  for (const char* name : {"g.icount-abcdef", "f.icount-abcde", "kept", "f.icount-linked", "f.icount-folder"})
    EXPECT_TRUE(fs::exists(path(name))) << name;
  EXPECT_EQ(fs::exists(path("f.icount-others")), is_root);
}

/// Where neither the owner nor the group may be given, the file is the writer's.
TEST_F(FileFailuresTest, AFileOfAnotherUserBecomesTheWriters) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root becomes another user";
  std::ofstream(path("f")) << "root's";
  fs::permissions(dir_.path(), fs::perms::all);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setgid(65534) != 0 || ::setuid(65534) != 0 || ::access(dir_.path().c_str(), W_OK) != 0) ::_exit(2);
    ::_exit(error_of([&] { save_file(path("f"), "another's"); }) == "no error" ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  if (WEXITSTATUS(status) == 2) GTEST_SKIP() << "another user cannot come here";
  ASSERT_EQ(status, 0);
  struct stat about {};
  ASSERT_EQ(::stat(path("f").c_str(), &about), 0);
  EXPECT_EQ(about.st_uid, 65534u);
  EXPECT_EQ(load_text(path("f")), "another's");
}

TEST_F(FileFailuresTest, BytesThatMoveIntoThemselvesStay) {
  save_file(path("f"), "mapped");
  FileBytes bytes = map_file(path("f"));
  FileBytes& itself = bytes;
  bytes = std::move(itself);
  EXPECT_EQ(bytes.view(), "mapped");
  ScratchDir dir("icount-moved", dir_.path());
  const fs::path place = dir.path();
  ScratchDir& same = dir;
  dir = std::move(same);
  EXPECT_TRUE(fs::exists(place));
  dir = ScratchDir("icount-other", dir_.path());
  EXPECT_FALSE(fs::exists(place)) << "nobody has it any more";
  EXPECT_TRUE(fs::exists(dir.path()));
}

TEST_F(FileFailuresTest, AScratchFolderThatCannotBeMadeIsAnError) {
  EXPECT_EQ(error_of(ErrorKind::kIo, [] { const ScratchDir dir("icount", "/no/such"); }),
            "cannot make a temporary folder in /no/such: No such file or directory; set TMPDIR to a writable folder");
}

/// Where no lock is to be had the folder has no owner, serves, and goes away all the same.
TEST_F(FileFailuresTest, AScratchFolderWithoutALockServes) {
  std::optional<ScratchDir> dir, given;
  const fs::path root = dir_.path();
  {
    const FewDescriptors few;
    dir.emplace("icount", root);
    given.emplace("icount", root);
  }
  const fs::path place = dir->path();
  EXPECT_TRUE(fs::is_empty(place));
  const fs::path released = given->release();
  dir.reset();
  EXPECT_FALSE(fs::exists(place));
  EXPECT_TRUE(fs::exists(released));
}

TEST_F(FileFailuresTest, OnlyScratchFoldersOfOnesOwnAreSwept) {
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(48);
  std::ofstream(path("icount.a_file")) << "no folder";
  fs::create_directories(path("elsewhere"));
  std::ofstream(path("elsewhere/.owner")) << "";
  std::ofstream(path("elsewhere/f")) << "behind a link";
  fs::create_directory_symlink("elsewhere", path("icount.linked"));
  for (const char* name : {"icountxabcdef", "icount.theirs", "icount.owned1"}) fs::create_directories(path(name));
  std::ofstream(path("icount.owned1/.owner")) << "";
  for (const char* name : {"icount.a_file", "icountxabcdef", "icount.theirs"}) fs::last_write_time(path(name), old);
  const bool is_root = ::geteuid() == 0;
  for (const char* name : {"icount.theirs", "icount.owned1"}) {
    const uid_t owner = is_root ? 65534 : ::geteuid();
    ASSERT_EQ(::chown(path(name).c_str(), owner, static_cast<gid_t>(-1)), 0);
  }
  const ScratchDir next("icount", dir_.path());
  for (const char* name : {"icount.a_file", "elsewhere/f", "icountxabcdef"})
    EXPECT_TRUE(fs::exists(path(name))) << name;
  for (const char* name : {"icount.theirs", "icount.owned1"}) EXPECT_EQ(fs::exists(path(name)), is_root) << name;
}

}  // namespace
}  // namespace icount
