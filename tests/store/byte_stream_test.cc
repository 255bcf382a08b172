// Numbers and texts in bytes, columns and names made of them, and bytes as hex digits.
#include "icount/store/byte_stream.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/error_of.h"

namespace icount {
namespace {

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min(), kMost = std::numeric_limits<int64_t>::max();

std::string signed_bytes(int64_t value) {
  ByteWriter out;
  out.put_signed(value);
  return out.take();
}
std::string unsigned_bytes(uint64_t value) {
  ByteWriter out;
  out.put_unsigned(value);
  return out.take();
}

TEST(ByteStreamTest, SmallMagnitudesAreShortWhateverTheirSign) {
  EXPECT_EQ(signed_bytes(0), std::string("\0", 1));
  EXPECT_EQ(signed_bytes(-1), "\x01");
  EXPECT_EQ(signed_bytes(1), "\x02");
  EXPECT_EQ(signed_bytes(-64), "\x7F");
  EXPECT_EQ(signed_bytes(64), "\x80\x01");
  EXPECT_EQ(unsigned_bytes(127), "\x7F");
  EXPECT_EQ(unsigned_bytes(128), "\x80\x01");
  EXPECT_EQ(unsigned_bytes(~uint64_t{0}).size(), 10u);
}

TEST(ByteStreamTest, WhatWasWrittenIsRead) {
  const std::vector<int64_t> values = {0,       1,          -1,    63,     -64,       64,
                                       1 << 20, -(1 << 20), kMost, kLeast, kMost - 1, kLeast + 1};
  ByteWriter out;
  for (const int64_t value : values) out.put_signed(value);
  out.put_text("text");
  out.put_text("");
  out.put_unsigned(~uint64_t{0});
  const std::string bytes = out.take();
  ByteReader in(bytes, "x");
  for (const int64_t value : values) EXPECT_EQ(in.take_signed(), value);
  EXPECT_EQ(in.take_text(), "text");
  EXPECT_FALSE(in.at_end());
  EXPECT_EQ(in.take_text(), "");
  EXPECT_EQ(in.take_unsigned(), ~uint64_t{0});
  EXPECT_TRUE(in.at_end());
}

TEST(ByteStreamTest, AShortOrOverlongBufferIsRefused) {
  const auto error = [](std::string_view bytes, auto take) {
    return error_of(ErrorKind::kMalformed, [&] {
      ByteReader in(bytes, "x.blob");
      take(in);
    });
  };
  const auto number = [](ByteReader& in) { in.take_unsigned(); };
  const auto text = [](ByteReader& in) { in.take_text(); };
  EXPECT_EQ(error("", number), "x.blob: ends in the middle of an entry");
  EXPECT_EQ(error("\x80", number), "x.blob: ends in the middle of an entry");
  EXPECT_EQ(error("\x03"
                  "ab",
                  text),
            "x.blob: ends in the middle of an entry");
  EXPECT_EQ(error(std::string(9, '\xFF') + "\x02", number), "x.blob: holds a number of more than 64 bits");
  EXPECT_EQ(error(std::string(9, '\xFF') + "\x81", number), "x.blob: holds a number of more than 64 bits");
  EXPECT_EQ(error(std::string(9, '\xFF') + "\x01", number), "no error");
}

TEST(ByteStreamTest, ACountHasToHaveRoom) {
  const auto count = [](std::string_view bytes, size_t each) {
    ByteReader in(bytes, "x");
    return in.take_count(each);
  };
  EXPECT_EQ(count("\x02..", 1), 2u);
  EXPECT_EQ(count("\x02....", 2), 2u);
  EXPECT_EQ(count(std::string_view("\0", 1), 8), 0u);
  EXPECT_EQ(error_of([&] { count("\x03..", 1); }), "x: promises more entries than it holds");
  EXPECT_EQ(error_of([&] { count("\x02...", 2); }), "x: promises more entries than it holds");
}

TEST(PackedTablesTest, StringsAreNumberedByName) {
  StringPool pool;
  for (const std::string_view name : {"walk", "unused", "lex", "lexer"}) pool.intern(name);
  const NumberedStrings numbered = number_strings(pool, {false, true, false, true, true});
  EXPECT_EQ(numbered.strings, (std::vector<std::string_view>{"", "lex", "lexer", "walk"}));
  EXPECT_EQ(numbered.number, (std::vector<uint32_t>{0, 3, 0, 1, 2}));
  ByteWriter out;
  put_strings(out, numbered.strings);
  const std::string bytes = out.take();
  EXPECT_EQ(bytes.size(), 1 + (2 + 3) + (2 + 2) + (2 + 4)) << "lexer shares three bytes with lex";
  StringPool read;
  ByteReader in(bytes, "x");
  EXPECT_EQ(take_strings(in, read), 4u);
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(read.view(2), "lexer");
}

std::string names_error(std::string_view bytes, size_t max_bytes = 1000) {
  return error_of([&] {
    StringPool pool;
    ByteReader in(bytes, "x");
    take_strings(in, pool, max_bytes);
  });
}

TEST(PackedTablesTest, DamagedNamesAreRefused) {
  EXPECT_EQ(names_error(std::string("\1\0\1a", 4)), "no error");
  EXPECT_EQ(names_error(std::string("\1\1\1a", 4)), "x: a name is out of bounds")
      << "there is none above to share with";
  EXPECT_EQ(names_error(std::string("\2\0\1a\0\1a", 7)), "x: a name occurs twice");
  EXPECT_EQ(names_error(std::string("\1\0\0", 3)), "x: a name occurs twice") << "the empty one is always there";
  EXPECT_EQ(names_error(std::string("\2\0\2ab\2\1c", 8), 5), "no error") << "ab and abc";
  EXPECT_EQ(names_error(std::string("\2\0\2ab\2\1c", 8), 4), "x: its names unpack to too many bytes");
}

TEST(PackedTablesTest, AColumnIsDifferences) {
  const std::vector<uint32_t> order = {2, 0, 1}, values = {7, 3, 5};
  ByteWriter out;
  put_column(out, order, [&](uint32_t i) { return values[i]; });
  const std::string bytes = out.take();
  EXPECT_EQ(bytes, "\x0A\x04\x07") << "5, 2 more, 4 less";
  const auto read = [&](size_t limit) {
    std::vector<uint32_t> found(3);
    ByteReader in(bytes, "x");
    take_column(in, 3, limit, [&](size_t i, uint32_t number) { found[i] = number; });
    return found;
  };
  EXPECT_EQ(read(8), (std::vector<uint32_t>{5, 7, 3}));
  EXPECT_EQ(error_of([&] { read(7); }), "x: an index is out of range");
}

TEST(PackedTablesTest, AColumnBelowNothingOrBeyondAllIsRefused) {
  const auto error = [](std::vector<int64_t> differences) {
    ByteWriter out;
    for (const int64_t difference : differences) out.put_signed(difference);
    const std::string bytes = out.take();
    return error_of([&] {
      ByteReader in(bytes, "x");
      take_column(in, differences.size(), 10, [](size_t, uint32_t) {});
    });
  };
  EXPECT_EQ(error({0, 9}), "no error");
  EXPECT_EQ(error({-1}), "x: an index is out of range");
  EXPECT_EQ(error({1, kMost}), "x: an index is out of range");
}

TEST(PackedTablesTest, CostsAreAColumnForEachEvent) {
  const std::vector<int64_t> costs = {1, 10, 2, 20, 3, 30};
  ByteWriter out;
  put_costs(out, {2, 0}, costs, 2);
  const std::string bytes = out.take();
  EXPECT_EQ(bytes, std::string("\x06\x02\x3C\x14"));
  ByteReader in(bytes, "x");
  EXPECT_EQ(take_costs(in, 2, 2), (std::vector<int64_t>{3, 30, 1, 10}));
}

TEST(HexBytesTest, AsPostgresqlHasThem) {
  EXPECT_EQ(to_hex_bytes(std::string("\n\x1b\xff\0", 4)), "\\x0a1bff00");
  EXPECT_EQ(from_hex_bytes("\\x0a1bff00"), std::string("\n\x1b\xff\0", 4));
  EXPECT_EQ(to_hex_bytes(""), "\\x");
  EXPECT_EQ(from_hex_bytes("\\x"), "");
  EXPECT_EQ(from_hex_bytes("\\x0a1"), "\n") << "an odd last digit";
}

}  // namespace
}  // namespace icount
