#include <gtest/gtest.h>

#include "icount/callgrind/command.h"

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

using Words = std::vector<std::string>;

TEST(LauncherTest, AShellScriptLosesItsFolderBeforeItExecutesValgrind) {
  EXPECT_EQ(make_launcher("/usr/bin/valgrind", "#!/bin/sh -e\nexport A=1\nexec $0.bin \"$@\"\n"),
            (Words{"/bin/sh", "-e", "-c", "#!/bin/sh -e\nexport A=1\nunset PWD OLDPWD\nexec $0.bin \"$@\"",
                   "/usr/bin/valgrind"}));
  EXPECT_EQ(make_launcher("/v", "#!/bin/sh\nexec $0.bin \"$@\"")[1], "-c");
  EXPECT_EQ(make_launcher("/v", "#!/bin/sh\nexec \"$0.bin\" \"$@\"")[2],
            "#!/bin/sh\nunset PWD OLDPWD\nexec \"$0.bin\" \"$@\"");
}

TEST(LauncherTest, WhatIsNoSuchScriptIsStartedAsItIs) {
  for (const char* text : {"",
                           "\x7f"
                           "ELF",
                           "#!/bin/sh", "#!/bin/sh\nexec other \"$@\"", "#!/usr/bin/python3\nexec $0.bin \"$@\""})
    EXPECT_EQ(make_launcher("/usr/bin/valgrind", text), Words{"/usr/bin/valgrind"}) << text;
}

}  // namespace
}  // namespace icount
