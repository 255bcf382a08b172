#include "icount/base/close_descriptors.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <iterator>

namespace icount {
namespace {

/// From here on this process has no close_range, as under an older kernel.
bool refuse_close_range() {
  sock_filter steps[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                         BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 0, 1),
                         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
                         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog filter{std::size(steps), steps};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0 &&
         ::close_range(1'000'000, 1'000'000, 0) != 0;
}

bool is_open(int descriptor) { return ::fcntl(descriptor, F_GETFD) >= 0; }

/// In a child: opens many, keeps two of them, and ends with 0 if these are what is left; 2 where nothing can be
/// refused.
[[noreturn]] void keep_two_and_tell(int a, int b, bool refused) {
  if (refused && !refuse_close_range()) ::_exit(2);
  for (int i = 0; i < 300; ++i)
    if (::dup2(1, 3 + i) < 0) ::_exit(3);
  close_all_but(a, b);
  for (int number = 0; number < 400; ++number)
    if (is_open(number) != (number == a || number == b)) ::_exit(1);
  ::_exit(0);
}

int kept(int a, int b, bool refused) {
  const pid_t child = ::fork();
  if (child == 0) keep_two_and_tell(a, b, refused);
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(CloseDescriptorsTest, OnlyTheTwoStayOpen) {
  EXPECT_EQ(kept(7, 200, false), 0);
  EXPECT_EQ(kept(200, 199, false), 0);
  EXPECT_EQ(kept(0, 302, false), 0);
  EXPECT_EQ(kept(5, 5, false), 0);
}

TEST(CloseDescriptorsTest, AKernelWithoutCloseRangeDoesTheSame) {
  if (kept(7, 200, true) == 2) GTEST_SKIP() << "this system lets no process refuse calls";
  EXPECT_EQ(kept(7, 200, true), 0);
  EXPECT_EQ(kept(200, 199, true), 0);
  EXPECT_EQ(kept(0, 302, true), 0);
  EXPECT_EQ(kept(5, 5, true), 0);
}

}  // namespace
}  // namespace icount
