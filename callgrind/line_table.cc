#include "icount/callgrind/line_table.h"

#include <utility>

namespace icount {
namespace {

uint64_t hash_of(const LineRow& line) { return mix_key((uint64_t{line.function} << 32) | line.file, line.line); }

}  // namespace

uint32_t LineTable::find_anywhere(const LineRow& line, uint32_t next, const std::vector<LineRow>& lines) {
  return all_.find_or_insert(hash_of(line), next, [&](uint32_t i) {
    return lines[i].line == line.line && lines[i].function == line.function && lines[i].file == line.file;
  });
}

void LineTable::open(FunctionIndex function, const std::vector<LineRow>& lines) {
  const auto next = static_cast<uint32_t>(lines.size());
  if (function_ != kNone && first_time_) functions_[function_].end = next;
  if (function >= functions_.size()) functions_.resize(function + size_t{1} + functions_.size() / 2);
  Lines& own = functions_[function];
  function_ = function;
  first_time_ = own.part != part_;
  if (first_time_) {
    own = {part_, next, next, false};
    used_ = 0;
    if (++opening_ == 0) {  // after 2^32 openings the oldest slots would look new
      slots_.assign(slots_.size(), Slot());
      opening_ = 1;
    }
  } else if (!std::exchange(own.indexed, true)) {
    for (uint32_t i = own.begin; i < own.end; ++i) find_anywhere(lines[i], i, lines);
  }
}

/// Moves the open function's lines, which are the last ones.
void LineTable::grow(const std::vector<LineRow>& lines) {
  slots_.assign(slots_.size() * 2, Slot());
  const size_t mask = slots_.size() - 1;
  for (uint32_t i = functions_[function_].begin; i < lines.size(); ++i) {
    size_t at = place_of(lines[i]) & mask;
    while (slots_[at].opening == opening_) at = (at + 1) & mask;
    slots_[at] = {opening_, i};
  }
}

}  // namespace icount
