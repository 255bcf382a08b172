// Causes that are joined because an object was built with link-time optimisation.
#include "icount/explain/whole_objects.h"
#include "icount/report/cause_sentence.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "joined_pair.h"

namespace icount {
namespace {

/// scan of /bin/prog calls five functions of another file, which one side inlined.
class WholeObjectsTest : public testing::Test {
 protected:
  static GraphBuilder graph() {
    GraphBuilder built;
    built.in("scan.c", "/bin/prog").function("scan", 100).in("list.c", "/bin/prog");
    for (int i = 0; i < 5; ++i) {
      const std::string name = fmt::format("f{}", i);
      built.function(name, 10).calls("scan", name, 5);
    }
    return built;
  }
  static GroupedCause cause(int64_t delta, std::array<std::string_view, 2> objects) {
    GroupedCause made{{.delta = delta, .facts = fact::Said{fmt::format("{}", delta)}}, {}, objects};
    return made;
  }
  static std::vector<GroupedCause> joined(std::vector<GroupedCause> causes, bool into_caller = true) {
    const JoinedPair pair(graph(), graph());
    InliningMove move;
    move.caller = pair.node("scan");
    move.into_caller = into_caller;
    for (int i = 0; i < 5; ++i) move.lost_edges.push_back(pair.edge("scan", fmt::format("f{}", i)));
    join_other_builds(pair.joined, pair.flow, {move}, causes);
    return causes;
  }
};

TEST_F(WholeObjectsTest, AllThatHappensBecomesOneCause) {
  const auto one = joined({cause(60, {"/bin/prog", "/bin/prog"}), cause(-40, {"/lib/a.so", "/lib/a.so"})});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].cause.kind, CauseKind::kSum);
  EXPECT_EQ(one[0].cause.delta, 20);
  EXPECT_EQ(one[0].cause.function, "prog");
  EXPECT_EQ(cause_sentence(one[0].cause),
            "`prog` is now built with link-time optimisation: 5 functions are now inlined into other files' functions");
  ASSERT_EQ(one[0].cause.inside.size(), 2u);
  EXPECT_EQ(cause_sentence(one[0].cause.inside[0]), "60");
  EXPECT_EQ(cause_sentence(joined({cause(60, {"/bin/prog", ""})}, false).at(0).cause),
            "`prog` is no longer built with link-time optimisation: 5 functions are no longer inlined into other "
            "files' functions");
}

TEST_F(WholeObjectsTest, WhereHalfOfItHappensThere) {
  const std::array<std::string_view, 2> there = {"/bin/prog", "/bin/prog"}, elsewhere = {"/lib/a.so", "/lib/a.so"};
  EXPECT_EQ(joined({cause(50, there), cause(-50, elsewhere)}).size(), 1u);
  EXPECT_EQ(joined({cause(49, there), cause(-51, elsewhere)}).size(), 2u);
  EXPECT_EQ(joined({cause(-50, {"/bin/prog", ""}), cause(50, elsewhere)}).size(), 1u) << "on one side";
  EXPECT_EQ(joined({cause(-50, {"", "/bin/prog"}), cause(50, elsewhere)}).size(), 1u);
  EXPECT_TRUE(joined({}).empty());
}

}  // namespace
}  // namespace icount
