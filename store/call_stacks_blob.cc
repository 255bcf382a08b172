#include "icount/store/call_stacks_blob.h"

#include <numeric>
#include <vector>

#include "icount/base/compression.h"
#include "icount/base/error.h"
#include "icount/store/byte_stream.h"
#include "icount/store/packed_tables.h"

namespace icount {
namespace {

constexpr std::string_view kMagic = "icstack1";
constexpr int kZstdLevel = 9;
constexpr size_t kMaxPlainBytes = size_t{1} << 30;

NumberedStrings used_strings(const CallStacks& stacks) {
  std::vector<bool> used(stacks.strings.size(), false);
  for (const CallFrame& frame : stacks.frames) used[frame.name] = used[frame.file] = used[frame.object] = true;
  return number_strings(stacks.strings, std::move(used));
}

}  // namespace

std::string encode_call_stacks(const CallStacks& stacks) {
  const NumberedStrings strings = used_strings(stacks);
  std::vector<uint32_t> order(stacks.frames.size());
  std::iota(order.begin(), order.end(), 0u);
  ByteWriter out;
  out.put_bytes(kMagic);
  out.put_unsigned(stacks.events.size());
  for (const std::string& event : stacks.events) out.put_text(event);
  for (const int64_t total : stacks.totals) out.put_signed(total);
  out.put_signed(stacks.callers);
  out.put_unsigned(stacks.approximate ? 1 : 0);
  put_strings(out, strings.strings);
  out.put_unsigned(order.size());
  put_column(out, order, [&](uint32_t i) { return strings.number[stacks.frames[i].object]; });
  put_column(out, order, [&](uint32_t i) { return strings.number[stacks.frames[i].file]; });
  put_column(out, order, [&](uint32_t i) { return strings.number[stacks.frames[i].name]; });
  put_column(out, order,
             [&](uint32_t i) { return stacks.frames[i].parent == kNoFrame ? 0 : stacks.frames[i].parent + 1; });
  put_column(out, order, [&](uint32_t i) { return static_cast<uint32_t>(stacks.frames[i].kind); });
  put_costs(out, order, stacks.self, stacks.events.size());
  return compress_zstd(out.take(), kZstdLevel);
}

CallStacks decode_call_stacks(std::string_view blob, std::string_view name) {
  if (detect_compression(blob) != Compression::kZstd)
    throw Error(ErrorKind::kMalformed, std::string(name) + ": not packed call stacks");
  const std::string plain = decompress(blob, name, kMaxPlainBytes);
  ByteReader in(plain, name);
  if (!std::string_view(plain).starts_with(kMagic)) in.fail("not packed call stacks of this version");
  in.take_bytes(kMagic.size());
  CallStacks stacks;
  stacks.events.resize(in.take_count());
  for (std::string& event : stacks.events) event = in.take_text();
  stacks.totals.resize(stacks.events.size());
  for (int64_t& total : stacks.totals) total = in.take_signed();
  stacks.callers = in.take_signed();
  stacks.approximate = in.take_unsigned() != 0;
  const size_t strings = take_strings(in, stacks.strings);
  const size_t count = in.take_count(5 + stacks.events.size());
  stacks.frames.resize(count);
  take_column(in, count, strings, [&](size_t i, uint32_t id) { stacks.frames[i].object = id; });
  take_column(in, count, strings, [&](size_t i, uint32_t id) { stacks.frames[i].file = id; });
  take_column(in, count, strings, [&](size_t i, uint32_t id) { stacks.frames[i].name = id; });
  take_column(in, count, count,
              [&](size_t i, uint32_t parent) { stacks.frames[i].parent = parent == 0 ? kNoFrame : parent - 1; });
  take_column(in, count, 4, [&](size_t i, uint32_t kind) { stacks.frames[i].kind = static_cast<FrameKind>(kind); });
  stacks.self = take_costs(in, count, stacks.events.size());
  if (!in.at_end()) in.fail("bytes are left over after the stacks");
  in_context(name, [&] { check_call_stacks(stacks); });
  return stacks;
}

}  // namespace icount
