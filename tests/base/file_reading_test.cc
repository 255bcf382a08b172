#include "icount/base/file_reading.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <thread>

#include "icount/base/descriptor.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "support/error_of.h"

namespace icount {
namespace {

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

}  // namespace
}  // namespace icount
