#include "icount/fuzzer/random_state.h"

#include <gtest/gtest.h>

#include <cmath>

#include "icount/base/error.h"
#include "support/golden.h"

namespace icount {
namespace {

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
