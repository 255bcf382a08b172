#include "icount/report/short_name.h"

#include <gtest/gtest.h>

#include "support/hostile_names.h"

namespace icount {
namespace {

constexpr const char* kPush = "std::vector<Node, std::allocator<Node> >::push_back(Node const&)";

TEST(ShortNameTest, CollapsesStepByStep) {
  EXPECT_EQ(shorten_name(kPush, Shortening::kFull), kPush);
  EXPECT_EQ(shorten_name(kPush, Shortening::kInner), "std::vector<Node, std::allocator<...> >::push_back(Node const&)");
  EXPECT_EQ(shorten_name(kPush, Shortening::kTemplates), "std::vector<...>::push_back(Node const&)");
  EXPECT_EQ(shorten_name(kPush, Shortening::kAll), "std::vector<...>::push_back(...)");
}

TEST(ShortNameTest, StringsAreWrittenAsPeopleDo) {
  EXPECT_EQ(shorten_name("f(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > const&)",
                         Shortening::kInner),
            "f(std::string const&)");
}

TEST(ShortNameTest, OperatorsAnonymousNamespacesAndShortArgumentsStay) {
  const std::pair<const char*, const char*> cases[] = {
      {"operator<(Long const&, Long const&)", "operator<(...)"},
      {"operator<< <Traits>(std::ostream&)", "operator<< <...>(...)"},
      {"Iter::operator->() const", "Iter::operator->() const"},
      {"F::operator()(int, int) const", "F::operator()(...) const"},
      {"(anonymous namespace)::run(Options const&)", "(anonymous namespace)::run(...)"},
      {"f(int)", "f(int)"},
      {"std::function<void (int, long)>::operator()(int) const", "std::function<...>::operator()(int) const"},
      {"main::{lambda(Long&)#1}::operator()(Long&) const", "main::{lambda(...)#1}::operator()(...) const"},
      {"decltype(a->b) f<Some>(Some)", "decltype(...) f<...>(...)"},
      {"malloc", "malloc"},
      {"", ""},
  };
  for (const auto& [full, expected] : cases) EXPECT_EQ(shorten_name(full, Shortening::kAll), expected);
}

TEST(ShortNameTest, WhatNamesTheTypeOfAMethodStays) {
  EXPECT_EQ(shorten_name("html.(*Renderer).RawWrite", Shortening::kAll), "html.(*Renderer).RawWrite");
  EXPECT_EQ(shorten_name("<alloc::Vec<Long> as core::Clone>::clone", Shortening::kTemplates),
            "<alloc::Vec<...> as core::Clone>::clone");
}

TEST(ShortNameTest, AnyNameIsShortened) {
  for (const std::string& name : hostile_names(10'000, 5))
    EXPECT_EQ(shorten_name(name, Shortening::kAll).empty(), name.empty());
  for (const std::string& name : long_hostile_names()) EXPECT_FALSE(shorten_name(name, Shortening::kAll).empty());
}

TEST(ShortNamesTest, AnyNamesKeepTheirDifferences) {
  const std::vector<std::string> names = hostile_names(2'000, 6);
  const ShortNames shown(names, 20);
  std::map<std::string, std::string> full;
  for (const std::string& name : names) EXPECT_EQ(full.try_emplace(shown.of(name), name).first->second, name);
}

TEST(ShortNameTest, CrookedNamesStayAsTheyAre) {
  for (const char* name : {"a<b", "a>b<c", "f(()", "f(<)>", "x)"})
    EXPECT_EQ(shorten_name(name, Shortening::kAll), name);
}

TEST(ShortNamesTest, OnlyAsFarAsNeeded) {
  const ShortNames names({kPush, "malloc"}, 45);
  EXPECT_EQ(names.of(kPush), "std::vector<...>::push_back(Node const&)");
  EXPECT_EQ(names.of("malloc"), "malloc");
  EXPECT_EQ(names.of("never given"), "never given");
  EXPECT_EQ(ShortNames({kPush}, 0).of(kPush), kPush);
}

TEST(ShortNamesTest, WithoutATerminalNamesFitAPage) {
  const std::string text = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";
  const std::string iterator = "__gnu_cxx::__normal_iterator<char*, " + text + " >";
  const std::string name = "utf8::next<" + iterator + " >(" + iterator + "&, " + iterator + ")";
  EXPECT_EQ(ShortNames({name}, 0).of(name),
            "utf8::next<...>(__gnu_cxx::__normal_iterator<...>&, __gnu_cxx::__normal_iterator<...>)");
}

TEST(ShortNamesTest, NeverAmbiguous) {
  const std::string one = "std::vector<Node, std::allocator<Node> >::push_back(Node const&)";
  const std::string two = "std::vector<Edge, std::allocator<Edge> >::push_back(Edge const&)";
  const ShortNames names({one, two}, 10);
  EXPECT_NE(names.of(one), names.of(two));
  EXPECT_EQ(names.of(one), "std::vector<...>::push_back(Node const&)");
  // A short form that is another function's full name is no good either.
  const ShortNames overloads({"run(Options const&)", "run(...)"}, 10);
  EXPECT_EQ(overloads.of("run(Options const&)"), "run(Options const&)");
}

TEST(ShortNamesTest, SentencesCarryTheShortFormOfNamesInBackticks) {
  const ShortNames names({kPush}, 45);
  EXPECT_EQ(names.in_sentence(std::string("`main` calls `") + kPush + "` twice"),
            "`main` calls `std::vector<...>::push_back(Node const&)` twice");
}

TEST(ShortNamesTest, VeryLongNamesLoseTheirMiddle) {
  const std::string name = "first" + std::string(10'000, 'x') + "last";
  for (const size_t width : {size_t{0}, size_t{40}, size_t{100}}) {
    const std::string shown = ShortNames({name}, width).of(name);
    EXPECT_EQ(shown.size(), width == 0 ? kLongestWhole : width == 40 ? 240u : 400u);
    EXPECT_TRUE(shown.starts_with("firstxxx") && shown.ends_with("xxxlast")) << shown;
  }
  const std::string other = "first" + std::string(5'000, 'x') + "y" + std::string(4'999, 'x') + "last";
  const ShortNames names({name, other}, 80);
  EXPECT_NE(names.of(name), names.of(other)) << "two that would look the same stay whole";
  EXPECT_EQ(ShortNames({std::string(900, 'x')}, 0).of(std::string(900, 'x')).size(), 900u);
}

}  // namespace
}  // namespace icount
