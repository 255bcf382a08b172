#include "icount/fuzzer/op_fuzzers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/fuzzer/parameter.h"

namespace icount {
namespace {

// Sizes of dimensions to choose from: regular numbers, and tables of values with their probabilities for a
// Distribution.

/// Numbers 2^a 3^b 5^c in [first, last], ascending.
std::vector<int64_t> regular_sizes(int64_t first, int64_t last) {
  std::vector<int64_t> sizes;
  for (int64_t two = 1; two <= last; two *= 2)
    for (int64_t three = two; three <= last; three *= 3)
      for (int64_t five = three; five <= last; five *= 5)
        if (five >= first) sizes.push_back(five);
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

/// Every value with the same probability.
std::vector<Distribution::Entry> equally_likely(const std::vector<int64_t>& values) {
  std::vector<Distribution::Entry> table;
  for (const int64_t value : values) table.emplace_back(value, 1.0 / static_cast<double>(values.size()));
  return table;
}

/// Ascending values, each as likely as the stretch of the logarithm up to the next one, the last up to `last`: regular
/// numbers crowd together as they grow, and are spread evenly so.
std::vector<Distribution::Entry> log_spread(const std::vector<int64_t>& values, int64_t last) {
  std::vector<Distribution::Entry> table;
  const double whole = std::log2(static_cast<double>(last + 1) / static_cast<double>(values.front()));
  for (size_t i = 0; i < values.size(); ++i) {
    const int64_t next = i + 1 < values.size() ? values[i + 1] : last + 1;
    table.emplace_back(values[i], std::log2(static_cast<double>(next) / static_cast<double>(values[i])) / whole);
  }
  return table;
}

constexpr int64_t kKi = 1024, kMi = 1024 * kKi;
constexpr std::array<std::string_view, 5> kOpNames = {"unary", "binary", "spectral", "sparse-unary", "sparse-binary"};
constexpr std::array<std::string_view, 4> kClassNames = {"reference", "small", "medium", "large"};

// Where sizes and limits of one size class lie.
struct Ranges {
  int64_t first_size, last_size;  // of one dimension
  int64_t min_elements, max_elements;
  int64_t max_bytes;  // per tensor (reference) or per sample (the classes)
};

Ranges ranges_of(SizeClass size_class, OpFuzzer op) {
  switch (size_class) {
    case SizeClass::kSmall:
      return {1, 4 * kKi, 1, 4 * kKi, kMi};
    case SizeClass::kMedium:
      return {4, kMi, 4 * kKi + 1, kMi, 256 * kMi};
    case SizeClass::kLarge:
      return {16, 32 * kMi, kMi + 1, 32 * kMi, 2 * kKi * kMi};
    case SizeClass::kReference:
      break;
  }
  return {16, op == OpFuzzer::kSpectral ? 16 * kKi : 16 * kMi, 4 * kKi, 32 * kMi, 2 * kKi * kMi};
}

// Adds parameters in draw order under numbered names.
class SpecBuilder {
 public:
  SpecBuilder(OpFuzzer op, const OpFuzzerOptions& options)
      : op_(op), options_(options), ranges_(ranges_of(options.size_class, op)) {
    spec_.mode = options.mode;
    if (options.size_class != SizeClass::kReference) spec_.max_sample_bytes = ranges_.max_bytes;
  }

  void add_dimensions(std::string name) {
    using Entries = std::vector<Distribution::Entry>;
    spec_.parameters.push_back(
        table_parameter(std::move(name), Entries{{int64_t{1}, 0.3}, {int64_t{2}, 0.4}, {int64_t{3}, 0.3}}, true));
  }

  void add_sparse_dimensions() {
    using Entries = std::vector<Distribution::Entry>;
    spec_.parameters.push_back(
        table_parameter("sparse_dim", Entries{{int64_t{1}, 0.4}, {int64_t{2}, 0.4}, {int64_t{3}, 0.2}}, true));
  }

  // Three sizes k0, k1, k2, each an alias of any size or of a special one (power of two, regular).
  void add_sizes() {
    const bool spectral = op_ == OpFuzzer::kSpectral;
    const std::string special = spectral ? "k_regular_" : "k_pow2_";
    for (int i = 0; i < 3; ++i)
      spec_.parameters.push_back(
          log_uniform_parameter(fmt::format("k_any_{}", i), ranges_.first_size, ranges_.last_size));
    for (int i = 0; i < 3; ++i)
      spec_.parameters.push_back(table_parameter(fmt::format("{}{}", special, i), special_table()));
    for (int i = 0; i < 3; ++i) {
      const ParameterAlias any{fmt::format("k_any_{}", i)}, other{fmt::format("{}{}", special, i)};
      const double regular = options_.probability_regular;
      std::vector<Distribution::Entry> table = {{any, 0.8}, {other, 0.2}};
      if (spectral) table = {{other, regular}, {any, 1 - regular}};
      spec_.parameters.push_back(table_parameter(fmt::format("k{}", i), std::move(table), true));
    }
  }

  // y_k0..2: mostly those of x, sometimes 1 so that y is broadcast.
  void add_other_sizes(double same) {
    for (int i = 0; i < 3; ++i) {
      std::vector<Distribution::Entry> table = {{ParameterAlias{fmt::format("k{}", i)}, same}};
      if (same < 1) table.push_back({int64_t{1}, 0.2});
      spec_.parameters.push_back(table_parameter(fmt::format("y_k{}", i), std::move(table), true));
    }
  }

  void add_steps(const std::vector<std::string>& prefixes) {
    for (int i = 0; i < 3; ++i)
      for (const std::string& prefix : prefixes)
        spec_.parameters.push_back(table_parameter(
            fmt::format("{}{}", prefix, i),
            {{int64_t{1}, 0.8}, {int64_t{2}, 0.06}, {int64_t{4}, 0.06}, {int64_t{8}, 0.04}, {int64_t{16}, 0.04}}));
  }

  void add_sparsity() {
    spec_.parameters.push_back(table_parameter("density", {{0.1, 0.4}, {0.05, 0.3}, {0.01, 0.3}}));
    spec_.parameters.push_back(table_parameter("coalesced", {{true, 0.5}, {false, 0.5}}));
  }

  void add_random_value() {
    spec_.parameters.push_back(
        uniform_parameter("random_value", int64_t{0}, int64_t{std::numeric_limits<uint32_t>::max()}));
  }

  void add_dense(const std::string& name, const std::string& sizes, const std::string& steps, bool element_limits) {
    FuzzedTensor tensor = shape(name, sizes, element_limits);
    tensor.steps = {steps + "0", steps + "1", steps + "2"};
    tensor.probability_contiguous = 0.75;
    tensor.max_allocation_bytes = ranges_.max_bytes;
    spec_.tensors.emplace_back(std::move(tensor));
  }

  void add_sparse(const std::string& name, const std::string& sizes) {
    FuzzedSparseTensor tensor;
    tensor.shape = shape(name, sizes, true);
    tensor.sparse_dim = "sparse_dim";
    spec_.tensors.emplace_back(std::move(tensor));
  }

  FuzzerSpec finish() { return std::move(spec_); }

 private:
  FuzzedTensor shape(const std::string& name, const std::string& sizes, bool element_limits) const {
    FuzzedTensor tensor;
    tensor.name = name;
    tensor.size = {sizes + "0", sizes + "1", sizes + "2"};
    if (element_limits) {
      tensor.min_elements = ranges_.min_elements;
      tensor.max_elements = ranges_.max_elements;
    }
    tensor.dim_parameter = spec_.parameters.front().name;
    tensor.dtype = options_.dtype.value_or(op_ == OpFuzzer::kSpectral ? DType::kFloat64 : DType::kFloat32);
    return tensor;
  }

  std::vector<Distribution::Entry> special_table() const {
    if (op_ != OpFuzzer::kSpectral) {
      std::vector<int64_t> powers;
      for (int64_t power = ranges_.first_size; power <= ranges_.last_size; power *= 2) powers.push_back(power);
      return equally_likely(powers);
    }
    // PyTorch leaves out its own lower end, 16, which is regular.
    if (options_.mode == FuzzMode::kCompatible)
      return equally_likely(regular_sizes(ranges_.first_size + 1, ranges_.last_size));
    return log_spread(regular_sizes(ranges_.first_size, ranges_.last_size), ranges_.last_size);
  }

  OpFuzzer op_;
  OpFuzzerOptions options_;
  Ranges ranges_;
  FuzzerSpec spec_;
};

FuzzerSpec make_dense(OpFuzzer op, const OpFuzzerOptions& options) {
  SpecBuilder builder(op, options);
  const bool spectral = op == OpFuzzer::kSpectral;
  const std::string x_steps = spectral ? "step_" : "x_step_";
  builder.add_dimensions(spectral ? "ndim" : "dim");
  builder.add_sizes();
  if (op == OpFuzzer::kBinary) {
    builder.add_other_sizes(0.8);
    builder.add_steps({x_steps, "y_step_"});
  } else {
    builder.add_steps({x_steps});
  }
  if (!spectral) builder.add_random_value();
  builder.add_dense("x", "k", x_steps, true);
  // PyTorch draws y's steps and then cuts y by x's.
  if (op == OpFuzzer::kBinary)
    builder.add_dense("y", "y_k", options.mode == FuzzMode::kCompatible ? x_steps : "y_step_", false);
  return builder.finish();
}

FuzzerSpec make_sparse_op(OpFuzzer op, const OpFuzzerOptions& options) {
  SpecBuilder builder(op, options);
  builder.add_dimensions("dim_parameter");
  builder.add_sparse_dimensions();
  builder.add_sizes();
  if (op == OpFuzzer::kSparseBinary) builder.add_other_sizes(1.0);
  builder.add_sparsity();
  builder.add_random_value();
  builder.add_sparse("x", "k");
  if (op == OpFuzzer::kSparseBinary) builder.add_sparse("y", "y_k");
  return builder.finish();
}

}  // namespace

std::string_view to_text(OpFuzzer op) { return kOpNames[static_cast<size_t>(op)]; }
std::string_view to_text(SizeClass size_class) { return kClassNames[static_cast<size_t>(size_class)]; }

std::optional<OpFuzzer> parse_op_fuzzer(std::string_view text) {
  std::string name(text);
  std::replace(name.begin(), name.end(), '_', '-');
  const auto found = std::find(kOpNames.begin(), kOpNames.end(), name);
  if (found == kOpNames.end()) return std::nullopt;
  return static_cast<OpFuzzer>(found - kOpNames.begin());
}

SizeClass parse_size_class(std::string_view text) {
  const auto found = std::find(kClassNames.begin(), kClassNames.end(), text);
  if (found != kClassNames.end()) return static_cast<SizeClass>(found - kClassNames.begin());
  throw Error(ErrorKind::kUsage, fmt::format("unknown size class '{}'; use reference, small, medium or large", text));
}

FuzzerSpec make_op_fuzzer(OpFuzzer op, const OpFuzzerOptions& options) {
  if (options.mode == FuzzMode::kCompatible && options.size_class != SizeClass::kReference)
    throw Error(
        ErrorKind::kUsage,
        fmt::format("size class {} is for the corrected mode; the compatible mode uses torch.utils.benchmark's limits",
                    to_text(options.size_class)));
  if (!(options.probability_regular >= 0 && options.probability_regular <= 1))
    throw Error(ErrorKind::kUsage,
                fmt::format("probability_regular is {}; it must be from 0 to 1", options.probability_regular));
  const bool sparse = op == OpFuzzer::kSparseUnary || op == OpFuzzer::kSparseBinary;
  return sparse ? make_sparse_op(op, options) : make_dense(op, options);
}

}  // namespace icount
