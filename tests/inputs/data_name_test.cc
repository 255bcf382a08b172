#include "icount/inputs/data_name.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

TEST(DataNameTest, DataIsKnownByItsNameInAnyCaseAndAsACopy) {
  for (const char* name : {"x.icount",          "e.expected",       "x.ICOUNT",
                           "r.icount.bak",      "folder/r.Icount~", "profile.out",
                           "callgrind.out.7",   "callgrind.out",    "old-callgrind.out.7.gz",
                           "Callgrind.OUT.1-2", "x.icount.1",       "x.icount-2",
                           "x.icount (3)",      "x.icount.~4~",     "x.json.orig.bak",
                           "x.json.old",        "x.icount copy",    "history.sqlite",
                           "x.sarif",           "perf.data.old",    "x.TOML"})
    EXPECT_TRUE(is_named_like_data(name)) << name;
}

TEST(DataNameTest, ProgramsAreNone) {
  for (const char* name : {"prog", "a.out", "test.out", "prog.bak", "prog.1", "icount", "json", "run.sh", "prog-1.2.3",
                           "x.icount/prog", "python3.11", "prog (2)", "", "~", "7", "parse.json.sh", "x.py"})
    EXPECT_FALSE(is_named_like_data(name)) << name;
}

}  // namespace
}  // namespace icount
