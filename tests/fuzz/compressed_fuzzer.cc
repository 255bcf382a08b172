// libFuzzer target of the gzip, xz and zstd readers: any bytes are unpacked within a bound or refused.
#include <string>

#include "fuzz/fuzz_input.h"
#include "icount/base/compression.h"
#include "icount/base/error.h"

namespace {

using namespace icount;

constexpr size_t kMaxBytes = size_t{1} << 22;
constexpr std::string_view kBase = "what the history had before";

void check_plain(const std::string& plain) {
  ICOUNT_CHECK(plain.size() <= kMaxBytes, "unpacked more than was allowed");
  ICOUNT_CHECK(decompress(compress_gzip(plain), "gzip", kMaxBytes) == plain, "gzip changed the bytes");
  ICOUNT_CHECK(decompress(compress_zstd(plain), "zstd", kMaxBytes) == plain, "zstd changed the bytes");
  ICOUNT_CHECK(decompress_zstd_from(kBase, compress_zstd_from(kBase, plain), "zstd", kMaxBytes) == plain,
               "zstd with a base changed the bytes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes = as_text(data, size);
  if (const auto plain = accepted([&] { return decompress(bytes, "fuzz", kMaxBytes); })) check_plain(*plain);
  if (const auto plain = accepted([&] { return decompress_zstd_from(kBase, bytes, "fuzz", kMaxBytes); }))
    check_plain(*plain);
  return 0;
}
