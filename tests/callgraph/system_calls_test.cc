#include "icount/callgraph/system_calls.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

TEST(SystemCallsTest, NamesOfTheCLibrarysFunctions) {
  EXPECT_EQ(system_call_name("write"), "write");
  EXPECT_EQ(system_call_name("__open_nocancel"), "open");
  EXPECT_EQ(system_call_name("__GI___close_nocancel"), "close");
  EXPECT_EQ(system_call_name("__libc_read"), "read");
  EXPECT_EQ(system_call_name("__pread64_nocancel"), "pread64");
  EXPECT_EQ(system_call_name("clock_nanosleep@@GLIBC_2.17"), "clock_nanosleep");
  EXPECT_EQ(system_call_name("write'2"), "write");
  EXPECT_EQ(system_call_name("_nocancel"), "_nocancel");
}

CostGraph graph_with(std::vector<std::string> events, std::vector<int64_t> self) {
  CostGraph graph;
  graph.events = std::move(events);
  for (const char* name : {"main", "write", "__write_nocancel", "read", "mmap"})
    graph.functions.push_back({graph.strings.intern(name), kEmptyString, kEmptyString});
  graph.self = std::move(self);
  return graph;
}

TEST(SystemCallsTest, CallsAndTimeByKindTheMostFrequentFirst) {
  const CostGraph graph = graph_with({"Ir", "sysCount", "sysTime"}, {90, 0, 0, 5, 2, 10, 5, 1, 3, 5, 4, 0, 5, 3, 7});
  EXPECT_EQ(system_calls(graph), (std::vector<SystemCall>{{"read", 4, 0}, {"mmap", 3, 7}, {"write", 3, 13}}));
  EXPECT_EQ(calls_of_kind(graph, "calls of write"), 3);
  EXPECT_EQ(calls_of_kind(graph, "calls of openat"), 0);
  EXPECT_EQ(calls_of_kind(graph, "write"), std::nullopt);
}

TEST(SystemCallsTest, NothingWhereTheyWereNotCounted) {
  EXPECT_TRUE(system_calls(graph_with({"Ir"}, {1, 2, 3, 4, 5})).empty());
  EXPECT_EQ(calls_of_kind(graph_with({"Ir"}, {1, 2, 3, 4, 5}), "calls of write"), std::nullopt);
}

}  // namespace
}  // namespace icount
