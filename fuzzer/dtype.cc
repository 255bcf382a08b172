#include "icount/fuzzer/dtype.h"

#include <array>
#include <string>

#include <fmt/format.h>

#include "icount/base/error.h"

namespace icount {
namespace {

struct Traits {
  DType dtype;
  std::string_view name;
  std::string_view cpp;
  int64_t bytes;
  int64_t words;
};

// In the order of the enumeration.
constexpr std::array<Traits, 12> kTraits = {{
    {DType::kBool, "bool", "kBool", 1, 1},
    {DType::kUint8, "uint8", "kByte", 1, 1},
    {DType::kInt8, "int8", "kChar", 1, 1},
    {DType::kInt16, "int16", "kShort", 2, 1},
    {DType::kInt32, "int32", "kInt", 4, 1},
    {DType::kInt64, "int64", "kLong", 8, 1},
    {DType::kFloat16, "float16", "kHalf", 2, 1},
    {DType::kBFloat16, "bfloat16", "kBFloat16", 2, 1},
    {DType::kFloat32, "float32", "kFloat", 4, 1},
    {DType::kFloat64, "float64", "kDouble", 8, 2},
    {DType::kComplex64, "complex64", "kComplexFloat", 8, 2},
    {DType::kComplex128, "complex128", "kComplexDouble", 16, 4},
}};

const Traits& traits(DType dtype) { return kTraits[static_cast<size_t>(dtype)]; }

}  // namespace

std::string_view to_text(DType dtype) { return traits(dtype).name; }
std::string_view cpp_name(DType dtype) { return traits(dtype).cpp; }

DType parse_dtype(std::string_view text) {
  constexpr std::string_view kPrefix = "torch.";
  const std::string_view name = text.substr(0, kPrefix.size()) == kPrefix ? text.substr(kPrefix.size()) : text;
  std::string known;
  for (const Traits& candidate : kTraits) {
    if (candidate.name == name) return candidate.dtype;
    known += (known.empty() ? "" : ", ") + std::string(candidate.name);
  }
  throw Error(ErrorKind::kUsage, fmt::format("unknown dtype '{}'; known: {}", text, known));
}

bool is_complex(DType dtype) { return dtype == DType::kComplex64 || dtype == DType::kComplex128; }

bool is_filled_as_float(DType dtype) { return dtype == DType::kFloat16 || dtype == DType::kBFloat16; }
int64_t fill_bytes(DType dtype) { return traits(dtype).bytes + (is_filled_as_float(dtype) ? 4 : 0); }

bool is_continuous(DType dtype) { return dtype >= DType::kFloat16; }

int64_t element_bytes(DType dtype, FuzzMode mode) {
  const int64_t bytes = traits(dtype).bytes;
  return mode == FuzzMode::kCompatible && is_complex(dtype) ? bytes / 2 : bytes;
}

int64_t fill_low(DType dtype) { return dtype == DType::kBool ? 0 : 1; }
int64_t fill_past_last(DType dtype) { return dtype == DType::kBool ? 2 : 127; }
int64_t words_per_element(DType dtype) { return traits(dtype).words; }

}  // namespace icount
