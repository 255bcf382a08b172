// Which inlining moves tell that an object was optimised at link time.
#include "icount/explain/claims/relations.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>

#include "joined_pair.h"

namespace icount {
namespace {

/// `scan` of a file calls functions of another one, all of an object.
struct Program {
  std::string scan = "src/scan.c", others = "src/list.c";
  std::string object = "/bin/prog", object_of_others = "/bin/prog";
  int functions = 4;
};

GraphBuilder graph_of(const Program& program) {
  GraphBuilder graph;
  graph.in(program.scan, program.object).function("scan", 100);
  for (int i = 0; i < program.functions; ++i) {
    const std::string name = fmt::format("f{}", i);
    graph.in(program.others, program.object_of_others).function(name, 10).calls("scan", name, 5);
  }
  return graph;
}

/// All of them were inlined by head, or by base; the last ones by the other side.
std::vector<LinkTimeBuild> builds(const JoinedPair& pair, bool into_caller = true, int back = 0) {
  std::vector<InliningMove> moves;
  const FlowGraph& graph = pair.flow.condensed.graph;
  const auto edges = static_cast<uint32_t>(graph.edges.size());
  for (uint32_t e = 0; e < edges; ++e) {
    InliningMove& move = moves.emplace_back();
    move.caller = graph.edges[e].caller;
    move.into_caller = e + static_cast<uint32_t>(back) < edges ? into_caller : !into_caller;
    move.lost_edges = {e};
  }
  return find_link_time_builds(pair.joined, pair.flow, moves);
}
bool is_found(const Program& program) {
  const JoinedPair pair(graph_of(program), graph_of(program));
  return !builds(pair).empty();
}

TEST(LinkTimeBuildTest, FourFunctionsOfOtherFiles) {
  const JoinedPair pair(graph_of({.functions = 5}), graph_of({.functions = 5}));
  for (const bool into_caller : {false, true}) {
    const std::vector<LinkTimeBuild> found = builds(pair, into_caller);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].side, into_caller ? 1u : 0u);
    EXPECT_EQ(found[0].functions, 5u);
    EXPECT_EQ(found[0].objects, (std::array<std::string_view, 2>{"/bin/prog", "/bin/prog"}));
  }
  EXPECT_TRUE(is_found({.functions = 4}));
  EXPECT_FALSE(is_found({.functions = 3}));
  EXPECT_TRUE(builds(pair, true, 1).empty()) << "base inlines one across files, too";
  EXPECT_TRUE(builds(pair, false, 1).empty());
}

TEST(LinkTimeBuildTest, AFunctionCountsOnce) {
  const JoinedPair pair(graph_of({.functions = 3}), graph_of({.functions = 3}));
  InliningMove move;
  move.caller = pair.node("scan");
  for (const char* name : {"f0", "f1", "f2", "f2", "f1"}) move.lost_edges.push_back(pair.edge("scan", name));
  EXPECT_TRUE(find_link_time_builds(pair.joined, pair.flow, {move}).empty());
}

TEST(LinkTimeBuildTest, WithinAFileAnyCompilerInlines) {
  EXPECT_FALSE(is_found({.scan = "src/list.c"}));
  EXPECT_FALSE(is_found({.others = "src/list.h"})) << "a header's functions are";
  EXPECT_FALSE(is_found({.scan = "src/scan.h"}));
  EXPECT_FALSE(is_found({.others = "c++/12/vector"}));
  for (const char* file :
       {"list.cc", "list.cpp", "list.cxx", "list.c++", "list.C", "list.m", "list.mm", "list.f90", "list.f", "list.adb"})
    EXPECT_TRUE(is_found({.others = file})) << file;
}

TEST(LinkTimeBuildTest, WithinAnObject) { EXPECT_FALSE(is_found({.object_of_others = "/lib/liblist.so"})); }

TEST(LinkTimeBuildTest, TheSideThatCallsThemTellsWhereTheyAre) {
  // Base has them; head inlined all of them, and has neither their file nor the program's old path.
  GraphBuilder head;
  head.in("src/scan.c", "/opt/prog").function("scan", 300);
  const JoinedPair there(graph_of({}), head), back(head, graph_of({}));
  // The two scans are of one name in objects of one file name.
  ASSERT_EQ(there.joined.functions[there.function("scan")].folded[1], 0u);
  const std::vector<LinkTimeBuild> found = builds(there), turned = builds(back, false);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].side, 1u);
  EXPECT_EQ(found[0].objects, (std::array<std::string_view, 2>{"/bin/prog", "/opt/prog"}));
  ASSERT_EQ(turned.size(), 1u);
  EXPECT_EQ(turned[0].side, 0u);
  EXPECT_EQ(turned[0].objects, (std::array<std::string_view, 2>{"/opt/prog", "/bin/prog"}));
  EXPECT_TRUE(builds(there, false).empty()) << "head has none of them to inline";
}

}  // namespace
}  // namespace icount
