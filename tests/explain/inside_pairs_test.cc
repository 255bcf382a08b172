// Real pairs whose change lies inside a function (tests/testdata/inside): the first cause names the function, the
// lines, the kind and the figures, and the causes add up whichever side is base.
#include <gtest/gtest.h>

#include <algorithm>

#include "icount/base/file.h"
#include "icount/base/json.h"
#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
#include "support/golden.h"
#include "support/random_code.h"

namespace icount {
namespace {

Json expected_of(const std::string& name) {
  const auto path = testdata("inside") / "expected.json";
  return parse_json(load_text(path), path.string()).at(name);
}

CodedProfile side(const std::string& name, const std::string& which) {
  return load_coded((unpacked("profiles/inside") / (name + "." + which)).string());
}

Explanation explain_pair(const CodedProfile& base, const CodedProfile& head) {
  ExplainOptions options;
  return explain(base.graph, head.graph, options);
}

class InsidePairsTest : public testing::TestWithParam<const char*> {
 protected:
  Json expected_ = expected_of(GetParam());
  CodedProfile base_ = side(GetParam(), "base"), head_ = side(GetParam(), "head");
  Explanation explanation_ = explain_pair(base_, head_);
};

TEST_P(InsidePairsTest, TheFirstCauseSaysWhatWasChanged) {
  ASSERT_FALSE(explanation_.causes.empty());
  const Cause& first = explanation_.causes.front();
  const Json& wanted = expected_["first"];
  EXPECT_EQ(to_text(first.kind), wanted["about"].get<std::string>()) << cause_sentence(first);
  EXPECT_NE((first.function + first.caller).find(wanted["function"].get<std::string>()), std::string::npos)
      << cause_sentence(first);
  if (!wanted["lines"].is_null() && first.kind != CauseKind::kInlined) {
    ASSERT_TRUE(first.loop) << cause_sentence(first);
    const bool branch = first.kind == CauseKind::kBranch;
    EXPECT_GE(branch ? first.line : first.loop->first_line, wanted["lines"][0].get<uint64_t>());
    EXPECT_LE(branch ? first.line : first.loop->last_line, wanted["lines"][1].get<uint64_t>());
  }
  if (wanted.contains("figures")) {
    for (const Json& figure : wanted["figures"])
      EXPECT_NE(cause_sentence(first).find(figure.get<std::string>()), std::string::npos) << cause_sentence(first);
  }
  // Common flow moves a little against the mean of both sides, by which the figures were found.
  const double delta = wanted["delta"].get<double>();
  if (first.kind != CauseKind::kInlined) {
    EXPECT_NEAR(static_cast<double>(first.delta), delta, 0.06 * std::abs(delta)) << cause_sentence(first);
  }
}

TEST_P(InsidePairsTest, CausesAddUpAndSwappingNegatesThem) {
  EXPECT_EQ(explanation_.base_total, expected_["total"][0].get<int64_t>());
  EXPECT_EQ(explanation_.head_total, expected_["total"][1].get<int64_t>());
  const Explanation back = explain_pair(head_, base_);
  const auto deltas = [](const Explanation& of, int64_t sign) {
    std::vector<int64_t> all;
    for (const Cause& cause : of.causes) all.push_back(sign * cause.delta);
    std::sort(all.begin(), all.end());
    return all;
  };
  EXPECT_EQ(deltas(explanation_, 1), deltas(back, -1));
}

TEST_P(InsidePairsTest, ColumnsOfTheListingAddUpToTheChangeOfTheFunction) {
  ExplainOptions options;
  options.list_opened = true;
  const Explanation explanation = explain(base_.graph, head_.graph, options);
  EXPECT_EQ(explanation.listings.empty(), expected_["first"]["about"] == "inlined");
  for (const FunctionListing& listing : explanation.listings) {
    std::array<int64_t, 2> parts{}, leaves{}, lines{}, known = listing.rows.front().total;
    for (const ListingRow& row : listing.rows)
      for (size_t s = 0; s < 2 && row.is_cost && row.indent > 0; ++s) {
        const bool is_leaf = row.line != 0 || row.label == "no line";
        (is_leaf ? leaves : parts)[s] += row.total[s];
        if (row.label == "no line" || row.label == "without an address") known[s] -= row.total[s];
        if (row.label == "without an address") leaves[s] += row.total[s];
      }
    EXPECT_EQ(parts, listing.rows.front().total) << listing.function;
    EXPECT_EQ(leaves, listing.rows.front().total) << listing.function;
    for (size_t s = 0; s < 2; ++s)
      for (const ListedLine& line : listing.lines[s]) lines[s] += line.self;
    EXPECT_EQ(lines, known) << listing.function;
    const auto change = std::find_if(explanation.functions.begin(), explanation.functions.end(),
                                     [&](const FunctionChange& one) { return one.name == listing.function; });
    if (change == explanation.functions.end()) continue;  // no change in self cost
    EXPECT_EQ((std::array{change->base, change->head}), listing.rows.front().total) << listing.function;
  }
}

INSTANTIATE_TEST_SUITE_P(Goldens, InsidePairsTest,
                         testing::Values("iterate", "branch", "twice", "check", "inline", "unroll", "stripped-input",
                                         "zlib-chains"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// A handful of scripts/check-insides' pairs, whose truth stands in tests/testdata/inside_pairs/pairs.toml.
class InsideOwnPairsTest : public testing::TestWithParam<const char*> {};

TEST_P(InsideOwnPairsTest, TheFirstCauseSaysWhatWasChangedAndSumsAreExact) {
  const auto path = unpacked("profiles/inside_pairs") / (GetParam() + std::string(".json"));
  const Json truth = parse_json(load_text(path), path.string());
  const auto load = [&](const std::string& which) {
    return load_coded((path.parent_path() / (GetParam() + ("." + which))).string());
  };
  const CodedProfile base = load("base"), head = load("head");
  const Explanation explanation = explain_pair(base, head);
  EXPECT_EQ(Json({explanation.base_total, explanation.head_total}), truth["total"]);
  ASSERT_FALSE(explanation.causes.empty());
  const Cause& first = explanation.causes.front();
  const auto any_of = [&](const char* field, auto&& holds) {
    return std::any_of(truth[field].begin(), truth[field].end(),
                       [&](const Json& one) { return holds(one.get<std::string>()); });
  };
  EXPECT_TRUE(any_of("kinds", [&](const std::string& kind) { return kind == to_text(first.kind); }))
      << cause_sentence(first);
  EXPECT_TRUE(any_of("function", [&](const std::string& name) {
    return cause_sentence(first).find("`" + name + "`") != std::string::npos ||
           first.function.find(name) != std::string::npos;
  })) << cause_sentence(first);
  if (!truth["lines"].is_null()) {
    const bool branch = first.kind == CauseKind::kBranch;
    ASSERT_TRUE(branch || first.loop) << cause_sentence(first);
    EXPECT_GE(branch ? first.line : first.loop->first_line, truth["lines"][0].get<uint64_t>()) << cause_sentence(first);
    EXPECT_LE(branch ? first.line : first.loop->last_line, truth["lines"][1].get<uint64_t>()) << cause_sentence(first);
  }
  if (truth["figures"].is_null()) return;
  for (const Json& figure : truth["figures"])
    EXPECT_NE(cause_sentence(first).find(" " + figure.get<std::string>() + " "), std::string::npos)
        << cause_sentence(first);
}

INSTANTIATE_TEST_SUITE_P(Goldens, InsideOwnPairsTest,
                         testing::Values("escape@gcc-O2", "fill@clang-O2", "list@clang-O2-stripped", "mix@gcc-O2",
                                         "run@rustc-O", "words@gcc-O1"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return c == '@' || c == '-'; }, '_');
                           return name;
                         });

TEST(InsideListing, ColumnsAddUp) {
  const CodedProfile base = side("zlib-chains", "base"), head = side("zlib-chains", "head");
  ExplainOptions options;
  options.list_functions = {"longest_match"};
  const Explanation explanation = explain(base.graph, head.graph, options);
  ASSERT_EQ(explanation.listings.size(), 1u);
  const FunctionListing& listing = explanation.listings.front();
  ASSERT_EQ(listing.closed, "");
  std::array<int64_t, 2> lines{};
  for (const ListingRow& row : listing.rows)
    for (size_t s = 0; s < 2; ++s)
      if (row.line != 0 || row.label == "no line") lines[s] += row.total[s];
  EXPECT_EQ(listing.rows.front().total, (std::array<int64_t, 2>{7'738'270, lines[1]}));
  EXPECT_EQ(lines[0], 7'738'270);
}

}  // namespace
}  // namespace icount
