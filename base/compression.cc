#include "icount/base/compression.h"

#include <fmt/format.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <new>

#include "icount/base/error.h"

namespace icount {
namespace {

constexpr size_t kChunkBytes = size_t{1} << 20;
constexpr size_t kLeastChunkBytes = size_t{1} << 12;
/// Fifteen times what `xz -9` asks of a reader; the format allows a file of a few bytes to ask for 4 GiB and more.
constexpr uint64_t kXzMemoryBytes = uint64_t{1} << 30;

[[noreturn]] void fail(std::string_view name, std::string_view what) {
  throw Error(ErrorKind::kMalformed, fmt::format("{}: {}", name, what));
}

/// What a library made, with what frees it; libraries return null when there is no memory.
template <typename Made>
std::unique_ptr<Made, size_t (*)(Made*)> owned(Made* made, size_t (*free)(Made*)) {
  if (!made) throw std::bad_alloc();
  return {made, free};
}

/// A failure of zstd, which says as well that it had no memory: nothing is known of the data then.
[[noreturn]] void fail_in_zstd(size_t status, std::string_view name) {
  if (ZSTD_getErrorCode(status) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  fail(name, fmt::format("damaged zstd data ({})", ZSTD_getErrorName(status)));
}

void append_bounded(std::string& out, const std::string& chunk, size_t n, size_t max_bytes, std::string_view name) {
  if (out.size() + n > max_bytes)
    fail(name, fmt::format("unpacks to more than {} bytes; if that is right, unpack it yourself first", max_bytes));
  out.append(chunk, 0, n);
}

std::string decompress_gzip(std::string_view bytes, std::string_view name, size_t max_bytes) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) throw std::bad_alloc();  // the one way in which it fails
  std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);
  std::string out, chunk(kChunkBytes, '\0');
  size_t at = 0;
  int status = Z_OK;
  stream.avail_in = 0;
  while (true) {
    if (stream.avail_in == 0 && at < bytes.size()) {
      const size_t n = std::min(bytes.size() - at, kChunkBytes);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + at));
      stream.avail_in = static_cast<uInt>(n);
      at += n;
    }
    stream.next_out = reinterpret_cast<Bytef*>(chunk.data());
    stream.avail_out = static_cast<uInt>(chunk.size());
    status = inflate(&stream, Z_NO_FLUSH);
    append_bounded(out, chunk, chunk.size() - stream.avail_out, max_bytes, name);
    if (status == Z_STREAM_END) {
      if (stream.avail_in == 0 && at == bytes.size()) return out;
      if (inflateReset(&stream) != Z_OK) fail(name, "damaged gzip data");
    } else if (status == Z_BUF_ERROR && stream.avail_in == 0 && at == bytes.size()) {
      fail(name, "truncated gzip data");
    } else if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      fail(name, "damaged gzip data");
    }
  }
}

std::string decompress_xz(std::string_view bytes, std::string_view name, size_t max_bytes) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, kXzMemoryBytes, LZMA_CONCATENATED) != LZMA_OK) throw std::bad_alloc();
  std::unique_ptr<lzma_stream, void (*)(lzma_stream*)> guard(&stream, lzma_end);
  std::string out, chunk(kChunkBytes, '\0');
  stream.next_in = reinterpret_cast<const uint8_t*>(bytes.data());
  stream.avail_in = bytes.size();
  while (true) {
    stream.next_out = reinterpret_cast<uint8_t*>(chunk.data());
    stream.avail_out = chunk.size();
    const lzma_ret status = lzma_code(&stream, LZMA_FINISH);
    append_bounded(out, chunk, chunk.size() - stream.avail_out, max_bytes, name);
    if (status == LZMA_STREAM_END) return out;
    if (status == LZMA_MEM_ERROR) throw std::bad_alloc();
    if (status == LZMA_BUF_ERROR) fail(name, "truncated xz data");
    if (status == LZMA_MEMLIMIT_ERROR)
      fail(name, fmt::format("xz data that needs more than {} bytes of memory to unpack", kXzMemoryBytes));
    if (status != LZMA_OK) fail(name, "damaged xz data");
  }
}

std::string decompress_zstd(std::string_view bytes, std::string_view name, size_t max_bytes) {
  const auto stream = owned(ZSTD_createDStream(), ZSTD_freeDStream);
  // A store has thousands of texts of a few hundred bytes: room for a whole chunk costs more than unpacking them. What
  // the first frame says of its size is a hint; a size that is unknown or damaged is a very large number.
  const unsigned long long said = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  std::string out, chunk(std::clamp<unsigned long long>(said, kLeastChunkBytes, kChunkBytes), '\0');
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  while (true) {
    ZSTD_outBuffer piece{chunk.data(), chunk.size(), 0};
    const size_t pending = ZSTD_decompressStream(stream.get(), &piece, &in);
    if (ZSTD_isError(pending)) fail_in_zstd(pending, name);
    append_bounded(out, chunk, piece.pos, max_bytes, name);
    if (in.pos < in.size) continue;
    // Asked again behind its end, a frame that filled the chunk would look as if another one were to come.
    if (pending == 0) return out;
    if (piece.pos < piece.size) fail(name, "truncated zstd data");
  }
}

/// One frame with its size and, against damage that still unpacks, a checksum.
std::string compress_frame(ZSTD_CCtx* context, std::string_view bytes) {
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const size_t n = ZSTD_compress2(context, out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  if (ZSTD_isError(n)) throw Error(ErrorKind::kIo, fmt::format("zstd: {}", ZSTD_getErrorName(n)));
  out.resize(n);
  return out;
}

}  // namespace

Compression detect_compression(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\x1f\x8b"sv)) return Compression::kGzip;
  if (bytes.starts_with("\xfd"
                        "7zXZ\0"sv))
    return Compression::kXz;
  if (bytes.starts_with("\x28\xb5\x2f\xfd"sv)) return Compression::kZstd;
  return Compression::kNone;
}

size_t most_unpacked_bytes(size_t packed_bytes) {
  constexpr size_t kInAnyCase = size_t{64} << 20, kTimes = 100;
  return std::max(kInAnyCase, packed_bytes * kTimes);
}

std::string decompress(std::string_view bytes, std::string_view name, size_t max_bytes) {
  switch (detect_compression(bytes)) {
    case Compression::kGzip:
      return decompress_gzip(bytes, name, max_bytes);
    case Compression::kXz:
      return decompress_xz(bytes, name, max_bytes);
    case Compression::kZstd:
      return decompress_zstd(bytes, name, max_bytes);
    case Compression::kNone:
      break;
  }
  return std::string(bytes);
}

std::string compress_gzip(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, deflateEnd);
  std::string out, chunk(kChunkBytes, '\0');
  for (int status = Z_OK; status != Z_STREAM_END;) {
    if (stream.avail_in == 0 && !bytes.empty()) {
      const size_t n = std::min(bytes.size(), kChunkBytes);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      stream.avail_in = static_cast<uInt>(n);
      bytes.remove_prefix(n);
    }
    stream.next_out = reinterpret_cast<Bytef*>(chunk.data());
    stream.avail_out = static_cast<uInt>(chunk.size());
    status = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    out.append(chunk, 0, chunk.size() - stream.avail_out);
  }
  return out;
}

std::string compress_zstd(std::string_view bytes, int level) {
  const auto context = owned(ZSTD_createCCtx(), ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
  return compress_frame(context.get(), bytes);
}

std::string compress_zlib(std::string_view bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  const int status =
      compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION);
  if (status == Z_MEM_ERROR) throw std::bad_alloc();
  if (status != Z_OK) throw Error(ErrorKind::kIo, fmt::format("zlib: {}", zError(status)));
  out.resize(size);
  return out;
}

std::string compress_zstd_from(std::string_view base, std::string_view bytes, int level) {
  const auto context = owned(ZSTD_createCCtx(), ZSTD_freeCCtx);
  // The window must reach back over all of the base, or its start is not found again.
  const int window = std::clamp(static_cast<int>(std::bit_width(base.size() + bytes.size())), 10, 30);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_windowLog, window);
  ZSTD_CCtx_refPrefix(context.get(), base.data(), base.size());
  return compress_frame(context.get(), bytes);
}

std::string decompress_zstd_from(std::string_view base, std::string_view bytes, std::string_view name,
                                 size_t max_bytes) {
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
    fail(name, "damaged zstd data (no frame with a size)");
  if (size > max_bytes) fail(name, fmt::format("unpacks to more than {} bytes", max_bytes));
  const auto context = owned(ZSTD_createDCtx(), ZSTD_freeDCtx);
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, 30);
  ZSTD_DCtx_refPrefix(context.get(), base.data(), base.size());
  std::string out(size, '\0');
  const size_t n = ZSTD_decompressDCtx(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(n)) fail_in_zstd(n, name);
  if (n != size) fail(name, "damaged zstd data (too short)");
  return out;
}

}  // namespace icount
