#include "icount/suite/torchscript.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/json.h"
#include "icount/base/text.h"
#include "icount/stats/python_text.h"

namespace icount {
namespace {

constexpr int kWarmUps = 3;

/// A literal that Python and C++ read alike: JSON's escapes are valid in both for the bytes below 0x80, the rest is
/// UTF-8.
std::string quoted(const std::string& text) { return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace); }

/// One quoted line per line of `text`, each with its line feed: reads well in a saved stub, and C++ joins them.
std::string quoted_lines(const std::string& text) {
  std::string result;
  for (std::string_view line : split_lines(text)) result += fmt::format("\n    {}", quoted(std::string(line) + "\n"));
  return result;
}

/// Python's torch.nn.functional is Python code around operators; LibTorch's compiler knows the operators, as
/// torch.NAME.
constexpr std::string_view kFunctional = "torch.nn.functional.";
/// The one such function that is no operator but small enough to be given along.
constexpr std::string_view kNormalizeCall = "torch.nn.functional.normalize(";
constexpr std::string_view kNormalizeMethod = "self.functional_normalize(";
constexpr std::string_view kNormalize =
    "def functional_normalize(self, input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12):\n"
    "    return input / input.norm(p, dim, True).clamp_min(eps).expand_as(input)\n";

/// The method `forward` of a module for a function made by torchscript_function, in words that LibTorch's compiler has.
std::string forward_method(const std::string& function) {
  constexpr std::string_view kHead = "def model(";
  ICOUNT_CHECK(function.starts_with(kHead), "not made by torchscript_function");
  const bool no_args = function[kHead.size()] == ')';
  std::string methods = fmt::format("def forward(self{}{}", no_args ? "" : ", ", function.substr(kHead.size()));
  if (methods.find(kNormalizeCall) != std::string::npos) methods = std::string(kNormalize) + methods;
  replace_all(methods, kNormalizeCall, kNormalizeMethod);
  replace_all(methods, kFunctional, "torch.");
  return methods;
}

}  // namespace

std::string torchscript_function(const std::string& py_stmt, const Signature& signature) {
  const std::string output = signature.output.empty() ? "None" : signature.output;
  return fmt::format("def model({}):\n{}\n    return {}\n", signature.arg_list(), python_indent(py_stmt, "    "),
                     output);
}

std::string backward_call(const std::string& output, const AutoLabels& labels) {
  if (labels.language == AutoLanguage::kPython) return output + ".backward()";
  return labels.runtime == RuntimeMode::kJit ? output + ".toTensor().backward();" : output + ".backward();";
}

std::string model_invocation(const Signature& signature, const AutoLabels& labels) {
  ICOUNT_CHECK(labels.runtime != RuntimeMode::kExplicit, "explicit statements are not derived");
  const bool jit = labels.runtime == RuntimeMode::kJit;
  const bool python = labels.language == AutoLanguage::kPython;
  const std::string target =
      signature.output.empty() ? "" : fmt::format("{}{} = ", python ? "" : "auto ", signature.output);
  std::string stmt;
  if (python) {
    stmt = fmt::format("{}{}({})", target, jit ? "jit_model" : "model", signature.arg_list());
  } else if (!jit) {
    stmt = fmt::format("{}model->forward({});", target, signature.arg_list());
  } else {
    stmt = fmt::format("std::vector<torch::jit::IValue> ivalue_inputs = {{{}}};\n{}jit_model.forward(ivalue_inputs);",
                       signature.arg_list(), target);
  }
  if (labels.autograd == AutogradMode::kForwardBackward) stmt += "\n" + backward_call(signature.output, labels);
  return stmt;
}

std::string cpp_compiled_model(const std::string& function) {
  return fmt::format(
      "torch::jit::Module jit_source(\"model\");\n"
      "jit_source.define({});\n"
      "std::stringstream jit_archive;\n"
      "jit_source.save(jit_archive);\n"
      "torch::jit::Module jit_model = torch::jit::load(jit_archive);\n"
      "jit_model.eval();",
      quoted_lines(forward_method(function)));
}

/// The same file by a name of fixed length, "a////////b": the heap of whoever opens it is then the same wherever the
/// folder lies.
std::string path_of_fixed_length(std::string path) {
  constexpr size_t kLength = 250;
  const size_t slash = path.rfind('/');
  if (slash != std::string::npos && path.size() < kLength) path.insert(slash, kLength - path.size(), '/');
  return path;
}

std::string cpp_loaded_model(const std::string& path) {
  return fmt::format("torch::jit::Module jit_model = torch::jit::load({});", quoted(path_of_fixed_length(path)));
}

std::string py_compiled_model(const std::string& function) {
  return fmt::format(
      "import io\n"
      "jit_model = torch.jit.load(io.BytesIO(torch.jit.CompilationUnit({}).model.save_to_buffer()))",
      quoted(function));
}

std::string py_loaded_model(const std::string& path) {
  return fmt::format("jit_model = torch.jit.load({})", quoted(path_of_fixed_length(path)));
}

std::string warm_up(const std::string& stmt, AutoLanguage language) {
  if (language == AutoLanguage::kPython)
    return fmt::format("for _ in range({}):\n{}", kWarmUps, python_indent(stmt, "    "));
  return fmt::format("for (int jit_warm_up = 0; jit_warm_up < {}; ++jit_warm_up) {{\n{}\n}}", kWarmUps,
                     python_indent(stmt, "  "));
}

std::string jit_global_setup() {
  return "#include <sstream>\n#include <string>\n#include <vector>\n#include <torch/script.h>";
}

}  // namespace icount
