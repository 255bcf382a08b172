// Variable-length numbers and strings in a byte buffer: the alphabet of store/cost_graph_blob. Reading never runs past
// the end: a short or malformed buffer is an Error{kMalformed}.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace icount {

/// Appends to a string.
class ByteWriter {
 public:
  void put_bytes(std::string_view bytes) { bytes_ += bytes; }
  /// LEB128, seven bits a byte.
  void put_unsigned(uint64_t value);
  /// Zigzag, then as put_unsigned: small magnitudes stay short whatever their sign.
  void put_signed(int64_t value);
  /// Length, then bytes.
  void put_text(std::string_view text);
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads what ByteWriter wrote; `name` begins the message of every Error.
class ByteReader {
 public:
  ByteReader(std::string_view bytes, std::string_view name) : bytes_(bytes), name_(name) {}
  std::string_view take_bytes(uint64_t count);
  uint64_t take_unsigned();
  int64_t take_signed();
  std::string_view take_text() { return take_bytes(take_unsigned()); }
  /// A number of entries of at least `bytes_each` bytes that still have to come; refused when the rest can't hold them.
  size_t take_count(size_t bytes_each = 1);
  bool at_end() const { return at_ == bytes_.size(); }
  [[noreturn]] void fail(std::string_view what) const;

 private:
  std::string_view bytes_;
  std::string_view name_;
  size_t at_ = 0;
};

}  // namespace icount
