#include "icount/base/toml_value.h"

#include <gtest/gtest.h>

#include "support/error_of.h"

namespace icount {
namespace {

std::string problem_of(const std::string& text) {
  Problems problems;
  parse_toml(text, "f.toml", problems);
  return error_of([&] { problems.throw_if_any("f.toml"); });
}

TEST(TomlValueTest, KeysOfThousandsOfPartsAreAProblem) {
  std::string key = "a";
  for (int i = 0; i < 30000; ++i) key += ".a";
  for (const std::string& text : {"x = 1\n" + key + " = 1\n", "x = 1\n[" + key + "]\n", "x = 1\n[[" + key + "]]\n"})
    EXPECT_NE(problem_of(text).find("f.toml:2"), std::string::npos) << problem_of(text);
}

TEST(TomlValueTest, DotsElsewhereAreNone) {
  const std::string dots(500, '.');
  EXPECT_EQ(problem_of("x = \"" + dots + "\"\n# " + dots + "\n"), "no error");
}

}  // namespace
}  // namespace icount
