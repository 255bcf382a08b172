#include "icount/store/packed_tables.h"

#include <algorithm>
#include <string>
#include <utility>

#include "icount/base/text.h"

namespace icount {

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
