// Terms as whole numbers, and those of a cycle member by member.
#include "icount/explain/flow/opened_flow.h"

#include <gtest/gtest.h>

#include "joined_pair.h"

namespace icount {
namespace {

/// main calls a ten times; a and b call each other.
GraphBuilder cycle(int64_t main, int64_t a, int64_t b, int64_t calls = 10) {
  return GraphBuilder()
      .function("main", main)
      .function("a", a)
      .function("b", b)
      .calls("main", "a", calls)
      .calls("a", "b", 30)
      .calls("b", "a", 30);
}

using Members = std::map<std::string_view, int64_t>;

Members members_of(const JoinedPair& pair, const WholeTerms& terms, uint32_t term) {
  Members members;
  if (const auto found = terms.inside.find(term); found != terms.inside.end())
    for (const auto& [member, delta] : found->second) members[pair.joined.functions[member].name] = delta;
  return members;
}

TEST(WholeTermsTest, ACycleIsToldMemberByMember) {
  const JoinedPair pair(cycle(5, 100, 40), cycle(9, 150, 20));
  const WholeTerms terms = make_whole_terms(pair.joined, pair.flow, 34);
  ASSERT_EQ(pair.flow.figures.terms.size(), 2u);
  const uint32_t of_cycle = is_of_cluster(pair.flow, pair.flow.figures.terms[0]) ? 0 : 1;
  EXPECT_FALSE(is_of_cluster(pair.flow, pair.flow.figures.terms[1 - of_cycle]));
  EXPECT_EQ(terms.whole[of_cycle], 30);
  EXPECT_EQ(terms.whole[1 - of_cycle], 4);
  EXPECT_EQ(members_of(pair, terms, of_cycle), (Members{{"a", 50}, {"b", -20}}));
  EXPECT_EQ(members_of(pair, terms, 1 - of_cycle), Members{});
  EXPECT_EQ(terms.rest, 0);
}

TEST(WholeTermsTest, AMemberThatComesToNothingIsNotThere) {
  const JoinedPair pair(cycle(5, 100, 40), cycle(5, 150, 40));
  EXPECT_EQ(members_of(pair, make_whole_terms(pair.joined, pair.flow, 50), 0), (Members{{"a", 50}}));
}

TEST(WholeTermsTest, WhatNoTermCarriesIsTheRest) {
  const JoinedPair pair(cycle(5, 100, 40), cycle(5, 150, 40));
  const WholeTerms terms = make_whole_terms(pair.joined, pair.flow, 1050);
  EXPECT_EQ(terms.whole[0] + terms.rest, 1050);
  EXPECT_EQ(terms.whole[0], 50);
}

TEST(WholeTermsTest, CallsFromACycleAreNoOwnCostOfIt) {
  JoinedPair pair(cycle(5, 100, 40), cycle(5, 100, 40));
  EXPECT_FALSE(is_of_cluster(pair.flow, {TermKind::kCalls, pair.node("a"), 7}));
  EXPECT_FALSE(is_of_cluster(pair.flow, {TermKind::kEntry, pair.node("a"), 7}));
  EXPECT_TRUE(is_of_cluster(pair.flow, {TermKind::kOwnCost, pair.node("a"), 7}));
  EXPECT_FALSE(is_of_cluster(pair.flow, {TermKind::kOwnCost, pair.node("main"), 7}));
}

std::vector<double> member_values(JoinedPair& pair, long double value) {
  std::vector<double> found(2);
  const uint32_t node = pair.node("a");
  const std::vector<long double> terms = member_terms(pair.joined.flow, pair.flow, {TermKind::kOwnCost, node, value});
  const std::vector<uint32_t>& members = pair.flow.condensed.members[node];
  for (size_t i = 0; i < members.size(); ++i)
    found[pair.joined.functions[members[i]].name == "a" ? 0 : 1] = static_cast<double>(terms[i]);
  return found;
}

TEST(MemberTermsTest, PerCallIntoTheCycle) {
  JoinedPair pair(cycle(5, 100, 40), cycle(5, 300, 20, 20));
  pair.flow.figures.fixed_self.assign(2, false);
  EXPECT_EQ(member_values(pair, 20), (std::vector<double>{50, -30})) << "by the ten calls that both make";
}

TEST(MemberTermsTest, InTotalWhereItDoesNotScale) {
  JoinedPair pair(cycle(5, 100, 40), cycle(5, 300, 20, 20));
  const uint32_t node = pair.node("a");
  pair.flow.figures.fixed_self[node] = true;
  pair.flow.figures.further_self[node] = 0;
  EXPECT_EQ(member_values(pair, 180), (std::vector<double>{200, -20}));
  pair.flow.figures.further_self[node] = 2;
  EXPECT_EQ(member_values(pair, 460), (std::vector<double>{400, 60})) << "in parts of what it costs on both sides";
}

}  // namespace
}  // namespace icount
