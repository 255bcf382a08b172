#include "icount/report/document.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace icount {
namespace {

std::string text_of(const Table& table, const TextStyle& style) {
  std::ostringstream out;
  table.render_text(out, style);
  return out.str();
}

TEST(TableTest, AlignsAndWraps) {
  Table table({{"change"}, {"cause", Align::kLeft}});
  table.add_row({{"+494,640"}, {"`lex` calls `hash` 600 times"}});
  table.add_row({{"+5"}, {"in all"}});
  EXPECT_EQ(text_of(table, {.width = 32}),
            "    change  cause\n"
            "  +494,640  `lex` calls `hash`\n"
            "            600 times\n"
            "        +5  in all\n");
  EXPECT_EQ(table.room_for_last(32), 20u);
  EXPECT_EQ(table.room_for_last(0), 0u);
}

TEST(TableTest, WhatStandsBelowARowHangs) {
  Table table({{"change"}, {"cause", Align::kLeft}}, Titles::kMarkdownOnly);
  table.add_row({{"+5"}, {"`lex` with its callees"}});
  table.add_row({{""}, {.text = "+3: itself costs more", .indent = 1}});
  table.add_row({{""}, {.text = "+2: calls hash", .indent = 1}});
  EXPECT_EQ(text_of(table, {.width = 30}),
            "  +5  `lex` with its callees\n"
            "        +3: itself costs\n"
            "          more\n"
            "        +2: calls hash\n");
}

TEST(TableTest, NamesAreBoldAcrossLineBreaks) {
  Table table({{"", Align::kLeft}, {"", Align::kLeft}}, Titles::kMarkdownOnly);
  table.add_row({{"x"}, {"calls `aaaaaaa bbbbbbb cc`"}});
  EXPECT_EQ(text_of(table, {.colour = true, .width = 25}),
            "  x  calls `\x1b[1maaaaaaa\x1b[0m\n"
            "     \x1b[1mbbbbbbb cc\x1b[0m`\n");
}

TEST(TableTest, HostileNamesAreHarmless) {
  Table table({{"n", Align::kLeft}, {"name", Align::kLeft}});
  table.add_row({{"1"}, {"\x1b[31mred\n"}});
  EXPECT_EQ(text_of(table, {}), "  n  name\n  1  \\x1b[31mred\\x0a\n");
}

TEST(TableTest, WhatIsCutStaysOnItsLine) {
  Table table({{"n"}, {"source", Align::kLeft, Overflow::kCut}});
  table.add_row({{"1"}, {"for (int i = 0; i < 100; ++i) sum += values[i];"}});
  const std::string text = text_of(table, {.width = 40});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << text;
  EXPECT_NE(text.find("values[i];\n"), std::string::npos) << "the end is there: " << text;
}

TEST(TableTest, MarkdownHasTitlesAndPlaces) {
  Table table({{"n"}, {"name", Align::kLeft}}, Titles::kMarkdownOnly);
  table.add_row({{"1"}, {"f|g", Tone::kBold, Form::kName, "a.cc:3", 1}});
  table.add_row({{"2"}});
  std::ostringstream out;
  table.render_markdown(out);
  EXPECT_EQ(out.str(), "| n | name |\n|---:|---|\n| 1 | &nbsp;&nbsp;**`f\\|g`** `a.cc:3` |\n| 2 |  |\n");
  EXPECT_EQ(text_of(table, {}), "  1    f|g   a.cc:3\n  2\n");
}

Document sample() {
  Document inside;
  inside.line("more");
  Document out;
  out.title({.text = "a_b", .form = Form::kName});
  out.line({{"+1%", Tone::kWorse}, {" of <x>"}});
  out.gap();
  out.item({"one"});
  out.item({.text = "`two`", .form = Form::kSentence, .indent = 1});
  out.note("names are `f`");
  out.fold("details", std::move(inside));
  return out;
}

TEST(DocumentTest, ATerminalShowsAllOfIt) {
  std::ostringstream out;
  sample().render_text(out, {});
  EXPECT_EQ(out.str(), "a_b\n+1% of <x>\n\n  one\n    `two`\n  note:  names are `f`\nmore\n");
}

TEST(DocumentTest, MarkdownSeparatesAndFolds) {
  std::ostringstream out;
  sample().render_markdown(out);
  EXPECT_EQ(out.str(),
            "### `a_b`\n\n**+1%** of &lt;x&gt;\n\n- one\n  - `two`\n\n- note: names are `f`\n\n"
            "<details><summary>details</summary>\n\nmore\n\n</details>\n");
}

}  // namespace
}  // namespace icount
