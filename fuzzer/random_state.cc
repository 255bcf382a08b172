#include "icount/fuzzer/random_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "icount/base/error.h"

namespace icount {

std::array<uint32_t, 4> Philox::block(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  constexpr uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  constexpr uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = kMultiplier0 * counter[0];
    const uint64_t product1 = kMultiplier1 * counter[2];
    counter = {high(product1) ^ counter[1] ^ key[0], low(product1), high(product0) ^ counter[3] ^ key[1],
               low(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

uint32_t Philox::operator()() {
  if (used_ == 4) {
    words_ = block({low(block_number_), high(block_number_), low(index_), high(index_)}, key_);
    ++block_number_;
    used_ = 0;
  }
  return words_[used_++];
}

namespace {

constexpr uint64_t kAllOf32 = std::numeric_limits<uint32_t>::max();
constexpr uint64_t kAllOf64 = std::numeric_limits<uint64_t>::max();

}  // namespace

RandomState RandomState::numpy(int64_t seed) {
  if (seed < 0 || seed > static_cast<int64_t>(kAllOf32))
    throw Error(ErrorKind::kUsage,
                fmt::format("seed {} is out of range: the compatible mode takes 0 to {} (numpy's RandomState)", seed,
                            kAllOf32));
  return RandomState(std::mt19937(static_cast<uint32_t>(seed)));
}

uint32_t RandomState::word() {
  if (auto* twister = std::get_if<std::mt19937>(&engine_)) return static_cast<uint32_t>((*twister)());
  return std::get<Philox>(engine_)();
}

uint64_t RandomState::word64() {
  const uint64_t high = word();
  return high << 32 | word();
}

double RandomState::random_sample() {
  const uint32_t high = word() >> 5;
  const uint32_t low = word() >> 6;
  return (high * 67108864.0 + low) / 9007199254740992.0;  // 2^26, 2^53
}

uint64_t RandomState::bounded(uint64_t last) {
  const uint64_t mask = kAllOf64 >> std::countl_zero(last);
  while (true) {
    const uint64_t candidate = (last <= kAllOf32 ? word() : word64()) & mask;
    if (candidate <= last) return candidate;
  }
}

int64_t RandomState::integer(int64_t low, int64_t last) {
  ICOUNT_CHECK(low <= last, "no integer in an empty range");
  const uint64_t range = static_cast<uint64_t>(last) - static_cast<uint64_t>(low);
  const uint64_t offset = range == 0 ? 0 : bounded(range);
  return static_cast<int64_t>(static_cast<uint64_t>(low) + offset);
}

size_t RandomState::choice(std::span<const double> cumulative) {
  const double drawn = random_sample();
  const auto found = std::upper_bound(cumulative.begin(), cumulative.end(), drawn);
  return static_cast<size_t>(found - cumulative.begin());
}

std::vector<int64_t> RandomState::permutation(int64_t size) {
  std::vector<int64_t> order(static_cast<size_t>(size));
  std::iota(order.begin(), order.end(), 0);
  for (int64_t i = size - 1; i > 0; --i) {
    const uint64_t other = bounded(static_cast<uint64_t>(i));
    std::swap(order[static_cast<size_t>(i)], order[other]);
  }
  return order;
}

double RandomState::normal(double mean, double deviation) {
  if (has_gaussian_) {
    has_gaussian_ = false;
    return mean + deviation * gaussian_;
  }
  double x, y, square;
  do {
    x = 2.0 * random_sample() - 1.0;
    y = 2.0 * random_sample() - 1.0;
    square = x * x + y * y;
  } while (square >= 1.0 || square == 0.0);
  const double factor = std::sqrt(-2.0 * std::log(square) / square);
  gaussian_ = factor * x;
  has_gaussian_ = true;
  return mean + deviation * (factor * y);
}

std::vector<double> cumulative_probabilities(std::span<const double> probabilities) {
  std::vector<double> sums(probabilities.size());
  std::partial_sum(probabilities.begin(), probabilities.end(), sums.begin());
  const double total = sums.empty() ? 1.0 : sums.back();
  for (double& sum : sums) sum /= total;
  return sums;
}

}  // namespace icount
