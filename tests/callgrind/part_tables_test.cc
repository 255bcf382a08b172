#include <gtest/gtest.h>

#include <map>
#include <random>
#include <tuple>

#include "icount/callgrind/part_tables.h"

namespace icount {
namespace {

/// A table and what it must agree with, over one part.
class LineTableTest : public testing::Test {
 protected:
  void find(FunctionIndex function, StringId file, uint64_t line) {
    const LineRow row{function, file, line};
    const auto next = static_cast<uint32_t>(lines_.size());
    const uint32_t wanted = known_.try_emplace({function, file, line}, next).first->second;
    ASSERT_EQ(table_.find_or_insert(row, lines_), wanted) << function << " " << file << ":" << line;
    if (wanted == next) lines_.push_back(row);
  }
  void next_part() {
    table_.clear();
    lines_.clear();
    known_.clear();
  }

  LineTable table_;
  std::vector<LineRow> lines_;
  std::map<std::tuple<FunctionIndex, StringId, uint64_t>, uint32_t> known_;
};

TEST_F(LineTableTest, AFunctionWithManyLinesAndFilesIsOpenOnce) {
  for (int round = 0; round < 3; ++round)
    for (uint64_t line = 1; line < 5000; ++line) find(7, static_cast<StringId>(line % 5), line / 2);
}

TEST_F(LineTableTest, FunctionsThatAreOpenedAgainFindTheirLines) {
  for (int round = 0; round < 4; ++round)
    for (FunctionIndex function = 0; function < 50; ++function)
      for (uint64_t line = 0; line < 10 + static_cast<uint64_t>(round); ++line) find(function, 1, line * 256);
}

TEST_F(LineTableTest, AnyOrderInAnyPartGivesTheSame) {
  std::mt19937 random(5);
  for (int part = 0; part < 20; ++part) {
    FunctionIndex function = 0;
    for (int i = 0; i < 2000; ++i) {
      if (random() % 8 == 0) function = static_cast<FunctionIndex>(random() % (part % 2 ? 5 : 400));
      find(function, static_cast<StringId>(random() % 3), random() % 60);
    }
    next_part();
  }
}

}  // namespace
}  // namespace icount
