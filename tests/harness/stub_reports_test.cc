// What the server takes from a child's report pipe, whatever is written to it.
#include "icount/harness/stubs/stub_reports.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using icount_stub::Reports;

/// In pieces of `size` bytes, as a pipe gives them.
std::vector<std::string> feed(Reports& reports, const std::string& text, size_t size = 4096) {
  std::vector<std::string> objects;
  for (size_t at = 0; at < text.size(); at += size) {
    const std::string piece = text.substr(at, size);
    reports.take(piece.data(), static_cast<int>(piece.size()), [&](const char* line) { objects.push_back(line); });
  }
  return objects;
}

TEST(StubReportsTest, NoAmountOfReportsHidesTheLast) {
  for (const size_t piece : {1, 7, 4096}) {
    Reports reports;
    reports.clear();
    std::string text;
    for (int i = 0; i < 3000; ++i) text += "phase warmup\nobject 0123 /lib/a.so\n";
    text += "multi_threaded\nphase region\nseconds 1.5\nprepared\ndone\n";
    EXPECT_EQ(feed(reports, text, piece).size(), 3000u);
    EXPECT_TRUE(reports.done);
    EXPECT_TRUE(reports.prepared);
    EXPECT_TRUE(reports.multi_threaded);
    EXPECT_STREQ(reports.phase, "region");
    EXPECT_STREQ(reports.seconds, "1.5");
    EXPECT_EQ(reports.stray_bytes(), 0);
  }
}

TEST(StubReportsTest, ObjectsAndFunctionsArePassedOnAsTheyAre) {
  Reports reports;
  reports.clear();
  const std::vector<std::string> lines = {"object 0123 /lib/a.so", "function 4a10 3 app.py f"};
  EXPECT_EQ(feed(reports, lines[0] + "\n" + lines[1] + "\ndone\n", 5), lines);
  EXPECT_EQ(reports.stray_bytes(), 0);
}

TEST(StubReportsTest, WhatIsNoReportIsCounted) {
  Reports reports;
  reports.clear();
  const std::string lines =
      "junk\n" + std::string(20000, 'x') + "\n" + std::string("do\0ne\n", 6) + "phase " + std::string(100, 'p') + "\n";
  feed(reports, lines + "done\nrest", 3);
  EXPECT_TRUE(reports.done);
  EXPECT_STREQ(reports.phase, "");
  EXPECT_EQ(reports.stray_bytes(), static_cast<int64_t>(lines.size()) + 4);
}

TEST(StubReportsTest, ALostEndIsNoEnd) {
  Reports reports;
  reports.clear();
  feed(reports, "junk without an enddone\n");
  EXPECT_FALSE(reports.done);
  EXPECT_EQ(reports.stray_bytes(), 24);
}

TEST(StubReportsTest, TheForkIsSaidBeforeTheException) {
  Reports reports;
  reports.clear();
  feed(reports, "forked one\nthrew two\n");
  EXPECT_TRUE(reports.forked);
  EXPECT_STREQ(reports.note, "one");
}

}  // namespace
