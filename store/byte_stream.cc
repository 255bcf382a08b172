#include "icount/store/byte_stream.h"

#include "icount/base/error.h"

namespace icount {

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

}  // namespace icount
