#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "icount/base/error.h"
#include "icount/fuzzer/parameter.h"
#include "icount/fuzzer/random_state.h"
#include "support/error_of.h"
#include "support/golden.h"

namespace icount {
namespace {

// Pearson's statistic over categories; for `freedom` degrees it is about normal with mean `freedom` and
// variance 2 freedom, so mean + 6 deviations is passed by chance less than once in a million seeds.
double chi_square(const std::map<int64_t, int64_t>& counts, const std::map<int64_t, double>& probabilities,
                  int64_t draws) {
  double statistic = 0;
  for (const auto& [value, probability] : probabilities) {
    const double expected = probability * static_cast<double>(draws);
    const auto found = counts.find(value);
    const double seen = found == counts.end() ? 0 : static_cast<double>(found->second);
    statistic += (seen - expected) * (seen - expected) / expected;
  }
  return statistic;
}

double chi_square_limit(size_t categories) {
  const double freedom = static_cast<double>(categories - 1);
  return freedom + 6 * std::sqrt(2 * freedom);
}

std::map<int64_t, int64_t> count_draws(const Distribution& distribution, FuzzMode mode, uint64_t seed, int64_t draws) {
  std::map<int64_t, int64_t> counts;
  ParameterValue value;
  for (int64_t k = 0; k < draws; ++k) {
    // One stream per draw in corrected mode: first draws of neighbouring indices must spread like one long
    // one.
    RandomState state = RandomState::indexed(seed, static_cast<uint64_t>(k));
    distribution.draw(state, mode, value);
    ++counts[std::get<int64_t>(value)];
  }
  return counts;
}

std::map<int64_t, int64_t> count_stream(const Distribution& distribution, FuzzMode mode, int64_t seed, int64_t draws) {
  std::map<int64_t, int64_t> counts;
  ParameterValue value;
  RandomState state = RandomState::numpy(seed);
  for (int64_t k = 0; k < draws; ++k) {
    distribution.draw(state, mode, value);
    ++counts[std::get<int64_t>(value)];
  }
  return counts;
}

constexpr int64_t kDraws = 4000;
constexpr int kSeeds = 25;

void expect_spread(const Distribution& distribution, FuzzMode mode, const std::map<int64_t, double>& probabilities) {
  for (int seed = 0; seed < kSeeds; ++seed) {
    const auto indexed = count_draws(distribution, mode, static_cast<uint64_t>(seed), kDraws);
    EXPECT_LT(chi_square(indexed, probabilities, kDraws), chi_square_limit(probabilities.size()))
        << "indexed, seed " << seed;
    for (const auto& [value, count] : indexed) EXPECT_TRUE(probabilities.contains(value)) << value;
    const auto stream = count_stream(distribution, mode, seed, kDraws);
    EXPECT_LT(chi_square(stream, probabilities, kDraws), chi_square_limit(probabilities.size()))
        << "stream, seed " << seed;
    for (const auto& [value, count] : stream) EXPECT_TRUE(probabilities.contains(value)) << value;
  }
}

TEST(DistributionTest, TableFollowsItsProbabilities) {
  const Distribution table = Distribution::table(
      {{int64_t{1}, 0.8}, {int64_t{2}, 0.06}, {int64_t{4}, 0.06}, {int64_t{8}, 0.04}, {int64_t{16}, 0.04}});
  for (const FuzzMode mode : {FuzzMode::kCompatible, FuzzMode::kCorrected})
    expect_spread(table, mode, {{1, 0.8}, {2, 0.06}, {4, 0.06}, {8, 0.04}, {16, 0.04}});
}

TEST(DistributionTest, UniformIntegersIncludeBothEnds) {
  const Distribution dice = Distribution::uniform(int64_t{-2}, int64_t{7});
  std::map<int64_t, double> even;
  for (int64_t value = -2; value <= 7; ++value) even[value] = 0.1;
  for (const FuzzMode mode : {FuzzMode::kCompatible, FuzzMode::kCorrected}) expect_spread(dice, mode, even);
}

// P(n) = log2((n + 1) / n) / log2((last + 1) / first) in corrected mode; in compatible mode the last value
// never comes.
TEST(DistributionTest, LogUniformIsEvenInTheLogarithm) {
  std::map<int64_t, double> corrected, compatible;
  for (int64_t n = 3; n <= 20; ++n) corrected[n] = std::log2((n + 1.0) / n) / std::log2(21.0 / 3.0);
  for (int64_t n = 3; n < 20; ++n) compatible[n] = std::log2((n + 1.0) / n) / std::log2(20.0 / 3.0);
  expect_spread(Distribution::log_uniform(int64_t{3}, int64_t{20}), FuzzMode::kCorrected, corrected);
  expect_spread(Distribution::log_uniform(int64_t{3}, int64_t{20}), FuzzMode::kCompatible, compatible);
  expect_spread(Distribution::log_uniform(2.5, 20.9), FuzzMode::kCorrected, corrected);
}

TEST(DistributionTest, CompatibleLogUniformGivesABrokenBoundItself) {
  const Distribution distribution = Distribution::log_uniform(2.5, 3.1);
  RandomState state = RandomState::numpy(0);
  ParameterValue value;
  int bounds = 0;
  for (int i = 0; i < 200; ++i) {
    distribution.draw(state, FuzzMode::kCompatible, value);
    if (std::holds_alternative<double>(value)) {
      EXPECT_EQ(std::get<double>(value), 2.5);
      ++bounds;
    } else {
      EXPECT_EQ(std::get<int64_t>(value), 3);
    }
  }
  EXPECT_GT(bounds, 0);
  EXPECT_LT(bounds, 200);
}

TEST(DistributionTest, UniformNumbersStayWithinTheirBounds) {
  const Distribution distribution = Distribution::uniform(int64_t{1}, 1.5);
  RandomState state = RandomState::numpy(9);
  ParameterValue value;
  for (int i = 0; i < 1000; ++i) {
    distribution.draw(state, FuzzMode::kCorrected, value);
    ASSERT_GE(std::get<double>(value), 1.0);
    ASSERT_LT(std::get<double>(value), 1.5);
  }
}

FuzzedParameter table_of(double first, double second) {
  return table_parameter("a", {{int64_t{1}, first}, {int64_t{2}, second}});
}

// PyTorch's check has its sign inverted; every limit here is tried on both sides.
TEST(ParameterTest, ProbabilitiesMustAddUpFromBothSides) {
  EXPECT_NO_THROW(table_of(0.5, 0.5));
  EXPECT_NO_THROW(table_of(0.5, 0.5 + 1e-8));
  EXPECT_NO_THROW(table_of(0.5, 0.5 - 1e-8));
  EXPECT_THROW(table_of(0.5, 0.5 + 2e-8), Error);
  EXPECT_THROW(table_of(0.5, 0.5 - 2e-8), Error);
  expect_usage([] { table_of(0.5, 0.4); }, "parameter 'a': the probabilities add up to 0.9, not to 1");
  expect_usage([] { table_of(0.75, 0.5); }, "parameter 'a': the probabilities add up to 1.25, not to 1");
  expect_usage([] { table_of(1.5, -0.5); },
               "parameter 'a': the probability of 2 is -0.5; it must be a number from 0 to 1");
  expect_usage([] { table_of(NAN, 0.5); },
               "parameter 'a': the probability of 1 is nan; it must be a number from 0 to 1");
  EXPECT_NO_THROW(table_of(1, 0));
}

TEST(ParameterTest, SenselessTablesAndBoundsAreRefusedWithAReason) {
  expect_usage([] { table_parameter("a", {}); },
               "parameter 'a': the table has no entry; give at least one value with probability 1");
  expect_usage(
      [] {
        table_parameter("a", {{int64_t{3}, 0.5}, {int64_t{3}, 0.5}});
      },
      "parameter 'a': the value 3 appears twice in the table");
  expect_usage([] { uniform_parameter("k", int64_t{9}, int64_t{8}); },
               "parameter 'k': the bounds are crossed: minval 9 is above maxval 8");
  EXPECT_NO_THROW(uniform_parameter("k", int64_t{8}, int64_t{8}));
  expect_usage([] { uniform_parameter("k", 0.0, INFINITY); }, "parameter 'k': the bounds 0 and inf must be finite");
  expect_usage([] { log_uniform_parameter("k", int64_t{0}, int64_t{8}); },
               "parameter 'k': minval 0 has no logarithm; a loguniform bound must be above 0");
  EXPECT_NO_THROW(log_uniform_parameter("k", int64_t{1}, int64_t{8}));
  expect_usage([] { log_uniform_parameter("k", 3.2, 3.8); },
               "parameter 'k': no integer is between minval 3.2 and maxval 3.8, and loguniform draws integers");
  expect_usage([] { log_uniform_parameter("k", int64_t{1}, int64_t{1} << 62); },
               "parameter 'k': maxval 4611686018427387904 is too large for loguniform; it must be below 2^62");
  EXPECT_NO_THROW(log_uniform_parameter("k", int64_t{1}, (int64_t{1} << 61)));
  expect_usage([] { uniform_parameter("", int64_t{1}, int64_t{2}); }, "a parameter needs a name");
}

TEST(FuzzModeTest, NamesAreReadBack) {
  EXPECT_EQ(parse_fuzz_mode("compatible"), FuzzMode::kCompatible);
  EXPECT_EQ(parse_fuzz_mode(to_text(FuzzMode::kCorrected)), FuzzMode::kCorrected);
  expect_usage([] { parse_fuzz_mode("fixed"); }, "unknown fuzzer mode 'fixed'; use compatible or corrected");
}

// One value of one recorded call.
Json draw(RandomState& state, const Json& call) {
  const std::string kind = call["fn"];
  if (kind == "random_sample") return state.random_sample();
  if (kind == "uniform") return state.uniform(call["low"], call["high"]);
  if (kind == "normal") return state.normal(call["mean"], call["std"]);
  if (kind == "permutation") return state.permutation(call["size"]);
  if (kind == "randint") {
    // A high of 2^63 fits only unsigned; the last value, high - 1, always fits.
    const uint64_t past_last = call["high"].is_number_unsigned() ? call["high"].get<uint64_t>()
                                                                 : static_cast<uint64_t>(call["high"].get<int64_t>());
    return state.integer(call["low"], static_cast<int64_t>(past_last - 1));
  }
  if (kind == "choice") {
    const std::vector<double> probabilities = call["p"];
    return state.choice(cumulative_probabilities(probabilities));
  }
  EXPECT_EQ(kind, "loguniform");
  const double low = std::log2(call["low"].get<double>()), high = std::log2(call["high"].get<double>());
  return static_cast<int64_t>(std::pow(2.0, state.uniform(low, high)));
}

TEST(NumpyStreamTest, EveryRecordedDraw) {
  int cases = 0;
  for (const Json& golden : load_cases("fuzzer.json")) {
    if (golden["kind"] != "numpy_stream") continue;
    ++cases;
    SCOPED_TRACE(golden["name"]);
    RandomState state = RandomState::numpy(golden["input"]["seed"]);
    const Json& calls = golden["input"]["calls"];
    for (size_t c = 0; c < calls.size(); ++c) {
      const Json& expected = golden["expect"]["results"][c]["values"];
      ASSERT_EQ(expected.size(), calls[c]["n"]);
      for (const Json& value : expected) ASSERT_EQ(draw(state, calls[c]), value) << "call " << c;
    }
  }
  EXPECT_GT(cases, 0);
}

TEST(RandomStateTest, SeedsBeyond32BitsAreRefused) {
  for (const int64_t seed : {int64_t{-1}, int64_t{1} << 32}) {
    try {
      RandomState::numpy(seed);
      FAIL() << "no error for " << seed;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      EXPECT_EQ(std::string(error.what()),
                "seed " + std::to_string(seed) +
                    " is out of range: the compatible mode takes 0 to 4294967295 (numpy's RandomState)");
    }
  }
  RandomState::numpy(4294967295);
}

TEST(RandomStateTest, IndexedStreamsAreIndependentOfEachOtherAndOfOrder) {
  RandomState first = RandomState::indexed(7, 3);
  RandomState second = RandomState::indexed(7, 4);
  RandomState again = RandomState::indexed(7, 3);
  int equal = 0;
  for (int i = 0; i < 1000; ++i) {
    const uint64_t word = first.word64();
    equal += word == second.word64();
    ASSERT_EQ(word, again.word64());
  }
  EXPECT_EQ(equal, 0);
}

// Known answers published with the generator (Random123, kat_vectors: philox4x32, 10 rounds).
TEST(PhiloxTest, KnownAnswers) {
  using Block = std::array<uint32_t, 4>;
  EXPECT_EQ(Philox::block({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(Philox::block({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(Philox::block({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

}  // namespace
}  // namespace icount
