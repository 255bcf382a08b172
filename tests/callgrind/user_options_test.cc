// Options beyond icount's own: which sizes of caches are taken, which options are passed through, and what of them
// stands in a fingerprint. Sizes are those that Callgrind's simulation takes: a power of two sets and bytes per line.
#include "icount/callgrind/user_options.h"

#include <gtest/gtest.h>

#include <bit>

#include "support/error_of.h"

namespace icount {
namespace {

using Words = std::vector<std::string>;

CacheSize size_of(const std::string& text) {
  CacheSizes sizes{{}, {}, {}};
  set_cache_size(text, sizes);
  return text.starts_with("I1") ? sizes.instructions : text.starts_with("D1") ? sizes.data : sizes.last;
}

std::string refusal_of_size(const std::string& text) {
  CacheSizes sizes;
  const std::string message = error_of(ErrorKind::kUsage, [&] { set_cache_size(text, sizes); });
  EXPECT_EQ(sizes, CacheSizes()) << text << " changed a size";
  const std::string begin = "--cache " + text + ": ";
  EXPECT_TRUE(message.starts_with(begin)) << message;
  return message.substr(begin.size(), message.find(';') - begin.size());
}

TEST(CacheSizeTest, SizesAreBytesWaysAndBytesOfALine) {
  EXPECT_EQ(size_of("I1=32768,8,64"), (CacheSize{32768, 8, 64}));
  EXPECT_EQ(size_of("D1=32k,4,32"), (CacheSize{32768, 4, 32}));
  EXPECT_EQ(size_of("LL=8K,1,16"), (CacheSize{8192, 1, 16}));
  EXPECT_EQ(size_of("LL=8M,16,4096"), (CacheSize{8388608, 16, 4096}));
  EXPECT_EQ(size_of("LL=1099511627776,1024,64"), (CacheSize{int64_t{1} << 40, 1024, 64}));
  EXPECT_EQ(size_of("LL=1048576M,1024,64"), (CacheSize{int64_t{1} << 40, 1024, 64}));
  EXPECT_EQ(size_of("D1=96,3,16"), (CacheSize{96, 3, 16})) << "two sets of three ways";
}

TEST(CacheSizeTest, OneSizeLeavesTheOthers) {
  CacheSizes sizes;
  set_cache_size("D1=64k,8,64", sizes);
  EXPECT_EQ(to_text(sizes), "I1 32768 B 8-way 64 B, D1 65536 B 8-way 64 B, LL 8388608 B 16-way 64 B");
}

TEST(CacheSizeTest, WhatTheSimulationCannotHaveIsRefused) {
  for (const char* text : {"I1", "L2=32k,8,64", "=32k,8,64", "i1=32k,8,64"})
    EXPECT_EQ(refusal_of_size(text), "not a cache with its size");
  for (const char* text : {"I1=", "I1=32k,8", "I1=32k,8,64,1"})
    EXPECT_EQ(refusal_of_size(text), "three numbers are needed");
  for (const char* text : {"I1=0,1,16", "I1=k,8,64", "I1=32g,8,64", "I1=32k,0,64", "I1=32k,-1,64", "I1=32k,x,64",
                           "LL=1M,1025,16", "LL=1099511627777,1,16", "LL=1048577M,1,16", "LL=1073741825k,1,16"})
    EXPECT_EQ(refusal_of_size(text), "these are not sizes");
  for (const char* text : {"D1=32k,8,8", "D1=32k,8,15", "D1=32k,8,48", "D1=1M,8,8192", "D1=32k,8,0"})
    EXPECT_EQ(refusal_of_size(text), "a line has a power of two bytes, from 16 to 4096");
  EXPECT_EQ(refusal_of_size("D1=64,4,16"), "a cache that small does not have two sets");
  EXPECT_EQ(refusal_of_size("D1=127,4,16"), "a cache that small does not have two sets");
  for (const char* text : {"D1=192,4,16", "D1=129,4,16", "D1=48k,8,64"})
    EXPECT_EQ(refusal_of_size(text), "the simulation needs a power of two sets (BYTES / WAYS / LINE)");
}

TEST(CacheSizeTest, ThoseOfThisMachineAreOnesThatTheSimulationTakes) {
  const CacheSizes sizes = probe_cache_sizes();
  for (const CacheSize& size : {sizes.instructions, sizes.data, sizes.last}) {
    ASSERT_GT(size.ways, 0) << to_text(sizes);
    ASSERT_GT(size.line, 0) << to_text(sizes);
    const int64_t sets = size.bytes / size.ways / size.line;
    EXPECT_GE(sets, 2) << to_text(sizes);
    EXPECT_TRUE(std::has_single_bit(static_cast<uint64_t>(sets))) << to_text(sizes);
    EXPECT_EQ(sets * size.ways * size.line, size.bytes) << to_text(sizes);
  }
}

TEST(UserOptionsTest, EventsComeBeforeWhatIsPassedThrough) {
  EXPECT_EQ(make_callgrind_options({}), Words());
  EventRequest all{.cache = true, .branch = true, .syscalls = true, .sizes = {}, .passed = {"--fair-sched=yes"}};
  all.sizes.last = {4096, 2, 32};
  EXPECT_EQ(make_callgrind_options(all),
            (Words{"--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=4096,2,32", "--branch-sim=yes",
                   "--collect-systime=yes", "--fair-sched=yes"}));
  EXPECT_EQ(make_callgrind_options({.branch = true}), Words{"--branch-sim=yes"});
  EXPECT_EQ(make_callgrind_options({.syscalls = true}), Words{"--collect-systime=yes"});
}

TEST(UserOptionsTest, OptionsThatBreakCountingAreRefusedWithAReason) {
  for (const char* option : {"--fair-sched=yes", "--read-var-info=yes", "--toolx", "--quieter", "--I1x=1", "--a"})
    EXPECT_EQ(refusal_of_option(option), "") << option;
  for (const char* option : {"-v", "x", "", "--", "-"})
    EXPECT_EQ(refusal_of_option(option), "it is not a long option (--name or --name=value)") << option;
  EXPECT_EQ(refusal_of_option("--tool=lackey"), "icount counts with Callgrind");
  for (const char* option :
       {"--log-file=x", "--log-fd", "--xml=yes", "--quiet", "--combine-dumps=no", "--vgdb-error=0"})
    EXPECT_EQ(refusal_of_option(option), "icount sets it itself") << option;
  EXPECT_EQ(refusal_of_option("--LL=1,1,1"), "--cache LL=BYTES,WAYS,LINE does it");
  EXPECT_EQ(refusal_of_option("--separate-callers3=f"), "--stacks does it");
  expect_usage(
      [] {
        make_callgrind_options({.passed = {"--fair-sched=yes", "--version", "-q"}});
      },
      "--callgrind-option --version is not passed through: it counts nothing\n"
      "--callgrind-option -q is not passed through: it is not a long option (--name or --name=value)");
}

std::string facts_of(const Words& options) {
  Fingerprint fingerprint;
  add_option_facts(options, fingerprint);
  std::string text;
  for (const Fact& fact : fingerprint.facts)
    text += fact.name + ": " + fact.value + (fact.fact_class == FactClass::kRefuse ? " (refuses)\n" : "\n");
  return text;
}

TEST(UserOptionsTest, OnlyWhatIsPassedThroughRefusesAComparison) {
  EXPECT_EQ(facts_of({}), "");
  EXPECT_EQ(facts_of(make_callgrind_options(
                {.cache = true, .branch = true, .syscalls = true, .sizes = {}, .passed = {"--fair-sched=yes"}})),
            "events: cache, branch, syscalls\n"
            "cache: I1=32768,8,64 D1=32768,8,64 LL=8388608,16,64\n"
            "callgrind options: --fair-sched=yes (refuses)\n");
  EXPECT_EQ(facts_of({"--branch-sim=yes"}), "events: branch\n");
}

}  // namespace
}  // namespace icount
