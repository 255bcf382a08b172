// Content hashes: cache keys and identities of stored cost graphs. Equal on every machine and in every process;
// not meant against adversaries.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace icount {

/// XXH3, 128 bits, as 32 lower-case hex digits.
std::string content_hash(std::string_view bytes);

/// XXH3, 64 bits.
uint64_t hash64(std::string_view bytes);

}  // namespace icount
