#include "icount/callgraph/distinct_names.h"

#include <gtest/gtest.h>

#include <map>

#include "support/hostile_names.h"

namespace icount {
namespace {

using Names = std::vector<std::string>;

Names distinct(const Names& names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  return distinct_names(views);
}

/// A thunk that a binding library makes for a function of so many parameters.
std::string thunk(const std::string& signature) {
  return "pybind11::cpp_function::initialize<at::Tensor (*&)(" + signature + "), at::Tensor, " + signature +
         ", pybind11::name, pybind11::scope, pybind11::sibling>(at::Tensor (*&)(" + signature + "), at::Tensor (*)(" +
         signature +
         "), pybind11::name const&)::{lambda(pybind11::detail::function_call&)#1}::_FUN(pybind11::detail::" +
         "function_call&)";
}

TEST(DistinctNamesTest, NamesThatDifferWhenShortStayShort) {
  EXPECT_EQ(distinct({"main", "ns::f(int)", "main"}), (Names{"main", "ns::f(int)", "main"}));
}

TEST(DistinctNamesTest, WhatTellsTwoFunctionsApartStays) {
  const Names shown = distinct({thunk("at::Tensor, at::Tensor"), thunk("at::Tensor const&, at::Tensor const&")});
  const std::string tail = ", …>::{lambda(pybind11::detail::function_call&)#1}::_FUN";
  EXPECT_EQ(shown[0],
            "pybind11::cpp_function::initialize<at::Tensor (*&)(at::Tensor, at::Tensor), at::Tensor, "
            "at::Tensor, at::Tensor" +
                tail);
  EXPECT_EQ(shown[1],
            "pybind11::cpp_function::initialize<at::Tensor (*&)(at::Tensor const&, at::Tensor const&), "
            "at::Tensor, at::Tensor const&, at::Tensor const&" +
                tail);
}

TEST(DistinctNamesTest, ThreeAreToldApartToo) {
  const Names shown = distinct({thunk("int"), thunk("long"), thunk("char")});
  EXPECT_EQ(std::set(shown.begin(), shown.end()).size(), 3u);
}

TEST(DistinctNamesTest, OtherParametersOnlyAreShown) {
  const std::string a = "f(" + std::string(90, 'a') + ")", b = "f(" + std::string(90, 'b') + ")";
  EXPECT_EQ(distinct({a, b}), (Names{a, b}));
}

TEST(DistinctNamesTest, NoTwoOfAnyNamesLookTheSame) {
  Names names = hostile_names(5'000, 7);
  const Names shown = distinct(names);
  std::map<std::string, std::string> full;
  for (size_t i = 0; i < names.size(); ++i) EXPECT_EQ(full.try_emplace(shown[i], names[i]).first->second, names[i]);
}

}  // namespace
}  // namespace icount
