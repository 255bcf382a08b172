// Every codec at the sizes where its loop ends (empty, a chunk and one byte either side, powers of two), joined
// members, and files cut off at any place.
#include "icount/base/compression.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "support/error_of.h"

namespace icount {
namespace {

constexpr size_t kChunk = size_t{1} << 20;  // of base/compression.cc

/// No two lines alike, and yet packed in no time.
std::string make_text(size_t bytes) {
  std::string text;
  text.reserve(bytes + 20);
  while (text.size() < bytes) text += std::string(300, '+') + std::to_string(text.size()) + "\n";
  text.resize(bytes);
  return text;
}

/// What a tool writes for `text`; the flags are those that its users know.
std::string pack_with(const std::string& tool, const std::string& text) {
  const ScratchDir dir;
  save_file(dir.path() / "plain", text);
  ProcessSpec spec;
  spec.argv = {"sh", "-c", tool + " -c plain > packed"};
  spec.working_dir = dir.path();
  EXPECT_TRUE(run_process(spec).ok()) << tool;
  return load_text(dir.path() / "packed");
}

const std::map<std::string, std::function<std::string(const std::string&)>>& codecs() {
  static const std::map<std::string, std::function<std::string(const std::string&)>> all = {
      {"gzip", [](const std::string& text) { return compress_gzip(text); }},
      {"xz", [](const std::string& text) { return pack_with("xz -0", text); }},
      {"zstd", [](const std::string& text) { return compress_zstd(text, 1); }},
  };
  return all;
}

TEST(CompressionTest, EverySizeAroundAChunkComesBack) {
  const std::string longest = make_text(2 * kChunk + 1);
  for (const auto& [name, pack] : codecs())
    for (const size_t size : {size_t{0}, size_t{1}, kChunk / 2, kChunk - 1, kChunk, kChunk + 1, 2 * kChunk - 1,
                              2 * kChunk, 2 * kChunk + 1}) {
      const std::string text = longest.substr(0, size);
      const std::string packed = pack(text);
      EXPECT_TRUE(decompress(packed, name) == text) << name << " of " << size << " bytes";
    }
}

TEST(CompressionTest, EveryPowerOfTwoComesBack) {
  const std::string longest = make_text(size_t{1} << 21);
  for (int power = 0; power <= 21; ++power) {
    const std::string text = longest.substr(0, size_t{1} << power);
    EXPECT_TRUE(decompress(compress_gzip(text), "gzip") == text) << power;
    EXPECT_TRUE(decompress(compress_zstd(text), "zstd") == text) << power;
    EXPECT_TRUE(decompress_zstd_from("base", compress_zstd_from("base", text, 1), "difference", kChunk * 4) == text)
        << power;
  }
}

TEST(CompressionTest, MembersAreJoinedWhereverTheyEnd) {
  for (const auto& [name, pack] : codecs())
    for (const size_t size : {size_t{0}, size_t{5}, kChunk, kChunk + 1}) {
      const std::string text = make_text(size);
      const std::string packed = pack(text);
      EXPECT_TRUE(decompress(packed + packed + packed, name) == text + text + text) << name << " of " << size;
      const std::string longer = make_text(kChunk + 7);
      EXPECT_TRUE(decompress(packed + pack(longer), name) == text + longer) << name << " of " << size << " and more";
    }
}

TEST(CompressionTest, AFileCutOffAnywhereIsTruncated) {
  for (const auto& [name, pack] : codecs()) {
    const std::string packed = pack(make_text(700));
    const std::string large = pack(make_text(kChunk));
    for (size_t length = 6; length < packed.size(); ++length)
      EXPECT_EQ(error_of(ErrorKind::kMalformed, [&] { decompress(packed.substr(0, length), "f"); }),
                "f: truncated " + name + " data")
          << "after " << length << " of " << packed.size();
    for (size_t cut = 1; cut < 20; ++cut)
      EXPECT_NE(error_of([&] { decompress(large.substr(0, large.size() - cut), "f"); }).find("truncated"),
                std::string::npos)
          << name << ": " << cut << " bytes before its end";
    for (size_t cut = 1; cut < packed.size() - 6; ++cut)
      EXPECT_NE(error_of([&] { decompress(packed + packed.substr(0, packed.size() - cut), "f"); }), "no error")
          << name << ": second member, " << cut << " bytes before its end";
  }
}

TEST(CompressionTest, DamageThatStillUnpacksIsNoticed) {
  for (const auto& [name, pack] : codecs()) {
    const std::string text = make_text(2000);
    const std::string packed = pack(text);
    for (size_t at = 0; at < packed.size(); ++at) {
      std::string damaged = packed;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
      if (detect_compression(damaged) == Compression::kNone) continue;  // read as plain text, and refused as that
      std::string back = "refused";
      error_of([&] { back = decompress(damaged, "f"); });
      EXPECT_TRUE(back == "refused" || back == text) << name << ": byte " << at;
    }
  }
}

TEST(CompressionTest, ADifferenceWithoutItsBaseIsDamaged) {
  const std::string base = make_text(5000), text = base.substr(0, 4000) + "changed" + base.substr(4000);
  const std::string difference = compress_zstd_from(base, text, 3);
  EXPECT_TRUE(decompress_zstd_from(base, difference, "d", 10000) == text);
  const auto refused = [&](std::string_view of, std::string_view bytes, size_t most) {
    return error_of(ErrorKind::kMalformed, [&] { decompress_zstd_from(of, bytes, "d", most); });
  };
  EXPECT_TRUE(refused(base.substr(0, base.size() - 1), difference, 10000).starts_with("d: damaged zstd data ("))
      << "another base";
  EXPECT_EQ(refused(base, difference, 4000), "d: unpacks to more than 4000 bytes");
  EXPECT_EQ(refused(base, "no frame", 10000), "d: damaged zstd data (no frame with a size)");
  EXPECT_TRUE(refused(base, difference.substr(0, difference.size() - 1), 10000).starts_with("d: damaged zstd data ("));
}

TEST(CompressionTest, WhatUnpacksToMoreThanIsAllowedIsRefused) {
  for (const auto& codec : codecs()) {
    const std::string packed = codec.second(make_text(3000));
    EXPECT_EQ(error_of(ErrorKind::kMalformed, [&] { decompress(packed, "f", 2999); }),
              "f: unpacks to more than 2999 bytes; if that is right, unpack it yourself first")
        << codec.first;
  }
}

TEST(CompressionTest, AnEmptyFileIsPlain) { EXPECT_EQ(decompress("", "f"), ""); }

}  // namespace
}  // namespace icount
