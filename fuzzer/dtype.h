// Element types of fuzzed tensors: names, sizes, and how much of LibTorch's random stream one element uses.
#pragma once

#include <cstdint>
#include <string_view>

#include "icount/fuzzer/distribution.h"

namespace icount {

enum class DType {
  kBool,
  kUint8,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kFloat16,
  kBFloat16,
  kFloat32,
  kFloat64,
  kComplex64,
  kComplex128
};

/// "float32", as PyTorch spells it without "torch.".
std::string_view to_text(DType dtype);
/// Accepts the names above with or without "torch."; Error{kUsage} listing them otherwise.
DType parse_dtype(std::string_view text);

/// The constant's name in C++: "kFloat" in torch::kFloat (spellings that LibTorch 1.13 knows too).
std::string_view cpp_name(DType dtype);

/// Bytes of one element. Compatible: complex numbers count half their size, as in PyTorch.
int64_t element_bytes(DType dtype, FuzzMode mode);

/// float16 and bfloat16 are filled in single precision and rounded: what LibTorch 2 does inside and 1.13 does
/// not, so that values are the same with both.
bool is_filled_as_float(DType dtype);
/// True bytes per element that filling holds at once: element_bytes, plus 4 for is_filled_as_float.
int64_t fill_bytes(DType dtype);

/// True for floating point and complex types: filled with uniform numbers in [0, 1), the others with
/// integers.
bool is_continuous(DType dtype);
bool is_complex(DType dtype);
/// The integers a tensor is filled with: [1, 127), for bool [0, 2).
int64_t fill_low(DType dtype);
int64_t fill_past_last(DType dtype);

/// 32-bit words that LibTorch's CPU generator spends on one such element (double: two; complex: twice its
/// part).
int64_t words_per_element(DType dtype);

}  // namespace icount
