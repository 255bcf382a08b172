#include "icount/store/byte_stream.h"

#include <algorithm>

#include "icount/base/error.h"
#include "icount/base/text.h"

namespace icount {

std::string to_hex_bytes(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex = "\\x";
  hex.reserve(2 + 2 * bytes.size());
  for (const unsigned char byte : bytes) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

std::string from_hex_bytes(std::string_view hex) {
  const auto digit = [](char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); };
  std::string bytes;
  bytes.reserve(hex.size() / 2);
  for (size_t i = 2; i + 1 < hex.size(); i += 2) bytes += static_cast<char>(digit(hex[i]) << 4 | digit(hex[i + 1]));
  return bytes;
}

void ByteWriter::put_unsigned(uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
  bytes_ += static_cast<char>(value);
}

void ByteWriter::put_signed(int64_t value) {
  const auto bits = static_cast<uint64_t>(value);
  put_unsigned((bits << 1) ^ (value < 0 ? ~uint64_t{0} : 0));
}

void ByteWriter::put_text(std::string_view text) {
  put_unsigned(text.size());
  put_bytes(text);
}

std::string_view ByteReader::take_bytes(uint64_t count) {
  if (count > bytes_.size() - at_) fail("ends in the middle of an entry");
  const std::string_view bytes = bytes_.substr(at_, count);
  at_ += count;
  return bytes;
}

uint64_t ByteReader::take_unsigned() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(take_bytes(1)[0]);
    if (shift == 63 && byte > 1) break;
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  fail("holds a number of more than 64 bits");
}

int64_t ByteReader::take_signed() {
  const uint64_t bits = take_unsigned();
  return static_cast<int64_t>((bits >> 1) ^ (bits & 1 ? ~uint64_t{0} : 0));
}

size_t ByteReader::take_count(size_t bytes_each) {
  const uint64_t count = take_unsigned();
  if (count > (bytes_.size() - at_) / bytes_each) fail("promises more entries than it holds");
  return count;
}

void ByteReader::fail(std::string_view what) const {
  throw Error(ErrorKind::kMalformed, std::string(name_) + ": " + std::string(what));
}

NumberedStrings number_strings(const StringPool& pool, std::vector<bool> used) {
  used[kEmptyString] = true;
  std::vector<StringId> ids;
  for (StringId id = 0; id < used.size(); ++id)
    if (used[id]) ids.push_back(id);
  std::sort(ids.begin(), ids.end(), [&](StringId a, StringId b) { return pool.view(a) < pool.view(b); });
  NumberedStrings numbered;
  numbered.number.assign(pool.size(), 0);
  for (StringId id : ids) {
    numbered.number[id] = static_cast<uint32_t>(numbered.strings.size());
    numbered.strings.push_back(pool.view(id));
  }
  return numbered;
}

void put_strings(ByteWriter& out, const std::vector<std::string_view>& sorted) {
  out.put_unsigned(sorted.size() - 1);
  std::string_view above;
  for (std::string_view text : std::span(sorted).subspan(1)) {
    const size_t shared = common_prefix(above, text);
    out.put_unsigned(shared);
    out.put_text(text.substr(shared));
    above = text;
  }
}

size_t take_strings(ByteReader& in, StringPool& pool, size_t max_bytes) {
  constexpr size_t kMaxLength = size_t{1} << 20;
  const size_t count = in.take_count(2);
  std::string text;
  size_t total = 0;
  for (size_t i = 1; i <= count; ++i) {
    const uint64_t shared = in.take_unsigned();
    const std::string_view rest = in.take_text();
    if (shared > text.size() || shared + rest.size() > kMaxLength) in.fail("a name is out of bounds");
    text.resize(shared);
    text += rest;
    total += text.size();
    if (total > max_bytes) in.fail("its names unpack to too many bytes");
    if (pool.intern(text) != i) in.fail("a name occurs twice");
  }
  return count + 1;
}

void put_costs(ByteWriter& out, const std::vector<uint32_t>& order, std::span<const int64_t> costs, size_t events) {
  for (size_t e = 0; e < events; ++e)
    for (const uint32_t i : order) out.put_signed(costs[i * events + e]);
}

std::vector<int64_t> take_costs(ByteReader& in, size_t count, size_t events) {
  std::vector<int64_t> costs(count * events);
  for (size_t e = 0; e < events; ++e)
    for (size_t i = 0; i < count; ++i) costs[i * events + e] = in.take_signed();
  return costs;
}

}  // namespace icount
