// Which terms another allocator accounts for, and what a side's allocator is.
#include "icount/explain/claims/relations.h"
#include "icount/report/cause_sentence.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <set>

#include "joined_pair.h"

namespace icount {
namespace {

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

TEST(FindAllocatorChangeTest, TheLibraryOfEitherSide) {
  EXPECT_EQ(change({}, kOther), "the C library's malloc -> jemalloc");
  EXPECT_EQ(change(kOther, {}), "jemalloc -> the C library's malloc");
  EXPECT_EQ(change({}, {.inner = 400}), "") << "the same one";
}

TEST(FindAllocatorChangeTest, ItHasNineTenthsOfWhatAllocatorsCost) {
  EXPECT_EQ(change({.inner = 800, .another = 100}, kOther), "the C library's malloc -> jemalloc");
  EXPECT_EQ(change({.inner = 800, .another = 101}, kOther), "");
  EXPECT_EQ(change(kOther, {.inner = 800, .another = 100}), "jemalloc -> the C library's malloc");
  EXPECT_EQ(change(kOther, {.inner = 800, .another = 101}), "");
}

TEST(FindAllocatorChangeTest, WhereNoneCostsAnythingThereIsNone) {
  GraphBuilder none;
  none.function("main", 100).in("", kC).function("malloc", 0).calls("main", "malloc", 5);
  for (const bool turned : {false, true}) {
    const JoinedPair pair(turned ? graph_of(kOther) : none, turned ? none : graph_of(kOther));
    EXPECT_FALSE(
        find_allocator_change(pair.joined, pair.flow, std::vector<bool>(pair.flow.figures.terms.size(), false)));
  }
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

TEST(FindAllocatorChangeTest, TermsOfBothAllocatorsAndOfWhatAsksThem) {
  EXPECT_EQ(told({}, kOther), (std::set<std::string>{"malloc calls _int_malloc", "malloc calls arena_alloc",
                                                     "own operator new(unsigned long)"}))
      << "the C++ library's, too";
}

TEST(FindAllocatorChangeTest, ThatACallerAllocatesMoreOftenIsNoPartOfIt) {
  Program more = kOther;
  more.calls = 30;
  EXPECT_FALSE(told({}, more).contains("parse calls operator new(unsigned long)"));
  EXPECT_FALSE(told(more, {}).contains("parse calls operator new(unsigned long)"));
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

TEST(FindAllocatorChangeTest, OneTermIsToldAsItIs) {
  const JoinedPair pair(graph_of({}), graph_of(kOther));
  const auto left = [&](size_t count) {  // terms that nobody took
    const std::vector<bool> none(pair.flow.figures.terms.size(), false);
    std::vector<bool> taken(none.size(), true);
    const auto all = find_allocator_change(pair.joined, pair.flow, none);
    for (size_t i = 0; i < count; ++i) taken[all.value().terms.at(i)] = false;
    return find_allocator_change(pair.joined, pair.flow, taken);
  };
  ASSERT_TRUE(left(2));
  EXPECT_EQ(left(2)->terms.size(), 2u);
  EXPECT_FALSE(left(1));
  EXPECT_FALSE(left(0));
}

TEST(FindAllocatorChangeTest, ItsText) {
  EXPECT_EQ(cause_sentence({.facts = fact::AllocatorReplaced{{"jemalloc", "tcmalloc"}}}),
            "the allocator is tcmalloc, was jemalloc");
}

}  // namespace
}  // namespace icount
