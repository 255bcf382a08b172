#include "icount/fuzzer/sample.h"

#include <fmt/format.h>

#include <array>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/base/text.h"

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

namespace {

int64_t dense_bytes(const DenseTensor& tensor, FuzzMode mode) {
  const int64_t bytes = saturating_product(tensor.allocation, fill_bytes(tensor.dtype));
  const bool copies = mode == FuzzMode::kCompatible && tensor.is_permuted;
  return copies ? saturating_add(bytes, bytes) : bytes;
}

// Indices and values; both once more while they are joined or coalesced.
int64_t sparse_bytes(const SparseTensor& tensor) {
  const int64_t indices = saturating_product({tensor.sparse_dim, tensor.nnz}, 8);
  const int64_t values = saturating_product({tensor.nnz, tensor.block_elements()}, fill_bytes(tensor.dtype));
  const int64_t once = saturating_add(indices, values);
  return saturating_product({once, tensor.is_coalesced ? 2 : 4}, 1);
}

const std::vector<int64_t>& size_of(const SampleTensor& tensor) {
  return std::visit([](const auto& either) -> const std::vector<int64_t>& { return either.size; }, tensor);
}

DType dtype_of(const SampleTensor& tensor) {
  return std::visit([](const auto& either) { return either.dtype; }, tensor);
}

}  // namespace

int64_t SparseTensor::block_elements() const {
  return saturating_product(std::vector<int64_t>(size.begin() + sparse_dim, size.end()), 1);
}

const std::string& tensor_name(const SampleTensor& tensor) {
  return std::visit([](const auto& either) -> const std::string& { return either.name; }, tensor);
}

int64_t tensor_numel(const SampleTensor& tensor) {
  return std::visit([](const auto& either) { return either.numel; }, tensor);
}

int64_t sample_numel(const Sample& sample) {
  int64_t total = 0;
  for (const SampleTensor& tensor : sample.tensors) total = saturating_add(total, tensor_numel(tensor));
  return total;
}

int64_t allocation_bytes(const SampleTensor& tensor, FuzzMode mode) {
  if (const auto* dense = std::get_if<DenseTensor>(&tensor)) return dense_bytes(*dense, mode);
  return sparse_bytes(std::get<SparseTensor>(tensor));
}

int64_t allocation_bytes(const Sample& sample) {
  int64_t total = 0;
  for (const SampleTensor& tensor : sample.tensors)
    total = saturating_add(total, allocation_bytes(tensor, sample.mode));
  return total;
}

void check_fits(const Sample& sample, int64_t limit_bytes) {
  const int64_t needed = allocation_bytes(sample);
  if (needed <= limit_bytes) return;
  std::string shapes;
  for (const SampleTensor& tensor : sample.tensors)
    shapes += fmt::format("{}{} {} {}", shapes.empty() ? "" : ", ", tensor_name(tensor), size_text(size_of(tensor)),
                          to_text(dtype_of(tensor)));
  throw Error(
      ErrorKind::kUsage,
      fmt::format("sample {} of seed {} needs {} bytes ({}), more than the {} bytes allowed; choose a smaller size "
                  "class or lower max_elements",
                  sample.index, sample.seed, with_thousands(needed), shapes, with_thousands(limit_bytes)));
}

void check_buildable(const Sample& sample) {
  if (sample.mode == FuzzMode::kCorrected) return;
  for (const SampleTensor& tensor : sample.tensors) {
    const auto* sparse = std::get_if<SparseTensor>(&tensor);
    if (!sparse) continue;
    if (!is_complex(sparse->dtype) && (is_continuous(sparse->dtype) || sparse->is_coalesced)) continue;
    throw Error(
        ErrorKind::kUsage,
        fmt::format("sparse tensor '{}': torch.utils.benchmark makes no {} values of {}; use the corrected mode",
                    sparse->name, sparse->is_coalesced ? "coalesced" : "uncoalesced", to_text(sparse->dtype)));
  }
}

std::string size_text(const std::vector<int64_t>& size) {
  std::string text;
  for (const int64_t extent : size) text += fmt::format("{}{}", text.empty() ? "" : " x ", extent);
  return text.empty() ? "scalar" : text;
}

}  // namespace icount
