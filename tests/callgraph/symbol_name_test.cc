#include <gtest/gtest.h>

#include <map>

#include "icount/callgraph/distinct_names.h"
#include "icount/callgraph/symbol_name.h"
#include "support/hostile_names.h"

namespace icount {
namespace {

TEST(SymbolNameTest, AddressNames) {
  EXPECT_TRUE(is_address_name("0x0000000000109ca0"));
  EXPECT_TRUE(is_address_name("0x00109ca0"));
  EXPECT_TRUE(is_address_name("0x0000000000109ca0 [PLT]"));
  EXPECT_FALSE(is_address_name("0xbeef"));
  EXPECT_FALSE(is_address_name("0x00109ca0a"));
  EXPECT_FALSE(is_address_name("0x0000000000109ca0_helper"));
  EXPECT_FALSE(is_address_name("main"));
  EXPECT_EQ(address_of_name("0x0000000000109ca0"), 0x109ca0u);
  EXPECT_EQ(address_of_name("main"), 0u);
}

TEST(SymbolNameTest, PlainNameDropsArgumentsParametersAndReturnTypes) {
  EXPECT_EQ(plain_name("void ns::Foo<int, bar<3> >::bar<long>(int, char*) const"), "ns::Foo::bar");
  EXPECT_EQ(plain_name("deflate_slow"), "deflate_slow");
  EXPECT_EQ(plain_name("format[abi:cxx11](std::vector<Record, std::allocator<Record> > const&)"), "format");
  EXPECT_EQ(plain_name("std::vector<int, std::allocator<int> >::operator[](unsigned long)"), "std::vector::operator[]");
  EXPECT_EQ(plain_name("(anonymous namespace)::step(int)"), "(anonymous namespace)::step");
  EXPECT_EQ(plain_name("std::ostream& std::operator<< <char>(std::ostream&, char const*)"), "std::operator<<");
  EXPECT_EQ(plain_name("bool ns::operator< <int>(ns::P<int> const&)"), "ns::operator<");
  EXPECT_EQ(plain_name("bool gnu::operator!=<int const*, std::vector<int> >(int, int)"), "gnu::operator!=");
  EXPECT_EQ(plain_name("ns::P::operator()(int) const"), "ns::P::operator()");
  EXPECT_EQ(plain_name("ns::P::operator->() const"), "ns::P::operator->");
  EXPECT_EQ(plain_name("operator new(unsigned long)"), "operator new");
  EXPECT_EQ(plain_name("unsigned long ns::count<int>(int)"), "ns::count");
  EXPECT_EQ(plain_name("my_operator<int>(int)"), "my_operator");
  EXPECT_EQ(plain_name("f<decltype (a->b)>(int)"), "f");
  EXPECT_EQ(plain_name("A::f(int) const::{lambda(int)#1}::operator()(int) const"), "A::f::{lambda(int)#}::operator()");
}

using TwoNames = std::pair<std::string, std::string>;

TEST(NamesApartTest, ShortNamesThatDifferStayAsTheyAre) {
  EXPECT_EQ(names_apart("b::f(int)", "a::f(int)"), TwoNames("b::f(int)", "a::f(int)"));
}

TEST(NamesApartTest, OnlyTheTemplateArgumentsThatDifferAreKept) {
  const std::string string = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";
  const auto map = [&](const std::string& hash) {
    return "std::__detail::_Map_base<" + string + ", std::pair<" + string + " const, int>, std::equal_to<" + string +
           " >, " + hash +
           ", std::__detail::_Mod_range_hashing, std::__detail::_Default_ranged_hash, true>::operator[](" + string +
           " const&)";
  };
  EXPECT_EQ(names_apart(map("H"), map("std::hash<" + string + " >")),
            TwoNames("std::__detail::_Map_base<…, H, …>::operator[]",
                     "std::__detail::_Map_base<…, std::hash<std::string>, …>::operator[]"));
}

TEST(NamesApartTest, LongArgumentsAreTakenApartInTheirTurn) {
  const auto tree = [](const std::string& value) {
    return "void containers::trees::RedBlackTree<int, containers::detail::Policies<int, " + value +
           ", containers::detail::Balanced> >::insert_and_rebalance_all(int)";
  };
  EXPECT_EQ(names_apart(tree("a::Counted"), tree("a::Plain")),
            TwoNames("containers::trees::RedBlackTree<…, containers::detail::Policies<…, a::Counted, "
                     "…>>::insert_and_rebalance_all",
                     "containers::trees::RedBlackTree<…, containers::detail::Policies<…, a::Plain, "
                     "…>>::insert_and_rebalance_all"));
}

TEST(NamesApartTest, AnOperatorIsNoBracketAndOtherNumbersOfArgumentsAreFine) {
  const std::string tail(100, 'x');
  EXPECT_EQ(names_apart("bool ns::operator< <int, " + tail + ">(int)", "bool ns::operator< <" + tail + ">(int)"),
            TwoNames("ns::operator<<int, …>", "ns::operator<<…>"));
}

TEST(NamesApartTest, OtherParametersOnlyLeaveTheNamesWhole) {
  const std::string a = "f(" + std::string(90, 'a') + ")", b = "f(" + std::string(90, 'b') + ")";
  EXPECT_EQ(names_apart(a, b), TwoNames(a, b));
}

TEST(SymbolNameTest, ShortNamesForSentences) {
  EXPECT_EQ(short_name("calc::Lexer::advance()"), "calc::Lexer::advance()");
  EXPECT_EQ(
      short_name(
          "void std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::_M_construct<char*>"
          "(char*, char*, std::forward_iterator_tag)"),
      "std::string::_M_construct<char*>");
  const char* const conversion =
      "a_library_of_long_names::attribute::operator void (*)(a_library_of_long_names::attribute***)() const";
  EXPECT_EQ(short_name(conversion), conversion);
  EXPECT_EQ(short_name("operator new(unsigned long)"), "operator new");
  EXPECT_EQ(short_name("operator delete(void*, unsigned long)"), "operator delete");
  EXPECT_EQ(short_name("operator delete(void*)"), "operator delete(void*)") << "the other calls it";
  EXPECT_EQ(short_name("format[abi:cxx11](std::vector<Record, std::allocator<Record> > const&)"),
            "format[abi:cxx11](std::vector<Record> const&)");
  EXPECT_EQ(
      short_name("std::map<int, std::vector<long, std::allocator<long> >, std::less<int>, std::allocator<std::pair<int "
                 "const, std::vector<long, std::allocator<long> > > > >::operator[](int const&)"),
      "std::map<int, std::vector<long>>::operator[]");
  EXPECT_EQ(short_name("app::run(std::vector<std::vector<int> >)::{lambda(int, int)#2}::operator()(int, int) const"),
            "app::run::{lambda(int, int)#2}::operator()");
  const std::string arguments = "<" + std::string(90, 'T') + ">";
  EXPECT_EQ(short_name("app::run" + arguments + "(int)::{lambda(int)#2}::_FUN(int)"),
            "app::run::{lambda(int)#2}::_FUN");
}

TEST(SymbolNameTest, WhatNothingDemanglesIsShortAsItIsWritten) {
  EXPECT_EQ(short_name("n::cells(n::cells(Node const&)::_ZN1n5cellsERK4Node.Frame*) [clone .actor]"),
            "n::cells (coroutine)");
  EXPECT_EQ(short_name("camlStdlib__List__nth_103"), "Stdlib.List.nth");
  EXPECT_EQ(short_name("camlStdlib__List.nth_103"), "Stdlib.List.nth");
  EXPECT_EQ(short_name("camlStdlib__$40_197"), "Stdlib.@");
  EXPECT_EQ(short_name("camlShop__fun_537"), "Shop.fun_537") << "that of another one tells it apart";
  EXPECT_EQ(short_name("__plate_MOD_smooth"), "plate::smooth");
  EXPECT_EQ(short_name("__memcpy_avx_unaligned_erms"), "memcpy");
  EXPECT_EQ(short_name("<alloc::string::String as core::clone::Clone>::clone"), "<String as Clone>::clone");
  EXPECT_EQ(short_name("semver::impls::<impl core::cmp::Ord for semver::Prerelease>::cmp"),
            "semver::impls::<impl Ord for Prerelease>::cmp");
  for (const char* other : {"std::sort<a::B>", "<a::B>::f", "a::<impl ", "caml_apply2", "camlistore", "caml", "__MOD_",
                            "x_MOD_f", "__libc_start_main"})
    EXPECT_EQ(short_name(other), other);
}

TEST(SymbolNameTest, LambdasLoseTheirNumber) {
  EXPECT_EQ(plain_name("main::{lambda(int)#2}::operator()(int) const"), "main::{lambda(int)#}::operator()");
  EXPECT_EQ(plain_name("run(int)::{lambda()#1}::operator()() const"), "run::{lambda()#}::operator()");
  EXPECT_EQ(plain_name("main::$_12::operator()() const"), "main::$_::operator()");
  EXPECT_EQ(plain_name("main::'lambda0'(int)::operator()(int) const"), "main::'lambda'::operator()");
}

TEST(SymbolNameTest, ABracketWithoutItsPartnerIsAPartOfTheName) {
  EXPECT_EQ(plain_name("f<int"), "f<int");
  EXPECT_EQ(plain_name("f("), "f(");
  EXPECT_EQ(plain_name("{lambda"), "{lambda");
  EXPECT_EQ(plain_name("Pool<((16)>(8)), false>::Free(void*)"), "Pool::Free");
}

TEST(SymbolNameTest, ParenthesesThatHoldNoParametersStay) {
  EXPECT_EQ(plain_name("example.com/x/renderer/html.(*Renderer).RawWrite"),
            "example.com/x/renderer/html.(*Renderer).RawWrite");
  EXPECT_EQ(short_name("github.com/somebody/some-markdown/extension/renderer/html.(*Renderer).RawWrite"),
            "html.(*Renderer).RawWrite");
  EXPECT_EQ(short_name("example.com/x/html.Escape[...]"), "html.Escape[...]");
  EXPECT_EQ(short_name("N::operator/(N const&)"), "N::operator/(N const&)");
  EXPECT_EQ(plain_name("bytes.(*Buffer).grow"), "bytes.(*Buffer).grow");
  EXPECT_EQ(plain_name("slices.SortFunc[go.shape.[]int,go.shape.int]"), "slices.SortFunc");
  EXPECT_EQ(name_without_parameters("slices.Max[go.shape.int]"), "slices.Max[go.shape.int]");
  EXPECT_EQ(plain_name("(below main)"), "(below main)");
  EXPECT_EQ(plain_name("ns::Less::operator()(int, int) const"), "ns::Less::operator()");
  EXPECT_EQ(plain_name("decltype(auto) ns::visit<int>(int)"), "ns::visit");
  EXPECT_EQ(plain_name("ns::P::operator std::function<void (int)>() const"),
            "ns::P::operator std::function<void (int)>");
  EXPECT_EQ(plain_name("-[Text length]"), "-[Text length]");
  EXPECT_EQ(plain_name("std.algorithm.map!(f).map(int[])"), "std.algorithm.map!.map");
}

TEST(SymbolNameTest, RustNamesKeepTheTypeBeforeTheMethod) {
  EXPECT_EQ(plain_name("<alloc::vec::Vec<T,A> as core::clone::Clone>::clone"),
            "<alloc::vec::Vec as core::clone::Clone>::clone");
  EXPECT_EQ(plain_name("<alloc::raw_vec::RawVec<T>>::grow::<alloc::alloc::Global>"), "<alloc::raw_vec::RawVec>::grow");
  EXPECT_EQ(plain_name("core::str::<impl str>::trim"), "core::str::<impl str>::trim");
  EXPECT_EQ(plain_name("<std::sync::once::Once>::call_once::<f::{closure#0}>::{closure#1}"),
            "<std::sync::once::Once>::call_once::{closure#}");
  EXPECT_EQ(last_word("<std::io::Stdout as std::io::Write>::write_all"), "write_all");
  EXPECT_EQ(last_word("<std::io::Stdout as std::io::Write>"), "<std::io::Stdout as std::io::Write>");
}

TEST(SymbolNameTest, LastWord) {
  EXPECT_EQ(last_word("ns::Foo::bar"), "bar");
  EXPECT_EQ(last_word("main"), "main");
  EXPECT_EQ(last_word("main::{lambda(std::string)#}"), "{lambda(std::string)#}");
}

TEST(SymbolNameTest, DispatchedRoutines) {
  EXPECT_EQ(dispatched_routine("__memcpy_avx_unaligned_erms"), "memcpy");
  EXPECT_EQ(dispatched_routine("__f_avx2"), "") << "a letter is no routine";
  EXPECT_EQ(dispatched_routine("__memcpy_sse2_unaligned"), "memcpy");
  EXPECT_EQ(dispatched_routine("__strchr_avx2"), "strchr");
  EXPECT_EQ(dispatched_routine("__strcasecmp_l_evex"), "strcasecmp_l");
  EXPECT_EQ(dispatched_routine("__sin_fma"), "sin");
  EXPECT_EQ(dispatched_routine("__memset_erms"), "memset");
  EXPECT_EQ(dispatched_routine("__libc_start_main"), "");
  EXPECT_EQ(dispatched_routine("memcpy_avx"), "");
}

TEST(SymbolNameTest, NumbersAndPlacesThatCompilersPutIntoNames) {
  const auto same = [](std::string_view a, std::string_view b) {
    EXPECT_EQ(without_lambda_numbers(a), without_lambda_numbers(b)) << a;
    return has_lambda_number(a) && has_lambda_number(b);
  };
  EXPECT_TRUE(same("cl::each::<cl::main::{closure#0}>", "cl::each::<cl::main::{closure#1}>"));
  EXPECT_TRUE(same("main.run.func1", "main.run.func2"));
  EXPECT_TRUE(same("main.(*T).run.func1.2", "main.(*T).run.func3.1"));
  EXPECT_TRUE(same("main.run.gowrap1", "main.run.gowrap2"));
  EXPECT_TRUE(same("parse__reader_12", "parse__reader_14"));
  EXPECT_TRUE(same("colonanonymous___n_1", "colonanonymous___n_2"));
  EXPECT_TRUE(same("camlShop__fun_537", "camlShop__fun_540"));
  EXPECT_TRUE(same("camlShop.fun_537", "camlShop.fun_540"));
  for (const char* name :
       {"vec_2", "__memcpy_avx_2", "_IO_file_3", "main.functions", "main.func", "f(int)_1", "sha_512"})
    EXPECT_FALSE(has_lambda_number(name)) << name;
  EXPECT_FALSE(same("Shop->{closure:/srv/a/shop.php:8-8}", "Shop->{closure:/srv/b/shop.php:9-9}"));
  EXPECT_EQ(without_lambda_numbers("Shop->{closure:/srv/a/shop.php:8-8}->x"), "Shop->{closure}->x");
  EXPECT_FALSE(same("work /srv/a/shop.py:8", "work /srv/b/shop.py:9"));
  EXPECT_NE(without_lambda_numbers("work /a.py:8"), without_lambda_numbers("play /a.py:8"));
  for (const char* name : {"Shop->{closure:/srv/a/shop.php:8-8}", "f a.py:3", "<lambda> /srv/my shop/a.py:12"})
    EXPECT_TRUE(has_place(name)) << name;
  for (const char* name : {"f", "a.py:3", "f a.c:3", "{closure#0}", "f a.py:"}) EXPECT_FALSE(has_place(name)) << name;
  EXPECT_EQ(without_lambda_numbers("{closure:"), "{closure") << "cut off";
}

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
