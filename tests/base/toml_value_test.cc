#include "icount/base/toml_value.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <new>

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

TEST(TomlValueTest, EveryKindOfValueKeepsItsPlace) {
  Problems problems;
  const TomlValue file = parse_toml(
      "s = 'text'\nn = -7\nx = 2.5\nyes = true\nat = 1979-05-27\nlist = [1, 'a']\nt = {b = 1, a = 2}\n"
      "lines = \'\'\'\nfirst\'\'\'\nsame = \'\'\'first\'\'\'\n",
      "f.toml", problems);
  EXPECT_TRUE(problems.empty());
  std::string kinds;
  for (const TomlField& field : file.fields)
    kinds += field.key + " at " + to_text(field.value.place) + ": " + std::string(to_text(field.value.kind)) + "\n";
  EXPECT_EQ(kinds,
            "s at f.toml:1:5: a string\nn at f.toml:2:5: a whole number\nx at f.toml:3:5: a number\n"
            "yes at f.toml:4:7: true or false\nat at f.toml:5:6: a date or time\nlist at f.toml:6:8: an array\n"
            "t at f.toml:7:5: a table\nlines at f.toml:8:9: a string\nsame at f.toml:10:8: a string\n");
  EXPECT_EQ(file.fields[7].value.text_line, 9) << "a line break behind the quotes is no text";
  EXPECT_EQ(file.fields[8].value.text_line, 10);
  EXPECT_EQ(file.fields[0].value.text_line, 0);
  EXPECT_EQ(to_json(file).dump(),
            "{\"s\":\"text\",\"n\":-7,\"x\":2.5,\"yes\":true,\"at\":null,\"list\":[1,\"a\"],"
            "\"t\":{\"b\":1,\"a\":2},\"lines\":\"first\",\"same\":\"first\"}");
}

TEST(TomlValueTest, WhatIsNoTomlIsAProblemAndAnEmptyTable) {
  for (const std::string text :
       {"a = 'no end", "a = 'no end\nb = 1", "a = \"\\", "a = \'\'\'no end", "a = }", "a = ]\n", "x", "a = 1\na = 2"}) {
    Problems problems;
    EXPECT_TRUE(parse_toml(text, "f.toml", problems).fields.empty());
    ASSERT_EQ(problems.size(), 1u) << text;
    EXPECT_TRUE(problems.lines()[0].starts_with("f.toml:")) << problems.lines()[0];
  }
}

/// Too little memory is no problem of the text.
TEST(TomlValueTest, WithoutMemoryNothingIsSaidOfTheText) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers end the process";
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  GTEST_SKIP() << "sanitizers end the process";
#endif
#endif
  std::string text = "a = [";
  for (int i = 0; i < 300'000; ++i) text += "[1],";
  text += "]";
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  const rlimit little{size_t{1} << 26, before.rlim_max};
  Problems problems;
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &little), 0);
  bool lacked_memory = false;
  try {
    parse_toml(text, "f.toml", problems);
  } catch (const std::bad_alloc&) {
    lacked_memory = true;
  }
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_TRUE(lacked_memory);
  EXPECT_EQ(problems.size(), 0u);
}

TEST(ReasonOfTest, WithoutMemoryItIsSaidInWords) {
  EXPECT_EQ(reason_of(std::bad_alloc()), "not enough memory");
  EXPECT_EQ(reason_of(Error(ErrorKind::kIo, "cannot open x")), "cannot open x");
}

}  // namespace
}  // namespace icount
