#include <gtest/gtest.h>

#include <map>
#include <string>

#include "icount/callgraph/allocations.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

TEST(AllocationsTest, OnlyCallsFromOutsideOfTheAllocatorCount) {
  const CostGraph graph =
      GraphBuilder()
          .calls("main", "operator new(unsigned long)", 3)
          .calls("operator new(unsigned long)", "malloc", 3)
          .calls("malloc", "_int_malloc", 2)
          .calls("main", "malloc", 5)
          .calls("f", "operator new[](unsigned long, std::align_val_t)", 2)
          .calls("operator new[](unsigned long, std::align_val_t)", "operator new(unsigned long)", 2)
          .calls("f", "realloc", 1)
          .calls("realloc", "malloc", 1)
          .calls("main", "operator delete(void*, unsigned long)", 3)
          .calls("operator delete(void*, unsigned long)", "operator delete(void*)", 3)
          .calls("operator delete(void*)", "free", 3)
          .calls("f", "free", 4)
          .graph();
  EXPECT_EQ(count_allocations(graph), (AllocationCounts{3 + 5 + 2 + 1, 3 + 4}));
  const std::vector<AllocationCounts> by_caller = allocations_by_caller(graph);
  const auto of = [&](std::string_view name) {
    FunctionIndex f = 0;
    while (graph.name(f) != name) ++f;
    return by_caller[f];
  };
  EXPECT_EQ(of("main"), (AllocationCounts{8, 3}));
  EXPECT_EQ(of("f"), (AllocationCounts{3, 4}));
  EXPECT_EQ(of("malloc"), (AllocationCounts{0, 0}));
}

TEST(AllocationsTest, NamesOfAllocators) {
  for (const char* name : {"malloc",
                           "calloc",
                           "reallocarray",
                           "posix_memalign",
                           "aligned_alloc",
                           "memalign",
                           "valloc",
                           "operator new(unsigned long)",
                           "operator new(unsigned long, std::nothrow_t const&)",
                           "operator new[](unsigned long)",
                           "operator new(unsigned long, std::align_val_t, std::nothrow_t const&)",
                           "_Znwm",
                           "tc_new",
                           "tc_malloc_skip_new_handler",
                           "je_malloc",
                           "mallocx",
                           "mi_malloc",
                           "mi_heap_malloc_aligned_at",
                           "c10::alloc_cpu(unsigned long)",
                           "PyObject_Malloc",
                           "malloc'2"})
    EXPECT_EQ(allocator_entry_of(name), AllocatorEntry::kAllocates) << name;
  for (const char* name :
       {"free", "cfree", "operator delete(void*)", "operator delete[](void*, unsigned long)", "_ZdlPv",
        "tc_delete_sized", "sdallocx", "mi_free_size", "c10::free_cpu(void*)", "PyMem_Free"})
    EXPECT_EQ(allocator_entry_of(name), AllocatorEntry::kFrees) << name;
  for (const char* name :
       {"main", "Pool::operator new(unsigned long)", "malloc_usable_size", "_int_malloc", "my_free", "freeaddrinfo",
        "malloc_stats", "mallopt", "operator new(unsigned long, void*)", "operator new[](unsigned long, void*)",
        "operator delete(void*, void*)", "_ZnwmPv", "operator new(unsigned long, Arena&)"})
    EXPECT_EQ(allocator_entry_of(name), AllocatorEntry::kNone) << name;
}

TEST(AllocationsTest, AProgramsOwnOperatorAsksAsAnyFunctionDoes) {
  const CostGraph graph = GraphBuilder()
                              .calls("construct", "operator new(unsigned long, void*)", 50)
                              .calls("main", "operator new(unsigned long, Arena&)", 9)
                              .calls("operator new(unsigned long, Arena&)", "malloc", 2)
                              .graph();
  EXPECT_EQ(count_allocations(graph), (AllocationCounts{2, 0}));
}

TEST(AllocationsTest, AnAllocatorInsideOfAnotherIsNotCountedTwice) {
  const CostGraph graph = GraphBuilder()
                              .calls("at::empty", "c10::alloc_cpu(unsigned long)", 7)
                              .calls("c10::alloc_cpu(unsigned long)", "posix_memalign", 7)
                              .graph();
  EXPECT_EQ(count_allocations(graph), (AllocationCounts{7, 0}));
}

TEST(AllocationsTest, UnknownIsNotNone) {
  EXPECT_EQ(count_allocations(GraphBuilder().function("main", 5).graph()), (AllocationCounts{0, 0}));
  EXPECT_FALSE(count_allocations(GraphBuilder().calls("main", "malloc", 5).untrusted("why").graph()));
  EXPECT_FALSE(count_allocations(GraphBuilder().calls("main", "0x0000000000401136", 5).graph()))
      << "a stripped static program has an allocator without a name";
  EXPECT_EQ(count_allocations(GraphBuilder()
                                  .calls("main", "0x0000000000401136", 5)
                                  .in("x.c", "/lib/x86_64-linux-gnu/libc.so.6")
                                  .calls("main", "strlen", 1)
                                  .graph()),
            (AllocationCounts{0, 0}))
      << "a shared C library exports its allocator's names";
}

CostGraph program() {
  return GraphBuilder()
      .calls("main", "parse", 10)
      .calls("main", "load", 1)
      .calls("load", "parse", 5)
      .calls("parse", "operator new(unsigned long)", 30)
      .calls("operator new(unsigned long)", "malloc", 30)
      .calls("malloc", "_int_malloc", 7)
      .calls("load", "malloc", 2)
      .calls("parse", "free", 4)
      .graph();
}

TEST(AllocationGraphTest, WhoAllocatesIsTheCostAndTheAllocatorIsGone) {
  const auto graph = make_allocation_graph(program(), "allocations");
  ASSERT_TRUE(graph);
  check_cost_graph(*graph);
  EXPECT_EQ(graph->totals.at(0), 32);
  std::map<std::string, int64_t> self;
  for (FunctionIndex f = 0; f < graph->functions.size(); ++f) self[std::string(graph->name(f))] = graph->self[f];
  EXPECT_EQ(self, (std::map<std::string, int64_t>{{"main", 0}, {"parse", 30}, {"load", 2}}));
  for (size_t e = 0; e < graph->edges.size(); ++e) {
    const std::string caller(graph->name(graph->edges[e].caller)), callee(graph->name(graph->edges[e].callee));
    const int64_t expected = callee == "load" ? 12 : caller == "main" ? 20 : 10;
    EXPECT_EQ(graph->inclusive[e], expected) << caller << " to " << callee;
  }
  EXPECT_EQ(make_allocation_graph(program(), "frees")->totals.at(0), 4);
}

TEST(AllocationGraphTest, WhatIsNotKnownHasNoGraph) {
  EXPECT_FALSE(make_allocation_graph(GraphBuilder().calls("main", "malloc", 5).untrusted("why").graph(), "frees"));
}

}  // namespace
}  // namespace icount
