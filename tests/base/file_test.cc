#include "icount/base/file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "icount/base/compression.h"
#include "icount/base/error.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "support/error_of.h"
#include "support/places.h"

namespace icount {
namespace {

TEST(FileTest, SavedBytesComeBackAndNoTemporaryStays) {
  ScratchDir dir;
  const auto path = dir.path() / "a.txt";
  save_file(path, "old");
  save_file(path, std::string("new\0bytes", 9));
  EXPECT_EQ(load_file(path).view(), std::string_view("new\0bytes", 9));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 2) << "it, and the folder's owner";
}

TEST(FileTest, ALinkStaysALinkAndAModeStays) {
  namespace fs = std::filesystem;
  const ScratchDir dir;
  fs::create_directory(dir.path() / "there");
  save_file(dir.path() / "there/a", "old");
  fs::permissions(dir.path() / "there/a", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("there/a", dir.path() / "link");
  save_file(dir.path() / "link", "new");
  EXPECT_TRUE(fs::is_symlink(dir.path() / "link"));
  EXPECT_EQ(load_text(dir.path() / "there/a"), "new");
  EXPECT_EQ(fs::status(dir.path() / "there/a").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("there/b", dir.path() / "dangling");
  save_file(dir.path() / "dangling", "made");
  EXPECT_EQ(load_text(dir.path() / "there/b"), "made");
}

TEST(FileTest, EmptyFileIsEmpty) {
  ScratchDir dir;
  save_file(dir.path() / "e", "");
  EXPECT_EQ(load_file(dir.path() / "e").view(), "");
}

TEST(FileTest, CompressedFilesAreReadAsTheirContent) {
  ScratchDir dir;
  const std::string content(300000, 'x');
  save_file(dir.path() / "plain", content);
  for (const std::string tool : {"gzip -k -c", "xz -k -c"}) {
    ProcessSpec spec;
    spec.argv = {"sh", "-c", tool + " plain > packed"};
    spec.working_dir = dir.path();
    ASSERT_TRUE(run_process(spec).ok()) << tool;
    EXPECT_EQ(load_file(dir.path() / "packed").view(), content) << tool;
    const std::string packed = load_text(dir.path() / "packed");
    save_file(dir.path() / "packed", packed.substr(0, packed.size() / 2));
    EXPECT_NE(error_of([&] { load_file(dir.path() / "packed"); }).find("truncated"), std::string::npos) << tool;
    save_file(dir.path() / "packed", packed + packed);
    EXPECT_EQ(load_file(dir.path() / "packed").view(), content + content) << tool;
  }
  save_file(dir.path() / "packed", compress_zstd(content));
  EXPECT_EQ(load_file(dir.path() / "packed").view(), content);
  EXPECT_NE(error_of([&] { decompress(compress_zstd(content), "bomb", 1000); }).find("more than 1000 bytes"),
            std::string::npos);
  // Next to nothing that would fill the memory.
  save_file(dir.path() / "packed", compress_zstd(std::string((size_t{64} << 20) + 1, '\0')));
  EXPECT_EQ(error_of([&] { load_file(dir.path() / "packed"); }),
            (dir.path() / "packed").string() +
                ": unpacks to more than 67108864 bytes; if that is right, unpack it yourself first");
  EXPECT_EQ(most_unpacked_bytes(size_t{1} << 20), size_t{100} << 20);
  const std::string huge = "tests/testdata/fuzz/compressed/huge_dictionary.xz";  // 64 bytes that ask for 4 GiB
  EXPECT_EQ(error_of([&] { load_file(std::filesystem::path(source_dir()) / huge); }),
            source_dir() + "/" + huge + ": xz data that needs more than 1073741824 bytes of memory to unpack");
}

TEST(FileTest, MessagesNameTheFileAndTheReason) {
  ScratchDir dir;
  EXPECT_EQ(error_of([] { load_file("/no/such/file"); }), "/no/such/file: cannot read: No such file or directory");
  EXPECT_EQ(error_of([&] { load_file(dir.path()); }), dir.path().string() + ": is a folder, a file was expected");
  EXPECT_EQ(error_of([&] { save_file(dir.path(), "x"); }),
            dir.path().string() + ": is a folder, cannot write a file there");
  EXPECT_EQ(error_of([&] { save_file(dir.path() / "no" / "a", "x"); }),
            (dir.path() / "no" / "a").string() + ": cannot write: No such file or directory");
}

TEST(FileTest, ScratchFolderGoesAwayUnlessReleased) {
  std::filesystem::path gone, kept;
  {
    ScratchDir a, b;
    gone = a.path();
    kept = b.release();
    save_file(gone / "f", "x");
  }
  EXPECT_FALSE(std::filesystem::exists(gone));
  EXPECT_TRUE(std::filesystem::exists(kept));
  std::filesystem::remove_all(kept);
}

/// The rest of a killed process: the folder of a child that never came to its end.
std::filesystem::path abandon(const std::filesystem::path& root) {
  const pid_t child = ::fork();
  if (child == 0) {
    const ScratchDir dir("icount", root);
    save_file(dir.path() / "f", "x");
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  for (const auto& entry : std::filesystem::directory_iterator(root))
    if (entry.is_directory()) return entry.path();
  return {};
}

TEST(FileTest, AFolderWhoseOwnerWasKilledIsSweptByTheNext) {
  const ScratchDir root;
  const auto left = abandon(root.path());
  EXPECT_TRUE(std::filesystem::exists(left / "f"));
  { const ScratchDir other("icount-other", root.path()); }
  EXPECT_TRUE(std::filesystem::exists(left)) << "another kind of folder";
  const ScratchDir mine("icount", root.path());
  EXPECT_FALSE(std::filesystem::exists(left));
  const ScratchDir second("icount", root.path());
  EXPECT_TRUE(std::filesystem::exists(mine.path())) << "its owner lives";
}

TEST(FileTest, OnlyFoldersWithAnOwnersFileAreSwept) {
  const ScratchDir root;
  std::filesystem::create_directories(root.path() / "icount.abcdef");
  std::filesystem::path released, kept;
  {
    ScratchDir a("icount", root.path()), b("icount", root.path());
    released = a.release();
    ASSERT_FALSE(b.release_as(root.path() / "icount.ghijkl"));
    EXPECT_TRUE(b.release_as(root.path() / "no" / "such"));
  }
  const ScratchDir next("icount", root.path());
  EXPECT_TRUE(std::filesystem::exists(root.path() / "icount.abcdef"));
  EXPECT_TRUE(std::filesystem::is_empty(root.path() / "icount.ghijkl"));
  EXPECT_TRUE(std::filesystem::is_empty(released));
}

TEST(FileTest, AnEmptyFolderThatNobodyOwnedForADayIsSwept) {
  namespace fs = std::filesystem;
  const ScratchDir root;
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(25);
  for (const char* name : {"icount.empty1", "icount.begun1", "icount.filled", "icount.recent"})
    fs::create_directories(root.path() / name);
  save_file(root.path() / "icount.begun1/.owner.new", "");
  save_file(root.path() / "icount.filled/f", "given away");
  for (const char* name : {"icount.empty1", "icount.begun1", "icount.filled"})
    fs::last_write_time(root.path() / name, old);
  const ScratchDir next("icount", root.path());
  EXPECT_FALSE(fs::exists(root.path() / "icount.empty1"));
  EXPECT_FALSE(fs::exists(root.path() / "icount.begun1"));
  EXPECT_TRUE(fs::exists(root.path() / "icount.filled/f"));
  EXPECT_TRUE(fs::exists(root.path() / "icount.recent"));
}

TEST(FileTest, ProgramsAreFoundInPathOnly) {
  EXPECT_FALSE(find_program("sh").empty());
  EXPECT_TRUE(find_program("icount-no-such-program").empty());
  EXPECT_TRUE(find_program("/etc/passwd").empty());
}

TEST(FileTest, ReleasedMemoryStaysReadable) {
  const ScratchDir dir;
  const std::string text(300000, 'x');
  save_file(dir.path() / "f", text);
  const FileBytes bytes = load_file(dir.path() / "f");
  bytes.release_memory(0, 250000);
  bytes.release_memory(5000, ~size_t{0});
  EXPECT_EQ(bytes.view(), text);
  FileBytes(std::string("owned")).release_memory(0, 3);
}

}  // namespace
}  // namespace icount
