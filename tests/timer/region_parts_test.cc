#include "icount/timer/region_parts.h"

#include <gtest/gtest.h>

#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "support/error_of.h"

namespace icount {
namespace {

std::string make_part(int part, int count, std::string_view trigger = "Client Request") {
  const std::string text = std::to_string(count);
  return "version: 1\ncreator: callgrind-3.19.0\npid: 7\ncmd: stub\npart: " + std::to_string(part) +
         "\n\ndesc: Trigger: " + std::string(trigger) + "\n\npositions: line\nevents: Ir\n\nfl=a.c\nfn=f\n1 " + text +
         "\n\ntotals: " + text + "\n";
}

TEST(RegionPartsTest, APartIsReadWithItsTotal) {
  const ScratchDir dir;
  save_file(dir.path() / "cg.7.2", make_part(2, 40));
  EXPECT_EQ(load_region(dir.path(), 7, 2, {}).totals.at(0), 40);
  EXPECT_EQ(load_region_total(dir.path(), 7, 2), 40);
}

TEST(RegionPartsTest, ARangeOfBlocksSaysNothingWhereTheCostsBeganLater) {
  const ScratchDir dir;
  std::string text = make_part(2, 40);
  text.insert(text.find("desc:"), "desc: Timerange: Basic block 100 - 1000\n");
  save_file(dir.path() / "cg.7.2", text);
  EXPECT_FALSE(load_region(dir.path(), 7, 2, {}).call_counts.trusted) << "40 instructions in 900 blocks";
  EXPECT_TRUE(load_region(dir.path(), 7, 2, {}, RegionStart::kAfterLastPart).call_counts.trusted);
}

TEST(RegionPartsTest, APartThatCouldNotBeWrittenIsNoZero) {
  const ScratchDir dir;
  for (const auto& load : {std::function<void()>([&] { load_region_total(dir.path(), 7, 2); }),
                           std::function<void()>([&] { load_region(dir.path(), 7, 2, {}); })})
    EXPECT_NE(error_of(ErrorKind::kIo, load).find("cg.7.2: not the whole profile: it was not written"),
              std::string::npos);
}

TEST(RegionPartsTest, APartCutOffAnywhereIsRefused) {
  const ScratchDir dir;
  const std::string whole = make_part(2, 40);
  for (size_t length = 0; length < whole.size(); ++length) {
    save_file(dir.path() / "cg.7.2", whole.substr(0, length));
    EXPECT_NE(error_of(ErrorKind::kIo, [&] { load_region(dir.path(), 7, 2, {}); }), "no error") << length;
    EXPECT_NE(error_of(ErrorKind::kIo, [&] { load_region_total(dir.path(), 7, 2); }), "no error") << length;
  }
}

TEST(RegionPartsTest, ThreadsAreWholeOneByOne) {
  const ScratchDir dir;
  save_file(dir.path() / "cg.7.2-01", make_part(2, 40, "dump region"));
  save_file(dir.path() / "cg.7.2-02", make_part(2, 2, "dump region"));
  EXPECT_EQ(load_region(dir.path(), 7, 2, {}).totals.at(0), 42);
  EXPECT_EQ(load_region_total(dir.path(), 7, 2), 42);
  const std::string first = make_part(2, 40, "dump region");
  save_file(dir.path() / "cg.7.2-01", first.substr(0, first.size() - 12));  // its totals: line is gone
  EXPECT_NE(error_of(ErrorKind::kIo, [&] { load_region(dir.path(), 7, 2, {}); }), "no error");
}

TEST(RegionPartsTest, ThePartOfAnEndIsNoRegion) {
  const ScratchDir dir;
  save_file(dir.path() / "cg.7.2", make_part(2, 40, "Program termination"));
  EXPECT_NE(error_of([&] { load_region(dir.path(), 7, 2, {}); }), "no error");
}

}  // namespace
}  // namespace icount
