// Pairs of small real programs with one known change: the explanation must name that change first.
#include <gtest/gtest.h>

#include <cstdlib>

#include "icount/report/cause_sentence.h"
#include "support/profile_pair.h"

namespace icount {
namespace {

struct Pair {
  std::string name;
  BuildSpec base, head;
  CauseKind kind = CauseKind::kOwnCost;
  std::vector<std::string> names;  ///< all of them in the first cause
  std::string text;                ///< part of its sentence
};
void PrintTo(const Pair& pair, std::ostream* os) { *os << pair.name; }

BuildSpec build(std::string source, std::vector<std::string> flags) {
  return {std::move(source), std::move(flags), {}, false, "build"};
}

BuildSpec stripped(std::string source, std::vector<std::string> flags) {
  return {std::move(source), std::move(flags), {}, true, "build"};
}

BuildSpec with_tunables(std::string source, std::string tunables) {
  return {std::move(source), {"-O2", "-g"}, {"GLIBC_TUNABLES=" + std::move(tunables)}, false, "build"};
}

std::vector<Pair> pairs() {
  using K = CauseKind;
  return {
      {"CalleeCalledMoreOften",
       build("lexer.cc", {"-O1", "-g"}),
       build("lexer.cc", {"-O1", "-g", "-DTWICE"}),
       K::kCalls,
       {"lex(", "hash("},
       "12,000 times, was 6,000"},
      {"CalleeDearerPerCall",
       build("lexer.cc", {"-O1", "-g"}),
       build("lexer.cc", {"-O1", "-g", "-DDEARER"}),
       K::kOwnCost,
       {"mix("},
       "costs 11 per call, was 4 (33,000 calls)"},
      {"Inlined",
       build("lexer.cc", {"-O1", "-g"}),
       build("lexer.cc", {"-O1", "-g", "-DINLINE_MIX"}),
       K::kInlined,
       {"hash(", "mix("},
       "is now inlined into"},
      {"NoLongerInlined",
       build("lexer.cc", {"-O1", "-g", "-DINLINE_MIX"}),
       build("lexer.cc", {"-O1", "-g"}),
       K::kInlined,
       {"hash(", "mix("},
       "is no longer inlined into"},
      {"InlinedWithoutDebugInfo",
       build("lexer.cc", {"-O1"}),
       build("lexer.cc", {"-O1", "-DINLINE_MIX"}),
       K::kInlined,
       {"hash(", "mix("},
       "inlined or merged"},
      {"NewPath",
       build("lexer.cc", {"-O1", "-g"}),
       build("lexer.cc", {"-O1", "-g", "-DCHECKED"}),
       K::kCalls,
       {"lex(", "check("},
       "now calls"},
      {"SplitFunction",
       build("shapes.cc", {"-O2", "-g"}),
       build("shapes.cc", {"-O2", "-g", "-DSPLIT"}),
       K::kInlined,
       {"total(", "scale("},
       "for work that it did itself"},
      {"DeeperRecursion",
       build("shapes.cc", {"-O2", "-g"}),
       build("shapes.cc", {"-O2", "-g", "-DDEEP=8"}),
       K::kCalls,
       {"geometry::grow("},
       "511 calls for each call from outside, was 127"},
      {"DispatchChanged",
       with_tunables("blocks.c", ""),
       with_tunables("blocks.c", "glibc.cpu.hwcaps=-AVX2_Usable,-AVX2"),
       K::kRenamed,
       {"memchr"},
       "runs in place of"},
      {"CloneSuffixChanged",
       build("clones.cc", {"-O2", "-g"}),
       build("clones.cc", {"-O2", "-g", "-fno-ipa-cp", "-fno-ipa-sra"}),
       K::kOwnCost,
       {"walk("},
       "(10 calls)"},
      {"StrippedAndShifted",
       stripped("plain.c", {"-O1"}),
       stripped("plain.c", {"-O1", "-DEARLIER", "-DDEAR"}),
       K::kOwnCost,
       {"0x"},
       "costs 146 per call, was "},
      {"InsideAnInterpreterLoop",
       build("machine.cc", {"-O2", "-g"}),
       build("machine.cc", {"-O2", "-g", "-DSLOW_SHIFT"}),
       K::kOwnCost,
       {"op_shift("},
       "per call, was 3 (6,400 calls)"},
      {"InterpreterLoopRunsMore",
       build("machine.cc", {"-O2", "-g"}),
       build("machine.cc", {"-O2", "-g", "-DMORE_CALLS"}),
       K::kCalls,
       {"op_call(", "run("},
       ""},
      {"LambdaRenumberedAndDearer",
       build("events.cc", {"-O2", "-g"}),
       build("events.cc", {"-O2", "-g", "-DEXTRA_FIRST", "-DDEAR_THIRD"}),
       K::kRenamed,
       {"{lambda(long)#4}", "{lambda(long)#3}"},
       "costs 121 per call, was 13 (600 calls)"},
      {"NumbersByLibrary",
       build("json.cc", {"-O2", "-g"}),
       build("json.cc", {"-O2", "-g", "-DSLOW_NUMBERS"}),
       K::kCalls,
       {"Reader::number()", "strtod"},
       "now calls"},
      {"KeysCopied",
       build("json.cc", {"-O2", "-g"}),
       build("json.cc", {"-O2", "-g", "-DCOPY_STRINGS"}),
       K::kCalls,
       {"Reader::object(", "_M_append"},
       "now calls"},
      {"OtherSort",
       build("words.cc", {"-O2", "-g"}),
       build("words.cc", {"-O2", "-g", "-DSTABLE"}),
       K::kPlace,
       {"order("},
       "stable_sort"},
      {"DearerComparison",
       build("words.cc", {"-O2", "-g"}),
       build("words.cc", {"-O2", "-g", "-DBY_LENGTH"}),
       K::kOwnCost,
       {"before("},
       ""},
      {"OwnAllocator",
       build("words.cc", {"-O2", "-g"}),
       build("words.cc", {"-O2", "-g", "-DOWN_NEW"}),
       K::kCalls,
       {"count(", "operator new"},
       "no longer allocates"},
      {"ThrownMoreOften",
       build("orders.cc", {"-O2", "-g"}),
       build("orders.cc", {"-O2", "-g", "-DBAD=5"}),
       K::kCalls,
       {"checked(", "__cxa_throw"},
       "400 times, was 5"},
      {"MutualRecursionDeeper",
       build("orders.cc", {"-O1", "-g"}),
       build("orders.cc", {"-O1", "-g", "-DNEST=6"}),
       K::kCalls,
       {"cycle of Price::"},
       "call each other more: "},
  };
}

class ExplainPairsTest : public testing::TestWithParam<Pair> {};

TEST_P(ExplainPairsTest, NamesTheKnownChangeFirst) {
  if (const std::string missing = missing_tools(); !missing.empty()) GTEST_SKIP() << missing;
  const Pair& pair = GetParam();
  const CostGraph base = count_program(pair.base), head = count_program(pair.head);
  const Explanation explanation = explain(base, head);
  ASSERT_FALSE(explanation.causes.empty());
  const Cause& first = explanation.causes.front();
  EXPECT_EQ(to_text(first.kind), to_text(pair.kind)) << cause_sentence(first);
  for (const std::string& name : pair.names)
    EXPECT_NE(all_names(first).find(name), std::string::npos) << name << " in: " << all_names(first);
  EXPECT_NE(cause_sentence(first).find(pair.text), std::string::npos) << cause_sentence(first);

  const Explanation back = explain(head, base);
  ASSERT_EQ(back.causes.size(), explanation.causes.size());
  for (size_t i = 0; i < back.causes.size(); ++i) EXPECT_EQ(back.causes[i].delta, -explanation.causes[i].delta);
}

INSTANTIATE_TEST_SUITE_P(Pairs, ExplainPairsTest, testing::ValuesIn(pairs()),
                         [](const auto& info) { return info.param.name; });

TEST(ExplainBuildTest, RenamedNamespaceHasNoCostAndIsSaid) {
  if (const std::string missing = missing_tools(); !missing.empty()) GTEST_SKIP() << missing;
  const Explanation explanation = explain(count_program(build("shapes.cc", {"-O2", "-g"})),
                                          count_program(build("shapes.cc", {"-O2", "-g", "-DNS=solids"})));
  EXPECT_GE(explanation.renamed, 5);
  ASSERT_FALSE(explanation.notes.empty());
  EXPECT_NE(note_sentences(explanation)[0].find("matched under another name: `geometry` is now `solids`"),
            std::string::npos)
      << note_sentences(explanation)[0];
  for (const Cause& cause : explanation.causes) {
    EXPECT_LE(std::abs(cause.delta), 100) << cause_sentence(cause);
    if (cause.kind == CauseKind::kRenamed) {
      EXPECT_NE(cause_sentence(cause).find("solids::"), std::string::npos) << cause_sentence(cause);
    }
  }
}

TEST(ExplainBuildTest, OtherTemplateArgumentIsARename) {
  if (const std::string missing = missing_tools(); !missing.empty()) GTEST_SKIP() << missing;
  const Explanation explanation = explain(count_program(build("shapes.cc", {"-O2", "-g", "-DT=unsigned"})),
                                          count_program(build("shapes.cc", {"-O2", "-g", "-DT=short"})));
  std::string told;
  for (const Cause& cause : explanation.causes)
    if (cause.kind == CauseKind::kRenamed) told += cause_sentence(cause) + "\n";
  EXPECT_NE(told.find("it was `geometry::Ring<unsigned int>::put(unsigned int)`"), std::string::npos) << told;
}

TEST(ExplainBuildTest, OtherBuildDirectoryIsNothing) {
  if (const std::string missing = missing_tools(); !missing.empty()) GTEST_SKIP() << missing;
  BuildSpec other = build("json.cc", {"-O2", "-g"});
  other.folder = "other";  // of the same length: the loader's counts depend on the length of the path
  const Explanation explanation = explain(count_program(build("json.cc", {"-O2", "-g"})), count_program(other));
  EXPECT_EQ(explanation.renamed, 0);
  int64_t gross = 0;
  for (const Cause& cause : explanation.causes) gross += std::abs(cause.delta);
  EXPECT_LE(gross, 200) << (explanation.causes.empty() ? "" : cause_sentence(explanation.causes[0]));
}

}  // namespace
}  // namespace icount
