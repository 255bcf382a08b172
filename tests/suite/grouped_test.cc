#include "icount/suite/grouped.h"

namespace icount {
namespace {

struct Parsed {
  Signature signature;
  std::vector<std::string> problems;
};

Parsed parse(std::string_view text) {
  Parsed parsed;
  parsed.signature = parse_signature(text, parsed.problems);
  return parsed;
}

TEST(SignatureTest, ArgumentsAndOutput) {
  Parsed parsed = parse("f(x, w0) -> y");
  EXPECT_TRUE(parsed.problems.empty());
  EXPECT_TRUE(parsed.signature.given);
  EXPECT_EQ(parsed.signature.args, (std::vector<std::string>{"x", "w0"}));
  EXPECT_EQ(parsed.signature.output, "y");
  EXPECT_EQ(parsed.signature.arg_list(), "x, w0");
}

TEST(SignatureTest, NoneIsNoOutputAndNoArgumentsAreFine) {
  EXPECT_EQ(parse("f(x) -> None").signature.output, "");
  EXPECT_TRUE(parse("f() -> y").signature.args.empty());
  EXPECT_EQ(parse("f() -> y").signature.output, "y");
}

TEST(SignatureTest, AnEmptyTextIsNoSignature) {
  Parsed parsed = parse("");
  EXPECT_FALSE(parsed.signature.given);
  EXPECT_TRUE(parsed.problems.empty());
}

TEST(SignatureTest, EveryMistakeSaysWhatWasFoundAndWhatTheFormIs) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"g(x) -> y", "does not start with \"f(\""},
      {" f(x) -> y", "does not start with \"f(\""},
      {"f(x)->y", "has no \") -> \""},
      {"f(x)", "has no \") -> \""},
      {"f(x) -> y, z", "has more than one output, only one is possible"},
      {"f(x) -> y[0]", "the output \"y[0]\" is not a name"},
      {"f(x) -> ", "the output \"\" is not a name"},
      {"f(x, ) -> y", "the argument \"\" is not a name"},
      {"f(2x) -> y", "the argument \"2x\" is not a name"},
  };
  for (const auto& [text, why] : cases) {
    Parsed parsed = parse(text);
    ASSERT_EQ(parsed.problems.size(), 1u) << text;
    EXPECT_EQ(parsed.problems[0], "signature \"" + std::string(text) + "\": " + std::string(why) +
                                      "; the form is \"f(x, w) -> y\", or \"-> None\"");
  }
}

}  // namespace
}  // namespace icount
