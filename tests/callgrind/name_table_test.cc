// Names and ids: what an id stands for, and what is said about ids that stand for nothing or for several names.
#include "icount/callgrind/name_table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "icount/callgrind/parser.h"
#include "support/error_of.h"

namespace icount {
namespace {

using Texts = std::vector<std::string>;

const std::string kEvents = "events: Ir\n";

Texts names(const std::string& body) {
  const Profile profile = parse_profile(kEvents + body, "p");
  Texts found;
  for (const Function& f : profile.functions) found.emplace_back(profile.strings.view(f.name));
  return found;
}

Texts warnings(const std::string& body) {
  Texts found;
  for (const ProfileWarning& warning : parse_profile(kEvents + body, "p").warnings)
    found.push_back(fmt::format("{}x {}: {}", warning.count, warning.line, warning.text));
  return found;
}

TEST(NameTableTest, OnlyDigitsInBracketsAreAnId) {
  EXPECT_EQ(names("fn=(5)\n1 1\nfn=(5\n1 1\nfn=(5x)\n1 1\nfn=5)\n1 1\nfn=(x)\n1 1\nfn=(6)\tg\n1 1\nfn=(6)\n1 1\n"),
            (Texts{"(5)", "(5", "(5x)", "5)", "(x)", "g"}));
  EXPECT_EQ(error_of([] { names("fn=(18446744073709551616) f\n"); }), "p:2: number too large: '18446744073709551616'");
}

TEST(NameTableTest, NamesMadeOfIdsArePutTogether) {
  EXPECT_TRUE(is_made_of_ids("(12)'2"));
  EXPECT_TRUE(is_made_of_ids("(1)'(2)'33'(4)"));
  for (const char* text : {"", "(12)", "(12)'", "(12)''2", "12'2", "(12)'x", "(1x)'2", "()'2", "(12'2", "'(12)"})
    EXPECT_FALSE(is_made_of_ids(text)) << text;
}

TEST(NameTableTest, AnIdThatIsGivenAPlainNameAgainIsExpandedAgain) {
  const Texts found = names("fn=(1) f\nfn=(2) (1)'2\n1 1\nfn=(3) (2)'3\n1 1\nfn=(2) g\n1 1\nfn=(4) (2)'3\n1 1\n");
  EXPECT_EQ(found, (Texts{"f'2", "(2)'3", "g", "g'3"}));
}

TEST(NameTableTest, ExpandedNamesHaveAMebibyteAtMost) {
  const auto expanded = [](size_t bytes) { return "fn=(1) " + std::string(bytes - 2, 'x') + "\nfn=(2) (1)'2\n1 1\n"; };
  constexpr size_t kMost = size_t{1} << 20;
  EXPECT_EQ(names(expanded(kMost)).at(0).size(), kMost);
  EXPECT_EQ(error_of([&] { names(expanded(kMost + 1)); }),
            "p:3: function name longer than 1 MiB after expanding its ids");
}

TEST(NameTableTest, IdsWithoutANameAreNamedInTheirOrderUpToTwenty) {
  std::string body;
  for (int id = 1; id <= 25; ++id) body += fmt::format("fn=({})\n1 1\n", id);
  body += "fn=(25)\n1 1\nfn=(24)\n1 1\n";
  const Texts found = warnings(body);
  ASSERT_EQ(found.size(), 21u);
  for (size_t i = 0; i < 20; ++i)
    EXPECT_EQ(found[i], fmt::format("1x {}: function id ({}) is never named", 2 * i + 2, i + 1));
  EXPECT_EQ(found.back(), "7x 42: more function ids without a name") << "ids 21 to 25, two of them twice";
}

TEST(NameTableTest, IdsWithSeveralNamesAreNamedUpToTwenty) {
  std::string body;
  for (int id = 0; id < 22; ++id) body += fmt::format("fl=({0}) a{0}\nfl=({0}) a{0}\nfl=({0}) b{0}\n", id);
  body += "fl=(0) c\nfn=f\n1 1\n";
  const Texts found = warnings(body);
  ASSERT_EQ(found.size(), 21u);
  EXPECT_EQ(found.front(), "2x 4: file id (0) redefined");
  EXPECT_EQ(found[19], "1x 61: file id (19) redefined");
  EXPECT_EQ(found.back(), "2x 64: more file ids redefined");
}

TEST(NameTableTest, LateNamesAndKindsAreSaid) {
  EXPECT_EQ(warnings("ob=(1)\nfl=(1)\nfn=(1)\n1 1\nob=(1) o\nfn=(1) f\n1 1\nfn=(1)\n1 1\n"),
            (Texts{"1x 2: object id (1) is used before it is named", "1x 3: file id (1) is never named",
                   "1x 4: function id (1) is used before it is named"}));
}

TEST(NameTableTest, FarIdsAreFoundAmongNearOnes) {
  std::string body;
  const uint64_t ids[] = {0, 511, 512, 262143, 262144, 300000, 4294967295, 4294967296, 18446744073709551615u};
  for (const uint64_t id : ids) body += fmt::format("fn=({0}) f{0}\n1 1\n", id);
  for (const uint64_t id : ids) body += fmt::format("fn=({0})\n1 1\n", id);
  for (const uint64_t id : ids) body += fmt::format("fn=({0}) g{0}\n1 1\nfn=({0})\n1 1\n", id);
  const Texts found = names(body);
  ASSERT_EQ(found.size(), 2 * std::size(ids));
  for (size_t i = 0; i < std::size(ids); ++i) {
    EXPECT_EQ(found[i], fmt::format("f{}", ids[i]));
    EXPECT_EQ(found[i + std::size(ids)], fmt::format("g{}", ids[i]));
  }
}

}  // namespace
}  // namespace icount
