// What came in place of another: allocators, containers and callees.
#include "icount/explain/claims/relations.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string_view>
#include <vector>

#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
#include "joined_pair.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

CostGraph with_allocator(bool other, int64_t calls) {
  GraphBuilder graph;
  graph.in("main.cc").function("main", 1000).function("parse", 4000);
  graph.calls("main", "parse", 10, 4000 + calls * (other ? 60 : 140));
  if (other) {
    graph.in("", "/lib/libjemalloc.so.2").function("malloc", 40 * calls).function("arena_alloc", 20 * calls);
    graph.calls("parse", "malloc", calls, 60 * calls).calls("malloc", "arena_alloc", calls, 20 * calls);
  } else {
    graph.in("", "/lib/libc.so.6").function("malloc", 50 * calls).function("_int_malloc", 90 * calls);
    graph.calls("parse", "malloc", calls, 140 * calls).calls("malloc", "_int_malloc", calls, 90 * calls);
  }
  return graph.graph();
}

TEST(AllocatorChangeTest, IsOneCause) {
  const Explanation explanation = explain(with_allocator(false, 500), with_allocator(true, 500));
  ASSERT_FALSE(explanation.causes.empty());
  const Cause& first = explanation.causes[0];
  EXPECT_EQ(first.kind, CauseKind::kSum);
  EXPECT_EQ(first.function, "allocator");
  EXPECT_EQ(first.delta, -80 * 500);
  EXPECT_EQ(cause_sentence(first), "the allocator is jemalloc, was the C library's malloc");
  EXPECT_GE(first.inside.size(), 2u);
}

TEST(AllocatorChangeTest, WhatAllocatesMoreIsToldBesides) {
  const Explanation explanation = explain(with_allocator(false, 500), with_allocator(true, 900));
  bool found = false;
  for (const Cause& cause : explanation.causes) found |= cause.caller == "parse" && cause.callee == "malloc";
  EXPECT_TRUE(found);
}

CostGraph with_container(bool tree) {
  const std::string book = tree ? "book(std::map<int, int>&)" : "book(std::unordered_map<int, int>&)";
  const std::string method = tree ? "std::map<int, int>::operator[](int const&)"
                                  : "std::_Hashtable<int, int>::_M_find_before_node(unsigned long)";
  GraphBuilder graph;
  graph.line("main", "main.cc", 40, 1000).line(book, "main.cc", 20, tree ? 3000 : 5000);
  graph.calls("main", book, 100, tree ? 53000 : 15000);
  graph.line(method, "stl.h", 7, tree ? 50000 : 10000).calls(book, method, 100, tree ? 50000 : 10000);
  return graph.graph();
}

TEST(ContainerChangeTest, IsOneCauseUnderAnotherSignature) {
  const Explanation explanation = explain(with_container(false), with_container(true));
  ASSERT_FALSE(explanation.causes.empty());
  const Cause& first = explanation.causes[0];
  EXPECT_EQ(first.kind, CauseKind::kSum);
  EXPECT_EQ(first.function, "std::map");
  EXPECT_EQ(first.delta, 38000);
  EXPECT_TRUE(cause_sentence(first).starts_with("`book") &&
              cause_sentence(first).ends_with(" uses `std::map` in place of `std::unordered_map`"))
      << cause_sentence(first);
  const Explanation back = explain(with_container(true), with_container(false));
  EXPECT_EQ(back.causes[0].delta, -38000);
  EXPECT_EQ(back.causes[0].function, "std::unordered_map");
}

TEST(ContainerChangeTest, AFunctionThatIsHandedItMayHaveItInlined) {
  const auto graph = [](bool tree) {
    const std::string total = tree ? "total(std::map<int, int>&)" : "total(std::unordered_map<int, int>&)";
    const std::string method = tree ? "std::map<int, int>::operator[](int const&)"
                                    : "std::_Hashtable<int, int>::_M_find_before_node(unsigned long)";
    const int64_t own = tree ? 9000 : 2000, of_method = tree ? 500 : 100;
    GraphBuilder built;
    built.line("main", "main.cc", 40, 1000).line(total, "main.cc", 20, own).calls("main", total, 10, own);
    return built.line(method, "stl.h", 7, of_method).calls("main", method, 100, of_method).graph();
  };
  const Cause first = explain(graph(false), graph(true)).causes.at(0);
  EXPECT_EQ(first.function, "std::map");
  EXPECT_EQ(first.delta, 7000 + 400);
  EXPECT_TRUE(cause_sentence(first).starts_with("`total") &&
              cause_sentence(first).ends_with(" and 1 more function use `std::map` in place of `std::unordered_map`"))
      << cause_sentence(first);
}

CostGraph with_list(bool list) {
  const std::string book =
      list ? "book(std::__cxx11::list<int, std::allocator<int> >&)" : "book(std::vector<int, std::allocator<int> >&)";
  const std::string method =
      list ? "void std::__cxx11::list<int, std::allocator<int> >::_M_insert<int const&>(std::_List_iterator<int>)"
           : "void std::vector<int, std::allocator<int> >::_M_realloc_insert<int const&>(int*)";
  GraphBuilder graph;
  graph.line("main", "main.cc", 40, 1000)
      .line(book, "main.cc", 20, 3000)
      .line("check", "main.cc", 9, list ? 9000 : 2000);
  graph.calls("main", book, 100, list ? 62000 : 15000).calls(book, "check", list ? 900 : 200, list ? 9000 : 2000);
  graph.line(method, "stl.h", 7, list ? 50000 : 10000).calls(book, method, 100, list ? 50000 : 10000);
  return graph.graph();
}

TEST(ContainerChangeTest, AFunctionWhoseSignatureNamesItDoesAllForItsSake) {
  const Explanation explanation = explain(with_list(false), with_list(true));
  ASSERT_FALSE(explanation.causes.empty());
  EXPECT_EQ(explanation.causes[0].function, "std::list");
  EXPECT_EQ(explanation.causes[0].delta, 47000) << "with more calls of `check`";
}

constexpr const char *kC = "/lib/libc.so.6", *kJemalloc = "/lib/libjemalloc.so.2";

/// parse calls operator new, which calls the malloc of a library, which calls another function of it.
struct Program {
  const char* library = kC;
  int64_t inner = 900;  ///< what that one costs
  int64_t another = 0;  ///< what a function of mimalloc costs, which main calls
  int64_t calls = 10;   ///< of operator new
  int64_t self = 50;    ///< of operator new
  const char* inside = "_int_malloc";
  const char* other_entry = nullptr;  ///< of the library, which parse calls seven times
};

GraphBuilder graph_of(const Program& program) {
  GraphBuilder graph;
  graph.in("main.cc").function("main", 100).function("parse", 500).calls("main", "parse", 1);
  graph.in("", "/lib/libstdc++.so.6").function("operator new(unsigned long)", program.self);
  graph.calls("parse", "operator new(unsigned long)", program.calls);
  graph.in("", program.library).function("malloc", 100).function(program.inside, program.inner);
  graph.calls("operator new(unsigned long)", "malloc", 10).calls("malloc", program.inside, 10);
  if (program.other_entry) graph.function(program.other_entry, 70).calls("parse", program.other_entry, 7);
  if (program.another > 0) graph.in("", "prog").function("mi_malloc", program.another).calls("main", "mi_malloc", 1);
  return graph;
}

const Program kOther{.library = kJemalloc, .inner = 300, .self = 60, .inside = "arena_alloc"};

/// "the C library's malloc -> jemalloc"; "" where there is no change.
std::string change(const Program& base, const Program& head) {
  const JoinedPair pair(graph_of(base), graph_of(head));
  const auto found =
      find_allocator_change(pair.joined, pair.flow, std::vector<bool>(pair.flow.figures.terms.size(), false));
  return found ? fmt::format("{} -> {}", found->libraries[0], found->libraries[1]) : "";
}

TEST(FindAllocatorChangeTest, ItHasNineTenthsOfWhatAllocatorsCost) {
  EXPECT_EQ(change({.inner = 800, .another = 100}, kOther), "the C library's malloc -> jemalloc");
  EXPECT_EQ(change({.inner = 800, .another = 101}, kOther), "");
  EXPECT_EQ(change(kOther, {.inner = 800, .another = 100}), "jemalloc -> the C library's malloc");
  EXPECT_EQ(change(kOther, {.inner = 800, .another = 101}), "");
}

/// "own malloc", "parse calls malloc": what the terms of the change tell of.
std::set<std::string> told(const Program& base, const Program& head, const std::string& taken = "") {
  const JoinedPair pair(graph_of(base), graph_of(head));
  const auto name = [&](uint32_t node) {
    return std::string(pair.joined.functions[pair.flow.condensed.members[node].front()].name);
  };
  const auto text = [&](uint32_t i) {
    const Term& term = pair.flow.figures.terms[i];
    if (term.kind != TermKind::kCalls) return (term.kind == TermKind::kEntry ? "entry " : "own ") + name(term.index);
    const FlowEdge& edge = pair.flow.condensed.graph.edges[term.index];
    return name(edge.caller) + " calls " + name(edge.callee);
  };
  std::vector<bool> is_taken;
  for (uint32_t i = 0; i < pair.flow.figures.terms.size(); ++i) is_taken.push_back(text(i) == taken);
  const auto found = find_allocator_change(pair.joined, pair.flow, is_taken);
  std::set<std::string> all;
  if (found)
    for (const uint32_t i : found->terms) all.insert(text(i));
  return all;
}

TEST(FindAllocatorChangeTest, WhatOneSideAloneAsksForIs) {
  Program also = kOther;
  also.other_entry = "calloc";
  EXPECT_TRUE(told({}, also).contains("parse calls calloc"));
  EXPECT_TRUE(told(also, {}).contains("parse calls calloc"));
}

TEST(FindAllocatorChangeTest, WhatOtherCausesTellIsLeft) {
  const std::set<std::string> all = told({}, kOther), left = told({}, kOther, "own operator new(unsigned long)");
  EXPECT_EQ(left.size(), all.size() - 1);
  EXPECT_FALSE(left.contains("own operator new(unsigned long)"));
}

struct Call {
  uint32_t callee = 0;
  BothSides calls{};
  long double value = 0;
};

/// Function 0 makes these calls. Returns lost and gained callees.
std::vector<std::array<uint32_t, 2>> replaced(const std::vector<Call>& calls, std::vector<uint32_t> taken = {},
                                              const std::vector<std::string_view>& names = {"f", "f", "f", "f", "f"}) {
  JoinedGraph joined;
  OpenedFlow flow;
  FlowGraph& graph = flow.condensed.graph;
  for (uint32_t node = 0; node < 5; ++node) {
    joined.functions.emplace_back().name = names[node];
    flow.condensed.members.push_back({node});
  }
  graph.nodes.resize(5);
  for (const Call& call : calls) {
    flow.figures.terms.push_back({TermKind::kCalls, static_cast<uint32_t>(graph.edges.size()), call.value});
    graph.edges.push_back({0, call.callee, call.calls, {}});
  }
  std::vector<bool> is_taken(calls.size(), false);
  for (const uint32_t term : taken) is_taken[term] = true;
  std::vector<std::array<uint32_t, 2>> found;
  for (const ReplacedCalls& one : find_replaced_calls(joined, flow, is_taken)) {
    EXPECT_EQ(one.edges, one.terms);
    found.push_back({graph.edges[one.edges[0]].callee, graph.edges[one.edges[1]].callee});
  }
  return found;
}

using Pairs = std::vector<std::array<uint32_t, 2>>;

TEST(ReplacedCallsTest, WhichOneItReplacedMustBeKnown) {
  EXPECT_TRUE(replaced({{1, {7, 0}, -50}, {2, {7, 0}, -50}, {3, {0, 7}, 80}}).empty());
  EXPECT_TRUE(replaced({{1, {7, 0}, -50}, {2, {0, 7}, 80}, {3, {0, 7}, 80}}).empty());
  EXPECT_EQ(replaced({{1, {7, 0}, -50}, {2, {0, 7}, 80}, {3, {5, 0}, -80}, {4, {0, 5}, 80}}), (Pairs{{1, 2}, {3, 4}}));
}

TEST(ReplacedCallsTest, AnotherOneOfThatNameIsWhatReplacedIt) {
  const std::vector<std::string_view> names = {"main", "int seek<Order>(int)", "seek(int, bool)", "forget()", "note()"};
  EXPECT_EQ(replaced({{1, {7, 0}, -50}, {2, {0, 7}, 80}, {3, {0, 7}, 80}}, {}, names), (Pairs{{1, 2}}));
  EXPECT_EQ(replaced({{4, {7, 0}, -50}, {1, {7, 0}, -50}, {2, {0, 7}, 80}}, {}, names), (Pairs{{1, 2}}));
  EXPECT_TRUE(replaced({{1, {7, 0}, -50}, {3, {0, 7}, 80}, {4, {0, 7}, 80}}, {}, names).empty());
  const std::vector<std::string_view> twice = {"main", "int seek<Order>(int)", "seek(int, bool)", "seek(long)",
                                               "note()"};
  EXPECT_TRUE(replaced({{1, {7, 0}, -50}, {2, {0, 7}, 80}, {3, {0, 7}, 80}}, {}, twice).empty()) << "which of two";
  const std::vector<std::string_view> two = {"main", "seek<int>()", "seek()", "note<int>()", "note()"};
  EXPECT_TRUE(replaced({{1, {7, 0}, -5}, {2, {0, 7}, 8}, {3, {7, 0}, -5}, {4, {0, 7}, 8}}, {}, two).empty())
      << "two pairs are more than one exchange";
}

TEST(ReplacedCallsTest, AsOftenIsToTheFiftieth) {
  EXPECT_EQ(replaced({{1, {98, 0}, -50}, {2, {0, 100}, 80}}), (Pairs{{1, 2}}));
  EXPECT_TRUE(replaced({{1, {97, 0}, -50}, {2, {0, 100}, 80}}).empty());
  EXPECT_EQ(replaced({{1, {500, 0}, -50}, {2, {10, 500}, 80}}), (Pairs{{1, 2}})) << "which base hardly makes";
  EXPECT_EQ(replaced({{1, {500, 50}, -50}, {2, {50, 500}, 80}}), (Pairs{{1, 2}}));
  EXPECT_TRUE(replaced({{1, {500, 0}, -50}, {2, {51, 509}, 80}}).empty()) << "which both make";
}

TEST(ReplacedCallsTest, OneThatHardlyCostsAnythingBesideTheOtherSaysNothing) {
  EXPECT_EQ(replaced({{1, {7, 0}, -10}, {2, {0, 7}, 1000}}), (Pairs{{1, 2}}));
  EXPECT_TRUE(replaced({{1, {7, 0}, -9}, {2, {0, 7}, 1000}}).empty());
  EXPECT_EQ(replaced({{1, {7, 0}, -1000}, {2, {0, 7}, 10}}), (Pairs{{1, 2}}));
  EXPECT_TRUE(replaced({{1, {7, 0}, -1000}, {2, {0, 7}, 9}}).empty());
}

/// main calls `hash` 500 times, each time at `cost`.
CostGraph hashing(std::string_view hash, int64_t cost) {
  GraphBuilder graph;
  graph.function("main", 100).function("table", 40).calls("main", "table", 1, 40 + 500 * cost);
  return graph.function(hash, 500 * cost).calls("table", hash, 500, 500 * cost).graph();
}

TEST(ReplacedCallsTest, IsOneCauseWithBothPrices) {
  const Explanation found = explain(hashing("times_33", 40), hashing("siphash", 90));
  ASSERT_EQ(found.causes.size(), 1u);
  const Cause& cause = found.causes[0];
  EXPECT_EQ(cause.kind, CauseKind::kCalls);
  EXPECT_EQ(cause.delta, 25'000);
  EXPECT_EQ(cause.caller, "table");
  EXPECT_EQ(cause.callee, "siphash");
  EXPECT_EQ(cause_sentence(cause), "`table` calls `siphash` in place of `times_33` (500 calls, 90 each, was 40)");
  ASSERT_EQ(cause.inside.size(), 2u);
  EXPECT_EQ(cause.inside[0].delta, 45'000);
  EXPECT_EQ(cause.inside[1].delta, -20'000);
}

}  // namespace
}  // namespace icount
