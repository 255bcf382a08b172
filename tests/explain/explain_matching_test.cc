// Matching: which functions count as one, and what is said about it.
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tuple>
#include <utility>

#include "icount/callgraph/symbol_name.h"
#include "icount/explain/explain.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

bool says(const std::vector<std::string>& notes, std::string_view part) {
  for (const std::string& note : notes)
    if (note.find(part) != std::string::npos) return true;
  return false;
}

TEST(ExplainMatchingTest, TemplateArgumentChangedAndDearerIsRenamed) {
  GraphBuilder base, head;
  base.function("main", 10).function("Ring<int>::put(int)", 1000).calls("main", "Ring<int>::put(int)", 100);
  head.function("main", 10).function("Ring<long>::put(long)", 1500).calls("main", "Ring<long>::put(long)", 100);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].kind, CauseKind::kRenamed);
  EXPECT_EQ(explanation.causes[0].function, "Ring<long>::put(long)");
  EXPECT_EQ(
      explanation.causes[0].text,
      "`Ring<long>::put(long)` was `Ring<int>::put(int)` (same callers, same number of calls): self cost 10 -> 15 per "
      "call (100 calls)");
  EXPECT_EQ(explanation.renamed, 1);
  ASSERT_EQ(explanation.functions.size(), 1u);
  EXPECT_EQ(explanation.functions[0].base_name, "Ring<int>::put(int)");
}

TEST(ExplainMatchingTest, UnlikeFunctionsAreNotMatched) {
  GraphBuilder base, head;
  base.function("main", 10).function("parse_header", 1000).calls("main", "parse_header", 10);
  head.function("main", 10).function("draw_circle", 5000).calls("main", "draw_circle", 7);
  const Explanation explanation = explain(base.graph(), head.graph());
  EXPECT_EQ(explanation.renamed, 0);
  ASSERT_EQ(explanation.causes.size(), 2u);
  EXPECT_EQ(explanation.causes[0].text, "`main` now calls `draw_circle` 7 times");
}

TEST(ExplainMatchingTest, ALambdaMoreShiftsNumbersOnly) {
  GraphBuilder base, head;
  const std::string first = "main::{lambda(long)#1}::operator()(long) const",
                    second = "main::{lambda(long)#2}::operator()(long) const",
                    third = "main::{lambda(long)#3}::operator()(long) const";
  base.function("main", 10)
      .function(first, 700)
      .function(second, 2400)
      .calls("main", first, 100)
      .calls("main", second, 200);
  head.function("main", 10).function(first, 11).function(second, 700).function(third, 2400);
  head.calls("main", first, 1).calls("main", second, 100).calls("main", third, 200);
  const Explanation explanation = explain(base.graph(), head.graph());
  EXPECT_EQ(explanation.renamed, 2);
  ASSERT_EQ(explanation.causes.size(), 3u);
  EXPECT_EQ(explanation.causes[0].kind, CauseKind::kCalls);
  EXPECT_EQ(explanation.causes[0].callee, first);
  EXPECT_EQ(explanation.causes[0].delta, 11);
  EXPECT_EQ(explanation.causes[1].delta, 0);
  EXPECT_EQ(explanation.causes[1].kind, CauseKind::kRenamed);
}

TEST(ExplainMatchingTest, LinkageStubsThatLieElsewhereAreNotToldOf) {
  GraphBuilder base, head;
  base.function("main", 900000)
      .function("0x0000000000001100", 500)
      .function("0x0000000000001140", 300)
      .calls("main", "0x0000000000001100", 5)
      .calls("main", "0x0000000000001140", 7);
  head.function("main", 900000)
      .function("0x0000000000001200", 500)
      .function("0x0000000000001240", 300)
      .calls("main", "0x0000000000001200", 5)
      .calls("main", "0x0000000000001240", 7);
  const Explanation explanation = explain(base.graph(), head.graph());
  EXPECT_TRUE(explanation.causes.empty());
  EXPECT_TRUE(explanation.notes.empty());
}

TEST(ExplainMatchingTest, FunctionsThatMovedToALibraryAreTold) {
  GraphBuilder base, head;
  base.in("a.cc", "/bin/prog").function("main", 10).function("text::clean(int)", 500).function("text::count(int)", 300);
  head.in("a.cc", "/bin/prog")
      .function("main", 10)
      .in("text.cc", "/lib/libtext.so")
      .function("text::clean(int)", 500)
      .function("text::count(int)", 300);
  for (GraphBuilder* graph : {&base, &head})
    graph->calls("main", "text::clean(int)", 5).calls("text::clean(int)", "text::count(int)", 5);
  const Explanation explanation = explain(base.graph(), head.graph());
  EXPECT_TRUE(explanation.causes.empty());
  ASSERT_EQ(explanation.notes.size(), 1u);
  EXPECT_EQ(explanation.notes[0], "2 functions now come from `libtext.so` instead of `prog`");
}

TEST(ExplainMatchingTest, AnAbiTagIsNoOtherName) {
  GraphBuilder base, head;  // a list has the tag that a vector has not, and works otherwise
  base.function("main", 10)
      .function("make(int)", 500)
      .function("vector::grow(int)", 9000)
      .calls("main", "make(int)", 1, 9500)
      .calls("make(int)", "vector::grow(int)", 100, 9000);
  head.function("main", 10).function("make[abi:cxx11](int)", 500).function("list::hook(int)", 2000);
  head.calls("main", "make[abi:cxx11](int)", 1, 2500).calls("make[abi:cxx11](int)", "list::hook(int)", 100, 2000);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 2u);
  EXPECT_EQ(explanation.causes[0].text, "`make[abi:cxx11](int)` no longer calls `vector::grow(int)` (was 100 times)");
  EXPECT_EQ(explanation.causes[1].text, "`make[abi:cxx11](int)` now calls `list::hook(int)` 100 times");
  EXPECT_EQ(explanation.renamed, 0);
}

TEST(ExplainMatchingTest, OtherParametersAreSaidShortly) {
  const std::string arguments =
      "std::__debug::vector<std::variant<Shape, Circle>, std::allocator<std::variant<Shape, Circle> > >, "
      "another::Policy<int> const&";
  GraphBuilder base, head;
  base.function("main", 10).function("total(int)", 5000).calls("main", "total(int)", 10);
  head.function("main", 10).function("total(" + arguments + ")", 5100).calls("main", "total(" + arguments + ")", 10);
  EXPECT_EQ(
      explain(base.graph(), head.graph()).causes[0].text,
      "`total` changed its signature (same callers, same number of calls): self cost 500 -> 510 per call (10 calls)");
}

TEST(ExplainMatchingTest, AFewWordsForOneAreTold) {
  GraphBuilder base, head;
  base.function("main", 10);
  head.function("main", 10);
  for (const std::string name : {"get", "put", "all", "any"}) {
    base.function("Table<int>::" + name + "(int)", 1000).calls("main", "Table<int>::" + name + "(int)", 10);
    head.function("Table<unsigned long>::" + name + "(unsigned long)", 1000)
        .calls("main", "Table<unsigned long>::" + name + "(unsigned long)", 10);
  }
  const Explanation explanation = explain(base.graph(), head.graph());
  EXPECT_TRUE(says(explanation.notes, "4 functions matched under another name: `int` is now `unsigned long`"));
  EXPECT_TRUE(says(explain(head.graph(), base.graph()).notes,
                   "4 functions matched under another name: `unsigned long` is now `int`"));
}

TEST(ExplainMatchingTest, AnotherVariantOfALibraryRoutineIsSaid) {
  GraphBuilder base, head;
  base.function("main", 10)
      .in("a.S", "/lib/libc.so.6")
      .function("__memcpy_avx_unaligned_erms", 300)
      .calls("main", "__memcpy_avx_unaligned_erms", 20);
  head.function("main", 10)
      .in("b.S", "/lib/libc.so.6")
      .function("__memcpy_sse2_unaligned", 500)
      .calls("main", "__memcpy_sse2_unaligned", 20);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].kind, CauseKind::kRenamed);
  EXPECT_EQ(
      explanation.causes[0].text,
      "dispatch changed: `__memcpy_sse2_unaligned` runs instead of `__memcpy_avx_unaligned_erms`: self cost 15 -> "
      "25 per call (20 calls)");
  EXPECT_TRUE(says(explanation.notes, "measured on different processors"));
}

TEST(ExplainMatchingTest, AProgramUnderAnotherNameIsTheSameProgram) {
  GraphBuilder base, head;
  base.in("x.c", "/tmp/old").function("main", 10).function("f", 20).calls("main", "f", 2);
  head.in("x.c", "/tmp/new").function("main", 10).function("f", 20).calls("main", "f", 2);
  EXPECT_TRUE(explain(base.graph(), head.graph()).causes.empty());
}

TEST(ExplainMatchingTest, AnAllocatorFromAnotherLibraryIsSaid) {
  GraphBuilder base, head;
  base.function("main", 10)
      .in("malloc.c", "/lib/libc.so.6")
      .function("malloc", 300)
      .function("puts", 5)
      .calls("main", "malloc", 10)
      .calls("main", "puts", 1);
  head.function("main", 10)
      .in("malloc.c", "/lib/libc.so.6")
      .function("puts", 5)
      .in("mine.c", "/opt/libmine.so")
      .function("malloc", 120);
  head.calls("main", "malloc", 10).calls("main", "puts", 1);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].kind, CauseKind::kRenamed);
  EXPECT_EQ(explanation.causes[0].text,
            "`malloc` now comes from `libmine.so` instead of `libc.so.6`: self cost 30 -> 12 per call (10 calls)");
}

TEST(ExplainMatchingTest, StaticsOfOneNameInTwoFilesAreTwo) {
  GraphBuilder base, head;
  base.function("main", 10).in("alpha.c").function("step", 100).calls("main", "step", 1);
  head.function("main", 10).in("beta.c").function("step", 9000).calls("main", "step", 40);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 2u);
  EXPECT_EQ(explanation.causes[0].text, "`main` now calls `step` (beta.c) 40 times");
}

TEST(ExplainMatchingTest, AFileThatWasRenamedKeepsItsFunctions) {
  GraphBuilder base, head;
  base.function("main", 10).in("alpha.c").function("step", 100).calls("main", "step", 10);
  head.function("main", 10).in("beta.c").function("step", 100).calls("main", "step", 10);
  EXPECT_TRUE(explain(base.graph(), head.graph()).causes.empty());
}

// What a statement of LibTorch looks like: the same dispatching around another operator.
GraphBuilder one_operator(const std::string& op, const std::string& kernel, int64_t work) {
  const std::string call = "at::_ops::" + op + "::call(at::Tensor const&, at::Tensor const&)",
                    wrapper = "c10::impl::wrap_kernel_functor_unboxed_<c10::impl::Functor<&at::" + kernel +
                              ">, at::Tensor (at::Tensor const&, at::Tensor const&)>::call(c10::OperatorKernel*)";
  GraphBuilder graph;
  graph.in("???", "libtorch_cpu.so");
  graph.function("main", 100)
      .function(call, 460)
      .function(wrapper, 210)
      .function(kernel, work)
      .function("__tls_get_addr", 80)
      .function("allocate", 500);
  graph.calls("main", call, 10, 1250 + work).calls(call, "__tls_get_addr", 10, 80).calls(call, wrapper, 10, 710 + work);
  graph.calls(wrapper, kernel, 10, 500 + work).calls(kernel, "allocate", 5, 500);
  return graph;
}

TEST(ExplainMatchingTest, AnotherOperatorBehindTheSameDispatchIsNoRename) {
  const CostGraph base = one_operator("mul_Tensor", "wrapper_mul", 3000).graph(),
                  head = one_operator("matmul", "wrapper_matmul", 20000).graph();
  const Explanation explanation = explain(base, head);
  EXPECT_EQ(explanation.renamed, 0);
  ASSERT_EQ(explanation.causes.size(), 2u);
  EXPECT_EQ(explanation.causes[0].text,
            "`main` now calls `at::_ops::matmul::call(at::Tensor const&, at::Tensor const&)` 10 times");
  EXPECT_EQ(explanation.causes[0].delta, 21250);
  EXPECT_EQ(explanation.causes[1].text, "`main` no longer calls `at::_ops::mul_Tensor::call` (was 10 times)");
}

// A library of which Debian, say, ships a stripped build: its inner functions are addresses there.
CostGraph library_build(const std::string& object, const std::string& wrapper, const std::string& kernel,
                        const std::string& work, int64_t cost, int64_t runs) {
  GraphBuilder graph;
  graph.in("main.cc", "/bin/prog").function("main", 100).in("???", object);
  graph.function("ops::mul(Tensor const&)", 40 * runs)
      .function(wrapper, 20 * runs)
      .function(kernel, 300 * runs)
      .function(work, cost * runs)
      .function("unlock", 7 * runs);
  graph.calls("main", "ops::mul(Tensor const&)", runs, (360 + cost) * runs)
      .calls("ops::mul(Tensor const&)", wrapper, runs, (320 + cost) * runs);
  graph.calls("ops::mul(Tensor const&)", "unlock", runs, 7 * runs)
      .calls(wrapper, kernel, runs, (300 + cost) * runs)
      .calls(kernel, work, runs, cost * runs);
  return graph.graph();
}

TEST(ExplainMatchingTest, AStrippedBuildIsReadByTheNamesOfTheOther) {
  const CostGraph stripped =
      library_build("/old/libops.so.1", "0x0000000000001100", "0x0000000000002200", "allocate", 500, 10);
  const CostGraph named =
      library_build("/new/libops.so.2", "Wrapper::call()", "mul_kernel(Tensor const&)", "allocate", 800, 12);
  Explanation explanation = explain(stripped, named);
  ASSERT_FALSE(explanation.causes.empty());
  EXPECT_EQ(explanation.causes[0].text, "self cost of `allocate`: 500 -> 800 per call (12 calls instead of 10)")
      << "nothing above it is new or gone";
  EXPECT_TRUE(says(explanation.notes,
                   "2 functions with a symbol on one side only matched by callers, number of calls and callees"));
  explanation = explain(named, stripped);
  for (const FunctionChange& change : explanation.functions) EXPECT_FALSE(is_address_name(change.name)) << change.name;
}

TEST(ExplainMatchingTest, OtherWorkBelowIsNotReadByTheOthersNames) {
  const CostGraph stripped =
      library_build("/old/libops.so.1", "0x0000000000001100", "0x0000000000002200", "allocate", 5000, 10);
  const CostGraph named =
      library_build("/new/libops.so.2", "Wrapper::call()", "mul_kernel(Tensor const&)", "std::sort()", 5000, 10);
  const Explanation explanation = explain(stripped, named);
  std::vector<std::string> texts;
  for (const Cause& cause : explanation.causes) texts.push_back(cause.text);
  EXPECT_TRUE(says(texts, "`ops::mul(Tensor const&)` now calls `Wrapper::call()`"));
}

/// An operator that calls one inner function so often, which leads to `work`; both builds have all of `allocate`,
/// `zero` and `log`.
CostGraph operator_build(const std::string& object, const std::string& inner, const std::string& work, int64_t calls,
                         int64_t inner_calls) {
  GraphBuilder graph;
  const int64_t cost = inner == "inner()" ? 60 : 20;  // so far apart that evidence alone would not do
  graph.in("main.cc", "/bin/prog")
      .function("main", 100)
      .in("???", object)
      .function("ops::mul(Tensor const&)", 40 * calls)
      .function(inner, cost * inner_calls);
  graph.calls("main", "ops::mul(Tensor const&)", calls, 40 * calls + 90 * inner_calls)
      .calls("ops::mul(Tensor const&)", inner, inner_calls, 90 * inner_calls);
  for (const char* leaf : {"allocate", "zero", "log"}) {
    graph.function(leaf, 70).calls("main", leaf, 1, 70);
    if (leaf == work) graph.calls(inner, leaf, inner_calls, 70 * inner_calls);
  }
  return graph.graph();
}

TEST(ExplainMatchingTest, ANameIsLentOnlyWhereRateAndWorkAreTheSame) {
  const auto lent = [](const std::string& work, int64_t calls, int64_t inner_calls) {
    const Explanation explanation = explain(operator_build("/old/libops.so.1", "0x0000000000001100", "zero", 20, 30),
                                            operator_build("/new/libops.so.2", "inner()", work, calls, inner_calls));
    return says(explanation.notes, "1 function with a symbol on one side only");
  };
  EXPECT_TRUE(lent("zero", 20, 30));
  EXPECT_TRUE(lent("zero", 40, 60));
  EXPECT_FALSE(lent("zero", 10, 30)) << "three calls per call instead of three for two";
  EXPECT_FALSE(lent("log", 20, 30)) << "it leads elsewhere";
}

TEST(ExplainMatchingTest, InOneBuildANameIsNotTakenForAnAddress) {
  const CostGraph base =
      library_build("/lib/libops.so.1", "0x0000000000001100", "0x0000000000002200", "allocate", 5000, 10);
  const CostGraph head =
      library_build("/lib/libops.so.1", "Wrapper::call()", "mul_kernel(Tensor const&)", "allocate", 5000, 10);
  const Explanation explanation = explain(base, head);
  EXPECT_EQ(explanation.functions.size(), 4u) << "two are gone and two are new";
}

TEST(ExplainMatchingTest, NamelessCalleesOfAnotherBuildSpeakAgainstNoRename) {
  GraphBuilder base, head;
  base.in("???", "/old/libops.so.1")
      .function("main", 10)
      .function("Tensor::back(c10::optional<bool>)", 400)
      .function("0x0000000000001100", 9000)
      .function("0x0000000000001200", 1);
  base.calls("main", "Tensor::back(c10::optional<bool>)", 10, 9400)
      .calls("Tensor::back(c10::optional<bool>)", "0x0000000000001100", 30, 9000);
  base.calls("Tensor::back(c10::optional<bool>)", "0x0000000000001200", 1, 1);
  head.in("???", "/new/libops.so.2")
      .function("main", 10)
      .function("Tensor::back(std::optional<bool>)", 400)
      .function("hooks()", 7000)
      .function("log()", 90);
  head.calls("main", "Tensor::back(std::optional<bool>)", 10, 7490)
      .calls("Tensor::back(std::optional<bool>)", "hooks()", 20, 7000)
      .calls("Tensor::back(std::optional<bool>)", "log()", 4, 90);
  EXPECT_EQ(explain(base.graph(), head.graph()).renamed, 1);
}

TEST(ExplainMatchingTest, AChainOfRenamedCallsIsMatchedFromItsEnd) {
  GraphBuilder base, head;
  for (auto [graph, scope, leaf] : {std::tuple(&base, "old::", 1000), std::tuple(&head, "fresh::", 1400)}) {
    const std::string s = scope;
    graph->function("main", 10)
        .function(s + "Page::draw()", 40)
        .function(s + "Line::draw()", 90)
        .function(s + "Word::draw()", leaf);
    graph->calls("main", s + "Page::draw()", 2, 130 + leaf)
        .calls(s + "Page::draw()", s + "Line::draw()", 10, 90 + leaf)
        .calls(s + "Line::draw()", s + "Word::draw()", 50, leaf);
  }
  const Explanation explanation = explain(base.graph(), head.graph());
  EXPECT_EQ(explanation.renamed, 3);
  EXPECT_EQ(
      explanation.causes[0].text,
      "`fresh::Word::draw()` was `old::Word::draw()` (same number of calls): self cost 20 -> 28 per call (50 calls)");
  EXPECT_EQ(explanation.causes[0].delta, 400);
}

TEST(ExplainMatchingTest, ARecursionUnderANewNameIsARename) {
  GraphBuilder base, head;
  for (auto [graph, scope] : {std::pair(&base, "old::"), std::pair(&head, "fresh::")}) {
    const std::string list = std::string(scope) + "list(int)", item = std::string(scope) + "item(int)";
    graph->function("main", 10).function(list, 700).function(item, 300);
    graph->calls("main", list, 1, 1000).calls(list, item, 50, 900).calls(item, list, 49, 800);
  }
  EXPECT_EQ(explain(base.graph(), head.graph()).renamed, 2);
}

TEST(ExplainMatchingTest, AMethodNameThatManyClassesHaveMakesNoRename) {
  GraphBuilder base, head;
  for (const char* name : {"ops::mul::call(int)", "ops::sub::call(int)"})
    base.function(name, 1000).calls("main", name, 10);
  for (const char* name : {"ops::max::call(int)", "ops::min::call(int)"})
    head.function(name, 2500).calls("main", name, 10);
  EXPECT_EQ(explain(base.graph(), head.graph()).renamed, 0);
}

TEST(ExplainMatchingTest, TwoFunctionsNeverLookTheSame) {
  const auto thunk = [](const std::string& signature) {
    return "pybind11::cpp_function::initialize<at::Tensor (*&)(" + signature + "), at::Tensor, " + signature +
           ", pybind11::name>(at::Tensor (*&)(" + signature + "), pybind11::name const&)::{lambda(pybind11::detail::" +
           "function_call&)#1}::_FUN(pybind11::detail::function_call&)";
  };
  const std::string by_value = thunk("at::Tensor, at::Tensor"), by_long = thunk("long");
  const auto program = [&](int64_t self, int64_t first, int64_t second) {
    GraphBuilder graph;
    graph.function("main", self).function(by_value, 127 * first).function(by_long, 100 * second);
    return graph.calls("main", by_value, first).calls("main", by_long, second).graph();
  };
  const Explanation explanation = explain(program(100, 101, 1), program(3'000, 1, 101));
  const std::string before = "`main` calls `pybind11::cpp_function::initialize<at::Tensor (*&)(",
                    after = ", …>::{lambda(pybind11::detail::function_call&)#1}::_FUN` ";
  ASSERT_EQ(explanation.causes.size(), 3u);
  EXPECT_EQ(explanation.causes[0].delta, -12'700);
  EXPECT_EQ(explanation.causes[0].text,
            before + "at::Tensor, at::Tensor), at::Tensor, at::Tensor, at::Tensor" + after + "once instead of 101");
  EXPECT_EQ(explanation.causes[1].delta, 10'000);
  EXPECT_EQ(explanation.causes[1].text, before + "long), at::Tensor, long" + after + "101 times instead of 1");
  EXPECT_EQ(explanation.causes[2].delta, 2'900);
}

/// A library of ten functions at one path, all with their names, or stripped but for what it exports.
CostGraph library_at_one_path(bool stripped, int64_t cost_of_kernel) {
  GraphBuilder graph;
  graph.in("main.cc", "/bin/prog").function("main", 100).in("???", "/lib/libops.so");
  const auto name = [&](const std::string& called, int number) {
    return stripped ? fmt::format("0x{:016x}", 0x1000 + 0x40 * number) : called;
  };
  graph.function("ops_mul", 500).calls("main", "ops_mul", 10, 20'000);
  const std::string kernel = name("mul_kernel(float*)", 0);
  graph.function(kernel, cost_of_kernel * 30).calls("ops_mul", kernel, 30, 30 * cost_of_kernel);
  for (int i = 1; i < 9; ++i) {
    const std::string helper = name(fmt::format("helper_{}()", i), i);
    graph.function(helper, 100 * i).calls("ops_mul", helper, 40 + i, 100 * i);
  }
  return graph.graph();
}

TEST(ExplainMatchingTest, ALibraryStrippedInPlaceIsReadByTheNamesOfTheOther) {
  const Explanation explanation = explain(library_at_one_path(false, 100), library_at_one_path(true, 150));
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(explanation.causes[0].text, "self cost of `mul_kernel(float*)`: 100 -> 150 per call (30 calls)");
  EXPECT_TRUE(says(explanation.notes, "9 functions with a symbol on one side only"));
}

}  // namespace
}  // namespace icount
