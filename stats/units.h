// Units of time and significant figures, rounded through float32 exactly as PyTorch does
// (docs/measurement_statistics.md). Measurement and Compare print with these.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// A unit's short name and how many seconds it is.
struct TimeUnit {
  std::string_view name;
  double seconds = 1.0;
  bool operator==(const TimeUnit&) const = default;
};

/// ns, us or ms by the power of ten of `seconds`; everything else, also below 1 ns, is s. Error{kUsage} when
/// the float32 of `seconds` is not a positive finite number.
TimeUnit select_unit(double seconds);

/// Like select_unit, but for any number: below 1 ns it is ps, zero is ns, a negative figure has the unit of
/// its magnitude, and what no float32 can hold is s.
TimeUnit select_fine_unit(double seconds);

/// "ns" -> "nanosecond"; Error{kUsage} for anything but ps, ns, us, ms, s.
std::string_view unit_to_english(std::string_view unit);

/// `value` rounded to `figures` significant figures, through float32: 3.14159, 2 -> 3.1000001430511475. Zero
/// and non-finite values stay as they are.
double trim_sigfig(double value, int figures);

/// The power of ten as float32: log10 of the float32 value, rounded to float32. -inf for 0, NaN below.
float log10_float32(double value);

/// The first occurrence of each value, in order.
template <typename Value>
std::vector<Value> ordered_unique(const std::vector<Value>& values) {
  std::vector<Value> unique;
  for (const Value& value : values) {
    bool seen = false;
    for (const Value& other : unique) seen = seen || other == value;
    if (!seen) unique.push_back(value);
  }
  return unique;
}

}  // namespace icount
