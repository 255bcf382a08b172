// What takes another's place as one cause: explain/claims/relations.h and explain/claims/relations.h.
#include <gtest/gtest.h>

#include "icount/callgraph/allocations.h"
#include "icount/explain/claims/relations.h"
#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

TEST(AllocatorLibraryTest, GoesByObjectOrName) {
  EXPECT_EQ(allocator_library_of("malloc", "/usr/lib/x86_64-linux-gnu/libc.so.6"), "the C library's malloc");
  EXPECT_EQ(allocator_library_of("malloc", "/usr/lib/libjemalloc.so.2"), "jemalloc");
  EXPECT_EQ(allocator_library_of("operator new(unsigned long)", "/usr/lib/libtcmalloc_minimal.so.4.5.10"), "tcmalloc");
  EXPECT_EQ(allocator_library_of("mi_page_free", "prog"), "mimalloc");
  EXPECT_EQ(allocator_library_of("_int_malloc", "prog"), "the C library's malloc") << "a static program";
  EXPECT_EQ(allocator_library_of("operator new(unsigned long)", "/usr/lib/libstdc++.so.6"), "");
  EXPECT_EQ(allocator_library_of("memcpy", "/usr/lib/x86_64-linux-gnu/libc.so.6"), "");
}

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

TEST(AllocatorChangeTest, SwappingTheSidesNegatesIt) {
  const Explanation forth = explain(with_allocator(false, 500), with_allocator(true, 700)),
                    back = explain(with_allocator(true, 700), with_allocator(false, 500));
  ASSERT_EQ(forth.causes.size(), back.causes.size());
  for (size_t i = 0; i < forth.causes.size(); ++i) {
    EXPECT_EQ(forth.causes[i].kind, back.causes[i].kind);
    EXPECT_EQ(forth.causes[i].delta, -back.causes[i].delta);
  }
}

TEST(AllocatorChangeTest, MoreCallsOfTheSameOneAreNone) {
  const Explanation explanation = explain(with_allocator(false, 500), with_allocator(false, 900));
  ASSERT_FALSE(explanation.causes.empty());
  EXPECT_EQ(explanation.causes[0].caller, "parse");
  EXPECT_EQ(explanation.causes[0].callee, "malloc");
}

TEST(AllocatorChangeTest, WhatAllocatesMoreIsToldBesides) {
  const Explanation explanation = explain(with_allocator(false, 500), with_allocator(true, 900));
  bool found = false;
  for (const Cause& cause : explanation.causes) found |= cause.caller == "parse" && cause.callee == "malloc";
  EXPECT_TRUE(found);
}

TEST(ContainerTest, IsToldByTheFunctionsName) {
  EXPECT_EQ(container_of("std::_Rb_tree<int, int>::_M_insert_unique(int const&)"), "std::map");
  EXPECT_EQ(container_of("void std::vector<Token, std::allocator<Token> >::_M_realloc_insert<Token>(Token&&)"),
            "std::vector");
  EXPECT_EQ(container_of("std::__detail::_Map_base<int, std::pair<int const, int> >::operator[](int const&)"),
            "std::unordered_map");
  EXPECT_EQ(container_of("absl::lts_20220623::container_internal::raw_hash_set<int>::prepare_insert(unsigned long)"),
            "absl::flat_hash_map");
  EXPECT_EQ(container_of("book(std::map<int, int>&)"), "");
  EXPECT_EQ(container_of("std::sort"), "");
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

/// The first of the users is the most changed.
CostGraph with_users(bool tree, int users) {
  const std::string method = tree ? "std::map<int, int>::operator[](int const&)"
                                  : "std::_Hashtable<int, int>::_M_find_before_node(unsigned long)";
  const int64_t cost = tree ? 500 : 100;
  GraphBuilder graph;
  graph.line("main", "main.cc", 40, 1000).line(method, "stl.h", 7, 0);
  for (int i = 0; i < users; ++i) {
    const int64_t calls = 100 - 10 * i;
    const std::string user = "user" + std::to_string(i);
    graph.line(user, "main.cc", 20 + i, 500).calls("main", user, 1, 500 + calls * cost);
    graph.line(method, "stl.h", 8 + i, calls * cost).calls(user, method, calls, calls * cost);
  }
  return graph.graph();
}

TEST(ContainerChangeTest, ManyUsersAreOneCause) {
  const std::string start = "`user0` and ";
  const Explanation two = explain(with_users(false, 2), with_users(true, 2)),
                    four = explain(with_users(false, 4), with_users(true, 4));
  ASSERT_FALSE(two.causes.empty() || four.causes.empty());
  EXPECT_EQ(two.causes[0].delta, 190 * 400);
  EXPECT_TRUE(cause_sentence(two.causes[0]).starts_with(start + "1 more function use `std::map`"))
      << cause_sentence(two.causes[0]);
  EXPECT_TRUE(cause_sentence(four.causes[0]).starts_with(start + "3 more functions use `std::map`"))
      << cause_sentence(four.causes[0]);
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

}  // namespace
}  // namespace icount
