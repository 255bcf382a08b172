#include "fuzzer/golden_fuzzer.h"

#include "icount/base/error.h"
#include "icount/fuzzer/fuzzer.h"

namespace icount {
namespace {

Bound golden_bound(const Json& bound) {
  if (bound.is_number_integer()) return bound.get<int64_t>();
  return bound.get<double>();
}

std::optional<int64_t> optional_integer(const Json& object, const char* key) {
  if (!object.contains(key) || object[key].is_null()) return std::nullopt;
  return object[key].get<int64_t>();
}

std::vector<SizeTerm> golden_terms(const Json& object, const char* key) {
  std::vector<SizeTerm> terms;
  if (!object.contains(key) || object[key].is_null()) return terms;
  for (const Json& term : object[key]) {
    if (term.is_string())
      terms.emplace_back(term.get<std::string>());
    else
      terms.emplace_back(term.get<int64_t>());
  }
  return terms;
}

}  // namespace

ParameterValue golden_value(const Json& value) {
  if (value.is_object()) return ParameterAlias{value["alias"]};
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<int64_t>();
  if (value.is_number()) return value.get<double>();
  return value.get<std::string>();
}

FuzzedParameter golden_parameter(const Json& parameter) {
  const std::string name = parameter["name"];
  const bool strict = parameter["strict"];
  const Json& distribution = parameter["distribution"];
  if (distribution.is_array()) {
    if (optional_integer(parameter, "minval")) throw Error(ErrorKind::kUsage, "a table takes no bounds");
    std::vector<Distribution::Entry> table;
    for (const Json& entry : distribution) table.emplace_back(golden_value(entry[0]), entry[1].get<double>());
    return table_parameter(name, std::move(table), strict);
  }
  const Bound low = golden_bound(parameter["minval"]), high = golden_bound(parameter["maxval"]);
  if (distribution == "uniform") return uniform_parameter(name, low, high, strict);
  if (distribution == "loguniform") return log_uniform_parameter(name, low, high, strict);
  throw Error(ErrorKind::kUsage, "unknown distribution " + distribution.get<std::string>());
}

TensorSpec golden_tensor(const Json& tensor) {
  FuzzedTensor spec;
  spec.name = tensor["name"];
  spec.size = golden_terms(tensor, "size");
  spec.steps = golden_terms(tensor, "steps");
  spec.probability_contiguous = tensor.value("probability_contiguous", 0.5);
  spec.min_elements = optional_integer(tensor, "min_elements");
  spec.max_elements = optional_integer(tensor, "max_elements");
  spec.max_allocation_bytes = optional_integer(tensor, "max_allocation_bytes");
  spec.dim_parameter = tensor.value("dim_parameter", "");
  spec.dtype = parse_dtype(tensor.value("dtype", "float32"));
  return spec;
}

Constraint golden_constraint(const Json& constraint) {
  const std::vector<std::string> names = constraint["args"];
  const std::string kind = constraint["fn"];
  if (kind == "le") return at_most(names[0], names[1]);
  if (kind == "lt") return less_than(names[0], names[1]);
  if (kind == "product_le") return product_at_most(names, constraint["value"]);
  if (kind == "sum_ge") return sum_at_least(names, constraint["value"]);
  if (kind == "mod_eq") return remainder_is(names[0], constraint["mod"], constraint["value"]);
  if (kind == "never") return {"never", [](const ParameterSet&) { return false; }};
  throw Error(ErrorKind::kMalformed, "unknown constraint in the goldens: " + kind);
}

FuzzerSpec golden_spec(const Json& input) {
  FuzzerSpec spec;
  spec.mode = FuzzMode::kCompatible;
  for (const Json& parameter : input["parameters"]) spec.parameters.push_back(golden_parameter(parameter));
  for (const Json& tensor : input["tensors"]) spec.tensors.push_back(golden_tensor(tensor));
  for (const Json& constraint : input["constraints"]) spec.constraints.push_back(golden_constraint(constraint));
  return spec;
}

FuzzerSpec golden_op_fuzzer(const Json& input) {
  OpFuzzerOptions options;
  options.mode = FuzzMode::kCompatible;
  if (input.contains("dtype")) options.dtype = parse_dtype(input["dtype"].get<std::string>());
  options.probability_regular = input.value("probability_regular", 1.0);
  return make_op_fuzzer(parse_op_fuzzer(input["fuzzer"].get<std::string>()).value(), options);
}

Json golden_form(const Sample& sample) {
  const Json whole = sample_json(sample);
  Json params = Json::array();
  for (const auto& [name, value] : whole["params"].items()) params.push_back(Json::array({name, value}));
  return Json{{"params", params}, {"tensors", whole["tensors"]}};
}

}  // namespace icount
