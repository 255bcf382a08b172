// Objects that were built differently: explain/claims/rebuilt.h.
#include "icount/explain/claims/relations.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "icount/callgraph/function_code.h"
#include "icount/report/cause_sentence.h"
#include "joined_pair.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

/// scan of /bin/prog calls five functions of another file, which one side inlined.
class WholeObjectsTest : public testing::Test {
 protected:
  static GraphBuilder graph() {
    GraphBuilder built;
    built.in("scan.c", "/bin/prog").function("scan", 100).in("list.c", "/bin/prog");
    for (int i = 0; i < 5; ++i) {
      const std::string name = fmt::format("f{}", i);
      built.function(name, 10).calls("scan", name, 5);
    }
    return built;
  }
  static GroupedCause cause(int64_t delta, std::array<std::string_view, 2> objects) {
    GroupedCause made{{.delta = delta, .facts = fact::Said{fmt::format("{}", delta)}}, {}, objects};
    return made;
  }
  static std::vector<GroupedCause> joined(std::vector<GroupedCause> causes, bool into_caller = true) {
    const JoinedPair pair(graph(), graph());
    InliningMove move;
    move.caller = pair.node("scan");
    move.into_caller = into_caller;
    for (int i = 0; i < 5; ++i) move.lost_edges.push_back(pair.edge("scan", fmt::format("f{}", i)));
    join_other_builds(pair.joined, pair.flow, {move}, causes);
    return causes;
  }
};

TEST_F(WholeObjectsTest, AllThatHappensBecomesOneCause) {
  const auto one = joined({cause(60, {"/bin/prog", "/bin/prog"}), cause(-40, {"/lib/a.so", "/lib/a.so"})});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].cause.kind, CauseKind::kSum);
  EXPECT_EQ(one[0].cause.delta, 20);
  EXPECT_EQ(one[0].cause.function, "prog");
  EXPECT_EQ(cause_sentence(one[0].cause),
            "`prog` is now built with link-time optimisation: 5 functions are now inlined into other files' functions");
  ASSERT_EQ(one[0].cause.inside.size(), 2u);
  EXPECT_EQ(cause_sentence(one[0].cause.inside[0]), "60");
  EXPECT_EQ(cause_sentence(joined({cause(60, {"/bin/prog", ""})}, false).at(0).cause),
            "`prog` is no longer built with link-time optimisation: 5 functions are no longer inlined into other "
            "files' functions");
}

TEST_F(WholeObjectsTest, WhereHalfOfItHappensThere) {
  const std::array<std::string_view, 2> there = {"/bin/prog", "/bin/prog"}, elsewhere = {"/lib/a.so", "/lib/a.so"};
  EXPECT_EQ(joined({cause(50, there), cause(-50, elsewhere)}).size(), 1u);
  EXPECT_EQ(joined({cause(49, there), cause(-51, elsewhere)}).size(), 2u);
  EXPECT_EQ(joined({cause(-50, {"/bin/prog", ""}), cause(50, elsewhere)}).size(), 1u) << "on one side";
  EXPECT_EQ(joined({cause(-50, {"", "/bin/prog"}), cause(50, elsewhere)}).size(), 1u);
  EXPECT_TRUE(joined({}).empty());
}

/// Twenty-four functions of three lines each, of which some run lines that the others do not, or cost more on their
/// ends.
struct Build {
  int with_more_lines = 0, with_dearer_ends = 0;
  uint64_t moved = 0;  ///< by so many lines
  int alone = 0;       ///< functions that this build has beside the twenty-four
  std::string_view alone_names = "g";
};

CostGraph built(const Build& how) {
  GraphBuilder graph;
  graph.in("main.c", "/bin/prog").line("main", "main.c", 3, 100);
  for (int i = 0; i < 24; ++i) {
    const std::string name = fmt::format("f{}", i), file = fmt::format("f{}.c", i);
    const int64_t ends = i < how.with_dearer_ends ? 60 : 40;
    graph.in(file, "/bin/prog");
    graph.line(name, file, 10 + how.moved, ends).line(name, file, 12 + how.moved, 200);
    graph.line(name, file, 14 + how.moved, ends).calls("main", name, 20);
    if (i < how.with_more_lines) graph.line(name, file, 11 + how.moved, 40);
  }
  for (int i = 0; i < how.alone; ++i) {
    const std::string name = fmt::format("{}{}", how.alone_names, i);
    graph.in("small.c", "/bin/prog").line(name, "small.c", static_cast<uint64_t>(i + 1), 30).calls("f0", name, 5);
  }
  return graph.graph();
}

std::string first_sentence(const Build& base, const Build& head) {
  return cause_sentence(explain(built(base), built(head)).causes.at(0));
}

TEST(OtherBuildTest, SameSourceWithMoreLinesInManyFunctionsHasAssertions) {
  const std::string end = ": 8 of the 25 functions in both builds changed in cost";
  EXPECT_EQ(first_sentence({}, {.with_more_lines = 8}),
            "`prog` was built differently (probably with assertions, without -DNDEBUG)" + end);
  EXPECT_EQ(first_sentence({.with_more_lines = 8}, {}),
            "`prog` was built differently (probably without assertions, with -DNDEBUG)" + end);
  EXPECT_EQ(first_sentence({}, {.with_dearer_ends = 8}),
            "`prog` was built differently (probably with -fstack-protector)" + end);
  EXPECT_EQ(first_sentence({.with_dearer_ends = 8}, {}),
            "`prog` was built differently (probably without -fstack-protector)" + end);
}

TEST(OtherBuildTest, FunctionsThatTheOtherSideInlinesAreABuildWithoutOptimisation) {
  const auto guessed = [](const Build& base, const Build& head, std::string_view guess) {
    return first_sentence(base, head).find(guess) != std::string::npos;
  };
  const Build dearer{.with_dearer_ends = 24};
  Build head = dearer;
  head.alone = 60;
  EXPECT_TRUE(guessed({}, head, "(probably without optimisation)"));
  EXPECT_TRUE(guessed(head, {}, "(probably with optimisation, was without)"));
  EXPECT_FALSE(guessed({.alone = 20, .alone_names = "h"}, head, "optimisation")) << "both have their own";
  head.alone = 10;
  EXPECT_FALSE(guessed({}, head, "optimisation")) << "fewer than the functions of both";
}

TEST(OtherBuildTest, OtherSourceOrFewFunctionsAreNoBuild) {
  EXPECT_EQ(first_sentence({}, {.with_more_lines = 7}).find("differently"), std::string::npos);
  EXPECT_EQ(first_sentence({}, {.with_more_lines = 8, .moved = 2}).find("differently"), std::string::npos);
}

/// Functions of one library, which main calls.
struct Library {
  int gone = 0, came = 0, common = 0, changed = 0;
  int64_t cost = 100, other_cost = 200, calls = 1, other_calls = 1;
  std::string object = "/lib/liba.so";
  std::string producer = {};  ///< of head, where base's is "cc -O2"; empty: neither is known
};

CostGraph side_of(const Library& library, size_t side) {
  GraphBuilder graph;
  graph.in("main.c", "/bin/prog").function("main", 10).in("a.c", library.object);
  const auto add = [&](const char* prefix, int i, int64_t cost, int64_t calls) {
    const std::string name = fmt::format("{}{}", prefix, i);
    graph.function(name, cost).calls("main", name, calls);
  };
  for (int i = 0; i < library.common; ++i) {
    const bool other = side == 1 && i < library.changed;
    add("common", i, other ? library.other_cost : library.cost, other ? library.other_calls : library.calls);
  }
  for (int i = 0; i < (side == 0 ? library.gone : library.came); ++i) add(side == 0 ? "old" : "new", i, 7, 1);
  CostGraph made = graph.graph();
  ProfileCode code;
  code.objects.push_back({.name = "/lib/liba.so", .producer = side == 1 ? library.producer : "cc -O2"});
  if (!library.producer.empty()) made.code = std::make_shared<const ProfileCode>(code);
  return made;
}

template <typename Find>
auto find_in(const Library& library, const Find& find, bool turned = false) {
  const CostGraph base = side_of(library, turned ? 1 : 0), head = side_of(library, turned ? 0 : 1);
  const FoldedGraph left = fold_graph(base, 0, true), right = fold_graph(head, 0, true);
  return find(join_graphs(left, right, match_functions(left, right, true)));
}

bool inlines_less(const Library& library) {
  const auto found = find_in(library, find_optimisation_changes),
             turned = find_in(library, find_optimisation_changes, true);
  EXPECT_EQ(found.size(), turned.size());
  if (found.size() != 1 || turned.size() != 1) return false;
  EXPECT_EQ(found[0].less, 0u);
  EXPECT_EQ(turned[0].less, 1u);
  EXPECT_EQ(found[0].gone, static_cast<size_t>(library.gone));
  EXPECT_EQ(found[0].all, static_cast<size_t>(library.gone + library.common));
  return true;
}

bool is_other_build(const Library& library) {
  const auto found = find_in(library, find_other_builds), turned = find_in(library, find_other_builds, true);
  EXPECT_EQ(found.size(), turned.size());
  if (found.size() != 1 || turned.size() != 1) return false;
  EXPECT_EQ(found[0].common, static_cast<size_t>(library.common));
  EXPECT_EQ(found[0].changed, static_cast<size_t>(library.changed));
  EXPECT_EQ(found[0].alone, (std::array{static_cast<size_t>(library.gone), static_cast<size_t>(library.came)}));
  EXPECT_EQ(turned[0].alone, (std::array{static_cast<size_t>(library.came), static_cast<size_t>(library.gone)}));
  return true;
}

TEST(OptimisationChangeTest, HalfOfTheFunctionsAreGoneAndThreeQuartersOfTheOthersCostSomethingElse) {
  EXPECT_TRUE(inlines_less({.gone = 8, .common = 8, .changed = 6}));
  EXPECT_FALSE(inlines_less({.gone = 8, .common = 9, .changed = 9})) << "less than half";
  EXPECT_FALSE(inlines_less({.gone = 8, .common = 8, .changed = 5})) << "less than three quarters";
  EXPECT_FALSE(inlines_less({.gone = 7, .common = 7, .changed = 7})) << "too few";
  EXPECT_FALSE(inlines_less({.gone = 8, .common = 1, .changed = 1}));
  EXPECT_TRUE(inlines_less({.gone = 8, .common = 2, .changed = 2}));
}

TEST(OptimisationChangeTest, HardlyAnyCame) {
  EXPECT_TRUE(inlines_less({.gone = 8, .came = 2, .common = 8, .changed = 8})) << "one for four that are gone";
  EXPECT_FALSE(inlines_less({.gone = 8, .came = 3, .common = 8, .changed = 8}));
}

TEST(OptimisationChangeTest, AnotherCostIsOneThatDiffersByMoreThanAFiftiethPerCall) {
  EXPECT_FALSE(inlines_less({.gone = 8, .common = 8, .changed = 8, .other_cost = 102}));
  EXPECT_TRUE(inlines_less({.gone = 8, .common = 8, .changed = 8, .other_cost = 103}));
  EXPECT_FALSE(inlines_less({.gone = 8, .common = 8, .changed = 8, .other_cost = 200, .other_calls = 2}));
  EXPECT_TRUE(inlines_less({.gone = 8, .common = 8, .changed = 8, .other_cost = 100, .other_calls = 2}));
}

TEST(OtherBuildTest, HalfOfTenFunctionsOrMoreCostSomethingElse) {
  EXPECT_TRUE(is_other_build({.common = 10, .changed = 5}));
  EXPECT_FALSE(is_other_build({.common = 10, .changed = 4}));
  EXPECT_FALSE(is_other_build({.common = 9, .changed = 9}));
}

TEST(OtherBuildTest, FunctionsInNoObjectAreNotBuilt) {
  EXPECT_FALSE(is_other_build({.common = 10, .changed = 10, .object = ""}));
  EXPECT_FALSE(inlines_less({.gone = 8, .common = 8, .changed = 8, .object = ""}));
}

TEST(OtherBuildTest, FunctionsThatAreCalledMoreOftenDoOtherWork) {
  EXPECT_TRUE(is_other_build({.common = 10, .changed = 5, .other_cost = 300, .calls = 90, .other_calls = 100}));
  EXPECT_FALSE(is_other_build({.common = 10, .changed = 5, .other_cost = 300, .calls = 89, .other_calls = 100}));
  EXPECT_FALSE(is_other_build({.common = 10, .changed = 5, .other_cost = 300, .calls = 100, .other_calls = 89}));
}

TEST(OtherBuildTest, WhereBothHaveManyFunctionsOfTheirOwnTheSourceIsAnother) {
  EXPECT_TRUE(is_other_build({.gone = 3, .came = 3, .common = 12, .changed = 12})) << "a quarter";
  EXPECT_FALSE(is_other_build({.gone = 4, .came = 4, .common = 12, .changed = 12}));
  EXPECT_TRUE(is_other_build({.gone = 20, .came = 3, .common = 12, .changed = 12})) << "options inline";
}

TEST(OtherBuildTest, WhereDebugInformationSaysSoAQuarterIsEnough) {
  EXPECT_TRUE(is_other_build({.common = 12, .changed = 3, .producer = "cc -O3"}));
  EXPECT_FALSE(is_other_build({.common = 13, .changed = 3, .producer = "cc -O3"})) << "less than a quarter";
  EXPECT_FALSE(is_other_build({.common = 4, .changed = 2, .producer = "cc -O3"})) << "two functions";
  EXPECT_FALSE(is_other_build({.common = 12, .changed = 3, .producer = "cc -O2"})) << "it says that both are alike";
  EXPECT_FALSE(is_other_build({.common = 12, .changed = 3})) << "it says nothing";
  EXPECT_TRUE(is_other_build({.gone = 9, .came = 9, .common = 12, .changed = 3, .producer = "cc -O3"}));
}

TEST(ProducerChangeTest, TheCompilersWhereTheyDiffer) {
  EXPECT_EQ(producer_change("GNU C17 12.2.0 -g -O2", "GNU C17 13.1.0 -g -O2"), "GNU C17 13.1.0, was GNU C17 12.2.0");
  EXPECT_EQ(producer_change("GNU C17 12.2.0", "rustc version 1.70"), "rustc version 1.70, was GNU C17 12.2.0");
  EXPECT_EQ(producer_change("GNU C17 12.2.0 -O2", "GNU C17 12.2.0"), "no longer -O2");
}

TEST(ProducerChangeTest, OptionsThatLeaveTheCodeAsItIsAreNotTold) {
  EXPECT_EQ(producer_change("cc -g -O2", "cc -gdwarf-4 -ggdb3 -O2 -fdiagnostics-color -frandom-seed=1"), "");
  EXPECT_EQ(producer_change("cc -O2 -ffile-prefix-map=a=b", "cc -O2 -fdebug-prefix-map=a=b -fmacro-prefix-map=a=b"),
            "");
  EXPECT_EQ(producer_change("cc -g -O2", "cc -gdwarf-4 -O1"), "-O1, was -O2");
}

TEST(ProducerChangeTest, SixOptionsAtMost) {
  EXPECT_EQ(producer_change("cc", "cc -a -b -c -d -e -f"), "now -a -b -c -d -e -f");
  EXPECT_EQ(producer_change("cc", "cc -a -b -c -d -e -f -h"), "now -a -b -c -d -e -f and more");
  EXPECT_EQ(producer_change("cc -a -b -c -d -e -f -h", "cc -i"), "-i, was -a -b -c -d -e -f and more");
}

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
