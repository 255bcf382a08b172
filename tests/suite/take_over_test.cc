// What a result stands on, and whose results may stand for an unmeasured benchmark. Nothing is counted here; the real
// thing is tests/cli/skip_unchanged.test.
#include "icount/suite/take_over.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/suite/definition_file.h"
#include "icount/suite/suite_record.h"
#include "icount/suite/suite_spec.h"
#include "icount/suite/work_order.h"
#include "support/error_of.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSuite = R"(
inputs = "*.cfg"
[[programs]]
label = "one"
command = ["./app", "data.txt", "-v"]
environment = { MODE = "a" }
)";

/// A folder with a program of libc's, what it is given and what the suite says that it reads.
class TakeOverTest : public testing::Test {
 protected:
  TakeOverTest() : folder_("icount-test") {
    fs::copy_file("/bin/true", folder_.path() / "app");
    write("data.txt", "data");
    write("app.cfg", "settings");
    options_.tools = "icount 1";
    options_.collect.environment = Environment({"PATH=/usr/bin:/bin"});
  }

  void write(const std::string& name, const std::string& text) const { save_file(folder_.path() / name, text); }

  Benchmark benchmark(const std::string& text = kSuite) {
    Suite suite = parse_suite(text, "s.toml", folder_.path());
    options_.inputs = suite.inputs.value_or(std::vector<fs::path>());
    return materialize_suite(suite).at(0);
  }

  CodeIdentity now(const std::string& text = kSuite) {
    const Benchmark one = benchmark(text);
    return BenchmarkIdentities(options_).of(one);
  }

  /// What change_since says of `base` now.
  std::string change(const CodeIdentity& base, const std::string& text = kSuite) {
    const Benchmark one = benchmark(text);
    const CodeChange said = BenchmarkIdentities(options_).change_since(base, one);
    return said.changed + said.unknown;
  }

  ScratchDir folder_;
  IdentityOptions options_;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST_F(TakeOverTest, NothingChangedIsNoChange) {
  const CodeIdentity base = now();
  EXPECT_EQ(base.unknown, "");
  EXPECT_EQ(change(base), "");
  EXPECT_EQ(parse_code_identity(to_json(base)), base);
}

TEST_F(TakeOverTest, EachThingThatACountStandsOnIsAChange) {
  const CodeIdentity base = now();
  const auto file = [&](const std::string& name) {
    const std::string before = load_text(folder_.path() / name);
    write(name, before + "x");
    const std::string said = change(base);
    write(name, before);
    return said;
  };
  EXPECT_EQ(file("data.txt"), "changed: program, libraries or files named");
  EXPECT_EQ(file("app"), "changed: program, libraries or files named");
  EXPECT_EQ(file("app.cfg"), "changed: inputs");
  write("new.cfg", "");
  EXPECT_EQ(change(base), "changed: inputs");
  fs::remove(folder_.path() / "new.cfg");
  EXPECT_EQ(change(base, replaced(kSuite, "\"-v\"", "\"-w\"")), "changed: command");
  EXPECT_EQ(change(base, replaced(kSuite, "\"a\"", "\"b\"")), "changed: command");
  EXPECT_EQ(change(base), "");
}

TEST_F(TakeOverTest, EachConditionIsAChange) {
  const CodeIdentity base = now();
  const std::function<void(IdentityOptions&)> edits[] = {
      [](IdentityOptions& o) { o.tools = "icount 2"; },
      [](IdentityOptions& o) { o.memory = true; },
      [](IdentityOptions& o) { o.keep_graphs = false; },
      [](IdentityOptions& o) { o.collect.repeats = 7; },
      [](IdentityOptions& o) { o.collect.stacks = 3; },
      [](IdentityOptions& o) { o.collect.keep_insides = true; },
      [](IdentityOptions& o) { o.collect.callgrind_options = {"--cache-sim=yes"}; },
      [](IdentityOptions& o) { o.collect.environment.set("LD_LIBRARY_PATH", "/elsewhere"); },
      [](IdentityOptions& o) { o.collect.pins.released = {Pin::kAslr}; },
  };
  const IdentityOptions before = options_;
  for (size_t i = 0; i < std::size(edits); ++i) {
    edits[i](options_);
    EXPECT_EQ(change(base), "changed: conditions of measuring") << i;
    options_ = before;
  }
}

TEST_F(TakeOverTest, WhatCannotBeKnownIsSaid) {
  write("script", "#!/bin/sh\n");
  EXPECT_EQ(now("inputs = []\n[[programs]]\nlabel = 'x'\ncommand = ['./script']\n").unknown, "it is a script");
  EXPECT_EQ(now("inputs = []\n[[programs]]\nlabel = 'x'\ncommand = ['/bin/sh', '-c', 'true']\n").unknown,
            "sh is an interpreter");
  EXPECT_EQ(now("inputs = []\n[[stmts]]\nlabel = 'x'\npy_stmt = '1'\n").unknown, "Python is interpreted");
  EXPECT_EQ(change({{}, {}, "it starts other processes"}), "it starts other processes");
  EXPECT_EQ(now("inputs = []\n[[programs]]\nlabel = 'x'\ncommand = ['./app', '/proc/self/mem']\n").unknown,
            "/proc/self/mem: cannot read: Input/output error");
  EXPECT_EQ(error_of([&] { now("inputs = 'none-*'\n[[programs]]\nlabel = 'x'\ncommand = ['./app']\n"); }),
            "inputs: no file matches \"" + (folder_.path() / "none-*").string() + "\"");
}

TEST_F(TakeOverTest, AHeaderOfAStatementIsLookedAt) {
  CodeIdentity base = now();
  write("a.h", "int a;");
  const std::string path = (folder_.path() / "a.h").string();
  base.files = {"file hash-0 - " + path};
  EXPECT_EQ(change(base), "changed: " + path);
  base.files = {"absent - - " + path};
  EXPECT_EQ(change(base), "new: " + path);
}

TEST_F(TakeOverTest, WhatIsKnownOfTheUnknownIsAChange) {
  write("script", "#!/bin/sh\n");
  const std::string text = "[[programs]]\nlabel = 'x'\ncommand = ['./script', 'data.txt']\n";
  const CodeIdentity base = parse_code_identity(to_json(now(text)));
  EXPECT_EQ(base.unknown, "it is a script");
  EXPECT_EQ(change(base, text), "it is a script");
  write("data.txt", "other data");
  EXPECT_EQ(change(base, text), "changed: program, libraries or files named");
  CodeIdentity counted = now(text);
  counted.files = {"absent - - " + (folder_.path() / "own").string()};
  counted = parse_code_identity(to_json(counted));
  EXPECT_EQ(change(counted, text), "it is a script");
  write("own", "");
  EXPECT_EQ(change(counted, text), "new: " + (folder_.path() / "own").string()) << "what it looked at is known";
  const std::string python = "[[stmts]]\nlabel = 'x'\npy_stmt = '1'\n";
  EXPECT_EQ(change(now(python), replaced(python, "'1'", "'2'")), "changed: statement");
}

TEST_F(TakeOverTest, AnInterruptedRunKeepsWhatHasNotChanged) {
  const std::string program = "[[programs]]\nlabel = '{}'\ncommand = ['./app', '{}']\n";
  std::string suite;
  for (const char* name : {"same", "edited", "failed", "script", "elsewhere"})
    suite += fmt::format(fmt::runtime(program), name, name);
  suite = replaced(suite, "'./app', 'script'", "'./script', 'script'");
  write("script", "#!/bin/sh\n");
  write("edited", "one");
  const std::vector<Benchmark> all = materialize_suite(parse_suite(suite, "s.toml", folder_.path()));
  std::vector<Result> results;
  BenchmarkIdentities before(options_);
  for (const Benchmark& benchmark : all) {
    Result result;
    result.label = benchmark.timer_args.label;
    result.counts = {5, 5};
    result.extra = record_text({work_order_key(benchmark), 0, 1234, "s.toml", before.of(benchmark)});
    results.push_back(result);
  }
  results[2].status = "crashed";
  write("edited", "two");
  BenchmarkIdentities now(options_);
  const Resumed resumed = resume_results(std::span(all).first(4), results, now);
  EXPECT_EQ(resumed.changed,
            (Reasons{{"changed: program, libraries or files named", {"edited"}}, {"crashed", {"failed"}}}));
  EXPECT_EQ(resumed.unknown, (Reasons{{"it is a script", {"script"}}, {"this run does not select it", {"elsewhere"}}}));
  ASSERT_EQ(resumed.results.size(), 3u);
  EXPECT_EQ(resumed.results[0].extra, results[0].extra);
  EXPECT_EQ(resumed.results[0].notes, std::vector<std::string>());
  ASSERT_EQ(resumed.results[1].notes.size(), 1u);
  EXPECT_EQ(resume_results(all, resumed.results, now).results[1].notes.size(), 1u) << "said once";
  EXPECT_EQ(describe(resumed.changed), "2: edited (changed: program, libraries or files named); failed (crashed)");
}

TEST_F(TakeOverTest, ResultsAreMarkedAndKeepWhenTheyWereMeasured) {
  const Benchmark one = benchmark();
  BenchmarkIdentities identities(options_);
  ResultFile base;
  Result result;
  result.label = one.timer_args.label;
  result.counts = {5, 5};
  result.measurement = "{}";
  result.fingerprint.set("language", "program", FactClass::kRefuse);
  result.extra = record_text({work_order_key(one), 3, 1234, "s.toml", identities.of(one)});
  base.results = {result};
  const std::vector<Benchmark> all = {one};
  const TakenOver taken = take_over(all, base, "base.icount", identities);
  ASSERT_EQ(taken.results.size(), 1u);
  EXPECT_TRUE(taken.rest.empty());
  const Result& over = taken.results[0];
  EXPECT_EQ(over.taken_over, "base.icount");
  EXPECT_EQ(over.counts, result.counts);
  EXPECT_EQ(over.measurement, "");
  EXPECT_EQ(parse_record(over.extra).unix_time, 1234);
  EXPECT_EQ(parse_record(over.extra).position, 0);
  EXPECT_EQ(parse_record(over.extra).code, identities.of(one));
  EXPECT_TRUE(over.fingerprint.find("taken over"));
  EXPECT_EQ(describe(taken, "base.icount"), "1 unchanged benchmark is taken over from base.icount");
}

TEST_F(TakeOverTest, WhatHasNoCountOrNoRecordIsMeasured) {
  const Benchmark one = benchmark();
  const std::vector<Benchmark> all = {one};
  BenchmarkIdentities identities(options_);
  const auto reason = [&](const ResultFile& base) {
    const TakenOver taken = take_over(all, base, "b", identities);
    EXPECT_EQ(taken.rest.size(), 1u);
    return taken.reasons.begin()->first;
  };
  ResultFile base;
  EXPECT_EQ(reason(base), "not in the baseline");
  Result result;
  result.status = "crashed";
  result.extra = record_text({work_order_key(one), 0, 1, "s.toml", identities.of(one)});
  base.results = {result};
  EXPECT_EQ(reason(base), "no count in the baseline");
  base.results[0].status = "done";
  base.results[0].extra = record_text({work_order_key(one), 0, 1, "s.toml"});
  EXPECT_EQ(reason(base), "the result does not say what it was made from");
  EXPECT_EQ(describe(take_over(all, base, "b", identities), "b"),
            "0 unchanged benchmarks are taken over from b; measuring 1: one (the result does not say what it was "
            "made from)");
}

}  // namespace
}  // namespace icount
