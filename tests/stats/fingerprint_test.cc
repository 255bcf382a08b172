#include "icount/stats/fingerprint.h"

#include <gtest/gtest.h>

#include "icount/base/error.h"

namespace icount {
namespace {

Fingerprint sample() {
  Fingerprint facts;
  facts.set("valgrind", "3.19.0", FactClass::kRefuse);
  facts.set("compiler", "g++ 12.2", FactClass::kNameOnly);
  facts.set("routine memcpy", "avx_unaligned", FactClass::kNameOnly);
  return facts;
}

TEST(FingerprintTest, EqualOnesCompareWithoutAWord) {
  const Comparability same = comparable(sample(), sample());
  EXPECT_TRUE(same.comparable());
  EXPECT_TRUE(same.differences.empty());
  EXPECT_FALSE(same.unknown);
}

TEST(FingerprintTest, RefusesInWordsWhatMakesFiguresIncomparable) {
  Fingerprint head = sample();
  head.set("valgrind", "3.24.0", FactClass::kRefuse);
  const Comparability result = comparable(sample(), head);
  EXPECT_FALSE(result.comparable());
  EXPECT_EQ(result.refusals, std::vector<std::string>{"valgrind differs: 3.19.0 against 3.24.0"});
  EXPECT_TRUE(result.differences.empty());
}

TEST(FingerprintTest, NamesWhatMayBeTheVeryThingCompared) {
  Fingerprint head = sample();
  head.set("compiler", "clang 14", FactClass::kNameOnly);
  const Comparability result = comparable(sample(), head);
  EXPECT_TRUE(result.comparable());
  EXPECT_EQ(result.differences, std::vector<std::string>{"compiler differs: g++ 12.2 against clang 14"});
}

TEST(FingerprintTest, OfFlagsThoseOfOneSideAreSaid) {
  const auto differences = [](const std::string& base, const std::string& head) {
    Fingerprint a = sample(), b = sample();
    a.set("flags", base, FactClass::kNameOnly);
    b.set("flags", head, FactClass::kNameOnly);
    return comparable(a, b).differences;
  };
  EXPECT_EQ(differences("-g -O2 -fPIC", "-g -O3 -fPIC -mavx"),
            std::vector<std::string>{"flags differ: -O2 against -O3 -mavx"});
  EXPECT_EQ(differences("-O2 -fPIC", "-O2"), std::vector<std::string>{"flags differ: -fPIC against none"});
  EXPECT_EQ(differences("", "-O2"), std::vector<std::string>{"flags differ: none against -O2"});
  EXPECT_EQ(differences("-O2 -O3 -g", "-O3 -O2"), std::vector<std::string>{"flags differ: -O2 -O3 -g against -O3 -O2"})
      << "the last one counts";
  EXPECT_EQ(differences("-O2 -g", "-g -O2"), std::vector<std::string>{"flags differ: -O2 -g against -g -O2"});
}

TEST(FingerprintTest, OfTwoSuitesNameAndVersionAreSaid) {
  const auto differences = [](const std::string& base, const std::string& head) {
    Fingerprint a = sample(), b = sample();
    a.set("suite", base, FactClass::kNameOnly);
    b.set("suite", head, FactClass::kNameOnly);
    return comparable(a, b).differences;
  };
  EXPECT_TRUE(differences("a, b, version 1, 8 benchmarks, md5 01", "a, b, version 1, 9 benchmarks, md5 23").empty());
  EXPECT_EQ(differences("a, b, version 1, 8 benchmarks, md5 01", "a, b, version 2, 8 benchmarks, md5 01"),
            std::vector<std::string>{"suite differs: a, b, version 1 against a, b, version 2"});
}

TEST(FingerprintTest, OtherNeighboursAreNoDifferenceInHowASideWasBuilt) {
  Fingerprint seven = sample(), eight = sample();
  seven.set(kUnitFact, "shared with 7 other statements (1f2e3d4c)", FactClass::kNameOnly);
  eight.set(kUnitFact, "shared with 8 other statements (5a6b7c8d)", FactClass::kNameOnly);
  const Comparability result = comparable(seven, eight);
  EXPECT_TRUE(result.comparable());
  EXPECT_TRUE(result.differences.empty()) << "by which a gate against accepted values refuses";
  EXPECT_EQ(result.neighbours.find("translation unit differs: shared with 7 other statements (1f2e3d4c) against shared "
                                   "with 8 other statements (5a6b7c8d): "),
            0u)
      << result.neighbours;
  EXPECT_EQ(comparable(seven, seven).neighbours + comparable(seven, sample()).neighbours, "") << "older results";
}

TEST(FingerprintTest, AFactThatRefusesAndIsMissingRefuses) {
  Fingerprint head = sample();
  head.set("pins", "all", FactClass::kRefuse);
  EXPECT_EQ(comparable(sample(), head).refusals, std::vector<std::string>{"pins differ: not recorded against all"});
  EXPECT_EQ(comparable(head, sample()).refusals, std::vector<std::string>{"pins differ: all against not recorded"});
}

TEST(FingerprintTest, CoresRefuseWhereBothSidesAskedForTheirNumber) {
  Fingerprint two = sample(), four = sample();
  two.set("cores", "2", FactClass::kRefuse);
  four.set("cores", "4", FactClass::kRefuse);
  EXPECT_EQ(comparable(two, four).refusals, std::vector<std::string>{"cores differ: 2 against 4"});
  EXPECT_TRUE(comparable(sample(), four).comparable());
  EXPECT_TRUE(comparable(two, sample()).comparable());
}

TEST(FingerprintTest, ARoutineThatOnlyOneSideUsedIsNoDifference) {
  Fingerprint head = sample();
  head.set("routine strlen", "avx2", FactClass::kNameOnly);
  EXPECT_TRUE(comparable(sample(), head).differences.empty());
}

TEST(FingerprintTest, AnotherStubIsSaidWithWhatToDoAlsoWhereOneSideIsOfAnEarlierIcount) {
  Fingerprint head = sample();
  head.set("stub", "2", FactClass::kRefuse);
  const std::string text =
      "stub differs: 1 against 2: two versions of icount counted this statement, and icount's own code around it "
      "changed "
      "between them; count the base again with this icount";
  EXPECT_EQ(comparable(sample(), head).refusals, std::vector<std::string>{text});
  EXPECT_TRUE(comparable(head, head).comparable());
  EXPECT_EQ(comparable(head, sample()).refusals.size(), 1u);
  head.set("stub", "2", FactClass::kNameOnly);
  EXPECT_EQ(comparable(sample(), head).differences, std::vector<std::string>{text});
  EXPECT_EQ(comparable(head, sample()).differences.size(), 1u);
}

TEST(FingerprintTest, FoldersOfResultsFromBeforeTheyWereNamedAreNoDifference) {
  Fingerprint earlier, now;
  earlier.set("flags", "-I/home/u/p/include", FactClass::kNameOnly);
  now.set("flags", "-I<source>/include", FactClass::kNameOnly);
  EXPECT_TRUE(comparable(earlier, now).differences.empty());
  EXPECT_TRUE(comparable(now, earlier).differences.empty());
  // A result that names folders spells out only what is none of them.
  earlier.set("standard", "c++20", FactClass::kNameOnly);
  now.set("standard", "c++20", FactClass::kNameOnly);
  EXPECT_EQ(comparable(earlier, now).differences.size(), 1u);
}

TEST(FingerprintTest, WithoutAFingerprintNothingIsRefused) {
  const Comparability result = comparable(sample(), {});
  EXPECT_TRUE(result.unknown);
  EXPECT_TRUE(result.comparable());
}

TEST(FingerprintTest, JsonKeepsEverything) {
  const Fingerprint facts = sample();
  EXPECT_EQ(to_json(parse_fingerprint(to_json(facts), "x")), to_json(facts));
  EXPECT_EQ(to_json(facts)[0], Json::parse(R"({"name":"valgrind","value":"3.19.0","class":"refuse"})"));
}

TEST(FingerprintTest, DamagedJsonIsRefusedByName) {
  for (const char* text : {"{}", R"([{"name":"a","value":"b"}])", R"([{"name":"a","value":3,"class":"name"}])",
                           R"([{"name":"a","value":"b","class":"odd"}])",
                           R"([{"name":"a","value":"b","class":"name"},{"name":"a","value":"b","class":"name"}])"}) {
    try {
      parse_fingerprint(parse_json(text, "t"), "r.json");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).rfind("r.json: ", 0), 0u) << error.what();
    }
  }
}

TEST(FingerprintTest, AFactThatNamesOnlyMayBeMissing) {
  Fingerprint base = sample(), head = sample();
  base.facts.erase(base.facts.begin() + 1);  // the compiler
  EXPECT_TRUE(comparable(base, head).differences.empty());
  EXPECT_TRUE(comparable(head, base).differences.empty());
  EXPECT_TRUE(comparable(head, base).comparable());
}

}  // namespace
}  // namespace icount
