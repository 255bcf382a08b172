// Matching: which functions count as one, and what is said about it.
#include <gtest/gtest.h>

#include <tuple>
#include <utility>

#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
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
  EXPECT_EQ(cause_sentence(explanation.causes[0]),
            "`Ring<long>::put(long)` itself costs 15 per call, was 10 (100 calls); it was `Ring<int>::put(int)` (same "
            "callers, same number of calls)");
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
  EXPECT_EQ(cause_sentence(explanation.causes[0]), "`main` now calls `draw_circle` 7 times, at 714 each");
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
  EXPECT_EQ(note_sentences(explanation)[0], "2 functions now come from `libtext.so` (was `prog`)");
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
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(
      cause_sentence(explanation.causes[0]),
      "`make[abi:cxx11](int)` calls `list::hook(int)` in place of `vector::grow(int)` (100 calls, 20 each, was 90)");
  EXPECT_EQ(explanation.renamed, 0);
}

TEST(ExplainMatchingTest, OtherParametersAreSaidShortly) {
  const std::string arguments =
      "std::__debug::vector<std::variant<Shape, Circle>, std::allocator<std::variant<Shape, Circle> > >, "
      "another::Policy<int> const&";
  GraphBuilder base, head;
  base.function("main", 10).function("total(int)", 5000).calls("main", "total(int)", 10);
  head.function("main", 10).function("total(" + arguments + ")", 5100).calls("main", "total(" + arguments + ")", 10);
  EXPECT_EQ(cause_sentence(explain(base.graph(), head.graph()).causes[0]),
            "`total` itself costs 510 per call, was 500 (10 calls); its signature changed");
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
  EXPECT_TRUE(
      says(note_sentences(explanation), "4 functions matched under another name: `int` is now `unsigned long`"));
  EXPECT_TRUE(says(note_sentences(explain(head.graph(), base.graph())),
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
  EXPECT_EQ(cause_sentence(explanation.causes[0]),
            "`__memcpy_sse2_unaligned` itself costs 25 per call, was 15 (20 calls); it runs in place of "
            "`__memcpy_avx_unaligned_erms`, as the processor's features are others");
  EXPECT_TRUE(says(note_sentences(explanation), "measured on different processors"));
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
  EXPECT_EQ(cause_sentence(explanation.causes[0]),
            "`malloc` itself costs 12 per call, was 30 (10 calls); it comes from `libmine.so`, was `libc.so.6`");
}

TEST(ExplainMatchingTest, StaticsOfOneNameInTwoFilesAreTwo) {
  GraphBuilder base, head;
  base.function("main", 10).in("alpha.c").function("step", 100).calls("main", "step", 1);
  head.function("main", 10).in("beta.c").function("step", 9000).calls("main", "step", 40);
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_EQ(explanation.causes.size(), 2u);
  EXPECT_EQ(cause_sentence(explanation.causes[0]), "`main` now calls `step` (beta.c) 40 times, at 225 each");
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
  ASSERT_EQ(explanation.causes.size(), 1u);
  EXPECT_EQ(cause_sentence(explanation.causes[0]),
            "`main` calls `at::_ops::matmul::call(at::Tensor const&, at::Tensor const&)` in place of "
            "`at::_ops::mul_Tensor::call` (10 calls, 2,125 each, was 425)");
  EXPECT_EQ(explanation.causes[0].delta, 17000);
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
  EXPECT_EQ(cause_sentence(explanation.causes[0]),
            "`fresh::Word::draw()` itself costs 28 per call, was 20 (50 calls); it was `old::Word::draw()` (same "
            "number of calls)");
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
  EXPECT_EQ(
      cause_sentence(explanation.causes[0]),
      before + "at::Tensor, at::Tensor), at::Tensor, at::Tensor, at::Tensor" + after + "once, was 101, at 127 each");
  EXPECT_EQ(explanation.causes[1].delta, 10'000);
  EXPECT_EQ(cause_sentence(explanation.causes[1]),
            before + "long), at::Tensor, long" + after + "101 times, was 1, at 100 each");
  EXPECT_EQ(explanation.causes[2].delta, 2'900);
}

}  // namespace
}  // namespace icount
