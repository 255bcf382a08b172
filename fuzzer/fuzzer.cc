#include "icount/fuzzer/fuzzer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <set>

#include "icount/base/checked.h"
#include "icount/base/error.h"

namespace icount {
namespace {

constexpr int kMaxAttempts = 1000;
constexpr size_t kRulesPerTensor = 3;  // one per Limit

const FuzzedTensor& shape_of(const TensorSpec& spec) {
  if (const auto* sparse = std::get_if<FuzzedSparseTensor>(&spec)) return sparse->shape;
  return std::get<FuzzedTensor>(spec);
}

int64_t candidate_bytes(const TensorSpec& spec, const Extents& extents, const ParameterSet& parameters) {
  if (const auto* sparse = std::get_if<FuzzedSparseTensor>(&spec))
    return allocation_bytes(make_sparse(*sparse, extents, parameters, FuzzMode::kCorrected), FuzzMode::kCorrected);
  const int64_t bytes = saturating_product(extents.size, fill_bytes(shape_of(spec).dtype));
  return saturating_product(extents.steps, bytes);
}

}  // namespace

// What one attempt works on; kept between attempts so that its memory is.
struct Fuzzer::Candidate {
  std::vector<ParameterValue> strict;  // as first drawn, aliases unresolved
  ParameterSet parameters;
  std::vector<Extents> extents;
};

Fuzzer::Fuzzer(FuzzerSpec spec, uint64_t seed) : spec_(std::move(spec)), seed_(seed) {
  std::vector<std::string> names;
  for (const FuzzedParameter& parameter : spec_.parameters) names.push_back(parameter.name);
  names_ = std::make_shared<const std::vector<std::string>>(std::move(names));
  check_names();
  for (const TensorSpec& tensor : spec_.tensors) {
    if (const auto* sparse = std::get_if<FuzzedSparseTensor>(&tensor))
      check_sparse_tensor(*sparse);
    else
      check_tensor(std::get<FuzzedTensor>(tensor));
  }
  if (spec_.mode == FuzzMode::kCompatible) {
    for (const TensorSpec& tensor : spec_.tensors)
      if (!shape_of(tensor).tensor_constructor.empty())
        throw Error(
            ErrorKind::kUsage,
            fmt::format("tensor '{}': a tensor_constructor needs mode = \"corrected\": where LibTorch's generator "
                        "stands after it is not known",
                        shape_of(tensor).name));
    const bool fits = seed_ <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
    RandomState::numpy(fits ? static_cast<int64_t>(seed_) : -1);
  }
}

void Fuzzer::check_names() const {
  std::set<std::string_view> seen;
  for (const std::string& name : *names_)
    if (!seen.insert(name).second) throw Error(ErrorKind::kUsage, fmt::format("two parameters are named '{}'", name));
  const std::set<std::string_view> parameters = seen;
  for (const TensorSpec& tensor : spec_.tensors) {
    const std::string& name = shape_of(tensor).name;
    if (seen.insert(name).second) continue;
    throw Error(ErrorKind::kUsage, parameters.contains(name)
                                       ? fmt::format("the name '{}' is used by a parameter and by a tensor", name)
                                       : fmt::format("two tensors are named '{}'", name));
  }
}

std::vector<Sample> Fuzzer::take(int64_t n) {
  std::vector<Sample> samples;
  if (spec_.mode == FuzzMode::kCorrected) {
    for (int64_t k = 0; k < n; ++k) samples.push_back(draw_indexed(k));
    return samples;
  }
  RandomState state = RandomState::numpy(static_cast<int64_t>(seed_));
  const int64_t torch_seed = state.integer(0, std::numeric_limits<int64_t>::max());
  for (int64_t k = 0; k < n; ++k) samples.push_back(draw_sample(k, torch_seed, state));
  return samples;
}

Sample Fuzzer::sample(int64_t k) {
  if (k < 0) throw Error(ErrorKind::kUsage, fmt::format("no sample {}; sample indices start at 0", k));
  if (spec_.mode == FuzzMode::kCorrected) return draw_indexed(k);
  RandomState state = RandomState::numpy(static_cast<int64_t>(seed_));
  const int64_t torch_seed = state.integer(0, std::numeric_limits<int64_t>::max());
  for (int64_t before = 0; before < k; ++before) draw_sample(before, torch_seed, state);
  return draw_sample(k, torch_seed, state);
}

Sample Fuzzer::draw_indexed(int64_t index) {
  RandomState state = RandomState::indexed(seed_, static_cast<uint64_t>(index));
  const int64_t torch_seed = state.integer(0, std::numeric_limits<int64_t>::max());
  return draw_sample(index, torch_seed, state);
}

std::vector<Sample> Fuzzer::along(std::string_view parameter, std::span<const int64_t> values) {
  const auto at = std::find(names_->begin(), names_->end(), parameter);
  if (at == names_->end())
    throw Error(ErrorKind::kUsage,
                fmt::format("no parameter '{}'; the table has {}", parameter, fmt::join(*names_, ", ")));
  RandomState state = spec_.mode == FuzzMode::kCorrected ? RandomState::indexed(seed_, 0)
                                                         : RandomState::numpy(static_cast<int64_t>(seed_));
  const int64_t torch_seed = state.integer(0, std::numeric_limits<int64_t>::max());
  return draw_samples(0, torch_seed, state, static_cast<size_t>(at - names_->begin()), values);
}

double Fuzzer::rejection_rate() const {
  return total_generated_ == 0 ? 0.0 : static_cast<double>(rejections_) / static_cast<double>(total_generated_);
}

void Fuzzer::draw_parameters(RandomState& state, bool first_attempt, Candidate& candidate) const {
  for (size_t i = 0; i < spec_.parameters.size(); ++i) {
    const FuzzedParameter& parameter = spec_.parameters[i];
    if (parameter.strict && !first_attempt) {
      candidate.parameters.value(i) = candidate.strict[i];
      continue;
    }
    parameter.distribution.draw(state, spec_.mode, candidate.parameters.value(i));
    if (parameter.strict) candidate.strict[i] = candidate.parameters.value(i);
  }
}

bool Fuzzer::exceeds_sample_bytes(const Candidate& candidate) const {
  if (!spec_.max_sample_bytes || spec_.mode == FuzzMode::kCompatible) return false;
  int64_t bytes = 0;
  for (size_t t = 0; t < spec_.tensors.size(); ++t)
    bytes = saturating_add(bytes, candidate_bytes(spec_.tensors[t], candidate.extents[t], candidate.parameters));
  return bytes > *spec_.max_sample_bytes;
}

std::optional<size_t> Fuzzer::rejecting_tensor(Candidate& candidate) const {
  const size_t first = spec_.constraints.size();
  for (size_t t = 0; t < spec_.tensors.size(); ++t) {
    const FuzzedTensor& shape = shape_of(spec_.tensors[t]);
    resolve_extents(shape, candidate.parameters, candidate.extents[t]);
    if (const auto limit = violated_limit(shape, candidate.extents[t], spec_.mode))
      return first + t * kRulesPerTensor + static_cast<size_t>(*limit);
  }
  return std::nullopt;
}

// Rules are numbered: constraints, then three limits per tensor, then the limit of the whole sample.
std::optional<size_t> Fuzzer::rejecting_rule(Candidate& candidate) const {
  for (size_t c = 0; c < spec_.constraints.size(); ++c)
    if (!spec_.constraints[c].holds(candidate.parameters)) return c;
  if (const auto rule = rejecting_tensor(candidate)) return rule;
  if (exceeds_sample_bytes(candidate)) return spec_.constraints.size() + spec_.tensors.size() * kRulesPerTensor;
  return std::nullopt;
}

std::string Fuzzer::rule_text(size_t rule) const {
  if (rule < spec_.constraints.size()) return fmt::format("constraint '{}'", spec_.constraints[rule].text);
  rule -= spec_.constraints.size();
  const size_t tensor = rule / kRulesPerTensor;
  if (tensor == spec_.tensors.size()) return fmt::format("max_sample_bytes {}", spec_.max_sample_bytes.value_or(0));
  return limit_text(shape_of(spec_.tensors[tensor]), static_cast<Limit>(rule % kRulesPerTensor));
}

void Fuzzer::give_up(int64_t index, const std::vector<int64_t>& rejected_by) const {
  std::vector<size_t> rules;
  for (size_t rule = 0; rule < rejected_by.size(); ++rule)
    if (rejected_by[rule] > 0) rules.push_back(rule);
  std::stable_sort(rules.begin(), rules.end(), [&](size_t a, size_t b) { return rejected_by[a] > rejected_by[b]; });
  std::string shares;
  for (const size_t rule : rules)
    shares += fmt::format("{}{} rejected {}", shares.empty() ? "" : "; ", rule_text(rule), rejected_by[rule]);
  throw Error(ErrorKind::kUsage,
              fmt::format("no valid parameters in {} attempts for sample {} of seed {}: {}; loosen the first one",
                          kMaxAttempts, index, seed_, shares));
}

std::vector<Sample> Fuzzer::draw_samples(int64_t index, int64_t torch_seed, RandomState& state,
                                         std::optional<size_t> parameter, std::span<const int64_t> values) {
  Candidate drawn{std::vector<ParameterValue>(spec_.parameters.size()), ParameterSet(names_),
                  std::vector<Extents>(spec_.tensors.size())};
  std::vector<Candidate> candidates(parameter ? values.size() : 1, drawn);
  std::vector<int64_t> rejected_by(spec_.constraints.size() + spec_.tensors.size() * kRulesPerTensor + 1);
  for (int attempt = 0;; ++attempt) {
    if (attempt == kMaxAttempts) give_up(index, rejected_by);
    draw_parameters(state, attempt == 0, drawn);
    ++total_generated_;
    std::optional<size_t> rule;
    for (size_t i = 0; i < candidates.size() && !rule; ++i) {
      candidates[i].parameters = drawn.parameters;
      if (parameter) candidates[i].parameters.value(*parameter) = values[i];
      candidates[i].parameters.resolve_aliases();
      rule = rejecting_rule(candidates[i]);
    }
    if (!rule) break;
    ++rejections_;
    ++rejected_by[*rule];
  }
  if (!parameter) return {make_sample(index, torch_seed, state, std::move(candidates[0]))};
  std::vector<Sample> samples;
  for (Candidate& candidate : candidates) {
    RandomState same = state;
    samples.push_back(make_sample(index, torch_seed, same, std::move(candidate)));
  }
  return samples;
}

Sample Fuzzer::make_sample(int64_t index, int64_t torch_seed, RandomState& state, Candidate&& candidate) const {
  Sample sample{spec_.mode, seed_, index, torch_seed, std::move(candidate.parameters), {}};
  for (size_t t = 0; t < spec_.tensors.size(); ++t) {
    if (const auto* sparse = std::get_if<FuzzedSparseTensor>(&spec_.tensors[t]))
      sample.tensors.emplace_back(make_sparse(*sparse, candidate.extents[t], sample.parameters, spec_.mode));
    else
      sample.tensors.emplace_back(
          draw_dense(std::get<FuzzedTensor>(spec_.tensors[t]), candidate.extents[t], state, spec_.mode));
  }
  return sample;
}

namespace {

struct ValueJson {
  Json operator()(const ParameterAlias& alias) const { return Json{{"alias", alias.to}}; }
  template <typename Value>
  Json operator()(const Value& value) const {
    return Json(value);
  }
};

std::string dtype_name(DType dtype) { return fmt::format("torch.{}", to_text(dtype)); }

struct TensorJson {
  Json operator()(const DenseTensor& tensor) const {
    return Json{{"size", tensor.size},
                {"numel", tensor.numel},
                {"dtype", dtype_name(tensor.dtype)},
                {"strides", tensor.strides},
                {"steps", tensor.steps},
                {"order", tensor.order},
                {"is_contiguous", tensor.is_contiguous}};
  }
  Json operator()(const SparseTensor& tensor) const {
    return Json{{"size", tensor.size},
                {"numel", tensor.numel},
                {"dtype", dtype_name(tensor.dtype)},
                {"is_coalesced", tensor.is_coalesced},
                {"density", tensor.density},
                {"sparsity", 1.0 - tensor.density},
                {"sparse_dim", tensor.sparse_dim},
                {"dense_dim", tensor.dense_dim()},
                {"is_hybrid", tensor.dense_dim() > 0},
                {"nnz_drawn", tensor.nnz}};
  }
};

}  // namespace

Json parameter_json(const ParameterValue& value) { return std::visit(ValueJson{}, value); }

Json sample_json(const Sample& sample) {
  Json params = Json::object();
  for (size_t i = 0; i < sample.parameters.size(); ++i)
    params[sample.parameters.name(i)] = parameter_json(sample.parameters.value(i));
  Json tensors = Json::object();
  for (const SampleTensor& tensor : sample.tensors) {
    Json& json = tensors[tensor_name(tensor)] = std::visit(TensorJson{}, tensor);
    if (std::visit([](const auto& one) { return one.cuda; }, tensor)) json["cuda"] = true;
    if (const auto* dense = std::get_if<DenseTensor>(&tensor); dense && !dense->constructor.empty())
      json["tensor_constructor"] = dense->constructor;
  }
  return Json{{"index", sample.index}, {"torch_seed", sample.torch_seed}, {"params", params}, {"tensors", tensors}};
}

Json samples_json(const Fuzzer& fuzzer, std::span<const Sample> samples) {
  Json list = Json::array();
  for (const Sample& sample : samples) list.push_back(sample_json(sample));
  return Json{{"schema", {{"name", "icount-samples"}, {"version", 1}}},
              {"mode", std::string(to_text(fuzzer.spec().mode))},
              {"seed", fmt::format("{}", fuzzer.seed())},
              {"rejections", fuzzer.rejections()},
              {"total_generated", fuzzer.total_generated()},
              {"rejection_rate", fuzzer.rejection_rate()},
              {"samples", list}};
}

}  // namespace icount
