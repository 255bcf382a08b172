#include "icount/base/unix_socket.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <functional>

#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "support/error_of.h"
#include "support/few_descriptors.h"

namespace icount {
namespace {

class UnixSocketTest : public testing::Test {
 protected:
  std::filesystem::path path(const std::string& name) const { return dir_.path() / name; }
  static std::string error_of_connecting(const std::filesystem::path& path) {
    return error_of(ErrorKind::kIo, [&] { ::close(connect_to(path)); });
  }
  const ScratchDir dir_;
};

TEST_F(UnixSocketTest, BothEndsSpeakAndKnowEachOther) {
  std::ofstream(path("s")) << "what lies there is replaced";
  const Descriptor listening(listen_at(path("s")));
  struct stat status {};
  ASSERT_EQ(::lstat(path("s").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  EXPECT_EQ(accept_from(listening.get()), -1) << "nobody has come yet, and it does not wait";
  const Descriptor client(connect_to(path("s")));
  const Descriptor server(accept_from(listening.get()));
  ASSERT_GE(server.get(), 0);
  ASSERT_EQ(::write(client.get(), "x", 1), 1);
  char letter = 0;
  EXPECT_EQ(::read(server.get(), &letter, 1), 1);
  EXPECT_EQ(letter, 'x');
  const std::optional<Peer> peer = peer_of(server.get());
  ASSERT_TRUE(peer);
  EXPECT_EQ(peer->user, ::geteuid());
  EXPECT_EQ(peer->pid, ::getpid());
}

TEST_F(UnixSocketTest, PathsMayBeLongerThanTheSystemsLimit) {
  const std::filesystem::path deep = path(std::string(120, 'd'));
  std::filesystem::create_directories(deep);
  const Descriptor listening(listen_at(deep / "s"));
  EXPECT_GE(Descriptor(connect_to(deep / "s")).get(), 0);
  const std::string long_name = (dir_.path() / std::string(120, 's')).string();
  EXPECT_EQ(error_of(ErrorKind::kIo, [&] { listen_at(long_name); }),
            "cannot use the socket " + long_name + ": its name is too long");
}

TEST_F(UnixSocketTest, WhereNobodyListensThereIsNone) {
  EXPECT_EQ(connect_to(path("none")), -1);
  { const Descriptor left(listen_at(path("left"))); }
  EXPECT_EQ(connect_to(path("left")), -1);
  EXPECT_FALSE(peer_of(-1));
}

TEST_F(UnixSocketTest, WhatMayNotBeUsedIsAnError) {
  std::ofstream(path("file")) << "x";
  EXPECT_EQ(error_of_connecting(path("file")), path("file").string() + " is not a socket");
  const Descriptor packets(::socket(AF_UNIX, SOCK_DGRAM, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = path("packets").string();
  ASSERT_LT(name.size(), sizeof address.sun_path);
  std::memcpy(address.sun_path, name.data(), name.size());
  ASSERT_EQ(::bind(packets.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(error_of_connecting(name), "cannot connect to the socket " + name + ": Protocol wrong type for socket");
  std::filesystem::create_directories(path("folder"));
  EXPECT_EQ(error_of(ErrorKind::kIo, [&] { listen_at(path("folder")); }),
            "cannot make the socket " + path("folder").string() + ": Address already in use");
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  ASSERT_EQ(::lchown(name.c_str(), 65534, 65534), 0);
  EXPECT_EQ(error_of_connecting(name), "the socket " + name + " belongs to user 65534, not to this one (0)");
}

TEST_F(UnixSocketTest, WithoutADescriptorThereIsNone) {
  const Descriptor listening(listen_at(path("s")));
  const std::filesystem::path old_one = path("s"), new_one = path("t");
  const std::string refusal = "cannot open " + dir_.path().string() + ": Too many open files";
  const auto refused = [](const std::function<int()>& work) {
    return error_of(ErrorKind::kIo, [&] {
      const FewDescriptors few;
      work();
    });
  };
  EXPECT_EQ(refused([&] { return listen_at(new_one); }), refusal);
  EXPECT_EQ(refused([&] { return connect_to(old_one); }), refusal);
}

}  // namespace
}  // namespace icount
