#include "icount/fuzzer/sample_json.h"

#include <fmt/format.h>

namespace icount {
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
