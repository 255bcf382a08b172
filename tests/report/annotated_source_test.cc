#include "icount/report/annotated_source.h"

#include <gtest/gtest.h>

#include <sstream>

#include "icount/report/listing_document.h"

namespace icount {
namespace {

/// Head has a new line 3 inside the loop of lines 2 to 4; base's line 3 is head's line 4.
FunctionListing listing_with_sources() {
  FunctionListing listing{.function = "f"};
  const auto place = [](uint64_t line) { return ListedPlace{"/src/a.c", line}; };
  listing.rows = {{.label = "self cost per call", .per = {50, 70}, .total = {50, 70}, .is_cost = true}};
  listing.rows.push_back({.indent = 1,
                          .file = "a.c",
                          .line = 3,
                          .per = {0, 20},
                          .total = {0, 20},
                          .is_cost = true,
                          .places = {ListedPlace{}, place(3)},
                          .executions = {0, 10}});
  listing.lines[0] = {{place(2), 10, 30}, {place(3), 10, 20}};
  listing.lines[1] = {{place(2), 10, 30}, {place(3), 10, 20}, {place(4), 10, 20}};
  listing.same_lines = {{place(2), place(2)}, {place(3), place(4)}};
  listing.loops = {{.file = "a.c", .first_line = 2, .last_line = 4, .entries = {1, 1}, .iterations = {10, 10}}};
  listing.sources[0] = {{"/src/a.c", 1, {"void f() {", "  for (;;) {", "    g();", "  }", "}"}}};
  listing.sources[1] = {{"/src/a.c", 1, {"void f() {", "  for (;;) {", "    check();", "    g();", "  }", "}"}}};
  return listing;
}

std::string told(const AnnotatedFile& file) {
  std::string text;
  for (const AnnotatedRow& row : file.rows)
    text += std::to_string(row.line[0]) + " " + std::to_string(row.line[1]) + " " + std::to_string(row.self[0]) + " " +
            std::to_string(row.self[1]) + (row.follows_gap ? " gap" : "") + (row.loops.empty() ? "" : " loop") + " " +
            std::to_string(row.depth) + "|" + row.text[0] + "|" + row.text[1] + "\n";
  return text;
}

TEST(AnnotatedSource, LinesOfBothSidesStandBesideEachOther) {
  const std::vector<AnnotatedFile> files = annotate_source(listing_with_sources(), 10);
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(told(files[0]),
            "1 1 0 0 0|void f() {|void f() {\n"
            "2 2 30 30 loop 1|  for (;;) {|  for (;;) {\n"
            "0 3 0 20 1||    check();\n"
            "3 4 20 20 1|    g();|    g();\n"
            "4 5 0 0 0|  }|  }\n"
            "5 6 0 0 0|}|}\n");
}

TEST(AnnotatedSource, WithoutTextsExecutedLinesAreLeft) {
  FunctionListing listing = listing_with_sources();
  listing.sources = {};
  EXPECT_EQ(told(annotate_source(listing, 10)[0]), "2 2 30 30 loop 1||\n0 3 0 20 1||\n3 4 20 20 1||\n");
  const Json page = listings_to_page_json({listing}, {});
  EXPECT_FALSE(page[0]["files"][0]["rows"][1].contains("only"));  // nobody knows whether base has the line
}

TEST(AnnotatedSource, WhatIsLeftOutIsSummedUp) {
  FunctionListing listing = listing_with_sources();
  const AnnotatedFile file = annotate_source(listing, 1)[0];
  EXPECT_EQ(file.more, 2u);
  EXPECT_EQ(file.more_self, (std::array<int64_t, 2>{20, 40}));
  int64_t shown = 0;
  for (const AnnotatedRow& row : file.rows) shown += row.self[1];
  EXPECT_EQ(shown + file.more_self[1], 70);
}

TEST(AnnotatedSource, MovedLinesStandOnceForEachSide) {
  FunctionListing listing = listing_with_sources();
  listing.same_lines = {{{"/src/a.c", 2}, {"/src/a.c", 4}}, {{"/src/a.c", 3}, {"/src/a.c", 2}}};
  const AnnotatedFile file = annotate_source(listing, 10)[0];
  std::array<int64_t, 2> self{};
  for (const AnnotatedRow& row : file.rows)
    for (size_t side = 0; side < 2; ++side) self[side] += row.self[side];
  EXPECT_EQ(self, (std::array<int64_t, 2>{50, 70}));
}

TEST(AnnotatedSource, ThePageHasTextsFiguresAndLoops) {
  const Json page = listings_to_page_json({listing_with_sources()}, {});
  ASSERT_EQ(page.size(), 1u);
  EXPECT_EQ(page[0]["loops"][0]["lines"], (Json{2, 4}));
  const Json& file = page[0]["files"][0];
  EXPECT_EQ(file["split"], true);
  EXPECT_EQ(dump_json(file["rows"][2], -1),
            R"({"line":[0,3],"executions":[0,10],"self":[0,20],"text":"    check();","only":"head","depth":1})");
}

TEST(ListingText, SourceStandsBesideTheColumns) {
  std::ostringstream text, markdown;
  make_listing_document(listing_with_sources()).render_text(text, {});
  EXPECT_NE(text.str().find("    a.c:3                0    20           0          20  check();\n"), std::string::npos)
      << text.str();
  FunctionListing hostile = listing_with_sources();
  hostile.sources[1][0].lines[2] = "  `</script>` | x";
  make_listing_document(hostile).render_markdown(markdown);
  EXPECT_NE(markdown.str().find("| 0 | 20 | 0 | 20 | `` `</script>` \\| x `` |"), std::string::npos) << markdown.str();
  const Json row = listing_to_json(listing_with_sources())["rows"][1];
  EXPECT_EQ(row["source"], "    check();");
  EXPECT_EQ(row["counts"], "self");
  EXPECT_EQ(row["lines"], (Json{nullptr, {{"file", "/src/a.c"}, {"line", 3}}}));
  EXPECT_EQ(row["executions"], (Json{0, 10}));
}

}  // namespace
}  // namespace icount
