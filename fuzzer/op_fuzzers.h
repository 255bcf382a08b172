// The five ready-made fuzzers: shapes, steps and sparsity for unary, binary, spectral, sparse unary and
// sparse binary operators. Compatible: PyTorch's definitions. Corrected: with the defects of
// docs/fuzzer.md mended and size classes.
#pragma once

#include <optional>
#include <string_view>

#include "icount/fuzzer/fuzzer.h"

namespace icount {

enum class OpFuzzer { kUnary, kBinary, kSpectral, kSparseUnary, kSparseBinary };

/// "unary", "binary", "spectral", "sparse-unary", "sparse-binary".
std::string_view to_text(OpFuzzer op);
/// Accepts those, and "_" for "-"; nullopt otherwise.
std::optional<OpFuzzer> parse_op_fuzzer(std::string_view text);

/// How many elements the tensors have. kSmall: 1 to 4 Ki, all tensors of a sample within 1 MiB. kMedium:
/// above that to 1 Mi, 256 MiB. kLarge: above that to 32 Mi, 2 GiB. kReference: PyTorch's 4 Ki to 32 Mi,
/// 2 GiB per tensor.
enum class SizeClass { kReference, kSmall, kMedium, kLarge };

/// "reference", "small", "medium", "large".
std::string_view to_text(SizeClass size_class);
/// Error{kUsage} naming the four for any other text.
SizeClass parse_size_class(std::string_view text);

struct OpFuzzerOptions {
  FuzzMode mode = FuzzMode::kCorrected;
  SizeClass size_class = SizeClass::kReference;
  std::optional<DType> dtype;        ///< default float32, spectral float64
  double probability_regular = 1.0;  ///< spectral only: share of sizes of the form 2^a 3^b 5^c
};

/// Error{kUsage} for a size class in compatible mode and a probability_regular outside [0, 1].
FuzzerSpec make_op_fuzzer(OpFuzzer op, const OpFuzzerOptions& options);

}  // namespace icount
