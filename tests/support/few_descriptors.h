// While it lives, the process gets no further file descriptor: what opens, makes a pipe or a socket fails as it would
// in a process that has used up its own. Members of a fixture are not to be named meanwhile: the sanitizer of undefined
// behaviour looks at their types by a pipe.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace icount {

class FewDescriptors {
 public:
  FewDescriptors() {
    EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &before_), 0);
    const rlimit none{0, before_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  }
  ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  FewDescriptors(const FewDescriptors&) = delete;

 private:
  rlimit before_{};
};

}  // namespace icount
