#include "icount/stats/name_rules.h"

#include <gtest/gtest.h>

#include "icount/base/error.h"
#include "support/error_of.h"

namespace icount {
namespace {

std::string message_of(std::vector<NameRule> rules) {
  return error_of(ErrorKind::kUsage, [&] { NameRules compiled(std::move(rules)); });
}

TEST(NameRulesTest, ApplyInTheirOrderToEveryMatch) {
  NameRules rules({{"one", "a+", "b"}, {"two", "b(.)", "<\\1>"}});
  EXPECT_EQ(rules.apply("aaxaay"), "<x><y>");
  EXPECT_EQ(rules.apply_one(0, "aaxaay"), "bxby");
  EXPECT_EQ(rules.apply_one(1, "bxby"), "<x><y>");
}

TEST(NameRulesTest, KeepBytesThatAreNotUtf8) {
  NameRules rules({{"path", "^.+/src/", "src/"}});
  EXPECT_EQ(rules.apply("/h\xffome/src/a\xfe.c"), "src/a\xfe.c");
}

TEST(NameRulesTest, NameTheRuleThatIsWrong) {
  EXPECT_EQ(message_of({{"bracket", "(a", "b"}}), "name rule 'bracket': (a: missing ): (a");
  EXPECT_EQ(message_of({{"group", "a", "\\1"}}),
            "name rule 'group': replacement '\\1': Rewrite schema requests 1 matches, but the regexp only has 0 "
            "parenthesized subexpressions.");
}

TEST(CompatibleRulesTest, AreTheFiveOfPyTorch) {
  ASSERT_EQ(compatible_rules().size(), 5u);
  EXPECT_EQ(compatible_rules().apply("/home/x/pytorch/build/../aten/A.cpp:at::add() [/l/libtorch.so]"),
            "build/../aten/A.cpp:at::add()");
  EXPECT_EQ(compatible_rules().apply("/home/x/cpython/Objects/dictobject.c:lookdict"), "Objects/dictobject.c:lookdict");
  EXPECT_EQ(compatible_rules().apply("a.c:f\xe2\x80\x89[l]"), "a.c:f");
  EXPECT_EQ(compatible_rules().apply("x [a]\n"), "x\n");
}

}  // namespace
}  // namespace icount
