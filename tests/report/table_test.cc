#include "icount/report/table.h"

#include <gtest/gtest.h>

#include <sstream>

namespace icount {
namespace {

std::string text_of(const TextTable& table, const TextStyle& style) {
  std::ostringstream out;
  table.render(out, style);
  return out.str();
}

TEST(TableTest, AlignsWrapsAndRules) {
  TextTable table({{"change"}, {"cause", Align::kLeft}});
  table.add_row({{"+494,640"}, {"`lex` calls `hash` 600 times"}});
  table.add_rule();
  table.add_row({{"+5"}, {"in all"}});
  EXPECT_EQ(text_of(table, {.width = 32}),
            "    change  cause\n"
            "  +494,640  `lex` calls `hash`\n"
            "            600 times\n"
            "  --------\n"
            "        +5  in all\n");
  EXPECT_EQ(table.room_for_last(32), 20u);
  EXPECT_EQ(table.room_for_last(0), 0u);
}

TEST(TableTest, NamesAreBoldAcrossLineBreaks) {
  TextTable table({{"", Align::kLeft}, {"", Align::kLeft}});
  table.add_row({{"x"}, {"calls `aaaaaaa bbbbbbb cc`"}});
  EXPECT_EQ(text_of(table, {.colour = true, .width = 25}),
            "  x  calls `\x1b[1maaaaaaa\x1b[0m\n"
            "     \x1b[1mbbbbbbb cc\x1b[0m`\n");
}

TEST(TableTest, HostileNamesAreHarmless) {
  TextTable table({{"n", Align::kLeft}, {"name", Align::kLeft}});
  table.add_row({{"1"}, {"\x1b[31mred\n"}});
  EXPECT_EQ(text_of(table, {}), "  n  name\n  1  \\x1b[31mred\\x0a\n");
}

}  // namespace
}  // namespace icount
