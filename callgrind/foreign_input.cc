#include "icount/callgrind/foreign_input.h"

#include <fmt/format.h>

#include "icount/base/compression.h"

namespace icount {
namespace {

std::string_view compression_name(std::string_view bytes) {
  switch (detect_compression(bytes)) {
    case Compression::kGzip:
      return "gzip";
    case Compression::kXz:
      return "xz";
    case Compression::kZstd:
      return "zstd";
    case Compression::kNone:
      break;
  }
  return bytes.starts_with("BZh") ? "bzip2" : std::string_view();
}

}  // namespace

void refuse_other_formats(std::string_view bytes, const ParseReport& report) {
  if (bytes.empty()) report.fail(bytes.data(), "empty file; the process may have called exec or been killed");
  if (const auto packed = compression_name(bytes); !packed.empty())
    report.fail(bytes.data(), fmt::format("{} data; decompress first", packed));
}

void refuse_nul(std::string_view piece, std::string_view bytes, const ParseReport& report) {
  const size_t nul = piece.find('\0');
  if (nul == std::string_view::npos) return;
  if (!has_events_line(bytes)) fail_without_events(bytes, report);
  report.fail(piece.data() + nul, "NUL byte");
}

bool has_events_line(std::string_view bytes) {
  return bytes.starts_with("events:") || bytes.find("\nevents:") != std::string_view::npos;
}

void fail_without_events(std::string_view bytes, const ParseReport& report) {
  report.fail(bytes.data(), fmt::format("no events: line; not a callgrind or cachegrind file; it begins with \"{}\"",
                                        ParseReport::quote(bytes)));
}

}  // namespace icount
