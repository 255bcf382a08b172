// What a full disk can leave of a profile is never read as one.
#include "icount/callgrind/own_profile.h"

#include <gtest/gtest.h>

#include "support/error_of.h"

namespace icount {
namespace {

constexpr std::string_view kHead = "version: 1\ncreator: callgrind-3.19.0\ncmd: ./p\n";

/// As Callgrind writes one with --combine-dumps=yes.
std::string make_part(int number, std::string_view trigger) {
  return "part: " + std::to_string(number) +
         "\n\ndesc: Timerange: Basic block 0 - 9\ndesc: Trigger: " + std::string(trigger) +
         "\n\npositions: instr line\nevents: Ir\nsummary: 15\n\n\nfl=a.c\nfn=f\n0x10 1 5\n+1 +1 7\nfn=g\n0x20 9 3\n\n"
         "totals: 15\n";
}

std::string make_file() {
  return std::string(kHead) + make_part(1, "Client Request") + make_part(2, "Client Request: x") +
         make_part(3, "Program termination");
}

Profile parse(std::string_view bytes, LastPart last = LastPart::kProgramsEnd, int64_t first = 1) {
  return parse_own_profile(bytes, "/tmp/cg.7", {}, last, first);
}

TEST(OwnProfileTest, AWholeOneIsRead) {
  EXPECT_EQ(parse(make_file()).parts.size(), 3u);
  EXPECT_EQ(parse(std::string(kHead) + make_part(2, "Client Request"), LastPart::kClientRequest, 2).parts.size(), 1u);
  EXPECT_EQ(parse_own_total(make_file(), "/tmp/cg.7"), 15);
  EXPECT_EQ(parse_own_total("x\n\ntotals: 15 99\n", "/tmp/cg.7"), 15);
}

TEST(OwnProfileTest, OneCutOffAnywhereIsNotRead) {
  const std::string file = make_file();
  for (size_t length = 0; length < file.size(); ++length) {
    const std::string message = error_of(ErrorKind::kIo, [&] { parse(file.substr(0, length)); });
    EXPECT_TRUE(message.starts_with("/tmp/cg.7: not the whole profile: ")) << length << ": " << message;
    EXPECT_NE(message.find("MB free"), std::string::npos) << message;
  }
  const std::string one = std::string(kHead) + make_part(1, "x");
  for (size_t length = 0; length < one.size(); ++length)
    EXPECT_NE(error_of(ErrorKind::kIo, [&] { parse_own_total(one.substr(0, length), "/tmp/cg.7"); }), "no error");
}

TEST(OwnProfileTest, OneWithAHoleIsNotRead) {
  const std::string file = make_file();
  for (const std::string gone : {"+1 +1 7\n", "0x20 9 3\n\ntotals: 15\npart: 2", "totals: 15\n"}) {
    std::string holed = file;
    holed.erase(holed.find(gone), gone.size());
    EXPECT_NE(error_of(ErrorKind::kIo, [&] { parse(holed); }), "no error") << gone;
  }
}

TEST(OwnProfileTest, APartThatIsMissingIsNoticed) {
  const std::string head(kHead);
  EXPECT_NE(error_of([&] {
              parse(head + make_part(1, "x") + make_part(3, "Program termination"));
            }).find("part 3 is in the place of part 2"),
            std::string::npos);
  EXPECT_NE(error_of([&] { parse(head + make_part(2, "Program termination")); }), "no error");
  EXPECT_NE(error_of([&] { parse(head + make_part(1, "Client Request")); }).find("was written for \"Client Request\""),
            std::string::npos);
  EXPECT_NE(error_of([&] { parse(head + make_part(1, "Program termination"), LastPart::kClientRequest); }), "no error");
  EXPECT_EQ(parse(head + make_part(1, "Client Request"), LastPart::kAny).parts.size(), 1u);
}

}  // namespace
}  // namespace icount
