#include "icount/cli/name_options.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "icount/base/error.h"
#include "support/error_of.h"

namespace icount {
namespace {

constexpr OptionSpec kOptions[] = {{"rename", "OLD=NEW", "rewrite names", true}};

ParsedOptions parsed_of(const std::vector<std::string>& words) {
  static const CommandSpec command = {.name = "test", .options = kOptions};
  return parse_options(command, words);
}

TEST(NameRuleTest, IsSplitAtTheFirstEqualsSignThatIsNotEscaped) {
  const NameRule plain = parse_name_rule("old::(.*)=new::\\1=x");
  EXPECT_EQ(plain.pattern, "old::(.*)");
  EXPECT_EQ(plain.replacement, "new::\\1=x");
  EXPECT_EQ(parse_name_rule("operator\\=\\==same").pattern, "operator\\=\\=");
  EXPECT_EQ(parse_name_rule("a\\\\=b").pattern, "a\\\\");
  EXPECT_EQ(parse_name_rule("detail::=").replacement, "");
}

TEST(NameRuleTest, NeedsAnOldPart) {
  EXPECT_EQ(error_of(ErrorKind::kUsage, [] { parse_name_rule("old"); }), "'old' has no '='; write OLD=NEW");
  EXPECT_EQ(error_of(ErrorKind::kUsage, [] { parse_name_rule("a\\=b"); }), "'a\\=b' has no '='; write OLD=NEW");
  EXPECT_EQ(error_of(ErrorKind::kUsage, [] { parse_name_rule("=new"); }),
            "'=new' has nothing before its '='; write OLD=NEW, and \\= for a '=' that belongs to OLD");
}

TEST(NameRulesOptionTest, AppliesEveryRuleInItsOrder) {
  const auto rules = read_name_rules(parsed_of({"--rename", "a=b", "--rename", "b+=c"}), "rename");
  ASSERT_TRUE(rules.has_value());
  EXPECT_EQ(rules->apply("xaabx"), "xcx");
}

TEST(NameRulesOptionTest, IsNothingWhenNotGiven) { EXPECT_FALSE(read_name_rules(parsed_of({}), "rename").has_value()); }

TEST(NameRulesOptionTest, NotesEveryProblem) {
  const ParsedOptions parsed = parsed_of({"--rename", "(a=b", "--rename", "a=\\1", "--rename", "c"});
  EXPECT_FALSE(read_name_rules(parsed, "rename").has_value());
  const std::string said = error_of(ErrorKind::kUsage, [&] { parsed.check(); });
  EXPECT_NE(said.find("--rename: name rule '(a=b': (a: missing ): (a"), std::string::npos) << said;
  EXPECT_NE(said.find("--rename: name rule 'a=\\1': replacement"), std::string::npos) << said;
  EXPECT_NE(said.find("--rename: 'c' has no '='"), std::string::npos) << said;
}

}  // namespace
}  // namespace icount
