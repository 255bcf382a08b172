#include "icount/base/disk_room.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include "icount/base/scratch_dir.h"

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

}  // namespace
}  // namespace icount
