// Who is whose partner so far, which functions have the same key, and which objects were stripped on one side.
#include "icount/explain/match/match.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>

#include "support/graph_builder.h"

namespace icount {
namespace {

using Keyed = std::vector<std::array<std::vector<uint32_t>, 2>>;

/// The functions of either side with these keys, by place.
Keyed equal(const std::vector<uint64_t>& base, const std::vector<uint64_t>& head) {
  const auto places = [](const std::vector<uint64_t>& keys) {
    std::vector<uint32_t> found;
    for (uint32_t i = 0; i < keys.size(); ++i) found.push_back(i);
    return found;
  };
  return equal_keys(places(base), places(head), [&](size_t side, uint32_t f) { return side == 0 ? base[f] : head[f]; });
}

TEST(EqualKeysTest, FunctionsOfEitherSideKeyByKey) {
  EXPECT_EQ(equal({5, 9, 7}, {7, 5, 8}), (Keyed{{{{0}, {1}}}, {{{2}, {0}}}}));
  EXPECT_EQ(equal({5, 5, 3}, {5, 3, 5}), (Keyed{{{{2}, {1}}}, {{{0, 1}, {0, 2}}}})) << "in the order they were given";
  EXPECT_EQ(equal({1, 2, 9}, {9}), (Keyed{{{{2}, {0}}}}));
  EXPECT_EQ(equal({9}, {1, 2, 9}), (Keyed{{{{0}, {2}}}}));
  EXPECT_TRUE(equal({1, 3}, {2, 4}).empty());
  EXPECT_TRUE(equal({}, {2, 4}).empty());
  EXPECT_TRUE(equal({2, 4}, {}).empty());
}

TEST(EqualKeysTest, NoneHasNoKey) { EXPECT_EQ(equal({0, 1}, {1, 0}), (Keyed{{{{1}, {0}}}})); }

/// So many functions of an object, of which the first have a name.
GraphBuilder functions(int all, int named, const char* object = "/bin/prog") {
  GraphBuilder graph;
  graph.in("a.c", object);
  for (int i = 0; i < all; ++i)
    graph.function(i < named ? fmt::format("f{}", i) : fmt::format("0x{:016x}", 0x1000 + i), 1);
  return graph;
}

class PairingTest : public testing::Test {
 protected:
  Pairing& pair(const GraphBuilder& base, const GraphBuilder& head) {
    graphs_ = {base.graph(), head.graph()};
    folded_ = {fold_graph(graphs_[0], 0, false), fold_graph(graphs_[1], 0, false)};
    return pairing_.emplace(folded_[0], folded_[1]);
  }
  bool is_stripped(const GraphBuilder& base, const GraphBuilder& head) {
    const size_t there = pair(base, head).stripped_on_one_side.size();
    EXPECT_EQ(pair(head, base).stripped_on_one_side.size(), there) << "whichever is base";
    return there > 0;
  }
  uint32_t named(size_t side, const char* name) const {
    for (uint32_t f = 0; f < folded_[side].functions.size(); ++f)
      if (folded_[side].functions[f].name == name) return f;
    return kNoFunction;
  }

  std::array<CostGraph, 2> graphs_;
  std::array<FoldedGraph, 2> folded_;
  std::optional<Pairing> pairing_;
};

TEST_F(PairingTest, FunctionsAreOpenUntilTheyHaveAPartner) {
  Pairing& pairing = pair(functions(3, 2), functions(2, 2));
  EXPECT_EQ(pairing.open(0), (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(pairing.open(1), (std::vector<uint32_t>{0, 1}));
  pairing.add(2, 0, MatchedBy::kEvidence, "same callers");
  EXPECT_EQ(pairing.open(0), (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(pairing.open(1), std::vector<uint32_t>{1});
  EXPECT_FALSE(pairing.is_open(0, 2));
  EXPECT_TRUE(pairing.is_open(1, 1));
  EXPECT_EQ(pairing.partner[0][2], 0u);
  EXPECT_EQ(pairing.partner[1][0], 2u);
  ASSERT_EQ(pairing.pairs.size(), 1u);
  EXPECT_EQ(pairing.pairs[0].base, 2u);
  EXPECT_EQ(pairing.pairs[0].head, 0u);
  EXPECT_EQ(pairing.pairs[0].by, MatchedBy::kEvidence);
  EXPECT_EQ(pairing.pairs[0].evidence, "same callers");
}

TEST_F(PairingTest, WhatHasNoNameButAnAddress) {
  Pairing& pairing = pair(functions(2, 1), functions(2, 2));
  EXPECT_FALSE(pairing.is_unnamed(0, named(0, "f0")));
  EXPECT_TRUE(pairing.is_unnamed(0, 1 - named(0, "f0")));
  EXPECT_FALSE(pairing.is_unnamed(1, 0) || pairing.is_unnamed(1, 1));
}

TEST_F(PairingTest, ObjectsOfWhichHardlyAnyFunctionHasANameOnOneSide) {
  EXPECT_TRUE(is_stripped(functions(20, 18), functions(20, 10))) << "90 and 50 %";
  EXPECT_FALSE(is_stripped(functions(20, 17), functions(20, 10)));
  EXPECT_FALSE(is_stripped(functions(20, 19), functions(20, 11)));
  EXPECT_TRUE(is_stripped(functions(8, 8), functions(8, 0)));
  EXPECT_FALSE(is_stripped(functions(7, 7), functions(8, 0))) << "too few of them";
  EXPECT_FALSE(is_stripped(functions(8, 8), functions(7, 0)));
}

TEST_F(PairingTest, OneBuildIsOfOnePathThatWasNotStripped) {
  Pairing& pairing = pair(functions(8, 8), functions(8, 8));
  EXPECT_TRUE(pairing.may_be_one_build(0, 0));
  EXPECT_FALSE(pairing.is_of_one_build(0, 0));
  pairing.one_build.push_back(pairing.objects.of(0, 0));
  EXPECT_TRUE(pairing.is_of_one_build(0, 0));
  EXPECT_TRUE(pairing.is_of_one_build(1, 0));
  EXPECT_FALSE(pair(functions(8, 8), functions(8, 8, "/opt/prog")).may_be_one_build(0, 0)) << "another path";
  EXPECT_FALSE(pair(functions(8, 8), functions(8, 0)).may_be_one_build(0, 0));
}

}  // namespace
}  // namespace icount
