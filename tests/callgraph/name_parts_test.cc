#include "icount/callgraph/name_parts.h"

#include <gtest/gtest.h>

#include <string>

namespace icount {
namespace {

struct Row {
  const char *name, *base, *tags;
  int level;
};

class NamePartsTest : public testing::TestWithParam<Row> {};

TEST_P(NamePartsTest, TakesTheNameApart) {
  NameParts parts = name_parts(GetParam().name);
  EXPECT_EQ(parts.base, GetParam().base);
  EXPECT_EQ(parts.tags, GetParam().tags);
  EXPECT_EQ(parts.level, GetParam().level);
}

INSTANTIATE_TEST_SUITE_P(
    Names, NamePartsTest,
    testing::Values(
        Row{"main", "main", "", 1}, Row{"fib(int)'2", "fib(int)", "", 2}, Row{"f'17", "f", "", 17},
        Row{"f'1", "f'1", "", 1}, Row{"f'02", "f'02", "", 1}, Row{"'2", "'2", "", 1}, Row{"f'", "f'", "", 1},
        Row{"f'99999999999", "f'99999999999", "", 1}, Row{"eval.part.4", "eval", ".part.4", 1},
        Row{"eval.part.4'2", "eval", ".part.4", 2}, Row{"eval.isra.0.cold", "eval", ".isra.0.cold", 1},
        Row{"f.constprop.12.part.3", "f", ".constprop.12.part.3", 1}, Row{"f.cold", "f", ".cold", 1},
        Row{"f() [clone .isra.0]", "f()", " [clone .isra.0]", 1},
        Row{"f() const [clone .part.0] [clone .cold]'3", "f() const", " [clone .part.0] [clone .cold]", 3},
        Row{"f(int) (.cold)", "f(int)", " (.cold)", 1}, Row{"f(int) (.isra.0)", "f(int)", " (.isra.0)", 1},
        Row{"operator new[](unsigned long)", "operator new[](unsigned long)", "", 1},
        Row{"f[abi:cxx11]", "f[abi:cxx11]", "", 1}, Row{"f._omp_fn.0", "f._omp_fn.0", "", 1},
        Row{"f.avx2", "f.avx2", "", 1}, Row{"f [clone .avx2]", "f [clone .avx2]", "", 1},
        Row{"counter.1234", "counter.1234", "", 1}, Row{"f.llvm.1234567", "f", ".llvm.1234567", 1},
        Row{"printf@@GLIBC_2.2.5", "printf", "@@GLIBC_2.2.5", 1},
        Row{"core::fmt::write::h0123456789abcdef", "core::fmt::write", "::h0123456789abcdef", 1},
        Row{".cold", ".cold", "", 1}, Row{"", "", "", 1}, Row{"0x00000000000a5c80", "0x00000000000a5c80", "", 1},
        Row{"(below main)", "(below main)", "", 1}, Row{"f.lto_priv.0", "f", ".lto_priv.0", 1},
        Row{"ns::handler_of_requests", "ns::handler_of_requests", "", 1},
        Row{"a::hxyzxyzxyzxyzxyzx", "a::hxyzxyzxyzxyzxyzx", "", 1}, Row{"f@@no version", "f@@no version", "", 1},
        Row{"f@@@V", "f@", "@@V", 1}, Row{"f@@a@b", "f@@a@b", "", 1}, Row{"f.part.", "f.part.", "", 1},
        Row{"f..5", "f..5", "", 1}, Row{"f.cold.1.2", "f.cold.1.2", "", 1},
        Row{"f.localalias.12", "f", ".localalias.12", 1}, Row{"f.xlocalalias", "f.xlocalalias", "", 1},
        Row{".0", ".0", "", 1}, Row{"f.cold12", "f.cold12", "", 1}));

/// A scan of the whole name for each tag would take many minutes.
TEST(NamePartsTest, ANameOfNothingButTagsIsReadOnce) {
  for (std::string_view tag : {".part.0", ".cold", "@@V", "@@", "@@GLIBC_2.2.5", "::h0123456789abcdef", ".llvm.1234567",
                               " [clone .isra.0]", " (.cold)", "@@V.part.0"}) {
    std::string name = "f";
    while (name.size() < 6'000'000) name += tag;
    const NameParts parts = name_parts(name);
    EXPECT_EQ(parts.base, "f") << tag;
    EXPECT_EQ(parts.tags.size(), name.size() - 1) << tag;
  }
}

TEST(NameContextsTest, SplitsAtApostrophesOutsideBrackets) {
  NameContexts contexts = split_contexts("leaf(char)'2'even(int)'main");
  EXPECT_EQ(contexts.function, "leaf(char)'2");
  EXPECT_EQ(contexts.callers, (std::vector<std::string_view>{"even(int)", "main"}));

  contexts = split_contexts("f<'a'>(X<'b'>)'operator<<(A&, B)'3'g");
  EXPECT_EQ(contexts.function, "f<'a'>(X<'b'>)");
  EXPECT_EQ(contexts.callers, (std::vector<std::string_view>{"operator<<(A&, B)'3", "g"}));

  contexts = split_contexts("A::operator()(int) const'main");
  EXPECT_EQ(contexts.function, "A::operator()(int) const");
  EXPECT_EQ(contexts.callers, std::vector<std::string_view>{"main"});

  contexts = split_contexts("PyInit__operator'f(my_operator)'operator==(A, B)'operators'operator[](int)'main");
  EXPECT_EQ(contexts.function, "PyInit__operator");
  EXPECT_EQ(contexts.callers, (std::vector<std::string_view>{"f(my_operator)", "operator==(A, B)", "operators",
                                                             "operator[](int)", "main"}));

  contexts =
      split_contexts("<Box<dyn Fn()->u32>>::call'main");  // an arrow is no bracket, and closes none that is missing
  EXPECT_EQ(contexts.callers, std::vector<std::string_view>{"main"});
  EXPECT_EQ(split_contexts("12'main").function, "12");

  EXPECT_EQ(split_contexts("plain").function, "plain");
  EXPECT_TRUE(split_contexts("plain").callers.empty());
}

TEST(CountedNameTest, KnowsFileFunctionAndObjectApart) {
  CountedName name = split_counted_name("a.c:f() [clone .isra.0] [/x/lib.so]");
  EXPECT_EQ(name.file, "a.c");
  EXPECT_EQ(name.function, "f() [clone .isra.0]");
  EXPECT_EQ(name.object, "/x/lib.so");
  EXPECT_EQ(join_counted_name(name), "a.c:f() [clone .isra.0] [/x/lib.so]");

  name = split_counted_name("a.c:f() [clone .isra.0]");
  EXPECT_EQ(name.function, "f() [clone .isra.0]");
  EXPECT_EQ(name.object, "");

  name = split_counted_name("???:std::operator<<(int) [/opt/my libs/lib a.so]");
  EXPECT_EQ(name.file, "???");
  EXPECT_EQ(name.function, "std::operator<<(int)");
  EXPECT_EQ(name.object, "/opt/my libs/lib a.so");

  name = split_counted_name("std::f()");
  EXPECT_EQ(name.file, "");
  EXPECT_EQ(name.function, "std::f()");
  EXPECT_EQ(join_counted_name(name), "std::f()");

  name = split_counted_name("a.c:operator new[](unsigned long)");
  EXPECT_EQ(name.function, "operator new[](unsigned long)");
}

TEST(BaseOfPathTest, IsWhatFollowsTheLastSlash) {
  EXPECT_EQ(base_of_path("/usr/lib/libc.so.6"), "libc.so.6");
  EXPECT_EQ(base_of_path("libc.so.6"), "libc.so.6");
  EXPECT_EQ(base_of_path("a/"), "");
}

}  // namespace
}  // namespace icount
