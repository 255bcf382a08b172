// Header lines, sums and remarks of a profile, as docs/callgrind_format.md has them.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <tuple>

#include "icount/callgrind/parse_report.h"
#include "icount/callgrind/parser.h"
#include "support/error_of.h"

namespace icount {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

ProfilePart part_with(const std::string& header) {
  return parse_profile(header + "events: A B C\nfn=f\n1 1 1 1\n", "p").parts.at(0);
}

TEST(HeaderLinesTest, NumbersAreTheDigitsInFront) {
  EXPECT_EQ(part_with("part: 3rd\nthread: 12 (main)\n").number, 3);
  EXPECT_EQ(part_with("part: 3rd\nthread: 12 (main)\n").thread, 12);
  EXPECT_EQ(part_with("part: x3\n").number, 0);
  EXPECT_EQ(parse_profile("version:  1 \nevents: A\nfn=f\n1 1\n", "p").version, "1");
  EXPECT_EQ(parse_profile("pid: 17a\nevents: A\nfn=f\n1 1\n", "p").pid, 17);
  EXPECT_EQ(parse_profile("pid: 99999999999999999999\nevents: A\nfn=f\n1 1\n", "p").pid, 0);
}

TEST(HeaderLinesTest, TriggersAndTimeRangesAreFoundAmongDescriptions) {
  const ProfilePart part =
      part_with("desc: I1 cache: none\ndesc: Trigger:   at the end \ndesc: Timerange: Basic block 5 - 9 (of 12)\n");
  EXPECT_EQ(part.trigger, "at the end");
  EXPECT_EQ(part.first_block, 5);
  EXPECT_EQ(part.last_block, 9);
  EXPECT_EQ(part.descriptions, (std::vector<std::string>{"I1 cache: none", "Trigger:   at the end",
                                                         "Timerange: Basic block 5 - 9 (of 12)"}));
  const ProfilePart half = part_with("desc: Timerange: Basic block 5-9\n");
  EXPECT_EQ(half.first_block, -1);
  EXPECT_EQ(half.last_block, -1);
  const ProfilePart open = part_with("desc: Timerange: Basic block 5 - x\n");
  EXPECT_EQ(open.first_block, 5);
  EXPECT_EQ(open.last_block, -1);
}

TEST(HeaderLinesTest, PositionsAreThoseThatAreNamed) {
  const std::tuple<const char*, const char*, const char*> cases[] = {{"positions:\tinstr  bb line\n", "abl", "1 2 3 4"},
                                                                     {"positions: bb\n", "b", "1 4"},
                                                                     {"positions: addr\n", "a", "1 4"},
                                                                     {"positions: line addr\n", "al", "1 2 4"},
                                                                     {"", "l", "1 4"}};
  for (const auto& [line, kinds, cost] : cases) {
    const ProfilePart part = parse_profile(std::string(line) + "events: A\nfn=f\n" + cost + "\n", "p").parts.at(0);
    EXPECT_EQ(
        fmt::format("{}{}{}", part.has_addresses ? "a" : "", part.has_blocks ? "b" : "", part.has_lines ? "l" : ""),
        kinds);
    EXPECT_EQ(part.totals, std::vector<int64_t>{4}) << line;
  }
}

TEST(HeaderLinesTest, ThereMayBeTwoHundredAndFiftySixEvents) {
  std::string events = "events:", costs = "1";
  for (int i = 0; i < 256; ++i) {
    events += fmt::format(" e{}", i);
    costs += fmt::format(" {}", i);
  }
  const ProfilePart part = parse_profile(events + "\nfn=f\n" + costs + "\n", "p").parts.at(0);
  EXPECT_EQ(part.events.back(), "e255");
  EXPECT_EQ(part.totals.back(), 255);
}

TEST(HeaderLinesTest, APartThatNamesNoEventsGoesOnAsTheOneBefore) {
  const Profile profile = parse_profile(
      "positions: instr line\nevents: Ir\nfn=f\n0x10 5 1\ntotals: 1\npart: 2\nfn=f\n0x20 7 3\ntotals: 3\n", "p");
  ASSERT_EQ(profile.parts.size(), 2u);
  EXPECT_TRUE(profile.parts[1].has_addresses);
  EXPECT_EQ(profile.parts[1].totals, std::vector<int64_t>{3});
}

std::string version_outcome(const std::string& version) {
  return error_of([&] { parse_profile("version: " + version + "\nevents: A\nfn=f\n1 1\n", "p"); });
}

TEST(HeaderLinesTest, VersionOneAndWhatIsNoNumberAreRead) {
  for (const char* version : {"1", "1.9", "0.9.6", "01", "x", "", ".5"})
    EXPECT_EQ(version_outcome(version), "no error") << version;
  for (const char* version : {"2", "2.0", "10", "99999999999999999999"})
    EXPECT_EQ(version_outcome(version), fmt::format("p:1: format version {} is not supported", version));
}

std::vector<int64_t> sums(const std::string& numbers) {
  return part_with("events: A B C\nsummary:" + numbers + "\n").summary;
}

TEST(HeaderLinesTest, SumsMayBeNegativeMissingOrPoints) {
  EXPECT_EQ(sums(" 7 -3 ."), (std::vector<int64_t>{7, -3, 0}));
  EXPECT_EQ(sums(" 0x10"), (std::vector<int64_t>{16, 0, 0}));
  EXPECT_EQ(sums(""), (std::vector<int64_t>{0, 0, 0}));
  EXPECT_EQ(sums(" 18446744073709551615 -18446744073709551615\t1"), (std::vector<int64_t>{kMost, -kMost, 1}));
  EXPECT_EQ(error_of([] { sums(" 1 2 3 4"); }), "p:2: 4 costs for 3 events");
  EXPECT_EQ(error_of([] { sums(" 1 x2"); }), "p:2: not a number: 'x2'");
  EXPECT_EQ(error_of([] { sums(" 1 -"); }), "p:2: not a number: '-'");
  EXPECT_EQ(error_of([] { sums(" 18446744073709551616"); }), "p:2: number too large: '18446744073709551616'");
}

TEST(HeaderLinesTest, ASummaryBehindAPartIsThatParts) {
  const Profile profile =
      parse_profile("events: A\nfn=f\n1 1\ntotals: 1\nsummary: 5\nevents: B\nsummary: 6\nfn=f\n1 2\n", "p");
  ASSERT_EQ(profile.parts.size(), 2u);
  EXPECT_EQ(profile.parts[0].summary, std::vector<int64_t>{5});
  EXPECT_EQ(profile.parts[1].summary, std::vector<int64_t>{6});
  EXPECT_TRUE(profile.warnings.empty());
}

TEST(HeaderLinesTest, WrongTotalsNameTheirPartAndEvent) {
  const std::string part = "events: A B\nfn=f\n1 1 2\n";
  EXPECT_EQ(error_of([&] { parse_profile(part + "totals: 1 2\n" + part + "totals: 1 3\n", "p"); }),
            "p:8: part 2, event B: self cost is 2, totals: says 3; file damaged or truncated");
  EXPECT_EQ(error_of([&] { parse_profile("part: 7\n" + part + "totals: 2\n", "p"); }),
            "p:5: part 7, event A: self cost is 1, totals: says 2; file damaged or truncated");
  ParseOptions accept;
  accept.accept_wrong_totals = true;
  const Profile read = parse_profile(part + "totals: 1 4\n", "p", accept);
  ASSERT_EQ(read.warnings.size(), 1u);
  EXPECT_EQ(read.warnings[0].line, 4);
  EXPECT_EQ(read.parts[0].totals, (std::vector<int64_t>{1, 2}));
}

bool takes_negative(const std::string& header) {
  return error_of([&] { parse_profile(header + "fn=f\n1 -1\n", "p"); }) == "no error";
}

TEST(HeaderLinesTest, NegativeCostsAreOfToolsThatMeasureMemoryOrDifferences) {
  EXPECT_TRUE(takes_negative("creator: x\nevents: Ir\n"));
  EXPECT_TRUE(takes_negative("events: Memory\n"));
  EXPECT_TRUE(takes_negative("events: space(MB)\n"));
  EXPECT_FALSE(takes_negative("events: Ir\n"));
  EXPECT_FALSE(takes_negative("creator: callgrind-3.19.0\nevents: Memory\n"));
}

TEST(ParseReportTest, LinesAreCountedFromOne) {
  const std::string text = "a\nb\nc";
  const ParseReport report(text, "n");
  const char* const begin = text.data();
  EXPECT_EQ(report.line_of(begin), 1);
  EXPECT_EQ(report.line_of(begin + 1), 1);
  EXPECT_EQ(report.line_of(begin + 2), 2);
  EXPECT_EQ(report.line_of(begin + 4), 3);
  const char outside = 'x';
  EXPECT_EQ(report.line_of(&outside), 3) << "the copy of an unfinished last line";
}

TEST(ParseReportTest, QuotesAreFortyBytesAndHarmless) {
  EXPECT_EQ(ParseReport::quote(std::string(40, 'x')), std::string(40, 'x'));
  EXPECT_EQ(ParseReport::quote(std::string(41, 'x')), std::string(40, 'x') + "...");
  EXPECT_EQ(ParseReport::quote("a\x1b[1m"), "a\\x1b[1m");
}

TEST(ParseReportTest, WarningsComeByLineThenByTextEachWithItsNumber) {
  const std::string text = "a\nb\nc\n";
  ParseReport report(text, "n");
  const char* const begin = text.data();
  report.warn(begin + 4, "z");
  report.warn(begin + 2, "y");
  report.warn(begin + 2, "x");
  report.warn_times(begin, "z", 3);
  report.count_unknown_line(begin + 2, "first");
  report.count_unknown_line(begin, "second");
  std::vector<std::string> all;
  for (const ProfileWarning& warning : report.take_warnings())
    all.push_back(fmt::format("{} {} {}", warning.line, warning.count, warning.text));
  EXPECT_EQ(all, (std::vector<std::string>{"2 2 2 lines not understood, first: first", "2 1 x", "2 1 y", "3 4 z"}));
}

}  // namespace
}  // namespace icount
