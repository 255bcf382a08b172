#include "icount/explain/inside_names.h"

#include <gtest/gtest.h>

#include "icount/explain/inside_causes.h"
#include "icount/explain/loop_matching.h"
#include "written_code.h"

namespace icount {
namespace {

/// The place of a cause in the loop of a function of src/a.c, whose loop lies in that file (0) or in b.h (1).
std::pair<std::string, uint64_t> place_of_loop(uint32_t file) {
  const WrittenSide side{{{9, 5}, {10, 100, 0, {}, file}, {11, 100, 0, {}, file}}, {{1, 100}}};
  WrittenFunction function(side, side);
  match_loops(function.opened, WrittenFunction::callees());
  const InsideGraph graph;
  const InsideFigures figures;
  const InsideSource source{.opened = function.opened,
                            .graph = graph,
                            .figures = figures,
                            .function = "`f`",
                            .function_field = "f",
                            .callees = {},
                            .callee_fields = {},
                            .loops = {"", "loop"},
                            .file = "src/a.c",
                            .object = "prog",
                            .line = 9};
  const Cause cause = InsideNames(source).new_cause(CauseKind::kIterations, 1);
  return {cause.file, cause.line};
}

TEST(InsideNamesTest, AFileAndALineBelongTogether) {
  EXPECT_EQ(place_of_loop(0), (std::pair<std::string, uint64_t>{"src/a.c", 10})) << "with its folders";
  EXPECT_EQ(place_of_loop(1), (std::pair<std::string, uint64_t>{"b.h", 10})) << "of an inlined function";
}

}  // namespace
}  // namespace icount
