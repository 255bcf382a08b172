#include "icount/cli/doctor.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "icount/base/scratch_dir.h"
#include "icount/base/unix_socket.h"
#include "icount/harness/session_spec.h"

namespace icount {
namespace {

std::string command_with(std::string_view manager, std::string_view package, bool is_root = false) {
  return install_command(
      package, [&](std::string_view program) { return program == manager; }, is_root);
}

TEST(DoctorTest, TheInstallCommandIsTheSystemsOwn) {
  EXPECT_EQ(command_with("apt-get", "valgrind"), "sudo apt-get install valgrind");
  EXPECT_EQ(command_with("apt-get", "valgrind", true), "apt-get install valgrind");
  EXPECT_EQ(command_with("dnf", "g++"), "sudo dnf install gcc-c++");
  EXPECT_EQ(command_with("pacman", "g++"), "sudo pacman -S gcc");
  EXPECT_EQ(command_with("dnf", "libtorch-dev"), "unpack LibTorch from pytorch.org and set ICOUNT_TORCH to its folder");
  EXPECT_EQ(command_with("none", "valgrind"), "install valgrind with this system's package manager");
}

TEST(DoctorTest, ATorchThatWasAskedForAndIsNotThereIsSaid) {
  DoctorOptions options;
  options.environment = Environment({"PATH=/usr/bin:/bin", "ICOUNT_TORCH=/nowhere/by-environment"});
  options.self_check = false;
  options.toolchain.torch_dir = "/nowhere/by-option";
  std::vector<std::string> bad;
  for (const DoctorFinding& finding : run_doctor(options))
    if (finding.what == "LibTorch" && finding.state == DoctorState::kBad) bad.push_back(finding.details);
  ASSERT_EQ(bad.size(), 2u);
  EXPECT_EQ(bad[0],
            "--torch /nowhere/by-option: no LibTorch there (looked for include/torch and lib/libtorch_cpu.so in it, "
            "and for the torch package of a virtual environment)");
  EXPECT_EQ(bad[1],
            "ICOUNT_TORCH /nowhere/by-environment: no LibTorch there (looked for include/torch and lib/libtorch_cpu.so "
            "in it, and for the torch package of a virtual environment)");
}

TEST(DoctorTest, SocketsOfServersThatWereKilledAreToldOfAndRemoved) {
  const ScratchDir scratch;
  DoctorOptions options;
  options.environment = Environment(
      {"PATH=/usr/bin:/bin", "HOME=" + scratch.path().string(), "XDG_RUNTIME_DIR=" + scratch.path().string()});
  options.self_check = false;
  const std::filesystem::path folder = scratch.path() / "icount", socket = folder / "0123.socket";
  make_session_folder(folder);
  ::close(listen_at(socket));
  std::vector<std::string> told;
  for (const DoctorFinding& finding : run_doctor(options))
    if (finding.what == "servers") told.push_back(finding.details);
  EXPECT_EQ(told, std::vector<std::string>{socket.string() + ": no server listens at this socket; removed"});
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(DoctorTest, TheSelfCheckKnowsItsAnswer) {
  EXPECT_EQ(judge_self_check(1000, 1).state, DoctorState::kGood);
  EXPECT_EQ(judge_self_check(1010, 1).state, DoctorState::kGood);
  EXPECT_EQ(judge_self_check(999.9, 1).state, DoctorState::kBad);
  EXPECT_EQ(judge_self_check(1010.1, 1).state, DoctorState::kBad);
  EXPECT_EQ(judge_self_check(1002, 1.25).details, "1002.00 instructions for 1000 of them and a loop, in 1.2 s");
}

}  // namespace
}  // namespace icount
