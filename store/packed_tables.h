// Tables of numbers and names as the packed forms of store/ hold them: columns of differences, costs by event, sorted
// names that share their beginnings with the one above. Used by store/cost_graph_blob.h and store/call_stacks_blob.h;
// layout: store/cost_graph_blob.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "icount/base/string_pool.h"
#include "icount/store/byte_stream.h"

namespace icount {

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
