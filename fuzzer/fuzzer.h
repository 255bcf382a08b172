// Draws samples: parameters, checked against constraints and tensor limits, and the layout of each tensor.
// PyTorch's Fuzzer, without allocating anything. Read docs/fuzzer.md for the two modes,
// fuzzer/op_fuzzers.h for ready-made ones.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "icount/base/json.h"
#include "icount/fuzzer/parameter.h"
#include "icount/fuzzer/tensor_spec.h"

namespace icount {

using TensorSpec = std::variant<FuzzedTensor, FuzzedSparseTensor>;

/// What to draw from; a plain value that tables on disk and op fuzzers produce.
struct FuzzerSpec {
  FuzzMode mode = FuzzMode::kCorrected;
  std::vector<FuzzedParameter> parameters;  ///< in draw order
  std::vector<TensorSpec> tensors;
  std::vector<Constraint> constraints;
  std::optional<int64_t>
      max_sample_bytes;  ///< of all tensors together, as allocation_bytes counts; corrected mode only
};

/// Owns the specification and the counters of candidates. Not thread-safe; make one per thread, draws are
/// repeatable.
class Fuzzer {
 public:
  /// Error{kUsage} for a seed outside [0, 2^32) in compatible mode, a name used twice, crossed limits.
  Fuzzer(FuzzerSpec spec, uint64_t seed);

  /// The first n samples; each call starts from the seed again. Error{kUsage} when 1,000 candidates for one
  /// sample all fail, naming what rejected how many; for alias cycles and unknown names.
  std::vector<Sample> take(int64_t n);

  /// Sample k of what take(k + 1) yields. Corrected: draws this sample only. Compatible: draws 0..k, since
  /// PyTorch's stream has no other way to k.
  Sample sample(int64_t k);

  /// Sample 0 with `value` in place of what it draws for the parameter, once for each value: the other parameters and
  /// the layouts are the same throughout, and valid with all of the values. Errors as take's, and for an unknown name.
  std::vector<Sample> along(std::string_view parameter, std::span<const int64_t> values);

  const FuzzerSpec& spec() const { return spec_; }
  uint64_t seed() const { return seed_; }

  /// Candidates refused and drawn since construction, over all calls.
  int64_t rejections() const { return rejections_; }
  int64_t total_generated() const { return total_generated_; }
  /// rejections / total_generated; 0 before the first draw.
  double rejection_rate() const;

 private:
  struct Candidate;

  /// Of one set of draws, a sample for each value of the parameter; one sample where there is none.
  std::vector<Sample> draw_samples(int64_t index, int64_t torch_seed, RandomState& state,
                                   std::optional<size_t> parameter, std::span<const int64_t> values);
  Sample draw_sample(int64_t index, int64_t torch_seed, RandomState& state) {
    return std::move(draw_samples(index, torch_seed, state, {}, {})[0]);
  }
  Sample make_sample(int64_t index, int64_t torch_seed, RandomState& state, Candidate&& candidate) const;
  Sample draw_indexed(int64_t index);
  void draw_parameters(RandomState& state, bool first_attempt, Candidate& candidate) const;
  std::optional<size_t> rejecting_rule(Candidate& candidate) const;
  std::optional<size_t> rejecting_tensor(Candidate& candidate) const;
  bool exceeds_sample_bytes(const Candidate& candidate) const;
  [[noreturn]] void give_up(int64_t index, const std::vector<int64_t>& rejected_by) const;
  std::string rule_text(size_t rule) const;
  void check_names() const;

  FuzzerSpec spec_;
  uint64_t seed_;
  ParameterSet::Names names_;
  int64_t rejections_ = 0;
  int64_t total_generated_ = 0;
};

/// A parameter's value; an alias is {"alias": NAME}.
Json parameter_json(const ParameterValue& value);

/// {"index", "torch_seed", "params": {...}, "tensors": {name: {...}}}. Dense: size, numel, dtype
/// ("torch.float32"), strides, steps, order, is_contiguous. Sparse: size, numel, dtype, is_coalesced,
/// density, sparsity, sparse_dim, dense_dim, is_hybrid, nnz_drawn. "cuda" and "tensor_constructor" where a table asks
/// for them.
Json sample_json(const Sample& sample);

/// The file form: schema "icount-samples" 1, mode, seed (a string: 64 bits do not survive every reader),
/// rejection figures of `fuzzer`, and the samples.
Json samples_json(const Fuzzer& fuzzer, std::span<const Sample> samples);

}  // namespace icount
