// Names come from files: whatever they are, what takes them apart ends, and soon.
#include <gtest/gtest.h>

#include "icount/callgraph/distinct_names.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/noise_groups.h"
#include "icount/callgraph/symbol_name.h"
#include "support/hostile_names.h"

namespace icount {
namespace {

/// Everything that reads one name, with what must hold of any.
void take_apart(const std::string& name) {
  const NameParts parts = name_parts(name);
  EXPECT_LE(parts.base.size() + parts.tags.size(), name.size());
  EXPECT_GE(parts.level, 1);
  EXPECT_LE(split_contexts(name).function.size(), name.size());
  EXPECT_LE(split_counted_name(name).function.size(), name.size());
  const std::string plain = plain_name(name);
  EXPECT_LE(plain.size(), name.size());
  EXPECT_LE(last_word(plain).size(), plain.size());
  EXPECT_LE(name_without_parameters(name).size(), name.size());
  EXPECT_LE(without_lambda_numbers(name).size(), name.size());
  EXPECT_EQ(short_name(name).empty(), name.empty()) << "no name is cut to nothing: " << name;
  has_lambda_number(name);
  is_address_name(name);
  dispatched_routine(name);
  noise_group_of(name, name);
}

TEST(HostileNamesTest, EveryReaderOfANameEnds) {
  for (const std::string& name : hostile_names(10'000, 1)) take_apart(name);
}

TEST(HostileNamesTest, EveryReaderOfANameEndsSoonForALongOne) {
  for (const std::string& name : long_hostile_names()) take_apart(name);
}

TEST(HostileNamesTest, TwoDifferentNamesAreToldApart) {
  std::vector<std::string> names = hostile_names(10'000, 2);
  for (size_t i = 1; i < names.size(); ++i) {
    if (names[i - 1] == names[i]) continue;
    const auto [a, b] = names_apart(names[i - 1], names[i]);
    EXPECT_NE(a, b) << names[i - 1] << "\n" << names[i];
  }
  names = long_hostile_names();
  for (size_t i = 1; i < names.size(); ++i) names_apart(names[i - 1], names[i]);
  for (const std::string& name : names) names_apart(name, name + "x");
}

TEST(NameBracketsTest, PairsAreFoundPastComparisonsArrowsAndOperators) {
  const auto end_of_first = [](std::string_view name) { return NameBrackets(name).end_of(name.find('<')); };
  EXPECT_EQ(end_of_first("f<int>()"), 6u);
  EXPECT_EQ(end_of_first("Pool<((16)>(8)), false>::Free(void*)"), 23u);
  EXPECT_EQ(end_of_first("Pool<((1)<(8)), (a->b)>::Free"), 23u);
  EXPECT_EQ(end_of_first("f<&ns::operator< , &ns::operator-> >()"), 36u);
  EXPECT_EQ(end_of_first("f<int"), NameBrackets::kNone);
  EXPECT_EQ(NameBrackets("f<(int>").end_of(2), NameBrackets::kNone);
  EXPECT_EQ(NameBrackets("plain").end_of(0), NameBrackets::kNone);
}

TEST(NameBracketsTest, OperatorsAreWordsOfTheirOwn) {
  const auto length = [](std::string_view name) { return operator_length(name, 0); };
  EXPECT_EQ(length("operator<<(int)"), 10u);
  EXPECT_EQ(length("operator<< <int>(int)"), 10u);
  EXPECT_EQ(length("operator<<int>(int)"), 9u) << "operator< of int";
  EXPECT_EQ(length("operator()()"), 10u);
  EXPECT_EQ(length("operator->*"), 11u);
  EXPECT_EQ(length("operator new(unsigned long)"), 8u);
  EXPECT_EQ(length("operators"), 0u);
  EXPECT_EQ(operator_length("my_operator<int>", 3), 0u);
}

}  // namespace
}  // namespace icount
