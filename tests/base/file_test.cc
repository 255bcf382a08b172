#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
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
#include <thread>

#include "icount/base/compression.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/unix_socket.h"
#include "support/error_of.h"
#include "support/few_descriptors.h"
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

TEST(FileReadingTest, WhatIsNoFileIsRefusedWithoutWaiting) {
  const ScratchDir dir;
  const std::string pipe = dir.path() / "pipe", zero = dir.path() / "zero", place = dir.path() / "socket";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", zero);
  const std::string rest = "; a file was expected: save its output in a file, and name that file";
  EXPECT_EQ(error_of([&] { load_regular_file(pipe); }), pipe + ": is a pipe" + rest);
  EXPECT_EQ(error_of([&] { load_regular_file(zero); }), zero + ": is a device" + rest);
  sockaddr_un address{AF_UNIX, {}};
  place.copy(address.sun_path, sizeof address.sun_path - 1);
  const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(error_of([&] { load_regular_file(place); }), place + ": is a socket" + rest);
  EXPECT_EQ(error_of([&] { load_regular_file(dir.path()); }),
            dir.path().string() + ": is a folder, a file was expected");
  EXPECT_EQ(error_of([&] { load_regular_file("/no/such"); }), "/no/such: cannot read: No such file or directory");
  EXPECT_EQ(load_regular_file("/dev/null"), "");
  save_file(dir.path() / "f", "text");
  EXPECT_EQ(load_regular_file(dir.path() / "f"), "text");

  ProcessSpec program;
  program.argv = {"cat"};
  program.input_file = pipe;
  EXPECT_EQ(error_of([&] { run_process(program); }), pipe + ": is a pipe" + rest);
  program.input_file = dir.path() / "f";
  EXPECT_EQ(run_process(program).output, "text");
}

TEST(FileReadingTest, FilesWithoutAnEndAreRefusedByEveryReader) {
  const std::string endless = "/proc/self/pagemap: gives more than 64 MiB beyond its size of 0 bytes: ";
  EXPECT_EQ(error_of([] { load_regular_file("/proc/self/pagemap"); }).substr(0, endless.size()), endless);
  EXPECT_EQ(error_of([] { load_text("/proc/self/pagemap"); }).substr(0, endless.size()), endless);
  EXPECT_EQ(error_of([] { map_file("/proc/self/pagemap"); }).substr(0, endless.size()), endless);
  if (::access("/proc/kmsg", R_OK) == 0) {  // only the superuser
    EXPECT_EQ(error_of([] { load_text("/proc/kmsg"); }).substr(0, 12), "/proc/kmsg: ");
  }
  EXPECT_NE(load_text("/proc/self/status"), "");
}

TEST(FileReadingTest, APipeThatTheUserNamesIsReadToItsEnd) {
  const ScratchDir dir;
  const std::string pipe = dir.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { save_file(pipe, "from a pipe"); });
  EXPECT_EQ(load_text(pipe), "from a pipe");
  writer.join();
}

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

TEST(FolderEntriesTest, AreInTheOrderOfTheirNames) {
  const ScratchDir dir("icount-entries-test");
  const fs::path folder = dir.path() / "of";
  fs::create_directory(folder);
  for (const char* name : {"b", "a", "c"}) save_file(folder / name, "");
  fs::create_directory(folder / ".hidden");
  const std::vector<fs::path> expected = {folder / ".hidden", folder / "a", folder / "b", folder / "c"};
  EXPECT_EQ(list_folder(folder), expected);
  EXPECT_EQ(folder_entries(folder), expected);
}

TEST(FolderEntriesTest, AFolderThatIsNotThereHasNoneOrIsAnError) {
  const ScratchDir dir("icount-entries-test");
  const fs::path missing = dir.path() / "missing", file = dir.path() / "file";
  save_file(file, "");
  EXPECT_TRUE(folder_entries(missing).empty());
  EXPECT_TRUE(folder_entries(file).empty());
  const auto error_of = [](const fs::path& folder) -> std::string {
    try {
      list_folder(folder);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(error_of(missing), missing.string() + ": cannot be listed: No such file or directory");
  EXPECT_EQ(error_of(file), file.string() + ": cannot be listed: Not a directory");
}

TEST(FolderEntriesTest, FilesBelowAreThoseOfAllFoldersByName) {
  const ScratchDir dir("icount-entries-test");
  const fs::path folder = dir.path() / "of", inner = folder / "m/n";
  fs::create_directories(inner);
  fs::create_directory(dir.path() / "elsewhere");
  save_file(dir.path() / "elsewhere/x", "");
  for (const fs::path& file : {folder / "z", folder / "a", inner / "b"}) save_file(file, "");
  fs::create_symlink(dir.path() / "elsewhere", folder / "link");
  fs::create_symlink("a", folder / "y");
  fs::create_symlink("nowhere", folder / "lost");
  EXPECT_EQ(files_below(folder), (std::vector<fs::path>{folder / "a", inner / "b", folder / "y", folder / "z"}));
  EXPECT_EQ(files_below(folder, 1).size(), 2u);
  EXPECT_THROW(files_below(dir.path() / "missing"), Error);
}

// What the system refuses to files and folders is an Error that names them, or is passed over where nothing is lost.

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
