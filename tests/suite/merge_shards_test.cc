// Files of shards that become one; the whole path is tests/shards.
#include "icount/suite/merge_shards.h"

#include <gtest/gtest.h>

#include "icount/suite/suite_record.h"
#include "support/error_of.h"

namespace icount {
namespace {

ShardFile shard(const std::string& name, int64_t index, const std::string& language) {
  ShardFile shard{name, {}};
  shard.file.fingerprint.set(kSuiteFact, "s, version 0, 2 benchmarks, md5 x", FactClass::kNameOnly);
  shard.file.shard = ShardOf{index, 2, {{0, "a"}, {1, "b"}}};
  Result result;
  result.label = {index == 1 ? "a" : "b"};
  result.task.language = language;
  result.counts = {1};
  result.extra = record_text({result.label[0], index - 1, 0});
  result.fingerprint.set("valgrind", "3.19.0", FactClass::kRefuse);
  shard.file.results = {result};
  return shard;
}

Fingerprint& facts(ShardFile& shard) { return shard.file.results[0].fingerprint; }

TEST(MergeShardsTest, ProgramsDifferInWhatIsTheirOwn) {
  ShardFile one = shard("1", 1, "program"), two = shard("2", 2, "program");
  facts(one).set("environment", "A=1", FactClass::kRefuse);
  facts(one).set("compiler", "GCC 12", FactClass::kNameOnly);
  facts(two).set("compiler", "GCC 13", FactClass::kNameOnly);
  facts(two).set("within", "main", FactClass::kRefuse);
  EXPECT_EQ(merge_shards({one, two}, "out").file.results.size(), 2u);
}

TEST(MergeShardsTest, StatementsDifferInTheirUnit) {
  ShardFile one = shard("1", 1, "c++"), two = shard("2", 2, "c++");
  facts(one).set(kUnitFact, "its own", FactClass::kNameOnly);
  facts(two).set(kUnitFact, "shared with other statements", FactClass::kNameOnly);
  EXPECT_EQ(merge_shards({one, two}, "out").file.results.size(), 2u);
}

TEST(MergeShardsTest, ConditionsOfTheRunAreTheSame) {
  for (const char* language : {"program", "c++"}) {
    ShardFile one = shard("1", 1, language), two = shard("2", 2, language);
    facts(two).set("valgrind", "3.22.0", FactClass::kRefuse);
    EXPECT_NE(error_of([&] {
                merge_shards({one, two}, "out");
              }).find("1 and 2 were measured under different conditions"),
              std::string::npos);
  }
}

TEST(MergeShardsTest, AHeaderThatWasEditedBetweenTwoShardsIsNamed) {
  const auto made_from = [](ShardFile file, const std::string& content) {
    const CodeIdentity code{{{"statement", "x"}}, {"file " + content + " - /own.h", "absent - - /" + file.name}, ""};
    file.file.results[0].extra = record_text({"key", 0, 0, "", code});
    return file;
  };
  const ShardFile one = made_from(shard("1", 1, "c++"), "a"), two = made_from(shard("2", 2, "c++"), "a");
  EXPECT_EQ(merge_shards({one, two}, "out").notes, std::vector<std::string>());
  EXPECT_EQ(
      merge_shards({one, made_from(two, "b")}, "out").notes,
      std::vector<std::string>({"1 and 2 were made from different contents of /own.h: measure one of them again"}));
}

TEST(MergeShardsTest, StatementsAreCompiledAlike) {
  ShardFile one = shard("1", 1, "c++"), two = shard("2", 2, "c++");
  facts(one).set("compiler", "clang 14", FactClass::kNameOnly);
  facts(two).set("compiler", "clang 15", FactClass::kNameOnly);
  EXPECT_NE(error_of([&] { merge_shards({one, two}, "out"); }).find("compiler"), std::string::npos);
}

}  // namespace
}  // namespace icount
