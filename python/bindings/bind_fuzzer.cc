#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bindings.h"
#include "icount/fuzzer/fuzzer.h"
#include "icount/fuzzer/op_fuzzers.h"

namespace icount::python {
namespace nb = nanobind;
using namespace nb::literals;
namespace {

/// A word of a table that begins so stands for another parameter.
constexpr std::string_view kAliasMark = "\x01";

ParameterValue value_of(nb::handle object) {
  if (PyBool_Check(object.ptr())) return nb::cast<bool>(object);
  if (PyLong_Check(object.ptr())) return nb::cast<int64_t>(object);
  if (PyFloat_Check(object.ptr())) return nb::cast<double>(object);
  std::string word = nb::cast<std::string>(object);
  if (word.starts_with(kAliasMark)) return ParameterAlias{word.substr(kAliasMark.size())};
  return word;
}

struct ToPython {
  nb::object operator()(const ParameterAlias& alias) const { return nb::cast(std::string(kAliasMark) + alias.to); }
  template <typename Value>
  nb::object operator()(const Value& value) const {
    return nb::cast(value);
  }
};

nb::dict dict_of(const ParameterSet& parameters) {
  nb::dict values;
  for (size_t i = 0; i < parameters.size(); ++i)
    values[parameters.name(i).c_str()] = std::visit(ToPython{}, parameters.value(i));
  return values;
}

Bound bound_of(nb::handle object) {
  if (PyLong_Check(object.ptr())) return nb::cast<int64_t>(object);
  return nb::cast<double>(object);
}

std::vector<SizeTerm> terms_of(nb::handle sequence) {
  std::vector<SizeTerm> terms;
  for (nb::handle term : sequence) {
    if (nb::isinstance<nb::str>(term))
      terms.emplace_back(nb::cast<std::string>(term));
    else
      terms.emplace_back(nb::cast<int64_t>(term));
  }
  return terms;
}

/// What a Python Fuzzer is built from, filled step by step.
struct FuzzerParts {
  FuzzerSpec spec;

  FuzzerParts() { spec.mode = FuzzMode::kCompatible; }

  void add_range(std::string name, nb::handle minval, nb::handle maxval, bool logarithmic, bool strict) {
    auto make = logarithmic ? log_uniform_parameter : uniform_parameter;
    spec.parameters.push_back(make(std::move(name), bound_of(minval), bound_of(maxval), strict));
  }
  void add_table(std::string name, nb::handle entries, bool strict) {
    std::vector<Distribution::Entry> table;
    for (nb::handle entry : entries) table.emplace_back(value_of(entry[0]), nb::cast<double>(entry[1]));
    spec.parameters.push_back(table_parameter(std::move(name), std::move(table), strict));
  }
  void add_tensor(FuzzedTensor tensor) { spec.tensors.emplace_back(std::move(tensor)); }
  void add_sparse(FuzzedTensor shape, std::string sparse_dim) {
    FuzzedSparseTensor sparse;
    sparse.shape = std::move(shape);
    sparse.sparse_dim = std::move(sparse_dim);
    spec.tensors.emplace_back(std::move(sparse));
  }
  void add_constraint(std::string text, nb::callable holds) {
    auto check = [holds = std::move(holds)](const ParameterSet& parameters) {
      return nb::cast<bool>(nb::bool_(nb::object(holds(dict_of(parameters)))));
    };
    spec.constraints.push_back({std::move(text), std::move(check)});
  }
};

FuzzedTensor make_tensor(std::string name, nb::handle size, nb::handle steps, double probability_contiguous,
                         std::optional<int64_t> min_elements, std::optional<int64_t> max_elements,
                         std::optional<int64_t> max_allocation_bytes, std::string dim_parameter,
                         const std::string& dtype) {
  FuzzedTensor tensor;
  tensor.name = std::move(name);
  tensor.size = terms_of(size);
  tensor.steps = terms_of(steps);
  tensor.probability_contiguous = probability_contiguous;
  tensor.min_elements = min_elements;
  tensor.max_elements = max_elements;
  tensor.max_allocation_bytes = max_allocation_bytes;
  tensor.dim_parameter = std::move(dim_parameter);
  tensor.dtype = parse_dtype(dtype);
  return tensor;
}

/// One of the five ready-made fuzzers.
FuzzerParts make_op_parts(const std::string& op, const std::string& dtype, double probability_regular) {
  FuzzerParts parts;
  OpFuzzerOptions options;
  options.mode = FuzzMode::kCompatible;
  options.dtype = parse_dtype(dtype);
  options.probability_regular = probability_regular;
  parts.spec = make_op_fuzzer(parse_op_fuzzer(op).value(), options);
  return parts;
}

struct TensorToPython {
  nb::dict operator()(const DenseTensor& tensor) const {
    nb::dict layout;
    layout["name"] = tensor.name;
    layout["size"] = tensor.size;
    layout["steps"] = tensor.steps;
    layout["order"] = tensor.order;
    layout["allocation"] = tensor.allocation;
    layout["is_permuted"] = tensor.is_permuted;
    layout["dtype"] = to_text(tensor.dtype);
    return layout;
  }
  nb::dict operator()(const SparseTensor& tensor) const {
    nb::dict layout;
    layout["name"] = tensor.name;
    layout["size"] = tensor.size;
    layout["sparse_dim"] = tensor.sparse_dim;
    layout["nnz"] = tensor.nnz;
    layout["density"] = tensor.density;
    layout["is_coalesced"] = tensor.is_coalesced;
    layout["dtype"] = to_text(tensor.dtype);
    return layout;
  }
};

}  // namespace

void bind_fuzzer(nb::module_& module) {
  nb::class_<FuzzedTensor>(module, "FuzzedTensor")
      .def(
          "__init__",
          [](FuzzedTensor* self, std::string name, nb::handle size, nb::handle steps, double probability_contiguous,
             std::optional<int64_t> min_elements, std::optional<int64_t> max_elements,
             std::optional<int64_t> max_allocation_bytes, std::string dim_parameter, const std::string& dtype) {
            new (self) FuzzedTensor(make_tensor(std::move(name), size, steps, probability_contiguous, min_elements,
                                                max_elements, max_allocation_bytes, std::move(dim_parameter), dtype));
          },
          "name"_a, "size"_a, "steps"_a, "probability_contiguous"_a, "min_elements"_a.none(), "max_elements"_a.none(),
          "max_allocation_bytes"_a.none(), "dim_parameter"_a, "dtype"_a);
  nb::class_<FuzzerParts>(module, "FuzzerParts")
      .def(nb::init<>())
      .def("add_range", &FuzzerParts::add_range, "name"_a, "minval"_a, "maxval"_a, "logarithmic"_a, "strict"_a)
      .def("add_table", &FuzzerParts::add_table, "name"_a, "entries"_a, "strict"_a)
      .def("add_tensor", &FuzzerParts::add_tensor, "tensor"_a)
      .def("add_sparse", &FuzzerParts::add_sparse, "shape"_a, "sparse_dim"_a)
      .def("add_constraint", &FuzzerParts::add_constraint, "text"_a, "holds"_a);
  module.def("op_fuzzer_parts", make_op_parts, "op"_a, "dtype"_a, "probability_regular"_a);
  nb::class_<Sample>(module, "Sample")
      .def_ro("torch_seed", &Sample::torch_seed)
      .def_prop_ro("parameters", [](const Sample& self) { return dict_of(self.parameters); })
      .def_prop_ro("tensors", [](const Sample& self) {
        nb::list layouts;
        for (const SampleTensor& tensor : self.tensors) layouts.append(std::visit(TensorToPython{}, tensor));
        return layouts;
      });
  nb::class_<Fuzzer>(module, "Fuzzer")
      .def(
          "__init__",
          [](Fuzzer* self, const FuzzerParts& parts, uint64_t seed) { new (self) Fuzzer(parts.spec, seed); }, "parts"_a,
          "seed"_a)
      .def("take", &Fuzzer::take, "n"_a)
      .def_prop_ro("rejection_rate", &Fuzzer::rejection_rate);
}

}  // namespace icount::python
