#include "icount/mine/source_counts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "icount/base/error.h"

namespace icount {
namespace {

std::string text_of(const SourceCounts& counts) {
  std::string text;
  for (const auto& [path, lines] : counts)
    for (const auto& [line, count] : lines) {
      text += fmt::format("{}:{} {}", path, line, count.executions);
      for (const int64_t branch : count.branches) text += fmt::format(" /{}", branch);
      text += "\n";
    }
  return text;
}

TEST(SourceCounts, AddUpInstancesOfALineBelowTheRepository) {
  const std::vector<std::string> roots{"/w/tree"};
  SourceCounts counts;
  add_gcov_json(
      R"({"current_working_directory":"/w/tree/build","files":[
        {"file":"../a.c","lines":[{"line_number":3,"count":5,"branches":[{"count":2},{"count":3}]},
                                  {"line_number":3,"count":1,"branches":[{"count":1},{"count":0}]},
                                  {"line_number":9,"count":0}]},
        {"file":"/usr/include/stdio.h","lines":[{"line_number":1,"count":7}]}]})",
      roots, counts);
  add_gcov_json(R"({"files":[{"file":"/w/tree/b.h","lines":[{"line_number":1,"count":7}]}]})", roots, counts);
  add_gcov_json(R"({"files":[{"file":"/w/tree/b.h","lines":[{"line_number":1,"count":2}]}]})", roots, counts);
  EXPECT_EQ(text_of(counts), "a.c:3 6 /3 /3\na.c:9 0\nb.h:1 9\n");
}

TEST(SourceCounts, RefuseWhatIsNoJsonOfGcov) {
  SourceCounts counts;
  EXPECT_THROW(add_gcov_json("{", {}, counts), Error);
  EXPECT_THROW(add_gcov_json("{}", {}, counts), Error);
  EXPECT_THROW(add_gcov_json(R"({"files":[{"file":"/a","lines":[{}]}]})", std::vector<std::string>{"/"}, counts),
               Error);
}

}  // namespace
}  // namespace icount
