#include "icount/fuzzer/setup_syntax.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace icount {

std::string SetupSyntax::function(std::string_view name, const std::string& arguments) const {
  return fmt::format("torch{}{}({})", cpp_ ? "::" : ".", name, arguments);
}

std::string SetupSyntax::list(const std::vector<int64_t>& values) const {
  if (cpp_ && values.empty()) return "torch::IntArrayRef()";
  return fmt::format("{}{}{}", cpp_ ? "{" : "[", fmt::join(values, ", "), cpp_ ? "}" : "]");
}

std::string SetupSyntax::dtype(DType dtype) const {
  return cpp_ ? fmt::format("torch::{}", cpp_name(dtype)) : fmt::format("torch.{}", to_text(dtype));
}

std::string SetupSyntax::make(std::string_view name, const std::vector<int64_t>& size, DType type,
                              const std::string& before) const {
  return function(name, fmt::format("{}{}, {}{}", before, list(size), cpp_ ? "" : "dtype=", dtype(type)));
}

std::string SetupSyntax::integers(const std::vector<int64_t>& values) const {
  const std::string list = fmt::format("{}", fmt::join(values, ", "));
  return cpp_ ? fmt::format("torch::tensor(std::vector<int64_t>{{{}}}, torch::kLong)", list)
              : fmt::format("torch.tensor([{}], dtype=torch.int64)", list);
}

std::string SetupSyntax::range(int64_t n) const {
  return function("arange", fmt::format("{}, {}{}", n, cpp_ ? "" : "dtype=", dtype(DType::kInt64)));
}

std::string SetupSyntax::tensors(const std::vector<std::string>& expressions) const {
  return fmt::format("{}{}{}", cpp_ ? "{" : "[", fmt::join(expressions, ", "), cpp_ ? "}" : "]");
}

std::string SetupSyntax::floor_divide(const std::string& expression, int64_t divisor) const {
  return fmt::format("{}.div({}, {}\"floor\")", expression, divisor, cpp_ ? "" : "rounding_mode=");
}

std::string SetupSyntax::part(const std::string& name, int64_t first, int64_t past_last) const {
  return cpp_ ? fmt::format("{}.slice(0, {}, {})", name, first, past_last)
              : fmt::format("{}[{}:{}]", name, first, past_last);
}

std::string SetupSyntax::slices(const std::string& name, const std::vector<int64_t>& size,
                                const std::vector<int64_t>& steps) const {
  if (std::all_of(steps.begin(), steps.end(), [](int64_t step) { return step == 1; })) return name;
  std::vector<std::string> python;
  std::string text = name;
  for (size_t d = 0; d < steps.size(); ++d) {
    python.push_back(steps[d] == 1 ? ":" : fmt::format("::{}", steps[d]));
    if (cpp_ && steps[d] != 1) text += fmt::format(".slice({}, 0, {}, {})", d, size[d] * steps[d], steps[d]);
  }
  return cpp_ ? text : fmt::format("{}[{}]", name, fmt::join(python, ", "));
}

std::string SetupSyntax::skip(const TorchPosition::Skip& skip, int64_t block) const {
  if (skip.gaussians > 0) return statement(make("randn", {skip.gaussians}, skip.dtype));
  const int64_t whole = skip.words / block, rest = skip.words % block;
  std::string text;
  if (whole > 0 && cpp_)
    text += fmt::format("for (int i = 0; i < {}; ++i) torch::rand({{{}}}, torch::kFloat);\n", whole, block);
  if (whole > 0 && !cpp_)
    text += fmt::format("for _ in range({}): torch.rand([{}], dtype=torch.float32)\n", whole, block);
  if (rest > 0) text += statement(make("rand", {rest}, DType::kFloat32));
  return text;
}

}  // namespace icount
