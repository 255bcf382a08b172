#include "icount/report/profile_text.h"

#include <gtest/gtest.h>

#include <sstream>

#include "support/graph_builder.h"

namespace icount {
namespace {

std::string text_of(const ProfileTextOptions& options, const TextStyle& style = {}) {
  std::ostringstream out;
  render_profile_text(out, small_graph(), {"lexer.out", "./lexer"}, options, style);
  return out.str();
}

TEST(ProfileTextTest, SelfCostsAddUpToTheTotal) {
  ProfileTextOptions options;
  options.top = 2;
  EXPECT_EQ(text_of(options),
            "lexer.out  ./lexer\n"
            "1,000 Ir, 100 Dr in 3 functions\n"
            "\n"
            "   Ir   share  inclusive   share  calls  function\n"
            "  600  60.00%        600  60.00%    600  hash              lexer.cc, lexer\n"
            "  300  30.00%        900  90.00%      3  lex(char const*)  lexer.cc, lexer\n"
            "  100  10.00%                            1 more function\n");
}

TEST(ProfileTextTest, InclusiveOrder) {
  ProfileTextOptions options;
  options.table.inclusive = true;
  EXPECT_EQ(text_of(options, {.width = 80}),
            "lexer.out  ./lexer\n"
            "1,000 Ir, 100 Dr in 3 functions\n"
            "\n"
            "  Ir inclusive    share  self  calls  function\n"
            "         1,000  100.00%   100      0  main\n"
            "           900   90.00%   300      3  lex(char const*)\n"
            "           600   60.00%   600    600  hash\n");
}

TEST(ProfileTextTest, ByFileJoinsRowsOfTheCommittedFile) {
  ProfileTextOptions options;
  options.table.by = GroupBy::kFile;
  options.table.event = 1;
  EXPECT_EQ(text_of(options),
            "lexer.out  ./lexer\n"
            "1,000 Ir, 100 Dr in 3 functions\n"
            "\n"
            "  Dr   share  file\n"
            "  60  60.00%  lexer.cc\n"
            "  40  40.00%  hash.h\n");
}

TEST(ProfileTextTest, CallersAndCallees) {
  const CostGraph graph = small_graph();
  std::ostringstream out;
  render_calls_text(out, graph, 1, true, {}, {});
  render_calls_text(out, graph, 2, false, {}, {});
  EXPECT_EQ(out.str(),
            "callers of lex(char const*)  lexer.cc, lexer\nself cost 300 Ir\n\n  Ir inclusive   share  calls  per call "
            " caller\n           900  90.00%      2       450  main\n             -       -      1         -  lex(char "
            "const*)  (in a cycle)\ncallees of hash  lexer.cc, lexer\nself cost 600 Ir\n\n  (no callees)\n");
}

TEST(ProfileTextTest, MarkdownIsATable) {
  std::ostringstream out;
  ProfileTextOptions options;
  options.top = 1;
  render_profile_markdown(out, small_graph(), {"a|b.out", ""}, options);
  EXPECT_EQ(out.str(),
            "**a\\|b.out**: 1,000 Ir, 100 Dr in 3 functions\n"
            "\n"
            "| Ir | share | inclusive | share | calls | function |\n"
            "|---:|---:|---:|---:|---:|---|\n"
            "| 600 | 60.00% | 600 | 60.00% | 600 | `hash` `lexer.cc, lexer` |\n"
            "| 400 | 40.00% |  |  |  | 2 more functions |\n");
}

TEST(ProfileJsonTest, EveryFieldOfTheContract) {
  const Json json = profile_to_json(small_graph());
  EXPECT_EQ(json["schema"], (Json{{"name", "icount-profile"}, {"version", 1}}));
  EXPECT_EQ(json["events"], (Json{"Ir", "Dr"}));
  EXPECT_EQ(json["totals"], (Json{1000, 100}));
  EXPECT_EQ(json["parts"], 1);
  ASSERT_EQ(json["functions"].size(), 3u);
  EXPECT_EQ(
      dump_json(json["functions"][1], -1),
      R"x({"name":"lex(char const*)","file":"lexer.cc","object":"/bin/lexer","calls":3,"self":[300,30],"inclusive":[900,90]})x");
  EXPECT_EQ(
      dump_json(json["edges"], -1),
      R"([{"caller":1,"callee":0,"calls":600,"inclusive":[600,60]},{"caller":1,"callee":1,"calls":1,"inclusive":[450,45]},)"
      R"({"caller":2,"callee":1,"calls":2,"inclusive":[900,90]}])");
}

}  // namespace
}  // namespace icount
