#include "icount/explain/line_shifts.h"

#include <algorithm>
#include <iterator>

namespace icount {

namespace {

// The first line that costs something moves so far when the head of a function is edited.
constexpr int64_t kEditedHead = 3;

}  // namespace

void LineShifts::add(std::string_view base_file, LineSpan base, std::string_view head_file, LineSpan head) {
  if (base.first == 0 || head.first == 0 || base_file != head_file) return;
  const auto shift = static_cast<int64_t>(head.first - base.first),
             at_end = static_cast<int64_t>(head.last - base.last);
  ends_[0][base_file].insert({{base.first, shift}, {base.last, at_end}});
  ends_[1][base_file].insert({{head.first, -shift}, {head.last, -at_end}});
  if (shift != at_end) return;  // edited, or inlined code of this file came in
  shifts_[0][base_file][base.first] = shift;
  shifts_[1][base_file][head.first] = -shift;
}

int64_t LineShifts::of(std::string_view file, uint64_t line, size_t from) const {
  const auto of_file = shifts_[from].find(file);
  if (of_file == shifts_[from].end()) return 0;
  const auto after = of_file->second.upper_bound(line);
  return after == of_file->second.begin() ? after->second : std::prev(after)->second;
}

int64_t LineShifts::near(std::string_view file, uint64_t line, size_t from) const {
  const auto of_file = ends_[from].find(file);
  if (of_file == ends_[from].end()) return 0;
  const ByLine& ends = of_file->second;
  const auto after = ends.lower_bound(line);
  if (after == ends.end()) return std::prev(after)->second;
  if (after == ends.begin()) return after->second;
  const auto before = std::prev(after);
  return line - before->first < after->first - line ? before->second : after->second;
}

LineShifts::Place LineShifts::compare(std::string_view file, uint64_t base, uint64_t head) const {
  const auto of_file = shifts_[0].find(file);
  const auto shift = static_cast<int64_t>(head - base);
  if (of_file == shifts_[0].end()) return shift == 0 ? Place::kSame : Place::kPossible;
  const ByLine& shifts = of_file->second;
  const auto after = shifts.upper_bound(base);
  const int64_t above = after == shifts.begin() ? 0 : std::prev(after)->second;
  const bool is_last = after == shifts.end();  // any lines may have been written between the last known one and it
  const int64_t below = is_last ? above : after->second;
  if (shift == above || shift == below) return Place::kSame;
  const bool too_high = shift < std::min(above, below) - kEditedHead,
             too_low = !is_last && shift > std::max(above, below) + kEditedHead;
  return too_high || too_low ? Place::kAnother : Place::kPossible;
}

}  // namespace icount
