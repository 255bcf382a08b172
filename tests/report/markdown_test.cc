#include "icount/report/markdown.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

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
  EXPECT_EQ(markdown_code("f(int)"), "`f(int)`");
  EXPECT_EQ(markdown_code("a`b"), "`` a`b ``");
  EXPECT_EQ(markdown_code("operator||"), "`operator\\|\\|`");
  EXPECT_EQ(markdown_code(""), "");
}

/// A backslash in a name would take the place of the bar's own: "@user" would stand outside.
TEST(MarkdownTest, ABackslashBeforeABarEndsNoCell) {
  EXPECT_EQ(markdown_code(R"(a\|@b)"), R"(`a\x5c\|@b`)");
  EXPECT_EQ(markdown_code(R"(a\\|@b)"), R"(`a\\\|@b`)");
}

TEST(MarkdownTest, PlacesLeadToTheirPages) {
  const std::map<std::string, std::string> urls = {{"a_b.h", "https://f/a_b.h"}};
  const auto linked = [&](std::string_view text) { return link_places(markdown_sentence(text), urls); };
  EXPECT_EQ(linked("at a_b.h:12, then"), "at [a\\_b.h:12](https://f/a_b.h#L12), then");
  EXPECT_EQ(linked("at `a_b.h:12`"), "at [`a_b.h:12`](https://f/a_b.h#L12)");
  for (const char* other : {"x/a_b.h:12", "a_b.h", "a_b.h:x", "a_b.h:12x", "`f(a_b.h:12)`", "other.h:3"})
    EXPECT_EQ(linked(other), markdown_sentence(other));
  EXPECT_EQ(link_places("\n# x\n\ny\n", urls), "\n# x\n\ny\n");
}

TEST(MarkdownTest, NamesOfASentenceAreCode) {
  EXPECT_EQ(markdown_sentence("self cost of `vector<int>`: 6 -> 14"), "self cost of `vector<int>`: 6 -&gt; 14");
  EXPECT_EQ(markdown_sentence("one ` alone"), "one \\` alone");
}

}  // namespace
}  // namespace icount
