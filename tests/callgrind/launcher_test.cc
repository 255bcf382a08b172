#include "icount/callgrind/launcher.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

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
