#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "icount/report/document.h"
#include "icount/report/markdown.h"
#include "icount/report/text_style.h"

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

TEST(DocumentTest, APageFoldsAndNamesAreText) {
  Document document = sample();
  Table table({{"n"}, {"<i>", Align::kLeft}});
  table.add_row({{"1"}, {"f<g>\x1b", Tone::kBold, Form::kName, "a.cc:3", 1}});
  document.table(std::move(table));
  std::ostringstream out;
  document.render_html(out);
  EXPECT_EQ(
      out.str(),
      "<h2><code>a_b</code></h2>\n<p><span class=\"more\">+1%</span> of &lt;x&gt;</p>\n<ul class=\"notes\">\n"
      "<li>one</li>\n<li style=\"padding-left:1.5em\"><code>two</code></li>\n<li>names are <code>f</code></li>\n"
      "</ul>\n<details><summary>details</summary>\n<p>more</p>\n</details>\n<div class=\"wide\"><table>\n"
      "<thead><tr><th class=\"number\">n</th><th>&lt;i&gt;</th></tr></thead>\n<tr><td class=\"number\">1</td>"
      "<td style=\"padding-left:1.5em\"><b><code>f&lt;g&gt;\\x1b</code></b> <code class=\"muted\">a.cc:3</code></td>"
      "</tr>\n</table></div>\n");
}

TEST(MarkdownTest, TextShowsAsItself) {
  EXPECT_EQ(escape_for_markdown("a|b <script> *x* _y_ `z`"), "a\\|b &lt;script&gt; \\*x\\* \\_y\\_ \\`z\\`");
  EXPECT_EQ(escape_for_markdown("one\ntwo"), "one\\\\x0atwo");
  EXPECT_EQ(escape_for_markdown("@org/team f@plt #12 a#1 @ @@V_1"),
            "\\@&#8203;org/team f\\@plt \\#&#8203;12 a\\#&#8203;1 \\@ \\@\\@&#8203;V\\_1");
}

/// What GitHub and GitLab link or obey in comments.
TEST(MarkdownTest, NothingRefersToAnythingElsewhere) {
  EXPECT_EQ(escape_for_markdown("owner/repo#12 GH-12 gh-7 o/r@1a2b3c4"),
            "owner/repo\\#&#8203;12 GH-&#8203;12 gh-&#8203;7 o/r\\@&#8203;1a2b3c4");
  EXPECT_EQ(
      escape_for_markdown("!12 g/p!12 ~x ~\"a b\" %x %12 &12 $12"),
      "\\!&#8203;12 g/p\\!&#8203;12 \\~&#8203;x \\~&#8203;\"a b\" %&#8203;x %&#8203;12 &amp;&#8203;12 \\$&#8203;12");
  EXPECT_EQ(escape_for_markdown("http://evil.example www.evil.example"),
            "http:&#8203;//evil.example www.&#8203;evil.example");
  EXPECT_EQ(escape_for_markdown("/close"), "\\/close");
  EXPECT_EQ(escape_for_markdown(" /assign x"), " \\/assign x");
}

TEST(MarkdownTest, WhatIsNoReferenceStaysAsItIs) {
  EXPECT_EQ(escape_for_markdown("12% (3%) a & b high-12 GH-x f@plt x@1a2b3c4z /usr/lib a /close"),
            "12% (3%) a &amp; b high-12 GH-x f\\@plt x\\@1a2b3c4z /usr/lib a /close");
}

TEST(MarkdownTest, CodeHoldsBackticksAndBars) {
  EXPECT_EQ(markdown_code("f(int)", MarkdownPlace::kCell), "`f(int)`");
  EXPECT_EQ(markdown_code("a`b", MarkdownPlace::kCell), "`` a`b ``");
  EXPECT_EQ(markdown_code("operator||", MarkdownPlace::kCell), "`operator\\|\\|`");
  EXPECT_EQ(markdown_code("--filter 'a|b'", MarkdownPlace::kLine), "`--filter 'a|b'`") << "to be copied";
  EXPECT_EQ(markdown_code("", MarkdownPlace::kCell), "");
}

/// A backslash in a name would take the place of the bar's own: "@user" would stand outside.
TEST(MarkdownTest, ABackslashBeforeABarEndsNoCell) {
  EXPECT_EQ(markdown_code(R"(a\|@b)", MarkdownPlace::kCell), R"(`a\x5c\|@b`)");
  EXPECT_EQ(markdown_code(R"(a\\|@b)", MarkdownPlace::kCell), R"(`a\\\|@b`)");
}

TEST(MarkdownTest, PlacesLeadToTheirPages) {
  const std::map<std::string, std::string> urls = {{"a_b.h", "https://f/a_b.h"}};
  const auto linked = [&](std::string_view text) {
    return link_places(markdown_sentence(text, MarkdownPlace::kCell), urls);
  };
  EXPECT_EQ(linked("at a_b.h:12, then"), "at [a\\_b.h:12](https://f/a_b.h#L12), then");
  EXPECT_EQ(linked("at `a_b.h:12`"), "at [`a_b.h:12`](https://f/a_b.h#L12)");
  for (const char* other : {"x/a_b.h:12", "a_b.h", "a_b.h:x", "a_b.h:12x", "`f(a_b.h:12)`", "other.h:3"})
    EXPECT_EQ(linked(other), markdown_sentence(other, MarkdownPlace::kCell));
  EXPECT_EQ(link_places("\n# x\n\ny\n", urls), "\n# x\n\ny\n");
}

TEST(MarkdownTest, NamesOfASentenceAreCode) {
  EXPECT_EQ(markdown_sentence("self cost of `vector<int>`: 6 -> 14", MarkdownPlace::kCell),
            "self cost of `vector<int>`: 6 -&gt; 14");
  EXPECT_EQ(markdown_sentence("one ` alone", MarkdownPlace::kCell), "one \\` alone");
}

using Lines = std::vector<std::string>;

TEST(WrapTest, BreaksBetweenWords) {
  EXPECT_EQ(wrap("one two three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(wrap("one two three", 13), (Lines{"one two three"}));
  EXPECT_EQ(wrap("one two three", 0), (Lines{"one two three"}));
  EXPECT_EQ(wrap("", 5), (Lines{""}));
}

TEST(WrapTest, CutsAWordThatIsTooLong) { EXPECT_EQ(wrap("a bcdefghij k", 4), (Lines{"a", "bcde", "fghi", "j k"})); }

TEST(WrapTest, CountsCodePointsNotBytes) { EXPECT_EQ(wrap("äö üß", 2), (Lines{"äö", "üß"})); }

/// The text was escaped as one: what stands in its middle may begin a line then.
TEST(WrapTest, NoLineBecomesACommandOfHostedCi) {
  EXPECT_EQ(wrap("aaa ::stop-commands::b", 8), (Lines{"aaa", "\\x3a:stop-c", "ommands:", ":b"}));
  EXPECT_EQ(wrap("aaaa::error::b", 4), (Lines{"aaaa", "\\x3a:er", "ror:", ":b"}));
  EXPECT_EQ(wrap("a \u00a0::b ::c", 5), (Lines{"a", "\u00a0\\x3a:b", "\\x3a:c"}));
}

TEST(PaintTest, OnlyWithColour) {
  EXPECT_EQ(paint("x", Tone::kBold, {.colour = true}), "\x1b[1mx\x1b[0m");
  EXPECT_EQ(paint("x", Tone::kBold, {}), "x");
  EXPECT_EQ(paint("x", Tone::kPlain, {.colour = true}), "x");
}

TEST(ToneTest, MoreIsWorse) {
  EXPECT_EQ(tone_of_change(1), Tone::kWorse);
  EXPECT_EQ(tone_of_change(-1), Tone::kBetter);
  EXPECT_EQ(tone_of_change(0), Tone::kPlain);
}

}  // namespace
}  // namespace icount
