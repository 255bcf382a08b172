// Plain bytes from gzip, xz and zstd, and back for gzip and zstd: profiles are stored compressed, and the history keeps
// cost graphs that way. The kind is found by the first bytes, never by the file's name.
#pragma once

#include <string>
#include <string_view>

namespace icount {

enum class Compression { kNone, kGzip, kXz, kZstd };

/// By magic bytes; kNone for anything else, an empty input included.
Compression detect_compression(std::string_view bytes);

/// The plain bytes; several concatenated members are joined. Error{kMalformed} beginning with `name` for damaged or
/// truncated data, and when the result would pass `max_bytes` (a bound against decompression bombs).
std::string decompress(std::string_view bytes, std::string_view name, size_t max_bytes = size_t{16} << 30);

/// What a packed file from anywhere may unpack to: a hundred times its size (profiles have ten to thirty times), and
/// 64 MiB in any case. Three megabytes of zeros would take three gigabytes of memory.
size_t most_unpacked_bytes(size_t packed_bytes);

/// One gzip member without a time stamp: equal bytes in, equal bytes out.
std::string compress_gzip(std::string_view bytes);

/// One zstd frame; `level` 1 to 19.
std::string compress_zstd(std::string_view bytes, int level = 3);

/// One zlib stream (RFC 1950) at the best level: what browsers unpack as "deflate".
std::string compress_zlib(std::string_view bytes);

/// One zstd frame in which what `base` holds already costs next to nothing; only decompress_zstd_from with the same
/// base reads it.
std::string compress_zstd_from(std::string_view base, std::string_view bytes, int level = 9);

/// What compress_zstd_from took. Error{kMalformed} beginning with `name` for damaged data, and when the result would
/// pass `max_bytes`. Another base is not always noticed: compare a hash.
std::string decompress_zstd_from(std::string_view base, std::string_view bytes, std::string_view name,
                                 size_t max_bytes);

}  // namespace icount
