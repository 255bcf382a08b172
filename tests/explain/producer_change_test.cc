// What objects' debug information says about how they were compiled.
#include "icount/explain/claims/relations.h"

#include <gtest/gtest.h>

#include <memory>

#include "icount/callgraph/function_code.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

TEST(ProducerChangeTest, TheCompilersWhereTheyDiffer) {
  EXPECT_EQ(producer_change("GNU C17 12.2.0 -g -O2", "GNU C17 13.1.0 -g -O2"), "GNU C17 13.1.0, was GNU C17 12.2.0");
  EXPECT_EQ(producer_change("GNU C17 12.2.0", "rustc version 1.70"), "rustc version 1.70, was GNU C17 12.2.0");
  EXPECT_EQ(producer_change("GNU C17 12.2.0 -O2", "GNU C17 12.2.0"), "no longer -O2");
}

TEST(ProducerChangeTest, TheOptionsThatOneSideHas) {
  EXPECT_EQ(producer_change("cc -g -O2", "cc -O3 -g"), "-O3, was -O2") << "wherever they stand";
  EXPECT_EQ(producer_change("cc -g", "cc -g -flto"), "now -flto");
  EXPECT_EQ(producer_change("cc -g -flto", "cc -g"), "no longer -flto");
  EXPECT_EQ(producer_change("cc -a -b", "cc -b -a"), "") << "another order of the same";
  EXPECT_EQ(producer_change("cc -a -a -b", "cc -a -b"), "") << "one of them twice";
  EXPECT_EQ(producer_change("cc -c -c", "cc"), "no longer -c") << "told once";
  EXPECT_EQ(producer_change("cc --param x -O2", "cc --param y -O2"), "") << "options are what begins with a dash";
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

TEST(ProducerChangeTest, NothingWhereASideIsNotKnown) {
  EXPECT_EQ(producer_change("", "cc -O2"), "");
  EXPECT_EQ(producer_change("cc -O2", ""), "");
  EXPECT_EQ(producer_change("cc -O2", "cc -O2"), "");
}

/// A profile of one object, whose producer is given; none where that is empty.
CostGraph made_by(const std::string& object, const std::string& producer) {
  CostGraph graph = GraphBuilder().in("f.c", object).function("f", 1).graph();
  ProfileCode code;
  code.objects.push_back({.name = object, .producer = producer});
  if (!producer.empty()) graph.code = std::make_shared<const ProfileCode>(code);
  return graph;
}

TEST(ProducerChangeTest, OfTwoProfilesByTheObjectOnEachSide) {
  const auto told = [](const CostGraph& base, const CostGraph& head, std::string_view of_head) {
    const FoldedGraph one = fold_graph(base, 0, false), other = fold_graph(head, 0, false);
    return producer_change(join_graphs(one, other, match_functions(one, other, true)), {"prog", of_head});
  };
  EXPECT_EQ(told(made_by("prog", "cc -O0"), made_by("prog2", "cc -O2"), "prog2"), "-O2, was -O0");
  EXPECT_EQ(told(made_by("prog", "cc -O0"), made_by("prog2", "cc -O2"), "prog3"), "") << "an object that is not there";
  EXPECT_EQ(told(made_by("prog", ""), made_by("prog", "cc -O2"), "prog"), "") << "a side without code";
  EXPECT_EQ(told(made_by("prog", "cc -O0"), made_by("prog", ""), "prog"), "");
}

}  // namespace
}  // namespace icount
