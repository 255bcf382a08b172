#include "icount/fuzzer/word_engine.h"

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

}  // namespace icount
