// Which object file of the base is which of the head.
#include "icount/explain/match/match.h"

#include <gtest/gtest.h>

#include "support/graph_builder.h"

namespace icount {
namespace {

struct Code {
  const char *name, *object;
};

/// By function of the head: the function of the base whose object it has, or -1.
std::vector<int> paired(const std::vector<Code>& base, const std::vector<Code>& head) {
  GraphBuilder left, right;
  for (const Code& code : base) left.in("a.c", code.object).define(code.name, 1);
  for (const Code& code : head) right.in("a.c", code.object).define(code.name, 1);
  const CostGraph before = left.graph(), after = right.graph();
  const FoldedGraph a = fold_graph(before, 0, true), b = fold_graph(after, 0, true);
  const ObjectPairs pairs(a, b);
  std::vector<int> found(head.size(), -1);
  const auto class_of = [&](size_t side, const FoldedGraph& graph, const Code& code) {
    uint32_t f = 0;
    while (graph.functions.at(f).name != code.name || graph.functions[f].object != code.object) ++f;
    return pairs.of(side, f);
  };
  for (size_t h = 0; h < head.size(); ++h)
    for (size_t f = base.size(); f-- > 0;)
      if (class_of(0, a, base[f]) == class_of(1, b, head[h])) found[h] = static_cast<int>(f);
  return found;
}

using Found = std::vector<int>;

TEST(ObjectPairsTest, LibrariesPairByTheirFileName) {
  EXPECT_EQ(paired({{"f", "/old/liba.so"}, {"g", "/old/libb.so"}}, {{"x", "/new/libb.so"}, {"y", "/new/liba.so"}}),
            (Found{1, 0}));
}

TEST(ObjectPairsTest, AProgramUnderAnotherNameIsKnownByItsFunctions) {
  EXPECT_EQ(paired({{"main", "/bin/old"}, {"f", "/lib/liba.so"}}, {{"main", "/bin/new"}, {"f", "/lib/liba.so"}}),
            (Found{0, 1}));
  EXPECT_EQ(paired({{"main", "/bin/old"}, {"f", "/lib/liba.so"}}, {{"main", "/lib/liba.so"}}), Found{1})
      << "an object that both have is never another one";
}

TEST(ObjectPairsTest, MostSharedNamesComeFirst) {
  EXPECT_EQ(paired({{"f", "/bin/one"}, {"g", "/bin/one"}, {"f", "/bin/two"}},
                   {{"f", "/bin/three"}, {"f", "/bin/four"}, {"g", "/bin/four"}}),
            (Found{2, 0, 0}))
      << "one and four share two names; two and three are left";
}

TEST(ObjectPairsTest, TwoObjectsThatAreLeftAreOneThatWasStripped) {
  EXPECT_EQ(paired({{"f", "/bin/old"}}, {{"0x0000000000001100", "/bin/new"}}), Found{0});
  EXPECT_EQ(paired({{"f", "/bin/old"}, {"g", "/bin/other"}}, {{"0x0000000000001100", "/bin/new"}}), Found{-1});
  EXPECT_EQ(paired({{"f", "/bin/old"}}, {{"0x0000000000001100", "/bin/new"}, {"0x0000000000001200", "/bin/newer"}}),
            (Found{-1, -1}));
}

TEST(ObjectPairsTest, AnAddressIsNoName) {
  EXPECT_EQ(paired({{"0x0000000000001100", "/bin/one"}, {"f", "/bin/two"}},
                   {{"0x0000000000001100", "/bin/three"}, {"g", "/bin/four"}}),
            (Found{-1, -1}));
}

}  // namespace
}  // namespace icount
