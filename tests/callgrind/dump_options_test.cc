#include "icount/callgrind/dump_options.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

using Texts = std::vector<std::string>;

TEST(DumpOptionsTest, EachNameComesOnceAndBeforeThoseThatBeginWithIt) {
  EXPECT_EQ(dump_options(Texts{"posix_spawnp", "parse", "posix_spawn", "parse"}, Texts{"parse", "serve", "s"}),
            (Texts{"--dump-before=parse", "--dump-before=posix_spawn", "--dump-before=posix_spawnp", "--dump-after=?",
                   "--dump-after=?arse", "--dump-after=?erve"}));
}

TEST(DumpOptionsTest, NamesWithWildcardsShareOneOpenPattern) {
  EXPECT_EQ(dump_options(Texts{"f(char*, int)", "f(char", "f(char*)", "posix_spawn@*"}, Texts{"f(char*)", "g(char*)"}),
            (Texts{"--dump-before=f(char*", "--dump-before=posix_spawn@*", "--dump-after=?(char*"}));
  EXPECT_EQ(dump_options(Texts{}, Texts{}), Texts{});
}

}  // namespace
}  // namespace icount
