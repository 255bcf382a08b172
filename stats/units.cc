#include "icount/stats/units.h"

#include <fmt/format.h>

#include <cfenv>
#include <cmath>
#include <cstdlib>

#include "icount/base/error.h"

namespace icount {
namespace {

constexpr TimeUnit kPicoseconds{"ps", 1e-12};
constexpr TimeUnit kNanoseconds{"ns", 1e-9};
constexpr TimeUnit kMicroseconds{"us", 1e-6};
constexpr TimeUnit kMilliseconds{"ms", 1e-3};
constexpr TimeUnit kSeconds{"s", 1.0};

// Python's 10 ** exponent as a float: an exact integer rounded once, or pow for negative exponents.
double power_of_ten(int exponent) {
  if (exponent < 0) return std::pow(10.0, exponent);
  return std::strtod(fmt::format("1e{}", exponent).c_str(), nullptr);
}

bool holds_in_float32(double seconds) {
  float narrow = static_cast<float>(seconds);
  return std::isfinite(narrow) && narrow > 0;
}

}  // namespace

float log10_float32(double value) {
  // log10f of glibc 2.36 differs from this for a few values next to powers of ten; PyTorch agrees with
  // this.
  return static_cast<float>(std::log10(static_cast<double>(static_cast<float>(value))));
}

TimeUnit select_unit(double seconds) {
  if (!holds_in_float32(seconds))
    throw Error(ErrorKind::kUsage,
                fmt::format("no unit for a time of {} s: it must be a positive finite number", seconds));
  switch (static_cast<int>(std::floor(static_cast<double>(log10_float32(seconds)) / 3))) {
    case -3:
      return kNanoseconds;
    case -2:
      return kMicroseconds;
    case -1:
      return kMilliseconds;
    default:
      return kSeconds;
  }
}

TimeUnit select_fine_unit(double seconds) {
  double magnitude = std::fabs(seconds);
  if (magnitude == 0) return kNanoseconds;
  if (!holds_in_float32(magnitude)) return magnitude < 1e-9 ? kPicoseconds : kSeconds;
  return log10_float32(magnitude) < -9 ? kPicoseconds : select_unit(magnitude);
}

std::string_view unit_to_english(std::string_view unit) {
  if (unit == "ps") return "picosecond";
  if (unit == "ns") return "nanosecond";
  if (unit == "us") return "microsecond";
  if (unit == "ms") return "millisecond";
  if (unit == "s") return "second";
  throw Error(ErrorKind::kUsage, fmt::format("unknown time unit '{}'; use ps, ns, us, ms or s", unit));
}

double trim_sigfig(double value, int figures) {
  float power = log10_float32(std::fabs(value));
  if (!std::isfinite(power)) return value;
  double scale = power_of_ten(static_cast<int>(std::ceil(power)) - figures);
  float rounded = std::nearbyint(static_cast<float>(value / scale));  // half to even: the rounding mode nobody changes
  return static_cast<double>(rounded * static_cast<float>(scale));
}

}  // namespace icount
