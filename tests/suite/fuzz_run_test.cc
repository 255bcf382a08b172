// A fuzzer run with a scripted collection: no compiler and no Valgrind.
#include "icount/suite/fuzz_run.h"

#include "icount/base/error.h"
#include "icount/fuzzer/op_fuzzers.h"
#include "icount/fuzzer/setup_source.h"
#include "icount/stats/fuzz_result.h"

namespace icount {
namespace {

FuzzRunOptions options_of(OpFuzzer op, int64_t samples) {
  OpFuzzerOptions small;
  small.size_class = SizeClass::kSmall;
  FuzzRunOptions options;
  options.spec = make_op_fuzzer(op, small);
  options.samples = samples;
  options.stmt = "f(x)";
  options.source = "unary corrected small";
  return options;
}

/// Gives every statement a cost by its place; remembers what it was asked.
struct FakeCollect {
  std::vector<TimerArgs> asked;
  std::function<void(CollectResult&)> change = [](CollectResult&) {};
  size_t stop_after = SIZE_MAX;

  std::vector<CollectResult> operator()(std::span<const TimerArgs> statements, const CollectOptions& options) {
    asked.assign(statements.begin(), statements.end());
    std::vector<CollectResult> results(statements.size());
    // Completion in another order than submission, as with several children in flight.
    for (size_t i = statements.size(); i-- > 0;) {
      results[i].index = i;
      results[i].status = statements.size() - i > stop_after ? CollectStatus::kCancelled : CollectStatus::kDone;
      results[i].per_run = 100.0 + static_cast<double>(i);
      change(results[i]);
      options.on_result(results[i]);
    }
    return results;
  }
};

const CompileCheck kCompiles = [](std::span<const TimerArgs>, const CollectOptions&) { return std::nullopt; };

TEST(FuzzRunTest, EverySampleIsAStatementWithItsOwnSetup) {
  FakeCollect fake;
  FuzzRunOptions options = options_of(OpFuzzer::kUnary, 7);
  const FuzzResult result = run_fuzz(options, std::ref(fake), kCompiles);
  ASSERT_EQ(result.points.size(), 7u);
  ASSERT_EQ(fake.asked.size(), 7u);
  Fuzzer fuzzer(options.spec, 0);
  for (int64_t k = 0; k < 7; ++k) {
    const auto i = static_cast<size_t>(k);
    const Sample sample = fuzzer.sample(k);
    EXPECT_EQ(fake.asked[i].stmt, "f(x);");
    EXPECT_EQ(fake.asked[i].setup, make_setup(sample, {}, SetupLanguage::kCpp));
    EXPECT_EQ(result.points[i].sample, k);
    EXPECT_EQ(result.points[i].elements, sample_numel(sample));
    EXPECT_EQ(result.points[i].cost.per_run, 100.0 + static_cast<double>(k));
    EXPECT_FALSE(result.points[i].against);
  }
  EXPECT_EQ(result.rejection_rate, fuzzer.rejection_rate());
}

TEST(FuzzRunTest, TwoStatementsShareTheirInputs) {
  FakeCollect fake;
  FuzzRunOptions options = options_of(OpFuzzer::kBinary, 3);
  options.against = "{ g(x, y); }";
  const FuzzResult result = run_fuzz(options, std::ref(fake), kCompiles);
  ASSERT_EQ(fake.asked.size(), 6u);
  for (size_t i = 0; i < 6; i += 2) {
    EXPECT_EQ(fake.asked[i].setup, fake.asked[i + 1].setup);
    EXPECT_EQ(fake.asked[i + 1].stmt, "{ g(x, y); }");
    EXPECT_EQ(result.points[i / 2].cost.per_run, 100.0 + static_cast<double>(i));
    EXPECT_EQ(result.points[i / 2].against->per_run, 101.0 + static_cast<double>(i));
  }
}

TEST(FuzzRunTest, ASetUpOfTheUsersComesBehindTheTensors) {
  FakeCollect fake;
  FuzzRunOptions options = options_of(OpFuzzer::kUnary, 1);
  options.setup = "auto w = x.clone();";
  options.num_threads = 3;
  options.language = Language::kTorchScript;
  options.stmt = "x + w";
  const FuzzResult result = run_fuzz(options, std::ref(fake), kCompiles);
  EXPECT_EQ(result.setup, options.setup);
  EXPECT_EQ(result.num_threads, 3);
  ASSERT_EQ(fake.asked.size(), 1u);
  EXPECT_TRUE(fake.asked[0].setup.ends_with("\nauto w = x.clone();\n")) << fake.asked[0].setup;
  EXPECT_TRUE(fake.asked[0].setup.starts_with(make_setup(Fuzzer(options.spec, 0).sample(0), {}, SetupLanguage::kCpp)));
  EXPECT_EQ(fake.asked[0].num_threads, 3);
  EXPECT_EQ(fake.asked[0].language, Language::kTorchScript);
  EXPECT_EQ(fake.asked[0].stmt, "x + w");
}

TEST(FuzzRunTest, InCompatibleModeElementsAreThoseOfTheFirstTensor) {
  FakeCollect fake;
  FuzzRunOptions options = options_of(OpFuzzer::kBinary, 1);
  const Sample all = Fuzzer(options.spec, 0).sample(0);
  EXPECT_EQ(run_fuzz(options, std::ref(fake), kCompiles).points[0].elements, sample_numel(all));
  OpFuzzerOptions compatible;
  compatible.mode = FuzzMode::kCompatible;
  compatible.size_class = SizeClass::kReference;
  options.spec = make_op_fuzzer(OpFuzzer::kBinary, compatible);
  const Sample first = Fuzzer(options.spec, 0).sample(0);
  EXPECT_EQ(run_fuzz(options, std::ref(fake), kCompiles).points[0].elements, tensor_numel(first.tensors.at(0)));
}

TEST(FuzzRunTest, TheSlopeIsTheCostWhereThereIsOne) {
  FakeCollect fake;
  fake.change = [](CollectResult& result) { result.slope = CollectResult::Slope{.per_run = 7.5}; };
  EXPECT_EQ(run_fuzz(options_of(OpFuzzer::kUnary, 1), std::ref(fake), kCompiles).points[0].cost.per_run, 7.5);
}

TEST(FuzzRunTest, AnInterruptedRunGoesOnWithWhatIsMissing) {
  FakeCollect first;
  first.stop_after = 4;
  FuzzRunOptions options = options_of(OpFuzzer::kUnary, 10);
  size_t saved = 0;
  options.on_point = [&](const FuzzResult& now) { saved = now.points.size(); };
  const FuzzResult interrupted = run_fuzz(options, std::ref(first), kCompiles);
  EXPECT_EQ(interrupted.points.size(), 4u);
  EXPECT_EQ(saved, 4u);

  options.known = fuzz_result_from_json(fuzz_result_to_json(interrupted), "kept.json").points;
  FakeCollect second;
  const FuzzResult whole = run_fuzz(options, std::ref(second), kCompiles);
  EXPECT_EQ(second.asked.size(), 6u);
  ASSERT_EQ(whole.points.size(), 10u);
  for (size_t i = 0; i < 10; ++i) EXPECT_EQ(whole.points[i].sample, static_cast<int64_t>(i));
  EXPECT_EQ(whole.points[9].cost.per_run, 109.0);

  FakeCollect third;
  options.known = whole.points;
  run_fuzz(options, std::ref(third), kCompiles);
  EXPECT_TRUE(third.asked.empty()) << "nothing is left to measure";
}

TEST(FuzzRunTest, FailuresBelongToTheirSample) {
  FakeCollect fake;
  fake.change = [](CollectResult& result) {
    if (result.index != 2) return;
    result.status = CollectStatus::kThrew;
    result.error = "threw c10::Error: no";
  };
  const FuzzResult result = run_fuzz(options_of(OpFuzzer::kUnary, 4), std::ref(fake), kCompiles);
  ASSERT_EQ(result.points.size(), 4u);
  EXPECT_EQ(failed_points(result), 1);
  EXPECT_EQ(result.points[2].cost.status, "threw");
  EXPECT_EQ(result.points[2].cost.error, "threw c10::Error: no");
}

void expect_usage(const FuzzRunOptions& options, const CompileCheck& compiles, const std::string& start) {
  FakeCollect fake;
  try {
    run_fuzz(options, std::ref(fake), compiles);
    ADD_FAILURE() << "no error, expected: " << start;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_EQ(std::string(error.what()).substr(0, start.size()), start);
  }
  EXPECT_TRUE(fake.asked.empty());
}

TEST(FuzzRunTest, WhatCannotWorkIsRefusedBeforeAnythingIsMeasured) {
  const CompileCheck broken = [](std::span<const TimerArgs> statements, const CollectOptions&) {
    EXPECT_EQ(statements.size(), 1u) << "one sample stands for all";
    return std::optional<std::string>("stmt:1:1: error: use of undeclared identifier 'f'");
  };
  expect_usage(options_of(OpFuzzer::kUnary, 5), broken,
               "the statement does not compile: stmt:1:1: error: use of undeclared identifier 'f'");
  FuzzRunOptions options = options_of(OpFuzzer::kUnary, 50);
  options.memory_limit_bytes = 64;
  expect_usage(options, kCompiles, "sample 0 of seed 0 needs ");
  options = options_of(OpFuzzer::kUnary, 0);
  expect_usage(options, kCompiles, "a fuzzer run needs at least one sample");
}

TEST(FuzzResultTest, UnlikeRunsAreNotJoined) {
  FuzzResult one, other;
  one.stmt = other.stmt = "f(x)";
  EXPECT_EQ(unlike(one, other), "");
  other.stmt = "g(x)";
  EXPECT_EQ(unlike(one, other), "the statement is 'f(x)' there and 'g(x)' here");
  other = one;
  other.seed = 4;
  EXPECT_EQ(unlike(one, other), "the seed is '0' there and '4' here");
  other = one;
  other.unit = FuzzUnit::kSeconds;
  EXPECT_EQ(unlike(one, other), "the unit is 'instructions' there and 'seconds' here");
}

TEST(FuzzResultTest, OtherFilesAreRefused) {
  const auto expect_malformed = [](const char* text, const std::string& message) {
    try {
      fuzz_result_from_json(parse_json(text, "f.json"), "f.json");
      ADD_FAILURE() << message;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kMalformed);
      EXPECT_EQ(std::string(error.what()).substr(0, message.size()), message);
    }
  };
  expect_malformed("{}", "f.json: no field 'schema'");
  expect_malformed(R"({"schema": {"name": "other", "version": 1}})", "f.json: holds 'other', not a fuzzer run");
  expect_malformed(R"({"schema": {"name": "icount-fuzz", "version": 2}})",
                   "f.json: version 2 of icount-fuzz; this icount reads up to 1");
  expect_malformed(R"({"schema": {"name": "icount-fuzz", "version": 1}, "stmt": 3})", "f.json: not a fuzzer run: ");
  expect_malformed(R"({"schema": {"name": "icount-fuzz", "version": 1}, "stmt": "x", "num_threads": 0})",
                   "f.json: num_threads is 0: thread counts are 1 or more");
}

}  // namespace
}  // namespace icount
