#include <gtest/gtest.h>

#include <string>

#include "icount/report/exports.h"

namespace icount {
namespace {

/// main (10) calls "a;b" (20) and leaf (30); "a;b" calls leaf (40).
StackTree small_tree() {
  StackTree tree;
  const auto s = [&](std::string_view text) { return tree.strings.intern(text); };
  tree.event = "Ir";
  tree.total = 100;
  tree.frames = {{s("main"), s("m.cc"), s("/bin/p"), kNoFrame, FrameKind::kFunction, 10, 100},
                 {s("a;b"), s("m.cc"), s("/bin/p"), 0, FrameKind::kFunction, 20, 60},
                 {s("leaf"), s("l.h"), s("/lib/l.so"), 1, FrameKind::kFunction, 40, 40},
                 {s("leaf"), s("l.h"), s("/lib/l.so"), 0, FrameKind::kFunction, 30, 30}};
  return tree;
}

TEST(FoldedTest, OneLineForEachStackWithCostOfItsOwn) {
  EXPECT_EQ(render_folded(small_tree()), "main 10\nmain;a:b 20\nmain;a:b;leaf 40\nmain;leaf 30\n");
  StackTree tree = small_tree();
  tree.frames[1].self = 0;
  tree.frames[2].name = tree.strings.intern("two\nlines");
  EXPECT_EQ(render_folded(tree), "main 10\nmain;a:b;two?lines 40\nmain;leaf 30\n");
}

TEST(FoldedTest, TwoColumnsForTwoSides) {
  StackTree head = small_tree();
  head.frames.pop_back();
  head.frames[0].inclusive = head.total = 77;
  head.frames[0].self = 17;
  EXPECT_EQ(render_folded_diff(make_stack_tree_diff(small_tree(), head)),
            "main 10 17\nmain;a:b 20 20\nmain;a:b;leaf 40 40\nmain;leaf 30 0\n");
}

TEST(SpeedscopeTest, FramesAreOpenForTheirInclusiveCost) {
  const Json json = speedscope_to_json({{"base", small_tree()}, {"head", small_tree()}}, "both");
  EXPECT_EQ(json["shared"]["frames"].size(), 3u) << "equal functions are one frame of the table";
  EXPECT_EQ(json["shared"]["frames"][2], (Json{{"name", "leaf"}, {"file", "l.h"}}));
  ASSERT_EQ(json["profiles"].size(), 2u);
  const Json& profile = json["profiles"][1];
  EXPECT_EQ(profile["name"], "head");
  EXPECT_EQ(profile["endValue"], 100);
  std::string events;
  for (const Json& event : profile["events"])
    events += event["type"].get<std::string>() + std::to_string(event["frame"].get<int>()) + "@" +
              std::to_string(event["at"].get<int>()) + " ";
  // main's own 10 come last: 60 + 30 for what it calls.
  EXPECT_EQ(events, "O0@0 O1@0 O2@0 C2@40 C1@60 O2@60 C2@90 C0@100 ");
}

/// The wire format of one field, by hand: key = number << 3 | type (0 varint, 2 bytes).
std::string field(int number, const std::string& bytes) {
  return std::string(1, static_cast<char>(number << 3 | 2)) + static_cast<char>(bytes.size()) + bytes;
}
std::string field(int number, char value) { return std::string(1, static_cast<char>(number << 3)) + value; }

TEST(PprofTest, IsTheDocumentedMessage) {
  StackTree tree;
  tree.event = "Ir";
  tree.total = 300;
  tree.frames = {{tree.strings.intern("f"), tree.strings.intern("f.c"), tree.strings.intern("/p"), kNoFrame,
                  FrameKind::kFunction, 300, 300}};
  const std::string mapping = field(3, field(1, '\1') + field(5, '\1') + field(7, '\1'));  // id, "/p", has_functions
  const std::string sample_type = field(1, field(1, '\2') + field(2, '\3'));               // "Ir", "count"
  const std::string function =
      field(5, field(1, '\1') + field(2, '\4') + field(3, '\4') + field(4, '\5'));  // id, "f", "f", "f.c"
  const std::string location =
      field(4, field(1, '\1') + field(2, '\1') + field(4, field(1, '\1')));    // id, mapping, line {function}
  const std::string sample = field(2, field(1, "\1") + field(2, "\xAC\x02"));  // location 1, value 300
  std::string strings;
  for (const char* text : {"", "/p", "Ir", "count", "f", "f.c"}) strings += field(6, text);
  EXPECT_EQ(render_pprof({tree}), mapping + sample_type + function + location + sample + field(14, '\2') + strings);
}

TEST(PprofTest, TheFirstMappingIsTheProgramNotTheLoader) {
  StackTree tree = small_tree();
  const StringId loader = tree.strings.intern("/lib64/ld-linux-x86-64.so.2");
  tree.frames.insert(tree.frames.begin(), {tree.strings.intern("main"), kEmptyString, loader, kNoFrame});
  tree.frames[0].self = 1000;
  for (size_t i = 1; i < tree.frames.size(); ++i)
    tree.frames[i].parent = tree.frames[i].parent == kNoFrame ? 0 : tree.frames[i].parent + 1;
  const std::string first_mapping = field(3, field(1, '\1') + field(5, '\1') + field(7, '\1'));  // its name: string 1
  EXPECT_TRUE(render_pprof({tree}).starts_with(first_mapping));
  EXPECT_NE(render_pprof({tree}).find(field(6, "") + field(6, "/bin/p")), std::string::npos) << "main's object";
  tree.frames[1].name = tree.strings.intern("run");
  EXPECT_NE(render_pprof({tree}).find(field(6, "") + field(6, "/lib/l.so")), std::string::npos) << "the costliest";
}

TEST(PprofTest, NamesThatAreNoUtf8AreMadeSo) {
  StackTree tree = small_tree();
  tree.frames[0].name = tree.strings.intern("bad\xff");
  EXPECT_NE(render_pprof({tree}).find("bad\xEF\xBF\xBD"), std::string::npos);
}

TEST(PprofTest, BaseCountsNegativeInADifference) {
  StackTree tree;
  tree.event = "Ir";
  tree.total = 1;
  tree.frames = {{tree.strings.intern("f"), kEmptyString, kEmptyString, kNoFrame, FrameKind::kFunction, 1, 1}};
  const std::string diff = render_pprof_diff(tree, tree);
  const std::string minus_one = std::string(9, '\xff') + '\1';
  EXPECT_NE(diff.find(field(2, minus_one)), std::string::npos);
  EXPECT_NE(diff.find(field(2, "\1")), std::string::npos);
  EXPECT_NE(diff.find("pprof::base"), std::string::npos);
}

}  // namespace
}  // namespace icount
