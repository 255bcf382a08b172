// Variable-length numbers and strings in a byte buffer: the alphabet of store/cost_graph_blob. Reading never runs past
// the end: a short or malformed buffer is an Error{kMalformed}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/string_pool.h"

namespace icount {

/// "\n\x1b" -> "\x0a1b".
std::string to_hex_bytes(std::string_view bytes);

/// Back again; the first two characters are passed over, an odd last digit is left out.
std::string from_hex_bytes(std::string_view hex);

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

// Tables of numbers and names as the packed forms of store/ hold them: columns of differences, costs by event, sorted
// names that share their beginnings with the one above. Layout: store/cost_graph_blob.h.

/// Strings of a pool by name instead of by first sight, those alone that are used. Number 0 is the empty one and always
/// there.
struct NumberedStrings {
  std::vector<std::string_view> strings;  ///< sorted
  std::vector<uint32_t> number;           ///< of a StringId
};
/// `used` holds one entry per string of the pool.
NumberedStrings number_strings(const StringPool& pool, std::vector<bool> used);

void put_strings(ByteWriter& out, const std::vector<std::string_view>& sorted);
/// Number of strings, the empty one included; each gets its number as its id in the empty pool. More than `max_bytes`
/// of names are refused: a name costs two bytes here and may be a megabyte.
size_t take_strings(ByteReader& in, StringPool& pool, size_t max_bytes = size_t{1} << 30);

/// One column of numbers in the given order, as differences to the number above.
template <typename Value>
void put_column(ByteWriter& out, const std::vector<uint32_t>& order, Value value) {
  int64_t above = 0;
  for (const uint32_t i : order) {
    const auto number = static_cast<int64_t>(value(i));
    out.put_signed(number - above);
    above = number;
  }
}

/// Reads a column that put_column wrote into `set(i, number)`; each number lies in 0..limit-1.
template <typename Set>
void take_column(ByteReader& in, size_t count, size_t limit, Set set) {
  int64_t number = 0;
  for (size_t i = 0; i < count; ++i) {
    if (__builtin_add_overflow(number, in.take_signed(), &number) || number < 0 ||
        static_cast<uint64_t>(number) >= limit)
      in.fail("an index is out of range");
    set(i, static_cast<uint32_t>(number));
  }
}

/// Costs of a table, one column per event, as they are: neighbours have nothing to do with each other.
void put_costs(ByteWriter& out, const std::vector<uint32_t>& order, std::span<const int64_t> costs, size_t events);
std::vector<int64_t> take_costs(ByteReader& in, size_t count, size_t events);

}  // namespace icount
