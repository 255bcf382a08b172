#include "icount/harness/constant_inputs.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

TEST(ConstantInputsTest, LiteralsAreConstants) {
  EXPECT_EQ(find_call_of_constants("icount::keep(std::to_string(123456789));", ""), "std::to_string(123456789)");
  EXPECT_EQ(find_call_of_constants("std::string s = f(\"a(b\", 'c', -1.5f, true);", ""),
            "f(\"a(b\", 'c', -1.5f, true)");
  EXPECT_EQ(find_call_of_constants("auto y = pow(2, 10 * 3);", ""), "pow(2, 10 * 3)");
}

TEST(ConstantInputsTest, SoAreVariablesOfTheSetUpThatNothingHides) {
  EXPECT_EQ(find_call_of_constants("icount::keep(std::to_string(n));", "int n = 5;"), "std::to_string(n)");
  EXPECT_EQ(find_call_of_constants("icount::keep(std::to_string(n));", "int n{5};"), "std::to_string(n)");
  EXPECT_EQ(find_call_of_constants("icount::keep(std::to_string(n));", "int n = 5; icount::keep(n);"), "");
  EXPECT_EQ(find_call_of_constants("icount::keep(n); icount::keep(std::to_string(n));", "int n = 5;"), "");
}

TEST(ConstantInputsTest, OtherInputsAndOtherBracketsAreNone) {
  for (const char* stmt : {"f(x);", "f();", "icount::keep(3);", "if (1) f(x);", "for (int i = 0; i < 3; ++i) f(i);",
                           "auto y = int(3);", "f(g(x), 3);", "f(", "(", "", "f(\"", "sizeof(4);", "s.find(t);"})
    EXPECT_EQ(find_call_of_constants(stmt, "int other = 1;"), "") << stmt;
}

}  // namespace
}  // namespace icount
