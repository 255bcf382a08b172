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
  std::string nested = "x = 1\nt = ", end;
  for (int i = 0; i < 200; ++i) nested += "{" + key.substr(0, 101) + " = ", end += "}";
  for (const std::string& text : {"x = 1\n" + key + " = 1\n", "x = 1\n[" + key + "]\n", "x = 1\n[[" + key + "]]\n",
                                  "x = 1\nt = {" + key + " = 1}\n", "x = 1\nt = [{a = '''}''', " + key + " = 1}]\n",
                                  "x = \"\"\"\\\"\"\"\"\n[" + key + ".\"...\"]\n", nested + "1" + end + "\n"})
    EXPECT_NE(problem_of(text).find("f.toml:2"), std::string::npos) << problem_of(text);
}

TEST(TomlValueTest, DotsElsewhereAreNone) {
  const std::string dots(500, '.');
  EXPECT_EQ(problem_of("x = \"" + dots + "\"\n# " + dots + "\n"), "no error");
  std::string numbers = "x = [";
  for (int i = 0; i < 300; ++i) numbers += "1.5, {a.b.c = 2.5, 'd.e' = 3.5},\n";
  EXPECT_EQ(problem_of(numbers + "]\ny = '''\"" + dots + "''''\n"), "no error");
}

}  // namespace
}  // namespace icount
