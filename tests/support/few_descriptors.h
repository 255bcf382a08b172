// While it lives, the process gets no further file descriptor, or none of `most` and above: what opens, makes a pipe or
// a socket fails as it would in a process that has used up its own. To be made inside what error_of is given. The
// sanitizer of undefined behaviour looks by a pipe at the first object that it sees of each type with virtual members,
// so nothing may look at a fixture or a caught error meanwhile, and what the system calls its errors is asked for
// before.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cerrno>

#include "icount/base/error.h"

namespace icount {

class FewDescriptors {
 public:
  explicit FewDescriptors(rlim_t most = 0) {
    EXPECT_EQ(errno_text(EMFILE), "Too many open files");
    EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &before_), 0);
    const rlimit few{most, before_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  }
  ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  FewDescriptors(const FewDescriptors&) = delete;

 private:
  rlimit before_{};
};

}  // namespace icount
