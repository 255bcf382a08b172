// Accepted values as text: what comes back, what is refused, and that git itself merges two branches' changes.
#include "icount/store/expected_file.h"

#include <gtest/gtest.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"

namespace icount {
namespace {

Fingerprint facts() {
  Fingerprint made;
  made.set("valgrind", "3.19.0", FactClass::kRefuse);
  made.set("compiler", "g++ 12", FactClass::kNameOnly);
  made.set("cpu = features", "avx2\tsse", FactClass::kRefuse);
  return made;
}

ExpectedFile example() {
  ExpectedFile file;
  const Fingerprint refusing = accepted_facts(facts());
  const std::string name = conditions_name(refusing);
  file.conditions[name] = refusing;
  file.values[{"Math / add", {"Ir", "", false}}] = {1'234'567, 1'230'000, 100, name, "vectorised"};
  file.values[{"Math / add", {"Ir", "parse(char const*)", true}}] = {55, 55, 100, name, ""};
  file.values[{"Math / mul", {"Ir", "", false}}] = {9, 9, 1, name, ""};
  return file;
}

std::string failure(const std::string& text) {
  try {
    parse_expected_file(text, "s.expected");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kMalformed);
    return error.what();
  }
  return "no failure";
}

const std::string kHead = "icount accepted values, version 1\n";

TEST(ExpectedFileTest, AMarginalCostIsMarkedAndNeedsVersionThree) {
  ExpectedFile file = example();
  ExpectedValue& value = file.values.at({"Math / mul", {"Ir", "", false}});
  value.marginal = true;
  value.spread = 2;
  const std::string text = expected_file_text(file);
  EXPECT_TRUE(text.starts_with("icount accepted values, version 3\n"));
  EXPECT_NE(text.find("\nMath / mul\tIr\t9*~2\t9\t1\t"), std::string::npos) << text;
  EXPECT_EQ(parse_expected_file(text, "s.expected").values, file.values);
}

TEST(ExpectedFileTest, PowersOfFunctionsNeedVersionFour) {
  ExpectedFile file = example();
  file.growths["Math"] = {"Ir", {{"f(int, char)", 1}, {"a = b\t", 2.1}, {"constant", 0}}};
  file.growths["gone"] = {"Ir", {{"f", 1}}};
  file.growths["Mat"] = {"Ir", {{"f", 1}}};
  const std::string text = expected_file_text(file);
  EXPECT_TRUE(text.starts_with("icount accepted values, version 4\n"));
  EXPECT_NE(text.find("\n!growth\tMath\tIr\t2.1 a = b\\x09\t0.0 constant\t1.0 f(int, char)\n"), std::string::npos)
      << text;
  const ExpectedFile back = parse_expected_file(text, "s.expected");
  EXPECT_EQ(back.values, file.values);
  EXPECT_EQ(back.growths.size(), 1u) << "the others have no value";
  EXPECT_EQ(back.growths.at("Math"), file.growths.at("Math"));
  for (const char* wrong : {"!growth\tMath", "!growth\tMath\tIr\t1.0", "!growth\tMath\tIr\t-1 f",
                            "!growth\tMath\tIr\tx f", "!growth\tMath\tIr\n!growth\tMath\tIr"})
    EXPECT_NE(failure(kHead + wrong), "no failure") << wrong;
}

TEST(ExpectedFileTest, OneSortedLinePerValue) {
  const std::string name = conditions_name(accepted_facts(facts()));
  const std::string text = expected_file_text(example());
  EXPECT_EQ(text.substr(text.find("\n\n") + 2), "!conditions\t" + name +
                                                    "\tcpu \\x3d features=avx2\\x09sse\tvalgrind=3.19.0\n"
                                                    "!build\t" +
                                                    name +
                                                    "\tcompiler=g++ 12\n\n"
                                                    "Math / add\tIr\t1234567\t1230000\t100\t" +
                                                    name +
                                                    "\tvectorised\n\n"
                                                    "Math / add\tIr+@parse(char const*)\t55\t55\t100\t" +
                                                    name +
                                                    "\t\n\n"
                                                    "Math / mul\tIr\t9\t9\t1\t" +
                                                    name + "\t\n");
}

TEST(ExpectedFileTest, EveryNameComesBack) {
  ExpectedFile file = example();
  const std::string name = file.conditions.begin()->first;
  for (const char* key : {"", "#1", "!conditions", " a ", "tab\there", "line\nbreak\r", "back\\slash \\x41",
                          "<<<<<<< HEAD", "=======", "\x1b[31mred", "a@b+@c", "caf\xc3\xa9 | `x`", "\xff"}) {
    file.values[{key, {"Ir", "", false}}] = {1, 2, 3, name, key};
    file.values[{key, {"I+@r", key + std::string("f"), true}}] = {4, 5, 6, name, ""};
  }
  const std::string text = expected_file_text(file);
  const ExpectedFile back = parse_expected_file(text, "x");
  EXPECT_EQ(back.values, file.values);
  EXPECT_EQ(expected_file_text(back), text);
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << "a reviewer's terminal stays as it was";
}

TEST(ExpectedFileTest, ConditionsHoldWhatRefusesAndTheBuild) {
  Fingerprint with_libc = facts();
  with_libc.set("libc", "abc", FactClass::kNameOnly);
  const Fingerprint refusing = accepted_facts(with_libc);
  ASSERT_EQ(refusing.facts.size(), 3u);
  EXPECT_EQ(refusing.facts[2].name, "compiler");
  EXPECT_EQ(refusing.facts[0].name, "cpu = features")
      << "by name, so that the order they were found in makes no other conditions";
  Fingerprint other = facts();
  other.set("compiler", "clang 14", FactClass::kNameOnly);
  EXPECT_NE(conditions_name(accepted_facts(other)), conditions_name(refusing));
  other = facts();
  other.set("valgrind", "3.20.0", FactClass::kRefuse);
  EXPECT_NE(conditions_name(accepted_facts(other)), conditions_name(refusing));
  EXPECT_EQ(conditions_name(refusing).size(), 8u);
}

TEST(ExpectedFileTest, WhatVersionOneCanHoldIsWrittenAsVersionOne) {
  EXPECT_EQ(expected_file_text(example()).find("icount accepted values, version 2\n"), 0u) << "it holds a compiler";
  ExpectedFile file;
  Fingerprint facts;
  facts.set("valgrind", "3.19.0", FactClass::kRefuse);
  const std::string name = conditions_name(facts);
  file.conditions[name] = facts;
  file.values[{"a", {"Ir", "", false}}] = {1'000, 1'000, 1, name, ""};
  EXPECT_EQ(expected_file_text(file).find(kHead), 0u);
  file.values.begin()->second.spread = 51;
  const std::string text = expected_file_text(file);
  EXPECT_EQ(text.find("icount accepted values, version 2\n"), 0u);
  EXPECT_NE(text.find("\na\tIr\t1000~51\t1000\t1\t"), std::string::npos) << text;
  EXPECT_EQ(parse_expected_file(text, "x").values, file.values);
}

TEST(ExpectedFileTest, UnusedConditionsAreDropped) {
  ExpectedFile file = example();
  file.conditions["00000000"] = {};
  EXPECT_EQ(expected_file_text(file), expected_file_text(example()));
}

TEST(ExpectedFileTest, DamageIsSaidWithItsLine) {
  EXPECT_EQ(failure("something\n"), "s.expected:1: not a file of accepted values; `icount accept` writes one");
  EXPECT_EQ(failure(""), "s.expected:1: not a file of accepted values; `icount accept` writes one");
  EXPECT_EQ(failure("icount accepted values, version 5\n"),
            "s.expected:1: version 5 is newer than this icount, which reads version 4; use a newer icount");
  EXPECT_EQ(failure(kHead + "a\tIr\t1\n"), "s.expected:2: 3 tab-separated fields, expected 7");
  EXPECT_EQ(failure(kHead + "!conditions\tc\na\tIr\t1x\t1\t1\tc\t\n"),
            "s.expected:3: the accepted value is '1x', which is not a count");
  EXPECT_EQ(failure(kHead + "!conditions\tc\na\tIr\t-1\t1\t1\tc\t\n"),
            "s.expected:3: the accepted value is '-1', which is not a count");
  EXPECT_EQ(failure(kHead + "a\tIr\t1\t1\t0\tc\t\n"), "s.expected:2: the number of runs must be 1 or more");
  EXPECT_EQ(failure(kHead + "a\tIr\t1\t1\t1\tc\t\n"),
            "s.expected: 'a' was counted under the conditions c, which the file does not list");
  EXPECT_EQ(failure(kHead + "a\\q\tIr\t1\t1\t1\tc\t\n"), "s.expected:2: a backslash that begins no \\xNN in 'a\\q'");
  EXPECT_EQ(
      failure(kHead + "<<<<<<< HEAD\n"),
      "s.expected:2: unresolved merge conflict; keep one of the lines, or accept the value again with `icount accept`");
  EXPECT_EQ(failure(kHead + "!conditions\tc\na\tIr\t1\t1\t1\tc\t\na\tIr\t2\t1\t1\tc\t\n"),
            "s.expected:4: a second line for 'a', Ir (a merge that kept both sides?); keep one of them");
}

/// A repository with one file of accepted values, and two branches that change it each in its own way.
class ExpectedMergeTest : public testing::Test {
 protected:
  ProcessOutcome git(std::vector<std::string> words) {
    ProcessSpec spec;
    spec.argv = {"git",
                 "-c",
                 "user.name=t",
                 "-c",
                 "user.email=t@example.org",
                 "-c",
                 "init.defaultBranch=main",
                 "-c",
                 "commit.gpgsign=false"};
    spec.argv.insert(spec.argv.end(), words.begin(), words.end());
    spec.working_dir = scratch_.path();
    return run_process(spec);
  }
  void commit(const ExpectedFile& file) {
    save_expected_file(path(), file);
    git({"add", "."});
    ASSERT_TRUE(git({"commit", "-q", "-m", "values"}).ok());
  }
  std::filesystem::path path() const { return scratch_.path() / "suite.expected"; }
  static ExpectedKey key(int i) { return {"bench " + std::to_string(i), {"Ir", "", false}}; }

  /// Both changes on branches of `base`, merged: git's outcome.
  ProcessOutcome merge(const ExpectedFile& base, const ExpectedFile& left, const ExpectedFile& right) {
    git({"init", "-q"});
    commit(base);
    git({"checkout", "-q", "-b", "right"});
    commit(right);
    git({"checkout", "-q", "main"});
    commit(left);
    return git({"merge", "-q", "-m", "merge", "right"});
  }

  static ExpectedFile ten() {
    ExpectedFile file;
    file.conditions["c"] = {};
    for (int i = 0; i < 10; ++i) file.values[key(i)] = {100 * i, 100 * i, 1, "c", ""};
    return file;
  }

  ScratchDir scratch_;
};

TEST_F(ExpectedMergeTest, NeighbouringBenchmarksOfTwoBranchesMergeWithoutConflict) {
  ExpectedFile left = ten(), right = ten(), both = ten();
  for (ExpectedFile* file : {&left, &both}) file->values[key(4)].accepted = 4'444;
  for (ExpectedFile* file : {&right, &both}) file->values[key(5)].accepted = 5'555;
  const ProcessOutcome outcome = merge(ten(), left, right);
  ASSERT_TRUE(outcome.ok()) << outcome.output << outcome.errors << load_text(path());
  EXPECT_EQ(load_expected_file(path()).values, both.values);
}

TEST_F(ExpectedMergeTest, TheSameBenchmarkOnBothIsAConflictThatIsNamed) {
  ExpectedFile left = ten(), right = ten();
  left.values[key(4)].accepted = 1;
  right.values[key(4)].accepted = 2;
  ASSERT_FALSE(merge(ten(), left, right).ok());
  EXPECT_NE(failure(load_text(path())).find("unresolved merge conflict"), std::string::npos);
}

TEST_F(ExpectedMergeTest, WithTheUnionDriverNewBenchmarksInOnePlaceMergeToo) {
  save_file(scratch_.path() / ".gitattributes", "*.expected merge=union\n");
  ExpectedFile left = ten(), right = ten(), both = ten();
  const ExpectedValue value{7, 7, 1, "c", ""};
  left.values[{"bench 4 left", {"Ir", "", false}}] = both.values[{"bench 4 left", {"Ir", "", false}}] = value;
  right.values[{"bench 4 right", {"Ir", "", false}}] = both.values[{"bench 4 right", {"Ir", "", false}}] = value;
  const ProcessOutcome outcome = merge(ten(), left, right);
  ASSERT_TRUE(outcome.ok()) << outcome.output << outcome.errors;
  EXPECT_EQ(load_expected_file(path()).values, both.values);
}

}  // namespace
}  // namespace icount
