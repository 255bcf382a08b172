#include <gtest/gtest.h>

#include "icount/harness/stub_source.h"

namespace icount {
namespace {

TimerArgs plain(std::string stmt, std::string setup = {}, std::string global_setup = {}) {
  TimerArgs args;
  args.stmt = std::move(stmt);
  args.setup = std::move(setup);
  args.global_setup = std::move(global_setup);
  args.torch = false;
  return args;
}

std::vector<std::vector<size_t>> units_of(const std::vector<TimerArgs>& statements,
                                          const StubPlanOptions& options = {}) {
  std::vector<std::vector<size_t>> units;
  for (const StubPlan& plan : plan_stubs(statements, options))
    for (const auto& unit : plan.units) units.push_back(unit);
  return units;
}

TEST(StubSourceTest, TheUsersTextStandsInTheUnitByteForByteOnLinesOfItsOwn) {
  const std::string ugly = "auto s = \"\\n \\1 \\d $1 STMT\"; auto r = R\"x(\\ \" )x\"; // end \\";
  const std::vector<TimerArgs> statements = {plain(ugly, "int a = 3; // trailing")};
  const std::string unit = make_stub_unit(statements, std::vector<size_t>{0});
  EXPECT_NE(unit.find("#line 1 \"stmt\"\n" + ugly + "\n\n#line"), std::string::npos) << unit;
  EXPECT_NE(unit.find("#line 1 \"setup\"\nint a = 3; // trailing\n\n#line"), std::string::npos) << unit;
}

TEST(StubSourceTest, NumberedNamesTellTheStatement) {
  const std::vector<TimerArgs> statements = {plain("a"), plain("b", "s", "g")};
  const std::string unit = make_stub_unit(statements, std::vector<size_t>{1}, TextNames::kNumbered);
  for (const char* name : {"\"icount-1/stmt\"", "\"icount-1/setup\"", "\"icount-1/global_setup\""})
    EXPECT_NE(unit.find(name), std::string::npos) << name;
}

TEST(StubSourceTest, BackwardFollowsInTheScopeOfTheStatement) {
  TimerArgs args = plain("auto y = x.sum();");
  args.backward = "y";
  const std::string unit = make_stub_unit(std::vector<TimerArgs>{args}, std::vector<size_t>{0});
  const size_t statement = unit.find("auto y = x.sum();");
  const size_t backward = unit.find("y.backward();");
  ASSERT_NE(backward, std::string::npos);
  EXPECT_LT(statement, backward);
  EXPECT_EQ(unit.substr(statement, backward - statement).find('}'), std::string::npos);
}

TEST(StubSourceTest, StatementsShareUnitsUpToTheSizeAsked) {
  const std::vector<TimerArgs> statements(5, plain("f();"));
  EXPECT_EQ(units_of(statements, {.unit_size = 2}), (std::vector<std::vector<size_t>>{{0, 1}, {2, 3}, {4}}));
}

TEST(StubSourceTest, PreprocessorLinesHaveAUnitToThemselves) {
  const std::vector<TimerArgs> statements = {plain("f();"), plain("#define N 10\ng(N);"), plain("h();"),
                                             plain("x();", "  # undef N")};
  EXPECT_EQ(units_of(statements), (std::vector<std::vector<size_t>>{{0, 2}, {1}, {3}}));
}

std::vector<std::vector<std::vector<size_t>>> programs_of(const std::vector<TimerArgs>& statements,
                                                          const StubPlanOptions& options = {}) {
  std::vector<std::vector<std::vector<size_t>>> programs;
  for (const StubPlan& plan : plan_stubs(statements, options)) programs.push_back(plan.units);
  return programs;
}

TEST(StubSourceTest, DifferentDefinitionsNeverShareAProgram) {
  // Two `struct S` in one program would silently become one: the counts of one of them would be the other's.
  const std::vector<TimerArgs> statements = {plain("S().f();", "", "struct S { void f(); };"),
                                             plain("S().f();", "", "struct S { int f(); };"), plain("g();"),
                                             plain("h();", "", "#include <vector>\n\n # include <torch/script.h>")};
  EXPECT_EQ(programs_of(statements), (std::vector<std::vector<std::vector<size_t>>>{{{0}}, {{1}}, {{2}, {3}}}));
}

TEST(StubSourceTest, WhatMayRunBeforeMainIsSharedWithNobodyElse) {
  // Static objects of a header leave their traces on the heap, once for each unit.
  for (const char* header : {"#include \"mine.h\"", "#include <mine.h>", "#include <mine/all>", "#include HEADER",
                             "static std::string s;"}) {
    const std::vector<TimerArgs> statements = {plain("a();", "", header), plain("b();"), plain("c();", "", header),
                                               plain("#define X\nd();", "", header)};
    EXPECT_EQ(programs_of(statements), (std::vector<std::vector<std::vector<size_t>>>{{{0, 2}}, {{1}}, {{3}}}))
        << header;
  }
  const std::vector<TimerArgs> many(10, plain("f();", "", "#include \"mine.h\""));
  EXPECT_EQ(programs_of(many, {.unit_size = 2}),
            (std::vector<std::vector<std::vector<size_t>>>{{{0, 1, 2, 3, 4, 5, 6, 7}}, {{8, 9}}}));
}

TEST(StubSourceTest, HandlersOfExceptionsAreAloneInTheirProgram) {
  const std::vector<TimerArgs> statements = {plain("a();"), plain("try { b(); }catch(...) {}"),
                                             plain("catch_all(); my_catch();"), plain("try { c(); } catch (int) {}")};
  EXPECT_EQ(programs_of(statements), (std::vector<std::vector<std::vector<size_t>>>{{{0, 2}}, {{1}}, {{3}}}));
}

TEST(StubSourceTest, IsolatedStatementsHaveProgramsOfTheirOwn) {
  EXPECT_EQ(programs_of({plain("a();"), plain("a();")}, {.isolate = true}),
            (std::vector<std::vector<std::vector<size_t>>>{{{0}}, {{1}}}));
}

TEST(StubSourceTest, LibTorchAndPlainStatementsAreDifferentPrograms) {
  TimerArgs torch = plain("y;");
  torch.torch = true;
  const auto plans = plan_stubs(std::vector<TimerArgs>{torch, plain("x;")});
  ASSERT_EQ(plans.size(), 2u);
  EXPECT_TRUE(plans[0].torch);
  EXPECT_FALSE(plans[1].torch);
  EXPECT_EQ(make_stub_prelude(false).find("torch/torch.h"), std::string::npos);
  EXPECT_NE(make_stub_prelude(true).find("#include <torch/torch.h>"), std::string::npos);
}

TEST(StubSourceTest, NamesOfGeneratedCodeBecomeTheUsers) {
  EXPECT_EQ(plain_function_name("icount_stub_17::icount_statement(icount_stub::Context&)"), "stmt");
  EXPECT_EQ(plain_function_name(
                "icount_stub_3::icount_statement(icount_stub::Context&)::{lambda(int)#1}::operator()(int) const"),
            "stmt::{lambda(int)#1}::operator()(int) const");
  EXPECT_EQ(plain_function_name("void f<icount_stub_3::S>(icount_stub_3::S)"), "void f<S>(S)");
  EXPECT_EQ(plain_function_name("icount_stub::Context::next()"), "icount_stub::Context::next()");
  EXPECT_EQ(plain_function_name("my_icount_stub_x"), "my_icount_stub_x");
}

TEST(StubSourceTest, BenchmarksAreFoundInNames) {
  EXPECT_EQ(benchmark_of_name(">>> unit.o:(icount_stub_42::icount_statement(icount_stub::Context&))"), 42);
  EXPECT_EQ(benchmark_of_name("in function `icount_stub_0::f'"), 0);
  EXPECT_EQ(benchmark_of_name("nothing here"), -1);
}

}  // namespace
}  // namespace icount
